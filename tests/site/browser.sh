#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A site with all that a site can have, in Debian's Chromium: search, keys,
# copy, query, both themes, a hostile record. tools/check-all site runs it.
# With GS_TEST_SLOW=MS on a server and a processor that are slow.
# With GS_TEST_DRAW=FOLDER the main pages are drawn into that folder.
test_description='a website in a browser'
GS_SOURCE=${GS_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=tests/cli/lib.sh
. "$GS_SOURCE/tests/cli/lib.sh"

test_need box
test_need chromium
test_need node
test_need playwright

# A line of 300,000 characters, mark-up in strings, controls in the subject.
hostile_project() {
	test_project "$1" && (
		cd "$1" &&
		cat >halves.py <<-\E &&
		def half(n):
		    """Return half of n, an int."""
		    return n // 2


		def double(n):
		    """Return twice n & "more" <b>. </pre><script>alert(1)</script>"""
		    note = "</code></pre><img src=x onerror=alert(1)>"
		    return n + n + len(note) - len(note) + (n > 9)
		E
		git add -A && test_tick && git commit -q -m "Add double" &&
		sed "s/ + (n > 9)//" halves.py |
			awk "/note =/ {
				printf \"    # <script>alert(1)</script>\"
				for (i = 0; i < 30000; i++) printf \"0123456789\"
				print \"\"
			} { print }" >new && mv new halves.py &&
		printf "\n\ndef test_double():\n    from halves import double\n\n    assert double(10) == 20\n" \
			>>tests/test_halves.py &&
		git add -A && test_tick &&
		printf "Fix \033]0;owned\007 \342\200\256double</title><script>alert(1)</script> \" onmouseover=\"alert(1)\n" |
			git commit -q -F -
	)
}

test_expect_success 'a release of the demo and of a hostile project' '
	hostile_project hostile &&
	"$test_source/demo/make-repository" tally &&
	goldset add hostile --as evil/project &&
	goldset add tally --as demo/tally &&
	goldset mine && goldset validate && goldset publish release &&
	goldset status --json >status.json &&
	goldset --json query release "select repo, length(source_after) > 300000 long from oracles
		where unit = '\''double'\''" >actual &&
	echo "{\"repo\":\"evil/project\",\"long\":true}" >expect &&
	test_cmp expect actual
'

test_expect_success 'answers of two models, scored' '
	for model in gold unchanged
	do
		goldset --json query release "select id, source_after gold, source_before unchanged
			from oracles where repo = '\''demo/tally'\''" |
			/usr/bin/python3 -c "import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({\"id\": row[\"id\"], \"model_name_or_path\": sys.argv[1] + \"-of-a-name-without-a-space-that-no-telephone-has-room-for\", \"answer\": row[sys.argv[1]]}))" $model
	done >answers &&
	goldset score release answers --mirror "$PWD/tally" -o report.json &&
	goldset --json query release "select id from oracles" |
		sed "s/}$/, \"verdict\": \"confirmed\", \"claims\": []}/" >seen.jsonl &&
	goldset site release report.json --verified seen.jsonl --status status.json -o site
'

if test -n "$GS_TEST_DRAW"; then
	mkdir -p "$GS_TEST_DRAW"
fi
# Its lines are TAP; here they go on counting.
node "$test_source/tests/site/browser.mjs" site ${GS_TEST_DRAW:+"$GS_TEST_DRAW"} >browser.tap 2>browser.err
while IFS= read -r line; do
	case $line in
	"ok "*)
		test_count=$((test_count + 1))
		echo "ok $test_count - ${line#* - }" ;;
	"not ok "*)
		test_count=$((test_count + 1)) test_failures=$((test_failures + 1))
		echo "not ok $test_count - ${line#* - }" ;;
	"# "*) echo "$line" ;;
	esac
done <browser.tap
test_expect_success 'the browser came to the end' '
	cat browser.err &&
	grep "^1\.\." browser.tap
'
test_done
