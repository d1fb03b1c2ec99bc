#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='the main job on the demonstration project, from nothing to a release'
. "$(dirname "$0")/lib.sh"
test_need box

SOURCE_DATE_EPOCH=1735689600
export SOURCE_DATE_EPOCH

test_expect_success 'the project is the same everywhere' '
	"$test_source/demo/make-repository" tally &&
	TZ=Asia/Tokyo LC_ALL=C "$test_source/demo/make-repository" again &&
	git -C tally rev-parse main side >one &&
	git -C again rev-parse main side >two &&
	test_cmp one two &&
	git -C tally rev-list --all --count >actual &&
	echo 15 >expect &&
	test_cmp expect actual
'

test_expect_success 'a release is built in one go' '
	goldset -C ws build tally --as demo/tally -o release -j1 >out 2>err &&
	cat err &&
	! test -s out &&
	test_grep "5 records" err &&
	test -f release/oracles.parquet
'

# One line a commit: what became of it, by its subject.
commit_of() {
	git -C tally log --all --format='%H %s' | sed -n "s/^\([0-9a-f]*\) $1.*/\1/p"
}

while IFS='|' read -r subject state reason rule; do
	test_expect_success "$subject: $state${reason:+, $reason} ($rule)" '
		commit=$(commit_of "'"$subject"'") &&
		test -n "$commit" &&
		goldset -C ws explain --json "$commit" >story &&
		echo "'"$state|$reason"'" >expect &&
		json story "d[\"state\"] + \"|\" + (d[\"reason\"] or \"\")" >actual &&
		test_cmp expect actual &&
		goldset -C ws explain "$(echo "$commit" | cut -c1-9)" >text &&
		test_grep "${commit}" text
	'
done <<'EOT'
Begin a price list|refused|no parent|W2
Fix amounts with one digit|record||K2
Fix the total of an empty|record||K2
Fix the rebate at the limit|record||K2
Fix long names running|record||K2
Add sums of amounts|refused|name did not exist|O5
Fix blanks before a name|refused|flaky|K1
Reformat|refused|no semantic change|W5
Fix blanks between thousands|record||W1, K2
Say what this is|refused|no source change|W3
Merge the side branch|refused|merge|W2
Change the licence|refused|no source change|W3
Fix negative amounts|refused|licence not accepted|L1, L2
Return to the old licence|refused|no source change|W3
Fix the example prices|refused|passes before|O5
EOT

test_expect_success 'the numbers of status add up' '
	goldset -C ws status --json >status &&
	json status "d[\"commits\"] == 15 == d[\"records\"] + d[\"pending\"] +
		d[\"duplicates\"] + sum(d[\"reasons\"].values())" >actual &&
	json status "sum(d[\"by_granularity\"].values()) == d[\"records\"]
		== sum(d[\"by_change_kind\"].values())" >>actual &&
	json status "d[\"by_granularity\"]" >>actual &&
	cat >expect <<-\E &&
	True
	True
	{'\''function'\'': 3, '\''file'\'': 2}
	E
	test_cmp expect actual &&
	git -C tally rev-list --all --count >commits &&
	json status "d[\"commits\"]" >actual &&
	test_cmp commits actual
'

query() {
	goldset --json query release "$1"
}

test_expect_success 'each record has its unit, its kind, its spec and its tests' '
	query "select subject[:25] s, granularity g, unit u, spec_source p,
		n_tests n, diff_lines d from oracles order by committed_at, unit" >actual &&
	cat >expect <<-\E &&
	{"s":"Fix amounts with one digi","g":"function","u":"parse","p":"docstring","n":1,"d":2}
	{"s":"Fix the total of an empty","g":"function","u":"Basket.total","p":"docstring","n":1,"d":4}
	{"s":"Fix the rebate at the lim","g":"file","u":"tally.discount","p":"commit_message","n":2,"d":4}
	{"s":"Fix long names running in","g":"file","u":"line","p":"commit_message","n":1,"d":2}
	{"s":"Fix blanks between thousa","g":"function","u":"parse","p":"docstring","n":1,"d":2}
	E
	test_cmp expect actual
'

# K2: the commit that touched two files is reduced to the one that mends.
test_expect_success 'the commit of two files is reduced to one' '
	query "select module from oracles where subject like '\''Fix long names%'\''" >actual &&
	test_grep "tally.report" actual
'

test_expect_success 'every checksum is right, and every file has one' '
	(cd release && sha256sum --quiet -c SHA256SUMS) &&
	(cd release && find . -type f ! -name SHA256SUMS | sed "s|^\./||" | sort) >expect &&
	sed "s/^[0-9a-f]*  //" release/SHA256SUMS | sort >actual &&
	test_cmp expect actual
'

test_expect_success 'the numbers of the card are those of the published file' '
	query "select count(*) n, count(distinct repo) p,
		min(committed_at)[:10] a, max(committed_at)[:10] b from oracles" >counts &&
	test_grep "^$(json counts "d[\"n\"]") records from $(json counts "d[\"p\"]") project" \
		release/README.md &&
	test_grep "between $(json counts "d[\"a\"]") and $(json counts "d[\"b\"]")" \
		release/README.md &&
	test_grep "num_examples: $(json counts "d[\"n\"]")\$" release/README.md &&
	test_grep "download_size: $(stat -c %s release/oracles.parquet)\$" release/README.md
'

test_expect_success 'licence and evidence stand beside the records' '
	query "select count(*) n from oracles join evidence using (id)" >actual &&
	echo "{\"n\":5}" >expect &&
	test_cmp expect actual &&
	query "select distinct license, license_file from oracles" >actual &&
	echo "{\"license\":\"MIT\",\"license_file\":\"LICENSE\"}" >expect &&
	test_cmp expect actual &&
	grep -rq "The Tally Authors" release/licenses
'

# P3: once, without what differs from run to run.
test_expect_success 'evidence keeps what the failing test said' '
	query "select observations o from evidence join oracles using (id)
		where unit = '\''Basket.total'\''" >seen &&
	json seen "[s[\"said\"] for s in __import__(\"json\").loads(d[\"o\"]) if \"said\" in s]" >actual &&
	test_grep "^\[{.tests/test_basket.py::test_total_of_nothing.: .AssertionError: assert None == 0" actual &&
	test_grep "object at 0x…" actual &&
	! grep -q "0x[0-9a-f]" actual
'

test_expect_success 'show prints a record with all of its parts' '
	id=$(query "select id from oracles where unit = '\''Basket.total'\''" |
		sed "s/.*\(gs-[0-9a-f]*\).*/\1/") &&
	echo "$id" >id &&
	goldset -C ws show "$id" >whole &&
	test_grep "Fix the total of an empty basket" whole &&
	test_grep "^- *total = None" whole &&
	test_grep "^+ *total = 0" whole &&
	test_grep "test_total_of_nothing" whole &&
	test_grep "AssertionError: assert None == 0" whole &&
	test_grep "which is 0 for an empty basket" whole &&
	goldset show --release release "$id" >published &&
	test_cmp whole published &&
	goldset -C ws show "$(echo "$id" | cut -c1-10)" >short &&
	test_cmp whole short &&
	(cd release && goldset show "$id") >inside &&
	test_cmp whole inside
'

test_expect_success 'the texts of a record make its diff' '
	id=$(cat id) &&
	goldset -C ws show --before "$id" >before &&
	goldset -C ws show --after "$id" >after &&
	goldset -C ws show --diff "$id" >diff &&
	patch -s -o patched before diff &&
	test_cmp after patched
'

test_expect_success 'checkout gives both states, and their tests tell them apart' '
	id=$(cat id) &&
	goldset -C ws checkout "$id" -d tree-before &&
	goldset -C ws checkout --after -d tree-after "$id" &&
	(cd tree-after && PYTHONPATH=. python3 -m pytest -q -p no:cacheprovider tests/test_basket.py) &&
	test_expect_code 1 sh -c "cd tree-before && PYTHONPATH=. \
		python3 -m pytest -q -p no:cacheprovider tests/test_basket.py" &&
	test_refuses 2 "there already" goldset -C ws checkout "$id" -d tree-after
'

test_expect_success 'publishing again gives the same bytes' '
	goldset -C ws publish again-released &&
	test_same_tree release again-released
'

test_expect_success 'another workspace, order, zone and locale give the same bytes' '
	TZ=Pacific/Auckland LC_ALL=C LANG=C HOME=/nonexistent \
		goldset -C other build -j2 tally --as demo/tally -o other-release &&
	test_same_tree release other-release
'

# K1, O7: warm workers are about time and nothing else.
test_expect_success 'a fresh interpreter for every run gives the same bytes' '
	goldset -C cold build --cold tally --as demo/tally -o cold-release &&
	test_same_tree release cold-release
'

test_expect_success 'a folder that exists is refused before any work' '
	cp -a ws/state.db state &&
	cp -a release kept &&
	test_refuses 2 "there already.*--replace" \
		goldset -C ws build tally --as demo/tally -o release &&
	mkdir foreign && echo mine >foreign/file &&
	test_refuses 2 "no release" \
		goldset -C ws build tally --as demo/tally -o foreign --replace &&
	echo mine >expect && test_cmp expect foreign/file &&
	test_same_tree kept release &&
	test_refuses 2 "" goldset -C ws publish release &&
	test_same_tree kept release
'

test_expect_success 'building again does nothing twice, and --replace replaces' '
	goldset -C ws build tally --as demo/tally -o release --replace 2>err &&
	cat err &&
	test_grep " 0 new commits" err &&
	test_grep " 0 candidates examined" err &&
	test_same_tree kept release
'

test_expect_success 'what is new is taken, and nothing else is run again' '
	(cd tally &&
		sed "s/\* SHARE/* (SHARE + 0)/; s/LIMIT = 9999/LIMIT = 9999  # cents/" \
			tally/discount.py >x && mv x tally/discount.py &&
		printf "\n\ndef test_more():\n    assert rebate(20000) == 2000\n" \
			>>tests/test_discount.py &&
		git add -A && test_tick && git commit -q -m "Change nothing much") &&
	goldset -C ws build tally --as demo/tally -o release --replace 2>err &&
	cat err &&
	test_grep " 1 new commit, 1 candidate" err &&
	test_grep " 1 candidate examined, 0 records" err
'

# A maintainer asks: gone from later releases, and the ids are named.
test_expect_success 'an excluded project is gone, its tombstones stay' '
	goldset -C ws exclude demo/tally --reason "asked by the maintainer" &&
	goldset -C ws publish emptied 2>err &&
	test_grep "empty" err &&
	goldset --json query emptied "select count(*) n from oracles" >actual &&
	echo "{\"n\":0}" >expect &&
	test_cmp expect actual &&
	test_grep "$(cat id)" emptied/withdrawn.csv
'

test_done
