#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='import: other systems instances become candidates'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/project.sh"
test_need box

instance() { # NAME EXPRESSION-OVER-i
	goldset -C "$1" --json status >status.json &&
	/usr/bin/python3 -c 'import json, sys
d = json.load(open("status.json"))
i = {i["instance_id"]: i for i in d["instances"]}
assert eval(sys.argv[1]), d["instances"]' "$2"
}

test_expect_success 'a release, exported' '
	scoring_release &&
	goldset -C w export --to swebench -o exported rel
'

# Round trip: the rows give the records they were made from, and no other
# commit of the project is walked.
test_expect_success 'swebench rows give the same records again' '
	goldset -C again add project --as acme/numbers >out &&
	goldset -C again --json import swebench exported/instances.jsonl >out &&
	test "$(cat out)" = "{\"projects\":1,\"instances\":2,\"found\":2,\"candidates\":2}" &&
	instance again "len(i) == 2 and all(v[\"reproduces\"] is None for v in i.values()) and d[\"commits\"] == 2" &&
	goldset -C again -q validate &&
	instance again "all(v[\"reproduces\"] and v[\"record\"] and v[\"base_is_parent\"] for v in i.values())" &&
	goldset -C again -q publish again-rel &&
	goldset --json query rel "select id, source_before, source_after, fail_to_pass from oracles order by id" >old &&
	goldset --json query again-rel "select id, source_before, source_after, fail_to_pass from oracles order by id" >new &&
	test_cmp old new &&
	goldset -C again status --instances >out &&
	test "$(grep -c "reproduces *gs-" out)" = 2
'

test_expect_success 'importing again changes nothing; mining goes on from there' '
	goldset -C again --json import swebench exported/instances.jsonl >out &&
	test "$(cat out)" = "{\"projects\":1,\"instances\":2,\"found\":2,\"candidates\":0}" &&
	instance again "d[\"commits\"] == 2 and d[\"records\"] == 2" &&
	goldset -C again -q mine &&
	goldset -C again --json status >status.json &&
	test "$(json status.json "d[\"commits\"], d[\"records\"], d[\"pending\"]")" = "(3, 2, 0)"
'

test_expect_success 'of a commit and its amended twin the older one is meant' '
	cp -r project twins &&
	(cd twins && git checkout -q -b twin && GIT_COMMITTER_DATE="2030-01-01 00:00:00 +0000" git commit -q --amend --no-edit) &&
	test "$(git -C twins rev-parse twin^{tree} twin~1)" = "$(git -C twins rev-parse main^{tree} main~1)" &&
	test "$(git -C twins rev-parse twin)" != "$(git -C twins rev-parse main)" &&
	goldset -C twins-w add twins --as acme/numbers >out &&
	goldset -C twins-w import swebench exported/instances.jsonl 2>err &&
	instance twins-w "len(i) == 2 and all(name.rsplit(\"-\", 2)[1] == v[\"commit\"][:12] for name, v in i.items())"
'

test_expect_success 'rows as one array, ids as a list, patches without ids' '
	/usr/bin/python3 - <<-\E &&
	import json, re
	rows = [json.loads(line) for line in open("exported/instances.jsonl")]
	for row in rows:
	    row["FAIL_TO_PASS"] = json.loads(row["FAIL_TO_PASS"])
	    row["test_patch"] = re.sub("(?m)^index .*\n", "", row["test_patch"])
	json.dump(rows, open("array.json", "w"), indent=1)
	E
	goldset -C array add project --as acme/numbers >out &&
	goldset -C array --json import swebench array.json >out &&
	test_grep "\"found\":2" out
'

test_expect_success 'what is not there is said of each instance' '
	/usr/bin/python3 - <<-\E &&
	import json
	row = json.loads(open("exported/instances.jsonl").readline())
	row["test_patch"] = row["test_patch"].replace("tests/", "elsewhere/")
	print(json.dumps(dict(row, instance_id="moved")), file=open("odd.jsonl", "w"))
	print(json.dumps(dict(row, instance_id="gone", repo="acme/gone")), file=open("odd.jsonl", "a"))
	E
	goldset -C odd add project --as acme/numbers >out &&
	test_expect_code 1 goldset -C odd import --mirror "$PWD/nowhere/{name}" swebench odd.jsonl 2>err &&
	instance odd "i[\"moved\"][\"reproduces\"] is False and \"test patch\" in i[\"moved\"][\"detail\"]" &&
	instance odd "i[\"gone\"][\"reproduces\"] is False and i[\"gone\"][\"reason\"] == \"no commit\" and i[\"gone\"][\"detail\"]" &&
	goldset -C odd status --instances >out &&
	test_grep "moved .*does not *no commit" out
'

bugs() { # a folder like a checkout of BugsInPy, of the project here
	mkdir -p bugs/projects/numbers/bugs/1 bugs/projects/numbers/bugs/2 bugs/projects/numbers/bugs/3 &&
	printf "github_url=\"https://github.com/acme/numbers/\"\nstatus=\"OK\"\n" >bugs/projects/numbers/project.info &&
	for bug in 1 2 3; do
		fixed=$(git -C project rev-parse main) &&
		test "$bug" = 1 || fixed=$(git -C project rev-parse main~1) &&
		printf "python_version=\"3.8.3\"\nbuggy_commit_id=\"%s\"\nfixed_commit_id =\"%s\"\ntest_file=\"tests/test_halves.py\"\n" \
			"$(git -C project rev-parse "$fixed~1")" "$fixed" >"bugs/projects/numbers/bugs/$bug/bug.info" || return 1
	done &&
	echo "pytest tests/test_doubles.py::test_double" >bugs/projects/numbers/bugs/1/run_test.sh &&
	echo "python -m unittest -q tests.test_halves.test_odd" >bugs/projects/numbers/bugs/2/run_test.sh &&
	echo "tox tests/test_halves.py::test_even" >bugs/projects/numbers/bugs/3/run_test.sh
}

test_expect_success 'bugsinpy: by the fixed commit, with the tests that it names' '
	bugs &&
	goldset -C py import --mirror "$PWD/project" bugsinpy bugs 2>err &&
	test_grep "3 instances of 1 project, 3 found in the history, 2 new candidates" err &&
	goldset -C py -q validate &&
	instance py "i[\"numbers-1\"][\"reproduces\"] and i[\"numbers-2\"][\"reproduces\"]" &&
	instance py "not i[\"numbers-3\"][\"reproduces\"] and i[\"numbers-3\"][\"reason\"] == \"other tests flip\"" &&
	goldset -C py status >out &&
	test_grep " 2  reproduce" out
'

test_expect_success 'what cannot be read is refused' '
	test_refuses 2 "the form is" goldset -C no import defects4j x &&
	test_refuses 3 "no checkout of BugsInPy" goldset -C no import bugsinpy exported &&
	echo "{\"instance_id\": \"x\"}" >short &&
	test_refuses 2 "row 1 of short has no \"repo\"" goldset -C no import swebench short &&
	printf "PAR1xxxx" >parquet &&
	test_refuses 2 "Parquet" goldset -C no import swebench parquet
'

test_expect_success 'what --only does not find, and names that are none, are said' '
	test_refuses 3 "has no instance of acme/nothing" goldset -C array import swebench array.json --only acme/nothing &&
	sed "s/\"instance_id\": *\"[^\"]*/&$(head -c 5000 /dev/zero | tr "\0" x)/" exported/instances.jsonl >long.jsonl &&
	test_refuses 2 "instance_id.*row 1 of long.jsonl has 50[0-9]* bytes" goldset -C long import swebench long.jsonl &&
	sed "s|acme/numbers|-o/numbers|" exported/instances.jsonl >dash.jsonl &&
	test_expect_code 1 goldset -C dash import swebench dash.jsonl 2>err &&
	test_grep "\"-o/numbers\" cannot be a project.s name: that is" err &&
	test_no_grep "with --as" err
'

test_done
