#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='score: answers, outcomes, reports'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/project.sh"
test_need box

answers() { # a Python expression over half and double (records) gives a list
	/usr/bin/python3 -c 'import json, sys
records = {r["unit"]: r for r in map(json.loads, open("records"))}
half, double = records["half"], records["doubles"] if "doubles" in records else records["double"]
for line in eval(sys.argv[1]):
    print(json.dumps(line))' "$1"
}

test_expect_success 'a release' '
	scoring_release &&
	test "$(wc -l <records)" = 2
'

# E3, F160
test_expect_success 'gold scores all, unchanged and empty nothing' '
	goldset -C w score --self-test rel >actual &&
	test_grep "^gold  *2 of 2 resolved" actual &&
	test_grep "^unchanged  *0 of 2 resolved" actual &&
	test_grep "^empty  *0 of 2 resolved" actual
'

test_expect_success 'a record that gold does not resolve makes the self-test fail' '
	test_expect_code 1 goldset -C w2 score --self-test rel --mirror "$PWD/nowhere/{name}"
'

# F148, E1
test_expect_success 'a diff for a file, a diff for a function, a diff of tests' '
	answers "[dict(id=double[\"id\"], model_name_or_path=\"good\", model_patch=\"--- a/doubles.py\n+++ b/doubles.py\n@@ -1 +1 @@\n-FACTOR = 3\n+FACTOR = 2\n\"),
		dict(id=half[\"id\"], model_name_or_path=\"function\", model_patch=\"--- a/halves.py\n+++ b/halves.py\n@@ -3 +3 @@\n-    return n / 2\n+    return n // 2\n\"),
		dict(id=double[\"id\"], model_name_or_path=\"tests\", model_patch=\"--- a/tests/test_doubles.py\n+++ b/tests/test_doubles.py\n@@ -9 +9 @@\n-    assert double(4) == 8\n+    pass\n\")]" >diffs &&
	goldset -C w --json score rel diffs >actual &&
	grep "\"model\":\"good\"" actual | grep "\"outcome\":\"resolved\"" &&
	grep "\"model\":\"function\"" actual | grep "\"outcome\":\"invalid_answer\"" &&
	grep "\"model\":\"tests\"" actual | grep "\"outcome\":\"invalid_answer\""
'

# E4
test_expect_success 'the denominator is all records, attempted or not' '
	answers "[dict(id=half[\"id\"], model_name_or_path=\"m\", answer=half[\"source_after\"])]" >one &&
	goldset -C w --json score rel one >report.json &&
	test "$(json report.json "[d[\"total\"], d[\"attempted\"], d[\"resolved\"], d[\"rate\"], d[\"rate_attempted\"]]")" = "[2, 1, 1, 0.5, 1.0]" &&
	test "$(json report.json "len(d[\"not_attempted\"])")" = 1
'

test_expect_success 'samples give pass@k' '
	answers "[dict(id=r[\"id\"], model_name_or_path=\"m\", sample=s, answer=r[\"source_after\" if s == 1 else \"source_before\"]) for r in (half, double) for s in range(3)]" >samples &&
	goldset -C w --json score rel samples >report.json &&
	test "$(json report.json "d[\"resolved\"]")" = 0 &&
	test "$(json report.json "round(d[\"pass_at\"][\"1\"], 6)")" = 0.333333 &&
	test "$(json report.json "d[\"pass_at\"][\"3\"]")" = 1.0
'

# F159
test_expect_success 'what is no answer is refused with its line' '
	for line in "{\"id\": \"gs-0000000000000000\", \"answer\": \"x\"}" \
		"{\"id\": null, \"answer\": \"x\"}" "[1]" "{\"answer\": \"x\"}," \
		"not json" "{\"answer\": \"x\"}"; do
		{ cat one; echo "$line"; } >bad &&
		test_refuses 2 "bad:2: " goldset -C w score rel bad || return 1
	done &&
	cat one one >twice &&
	test_refuses 2 "twice:2: line 1 has sample 0" goldset -C w score rel twice &&
	sed "s/\"answer\"/\"patch\"/" one >patch &&
	test_refuses 2 "patch:1: neither" goldset -C w score rel patch &&
	sed "s/\"answer\": .*/\"answer\": null}/" one >null &&
	test_refuses 2 "null:1: .*null" goldset -C w score rel null
'

test_expect_success 'a BOM is no reason to refuse' '
	{ printf "\357\273\277"; cat one; } >bom &&
	goldset -C w -q score rel bom >actual
'

test_expect_success 'graded anew from the store, nothing is run, nothing changes' '
	goldset -C w --json score rel samples >first &&
	goldset -C w --json score rel samples --regrade >second &&
	test_cmp first second &&
	answers "[dict(id=half[\"id\"], model_name_or_path=\"m\", answer=half[\"source_after\"] + \"# new\n\")]" >new &&
	test_refuses 3 "no stored run" goldset -C w score rel new --regrade
'

# F162
test_expect_success 'the number of workers changes nothing' '
	goldset -C w --json score rel samples --fresh -j1 >first &&
	goldset -C w --json score rel samples --fresh -j3 >second &&
	test_cmp first second
'

# E2: tests are planted around one that counts its own lines, at the same
# places for each answer; twelve right ones fare as one does.
test_expect_success 'a test that counts lines fares the same with every answer' '
	git init -q -b main counted && (
		cd counted &&
		mkdir tests &&
		cp "$test_source/tests/unit/licences/mit.txt" LICENSE &&
		printf "def third(n):\n    \"\"\"Return a third of n, rounded down.\"\"\"\n    return n / 3\n" >thirds.py &&
		cat >tests/test_thirds.py <<-\E &&
		import inspect

		from thirds import third


		def test_none():
		    assert third(0) == 0


		def test_line():
		    assert inspect.currentframe().f_lineno == 11


		def test_three():
		    assert third(3) == 1
		E
		git add -A && test_tick && git commit -q -m Begin &&
		sed -i "s|n / 3|n // 3|" thirds.py &&
		printf "\n\ndef test_four():\n    assert third(4) == 1\n" >>tests/test_thirds.py &&
		git add -A && test_tick && git commit -q -m "Fix thirds"
	) &&
	goldset -C w3 -q build counted --as acme/counted -o lines-rel &&
	goldset --json query lines-rel "from oracles" >lines-record &&
	/usr/bin/python3 - >lines-answers <<-\E &&
	import json
	record = json.loads(open("lines-record").readline())
	for n in range(12):
	    print(json.dumps(dict(id=record["id"], model_name_or_path="m", sample=n,
	        answer=record["source_after"].rstrip() + "  # %d\n" % n)))
	E
	goldset -C w3 --json score lines-rel lines-answers >report.json &&
	test "$(json report.json "{r[\"outcome\"] for r in d[\"results\"]}")" = "{'\''resolved'\''}" &&
	test "$(stat -c "%a %s" w3/scores/places.key)" = "600 65" &&
	cp w3/scores/places.key key &&
	goldset -C w3 -q score lines-rel lines-answers --fresh >out &&
	test_cmp key w3/scores/places.key
'

# Another key is another run: nothing that is stored is met any more.
test_expect_success 'the key of the places is told from what it is not, and is part of what is stored' '
	echo "no key" >w3/scores/places.key &&
	test_refuses 3 "places.key is not the key" goldset -C w3 score lines-rel lines-answers &&
	rm w3/scores/places.key &&
	test_refuses 3 "12 of 12 answers have no stored run" goldset -C w3 score lines-rel lines-answers --regrade &&
	! test -e w3/scores/places.key &&
	cp key w3/scores/places.key &&
	goldset -C w3 -q score lines-rel lines-answers --regrade >out
'

test_expect_success 'a window, and a cutoff' '
	goldset -C w --json score rel samples --cutoff 2023-01-01 >report.json &&
	test "$(json report.json "d[\"cutoff\"][\"before\"][\"total\"], d[\"cutoff\"][\"after\"][\"total\"]")" = "(0, 2)" &&
	test_refuses 3 "no answer to a record" goldset -C w score rel samples --after 2030-01-01
'

test_expect_success 'suspicious answers are run, and said to be so' '
	answers "[dict(id=half[\"id\"], model_name_or_path=\"m\", answer=\"def half(n):\n    import _pytest\n    return n // 2\n\")]" >sus &&
	goldset -C w --json score rel sus >report.json &&
	test "$(json report.json "d[\"resolved\"], d[\"suspicious\"]")" = "(1, 1)"
'

test_expect_success 'reports are compared record by record' '
	answers "[dict(id=r[\"id\"], model_name_or_path=m, answer=r[\"source_after\" if ok else \"source_before\"]) for m, r, ok in ((\"a\", half, 1), (\"a\", double, 1), (\"b\", half, 0), (\"b\", double, 1))]" >two &&
	goldset -C w -q score rel two -o reports >out &&
	test_grep "^| a | 2 of 2 | 100.0 % | 34.2 to 100.0 (Wilson) |  | 2 | 0 |" out &&
	test_grep "^| b | 1 of 2 | 50.0 %" out &&
	goldset --json compare reports >compared.json &&
	test "$(json compared.json "d[\"a\"], d[\"b\"], d[\"both\"], len(d[\"resolved_only_by_a\"]), d[\"mcnemar_exact_p\"]")" = "('\''a'\'', '\''b'\'', 1, 1, 1.0)" &&
	goldset compare reports >out &&
	test_grep "b against a" out
'

test_expect_success 'reports of other releases are not compared unasked' '
	head -1 reports >here &&
	tail -1 reports | sed "s/\"release_sha256\":\"[0-9a-f]*\"/\"release_sha256\":\"00\"/" >there &&
	test_refuses 2 "different releases" goldset compare here there &&
	goldset compare --across here there >out &&
	test_grep "releases differ" out
'

test_expect_success 'prompts hold nothing of the answer' '
	goldset prompt rel >prompts &&
	test "$(wc -l <prompts)" = 2 &&
	test_no_grep "n // 2" prompts &&
	test_no_grep "test_odd" prompts &&
	test_grep "rounded down" prompts &&
	echo "{{unit}}: {{nothing}}" >template &&
	test_refuses 2 "nothing" goldset prompt --template template rel &&
	goldset prompt --task detect rel >prompts &&
	test "$(grep -c "#[12]" prompts)" = 4
'

test_expect_success 'test: one record, before, after, with an answer' '
	id=$(/usr/bin/python3 -c "import json; print(json.loads(open(\"records\").readline())[\"id\"])") &&
	test_expect_code 1 goldset -C w test "$id" >out &&
	test_grep "^unresolved: 0 of 1" out &&
	goldset -C w test --after "$id" >out &&
	test_grep "^resolved: 1 of 1" out &&
	goldset -C w show --after "$id" >answer &&
	goldset -C w --json test --answer answer "$id" >out.json &&
	test "$(json out.json "d[\"outcome\"]")" = resolved &&
	test_expect_code 2 goldset -C w test --before --after "$id"
'

test_expect_success 'export to swebench: the patches apply and are the two states' '
	goldset -C w export --to swebench -o exported rel &&
	test "$(wc -l <exported/instances.jsonl)" = 2 &&
	/usr/bin/python3 - <<-\E &&
	import json, subprocess
	for row in map(json.loads, open("exported/instances.jsonl")):
	    assert list(row) == ["repo", "instance_id", "base_commit", "patch",
	        "test_patch", "problem_statement", "hints_text", "created_at",
	        "version", "FAIL_TO_PASS", "PASS_TO_PASS",
	        "environment_setup_commit"], list(row)
	    ids = json.loads(row["FAIL_TO_PASS"])
	    run = lambda *a, **k: subprocess.run(a, cwd="project", **k)
	    run("git", "checkout", "-q", row["base_commit"], check=True)
	    for part, passes in (("test_patch", False), ("patch", True)):
	        run("git", "apply", "-", input=row[part], text=True, check=True)
	        got = run("/usr/bin/python3", "-m", "pytest", "-q", "-p",
	            "no:cacheprovider", *ids, env={"PYTHONPATH": ".",
	            "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"})
	        assert (got.returncode == 0) == passes
	    run("git", "checkout", "-qf", "main", check=True)
	    run("git", "clean", "-qfd", check=True)
	E
	test_refuses 2 "is there already" goldset export --to jsonl -o exported rel &&
	goldset export --to jsonl -o lines rel &&
	test "$(wc -l <lines/records.jsonl)" = 2
'

test_done
