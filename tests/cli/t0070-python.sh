#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='a release from Python, as docs/python.md has it'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/project.sh"
test_need box

# The first block of Python below a heading.
block() { # HEADING
	awk -v heading="## $1" '$0 == heading { here = 1; next } /^## / { here = 0 }
		here && /^```python/ { on = 1; next } on && /^```/ { exit } on' \
		"$test_source/docs/python.md"
}

test_expect_success 'a release, and both its tables as JSON Lines' '
	scoring_release && mv rel release &&
	mkdir bin lib && ln -s "$GOLDSET" bin/goldset &&
	ln -s "$GS_BUILD/lib/libduckdb.so" lib/ &&
	goldset query --json release "from oracles join evidence using (id)" >records.jsonl
'

test_expect_success 'the standard library' '
	block "The standard library" >plain.py && test -s plain.py &&
	echo "assert len(records) == 2, records" >>plain.py &&
	PATH=$PWD/bin:$PATH /usr/bin/python3 plain.py
'

if /usr/bin/python3 -c 'import pandas' 2>.null; then
	test_expect_success 'pandas' '
		block pandas >frame.py && test -s frame.py &&
		echo "assert len(df) == 2 and len(small) == 1 and len(tests) == 1, df" >>frame.py &&
		/usr/bin/python3 frame.py
	'
else
	test_skip 'pandas' 'pandas is not installed'
fi

test_done
