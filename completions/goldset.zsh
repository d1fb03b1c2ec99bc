#compdef goldset
# SPDX-License-Identifier: Apache-2.0
# Completion of goldset for zsh: the program itself says what a word may
# become. Installed as _goldset in a folder of fpath.

_goldset() {
    local line
    local -a found
    for line in "${(@f)$(${(Q)words[1]} --complete "${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
        case $line in
        '') ;;
        :files) _files ;;
        :dirs) _files -/ ;;
        *) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    (( $#found )) && _describe -t values goldset found
}

_goldset "$@"
