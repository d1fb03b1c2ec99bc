# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of goldset-verify for bash: the options are read from --help.

_goldset_verify() {
    local cur=${COMP_WORDS[COMP_CWORD]} word words
    if [[ $cur == -* ]]; then
        words=$("${COMP_WORDS[0]/#\~/$HOME}" --help 2> /dev/null | grep -oE -- '--[a-z]+')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    compopt -o filenames 2> /dev/null
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -f -- "$cur")
}
complete -F _goldset_verify goldset-verify
