# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of goldset for bash: the program itself says what a word may
# become. Installed where bash-completion looks; or source this file.

_goldset() {
    local cur=${COMP_WORDS[COMP_CWORD]} word line
    local -a before=()
    # bash makes a word of its own of "=".
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == "=" ]] || before+=("$word")
    done
    [[ $cur == "=" ]] && cur=
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :files | :dirs)
            compopt -o filenames 2> /dev/null
            while IFS= read -r word; do
                COMPREPLY+=("$word")
            done < <(compgen -A "$([[ $line == :dirs ]] && echo directory || echo file)" -- "$cur")
            ;;
        *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${before[@]}" "$cur" 2> /dev/null)
}
complete -F _goldset goldset
