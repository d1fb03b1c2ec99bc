#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='solve --agent: a command at work in the sandbox'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/project.sh"
test_need box

agent=$test_source/tests/cli/scoring/agent.py

test_expect_success 'a release, and a server that must not be reached' '
	scoring_release
'

solve() {
	rm -f answers log &&
	goldset -C w -q solve --agent "$agent" --agent-arg 1 -o answers --log log "$@" rel
}

test_expect_success 'its change of the source is its answer' '
	solve &&
	test "$(wc -l <answers)" = 2 &&
	goldset -C w --json score rel answers >report.json &&
	test "$(json report.json "d[\"resolved\"], d[\"model\"]")" = "(2, '\''agent.py'\'')"
'

test_expect_success 'no history, none of the tests of the fix, no network' '
	test_grep "history: False" log &&
	test_grep "answer: False False" log &&
	test_grep "network: no" log
'

test_expect_success 'changes elsewhere are told and set aside' '
	solve --agent-arg messy --model messy &&
	test_grep "notes.txt" answers &&
	test_grep "tests/test_halves.py" answers &&
	test_grep "outside half" answers &&
	test_no_grep "TASK.md" answers &&
	goldset -C w --json score rel answers >report.json &&
	test "$(json report.json "d[\"resolved\"]")" = 2
'

test_expect_success 'one that does not end is ended, what it did counts' '
	solve --agent-arg hang --timeout 8 &&
	test_grep "was ended after" answers &&
	goldset -C w --json score rel answers >report.json &&
	test "$(json report.json "d[\"resolved\"]")" = 2
'

test_expect_success 'what is there is not done again' '
	cp answers before &&
	goldset -C w -q solve --agent "$agent" -o answers rel &&
	test_cmp before answers
'

test_expect_success 'no such program' '
	test_refuses 3 "no program" goldset -C w solve --agent ./nothing -o new rel
'

test_done
