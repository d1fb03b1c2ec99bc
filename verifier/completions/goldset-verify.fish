# SPDX-License-Identifier: Apache-2.0
# Completion of goldset-verify for fish: the options are read from --help.

function __goldset_verify_options
    for line in (goldset-verify --help 2>/dev/null)
        set -l found (string match -r '^  (?:-\w, )?(--\w+) \S* *(.*)$' -- $line)
        test (count $found) -eq 3; and printf '%s\t%s\n' $found[2] $found[3]
    end
end

complete -c goldset-verify -n 'string match -q -- "-*" (commandline -ct)' -a '(__goldset_verify_options)'
