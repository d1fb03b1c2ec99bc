#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How far long work is, on a terminal; nothing elsewhere. The last step of a
# phase is shown however fast it was, so no speed is asked of the machine.
test_description='progress of publish, site, audit and export'
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

test_need box

# A pseudo-terminal, through Python, that is there until the program has ended.
on_terminal() {
	TERM=xterm /usr/bin/python3 -c 'import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))' "$GOLDSET" "$@" </dev/null
}

test_expect_success 'publish, on a terminal' '
	test_project project &&
	goldset add project --as a/project && goldset mine && goldset validate &&
	on_terminal publish release >seen &&
	test_grep "write the tables 1/1 (100 %)" seen &&
	test_grep "read it back 2/2 (100 %)" seen
'

test_expect_success 'site, audit and export, on a terminal' '
	on_terminal site release -o site >seen &&
	test_grep "read the release 2/2 (100 %)" seen &&
	test_grep "write the pages 1/1 (100 %)" seen &&
	on_terminal audit release >seen &&
	test_grep "check the records 1/1 (100 %)" seen &&
	test_grep "check the evidence 1/1 (100 %)" seen &&
	on_terminal export --to jsonl -o rows release >seen &&
	test_grep "write the records 1/1 (100 %)" seen &&
	on_terminal export --to harbor -o tasks --mirror "$PWD/project" release >seen &&
	test_grep "write the tasks 1/1 (100 %)" seen
'

test_expect_success 'the line is taken away again' '
	/usr/bin/python3 - <<-\E
	last = open("seen", "rb").read().rindex(b"write the tasks")
	assert b"\r\x1b[K" in open("seen", "rb").read()[last:]
	E
'

test_expect_success 'nothing through a pipe, with --json or --quiet' '
	goldset site release -o piped 2>seen && test_no_grep "write the pages" seen &&
	on_terminal --json site release -o told >seen && test_no_grep "write the pages" seen &&
	on_terminal --quiet site release -o quiet >seen && ! test -s seen &&
	on_terminal --json publish again >seen && test_no_grep "write the tables" seen &&
	on_terminal --quiet audit release >seen && test_no_grep "check the" seen &&
	on_terminal --json export --to jsonl -o more release >seen && test_no_grep "write the" seen
'

test_done
