#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='parts of a build on several machines, merged, are the whole'
. "$(dirname "$0")/lib.sh"
test_need box

SOURCE_DATE_EPOCH=1735689600
export SOURCE_DATE_EPOCH

# Two projects hold the same fix, so that a duplicate and also_in (I4) lie
# across shards; "list" names all four.
test_expect_success 'the undisturbed release' '
	"$test_source/demo/make-repository" demo/tally &&
	test_project some/halves &&
	test_project other/halves &&
	(
		cd other/halves && test_tick &&
		printf "\n\ndef double(n):\n    return n + n\n" >>halves.py &&
		printf "\n\ndef test_double():\n    from halves import double\n    assert double(2) == 4\n" \
			>>tests/test_halves.py &&
		git add -A && git commit -q -m "Add double"
	) &&
	test_project third/one &&
	printf "%s\n" demo/tally some/halves other/halves third/one >list &&
	goldset -C whole build --from list --mirror "$PWD/{owner}/{name}" -o expected 2>err &&
	cat err &&
	test_grep "duplicates\|6 records" err &&
	goldset --json -C whole status >expected-status &&
	goldset --json query expected "select count(*) n from oracles where also_in <> '\'''\''" >also &&
	test_grep "\"n\":1" also
'

part() { # I N
	goldset -C "$2/ws$1" build --from list --mirror "$PWD/{owner}/{name}" \
		--shard "$1/$2" --results "$2/results" -j2
}

for n in 2 3; do
	test_expect_success "$n shards, merged without their mirrors, publish the same bytes" '
		n='$n' && mkdir $n &&
		for i in $(seq 0 $((n - 1))); do part $i $n 2>err || { cat err; exit 1; }; done &&
		ls $n/results >results &&
		test "$(wc -l <results)" = $n &&
		find $n/ws*/mirrors -mindepth 1 -maxdepth 1 -printf "%f\n" | sort >actual &&
		ls whole/mirrors >mirrors &&
		test_cmp mirrors actual &&
		rm -rf $n/ws* &&
		goldset -C $n/all merge $n/results &&
		goldset -C $n/all --json status >status &&
		test_cmp expected-status status &&
		goldset -C $n/all publish $n/release &&
		test_same_tree expected $n/release
	'
done

test_expect_success 'merging again changes nothing' '
	goldset -C 2/all --json merge 2/results 3/results whole >out &&
	test "$(wc -l <out)" = 6 &&
	test_no_grep "\"\(projects\|commits\|candidates\|records\)\":[1-9]" out &&
	goldset -C 2/all publish 2/again &&
	test_same_tree expected 2/again
'

# Every project is of one shard, whatever step it is asked of.
test_expect_success 'each step takes its part' '
	for i in 0 1 2; do
		goldset -C parts add --from list --mirror "$PWD/{owner}/{name}" --shard $i/3
	done >names &&
	sort names >actual && sort list >expect &&
	test_cmp expect actual &&
	goldset -C parts add --from list --mirror "$PWD/{owner}/{name}" >all &&
	for i in 0 1 2; do goldset -C parts --json mine --shard $i/3; done |
		grep -c "\"step\":\"mine\"" >count &&
	echo 4 >expect && test_cmp expect count &&
	goldset -C parts validate --shard 0/1 --limit 1 --results parts-results demo/tally 2>err &&
	test_grep "1 candidate examined" err &&
	test -f parts-results/shard-0-of-1/state.db
'

test_expect_success 'the shard of a name is the same everywhere' '
	goldset -C known add demo/tally --as demo/tally --shard 1/7 >out &&
	echo demo/tally >expect && test_cmp expect out &&
	goldset -C known add third/one --as pallets/click --shard 92/1000 >out &&
	echo pallets/click >expect && test_cmp expect out &&
	goldset -C known add some/halves --as a/b --shard 0/2 >out && ! test -s out
'

test_expect_success 'what is no shard is refused' '
	for shard in 2/2 0/0 1 /2 -1/2 1/2/3 a/b 1/ 0x1/2 99999999999/2 "" " 0/2"; do
		test_refuses 2 "shard" goldset -C none build tally --shard "$shard" --results r || exit 1
	done &&
	! test -e r
'

# The same commits, seen otherwise: not one of them is taken.
test_expect_success 'what cannot both be true is refused, and both are named' '
	goldset -C doubt add third/one --as third/one &&
	goldset -C doubt mine && goldset -C doubt validate &&
	sqlite3 doubt/state.db "INSERT INTO reason (name) VALUES ('\''flaky'\'') ON CONFLICT DO NOTHING;
		DELETE FROM record; UPDATE candidate SET state = 3,
		reason = (SELECT id FROM reason WHERE name = '\''flaky'\'')" &&
	goldset -C whole --json status >before &&
	test_expect_code 1 goldset -C whole --json merge doubt >out 2>err &&
	cat err &&
	test_grep "third/one, commit [0-9a-f]\{12\}: here a record, in doubt refused: flaky" err &&
	test_grep "nothing of doubt is taken" err &&
	json out "len(d[\"conflicts\"])" >count && echo 1 >expect && test_cmp expect count &&
	goldset -C whole --json status >after &&
	test_cmp before after
'

test_expect_success 'another repository under a name that is taken is refused' '
	test_tick && test_project stranger && goldset -C strange add stranger --as third/one &&
	goldset -C strange mine &&
	test_expect_code 1 goldset -C whole merge strange 2>err &&
	test_grep "third/one: here a history that begins at [0-9a-f]*, in strange one that begins" err
'

test_expect_success 'what is no workspace, or the same one, is refused' '
	mkdir empty && test_refuses 3 "neither a workspace nor" goldset -C whole merge empty &&
	test_refuses 3 "cannot be read" goldset -C whole merge nowhere &&
	test_refuses 2 "is the workspace itself" goldset -C whole merge "$PWD/whole" &&
	mkdir odd && echo "no database" >odd/state.db &&
	test_must_fail goldset -C whole merge odd 2>err && test_grep "odd" err
'

test_expect_success 'a workspace that cannot be written is read all the same' '
	cp -r 3/results readonly && chmod -R a-w readonly &&
	test_when_finished "chmod -R u+w readonly" &&
	goldset -C from-readonly merge readonly &&
	goldset -C from-readonly --json status >status &&
	test_cmp expected-status status
'

test_expect_success faults 'a result is there whole or not at all, and a killed merge goes on' '
	goldset -C dying build third/one --as third/one --results died 2>err &&
	rm -rf died &&
	n=1 &&
	while code=0; GS_FAULT_AT=$n goldset -C dying build third/one --as third/one \
		--results died 2>err || code=$?; test $code != 0; do
		test $code = 137 || { cat err; exit 1; }
		! test -e died/shard-0-of-1/state.db ||
			sqlite3 died/shard-0-of-1/state.db "PRAGMA integrity_check" >ok || exit 1
		n=$((n + 1)) && test $n -lt 60 || exit 1
	done &&
	find died -mindepth 1 | sort >left &&
	printf "%s\n" died/shard-0-of-1 died/shard-0-of-1/state.db >expect &&
	test_cmp expect left &&
	n=1 &&
	while code=0; GS_FAULT_AT=$n goldset -C merged merge whole 2>err || code=$?; test $code != 0; do
		test $code = 137 || { cat err; exit 1; }
		n=$((n + 1)) && test $n -lt 60 || exit 1
	done &&
	test $n -gt 10 &&
	goldset -C merged publish merged-release &&
	test_same_tree expected merged-release
'

test_done
