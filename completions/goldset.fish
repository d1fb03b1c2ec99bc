# SPDX-License-Identifier: Apache-2.0
# Completion of goldset for fish: the program itself says what a word may
# become. Installed in a folder of fish_complete_path.

function __goldset_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    for line in ($program --complete $words "$word" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$word"
            case :dirs
                __fish_complete_directories "$word" ''
            case '*'
                echo $line
        end
    end
end

complete -c goldset -f -a '(__goldset_complete)'
