#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='help, options and exit statuses that all commands share'
. "$(dirname "$0")/lib.sh"

test_expect_success 'the overview fits a screen, begins with the main job and names every command' '
	goldset --help >help &&
	goldset >bare &&
	goldset help >word &&
	test_cmp help bare &&
	test_cmp help word &&
	test_grep "goldset build REPO" help &&
	test "$(wc -l <help)" -le 24 &&
	! grep -n ".\{81,\}" help &&
	goldset help --all >all &&
	goldset help -a >letter &&
	test_cmp all letter &&
	sed -n "/^Commands:/,/^\$/s/^  \([a-z]*\) .*/\1/p" all >commands &&
	for command in build add mine validate status explain publish exclude \
		show query checkout doctor
	do
		grep -qx "$command" commands || exit 1
	done &&
	while read -r command
	do
		grep -qw "$command" help || exit 1
	done <commands
'

test_expect_success 'what is printed into nowhere is an error' '
	test_refuses 3 "standard output" goldset help >&- &&
	test_refuses 3 "standard output" goldset --version >&- &&
	test_refuses 3 "standard output" goldset --json doctor >&- &&
	test_refuses 3 "standard output" goldset help --all >/dev/full
'

test_expect_success 'no line of help is wider than a terminal' '
	for command in "" $(cat commands)
	do
		goldset $command --help | sed "/^Example:/,\$d" || exit 1
	done >all &&
	! grep -n ".\{81,\}" all
'

while read -r command; do
	test_expect_success "$command: help in every form, with usage and example" '
		goldset '"$command"' --help >one &&
		goldset --help '"$command"' >two &&
		goldset help '"$command"' >three &&
		goldset '"$command"' -h >four &&
		test_cmp one two && test_cmp one three && test_cmp one four &&
		test_grep "^usage: goldset '"$command"'" one &&
		test_grep "^Example:" one &&
		test_grep "^  goldset '"$command"'" one
	'

	test_expect_success "$command: an unknown option is usage, and makes nothing" '
		test_refuses 2 "unknown option \"--no-such\".*--help" \
			goldset '"$command"' --no-such &&
		test_refuses 2 "unknown option" goldset '"$command"' -Z &&
		! test -e .goldset
	'
done <"$test_trash/commands"

test_expect_success 'a misspelt command is guessed, a strange one is not' '
	test_refuses 2 "did you mean \"build\"" goldset biuld &&
	test_refuses 2 "did you mean \"validate\"" goldset validat &&
	test_refuses 2 "there is no command \"frobnicate\"" goldset frobnicate &&
	test_no_grep "did you mean" refusal
'

test_expect_success 'a misspelt option is guessed, a strange one is not' '
	test_refuses 2 "did you mean \"--shim\"" goldset validate --shimm &&
	test_refuses 2 "did you mean \"--exhaustive\"" goldset validate --exhau &&
	test_refuses 2 "did you mean \"--since\"" goldset mine --sinse=2020-01-01 &&
	test_refuses 2 "unknown option \"--frobnicate\"" goldset mine --frobnicate &&
	test_no_grep "did you mean" refusal
'

test_expect_success 'values that an option does not take are usage' '
	test_refuses 2 "limit.*whole number" goldset validate --limit many &&
	test_refuses 2 "limit.*whole number" goldset validate --limit=-1 &&
	test_refuses 2 "timeout.*whole number from 1" goldset validate --timeout 0 &&
	test_refuses 2 "since.*date" goldset mine --since yesterday &&
	test_refuses 2 "walk.*commits, first-parent" goldset mine --walk all &&
	test_refuses 2 "env.*system, venv" goldset validate --env conda &&
	test_refuses 2 "kinds.*bug" goldset publish --kinds bugs x &&
	test_refuses 2 "needs a value" goldset mine --since &&
	test_refuses 2 "takes no value" goldset validate --shim=yes &&
	test_refuses 2 "accept" goldset mine --accept GPL-3.0-only &&
	test_refuses 2 "too few" goldset show &&
	test_refuses 2 "too many" goldset status x &&
	test_refuses 2 "-C" goldset -C
'

test_expect_success 'what a command cannot do without is asked for' '
	test_refuses 2 "Give -o" goldset build x &&
	test_refuses 2 "no repository" goldset build -o y &&
	test_refuses 2 "no repository" goldset add &&
	test_refuses 2 "Give -d" goldset checkout gs-1 &&
	test_refuses 2 "Give --reason" goldset exclude a/b
'

test_expect_success '--json, -q and -C are taken before and after the command' '
	goldset -C ws add --help >before &&
	goldset add -C ws --help >after &&
	test_cmp before after &&
	test_project repo &&
	goldset -C ws -q add --as demo/halves repo &&
	goldset -C ws --json status >before &&
	goldset status --json -C ws >after &&
	GOLDSET_WORKSPACE=ws goldset status --json >named &&
	test_cmp before after &&
	test_cmp before named &&
	json before "[d[k] for k in (\"projects\", \"commits\", \"records\")]" >actual &&
	echo "[1, 0, 0]" >expect &&
	test_cmp expect actual
'

test_expect_success 'quiet says nothing but errors, and data stay data' '
	goldset -C ws -q mine >out 2>err &&
	! test -s err &&
	goldset -C ws mine >out 2>err &&
	! test -s out &&
	test_must_fail goldset -q -C nowhere status 2>err &&
	test -s err
'

test_expect_success '-- ends the options' '
	test_refuses 2 "is no repository" goldset add -- --no-such
'

test_expect_success '--version' '
	goldset --version >actual &&
	test_grep "^goldset [0-9]*\.[0-9]*\.[0-9]*$" actual
'

# A pseudo-terminal, through Python, that is there until the program has ended:
# colours there, none with NO_COLOR, none through a pipe.
on_terminal() {
	/usr/bin/python3 -c 'import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))' "$@"
}

test_expect_success 'colours stand on a terminal only, and NO_COLOR ends them' '
	esc=$(printf "\033") &&
	PAGER=cat TERM=xterm on_terminal "$GOLDSET" -C ws status >colour </dev/null &&
	test_grep "$esc" colour &&
	NO_COLOR=1 PAGER=cat TERM=xterm on_terminal "$GOLDSET" -C ws status >plain </dev/null &&
	test_no_grep "$esc" plain &&
	PAGER=cat TERM=dumb on_terminal "$GOLDSET" -C ws status >dumb </dev/null &&
	test_no_grep "$esc" dumb &&
	goldset -C ws status >pipe &&
	test_no_grep "$esc" pipe
'

test_expect_success 'a standard output that is full is an error' '
	test_refuses 3 "standard output" sh -c "\"\$0\" --help >/dev/full" "$GOLDSET"
'

test_done
