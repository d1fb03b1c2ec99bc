#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='export: other systems formats, checked against their schemas'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/project.sh"
test_need box

PYTHONPATH=$test_source/tests/cli/scoring PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

python() {
	/usr/bin/python3 - "$@"
}

# a/b: half right, double not; c: half twice (wrong, right); d: an empty one.
test_expect_success 'a release, answers and their report' '
	scoring_release &&
	python >answers <<-\E &&
	import json
	half, double = [json.loads(line) for line in open("records")]
	if "half" not in half["unit"]:
	    half, double = double, half
	for model, record, sample, text in (
	        ("a/b", half, 0, half["source_after"]),
	        ("a/b", double, 0, double["source_before"]),
	        ("c", half, 0, half["source_before"]),
	        ("c", half, 1, half["source_after"]),
	        ("d", half, 0, ""),
	        ("d", double, 0, "import os\nos._exit(0)\n")):
	    print(json.dumps(dict(id=record["id"], model_name_or_path=model,
	        sample=sample, answer=text,
	        usage=dict(prompt_tokens=10, completion_tokens=2))))
	E
	goldset -C w -q score rel answers -o report >out &&
	test "$(wc -l <report)" = 3
'

test_expect_success 'swebench: rows, predictions and reports are of its form' '
	goldset -C w export --to swebench --answers answers --report report -o swe rel &&
	python <<-\E
	import json, os, schema
	rows = [json.loads(line) for line in open("swe/instances.jsonl")]
	ids = sorted(row["instance_id"] for row in rows)
	for row in rows:
	    schema.check(row, "swebench-instance")
	assert sorted(os.listdir("swe/predictions")) == ["a__b.jsonl", "c.jsonl", "d.jsonl"]
	said = {}
	for name in os.listdir("swe/predictions"):
	    lines = [json.loads(line) for line in open("swe/predictions/" + name)]
	    for line in lines:
	        schema.check(line, "swebench-prediction")
	        said[line["model_name_or_path"], line["instance_id"]] = line["model_patch"]
	    assert len({line["instance_id"] for line in lines}) == len(lines)
	half, = [row for row in rows if "halves.py" in row["patch"]]
	double, = [row for row in rows if row is not half]
	# The right answer is the row of the fix; the unchanged one is no patch.
	assert said["a/b", half["instance_id"]] == half["patch"]
	assert said["a/b", double["instance_id"]] == ""
	assert said["c", half["instance_id"]] == ""
	assert said["d", half["instance_id"]] == ""
	for model, submitted, resolved, empty in (("a__b", 2, 1, 0), ("c", 1, 0, 0), ("d", 2, 0, 1)):
	    run = json.load(open("swe/%s.goldset.json" % model))
	    schema.check(run, "swebench-run-report")
	    assert run["total_instances"] == 2
	    assert run["submitted_instances"] == submitted == len(run["submitted_ids"])
	    assert run["resolved_instances"] == resolved == len(run["resolved_ids"])
	    assert run["empty_patch_instances"] == empty == len(run["empty_patch_ids"])
	    filed = sum((run[key] for key in run if key.endswith("_ids")
	        and key not in ("completed_ids", "submitted_ids")), [])
	    assert sorted(filed) == ids, filed
	    for one in run["submitted_ids"]:
	        report = json.load(open("swe/logs/run_evaluation/goldset/%s/%s/report.json" % (model, one)))
	        schema.check(report, "swebench-instance-report")
	        assert report[one]["resolved"] == (one in run["resolved_ids"])
	        if "tests_status" in report[one]:
	            row, = [row for row in rows if row["instance_id"] == one]
	            for key in ("FAIL_TO_PASS", "PASS_TO_PASS"):
	                status = report[one]["tests_status"][key]
	                assert sorted(status["success"] + status["failure"]) == sorted(json.loads(row[key]))
	report = json.load(open("swe/logs/run_evaluation/goldset/c/%s/report.json" % half["instance_id"]))
	status = report[half["instance_id"]]["tests_status"]
	assert status["FAIL_TO_PASS"]["success"] == [] and status["PASS_TO_PASS"]["failure"] == []
	E
'

test_expect_success 'humanevalpack: head and bodies are the two texts' '
	goldset -C w export --to humanevalpack -o pack rel 2>err &&
	test_grep "1 of 2 records left out: it is no record of a function" err &&
	double=$(sed -n "/\"doubles\"/s/.*\"id\": *\"\(gs-[0-9a-f]*\).*/\1/p" records) &&
	goldset -C w export --to humanevalpack -o pack-again rel >out 2>err &&
	echo "$double  left out: it is no record of a function" >want &&
	test_cmp want out &&
	test "$(wc -l <pack/humanevalpack.jsonl)" = 1 &&
	python <<-\E
	import json, schema
	row = json.loads(open("pack/humanevalpack.jsonl").readline())
	schema.check(row, "humanevalpack")
	record, = [r for r in map(json.loads, open("records")) if row["task_id"] == "Python/" + r["id"]]
	assert row["declaration"] + row["buggy_solution"] == record["source_before"]
	assert row["declaration"] + row["canonical_solution"] == record["source_after"]
	assert row["entry_point"] == "half" and row["signature"] == "half(n)"
	assert "def test_odd" in row["test"]
	space = {}
	exec(row["prompt"] + row["canonical_solution"], space)
	assert space["half"](5) == 2
	E
'

test_expect_success 'inspect: a log gives the scores of the report' '
	goldset -C w export --to inspect --report report --answers answers -o logs rel &&
	python <<-\E
	import json, math, schema
	for report in map(json.loads, open("report")):
	    log = json.load(open("logs/%s.json" % report["model"].replace("/", "__")))
	    schema.check(log, "inspect-log")
	    assert log["eval"]["model"] == report["model"]
	    by_id = {}
	    for sample in log["samples"]:
	        by_id.setdefault(sample["id"], []).append(sample["scores"]["goldset"]["value"] == "C")
	    assert sorted(by_id) == sorted(log["eval"]["dataset"]["sample_ids"])
	    means = [sum(v) / len(v) for v in by_id.values()]
	    mean = sum(means) / len(means)
	    metrics = log["results"]["scores"][0]["metrics"]
	    assert abs(metrics["accuracy"]["value"] - mean) < 1e-9
	    assert abs(mean - report["pass_at"]["1"]) < 1e-9
	    stderr = math.sqrt(sum((x - mean) ** 2 for x in means) / (len(means) - 1) / len(means))
	    assert abs(metrics["stderr"]["value"] - stderr) < 1e-9
	    assert len(log["samples"]) == log["results"]["total_samples"]
	    outcomes = {(r["id"], r["sample"]): r["outcome"] for r in report["results"]}
	    for sample in log["samples"]:
	        want = outcomes.get((sample["id"], sample["epoch"] - 1), "not_attempted")
	        assert sample["scores"]["goldset"]["metadata"]["outcome"] == want
	    assert log["stats"]["model_usage"][report["model"]]["total_tokens"] == 12 * len(report["results"])
	E
'

# What Harbor does with a task, without its containers.
grade() { # TASK TESTBED
	rm -rf logs-of && GOLDSET_TESTBED=$2 GOLDSET_LOGS=logs-of sh "$1/tests/test.sh" >out 2>&1 &&
	cat logs-of/reward.txt
}

test_expect_success 'harbor: the solution is rewarded, the unchanged tree is not' '
	goldset -C w export --to harbor -o tasks rel &&
	test "$(find tasks -mindepth 1 -maxdepth 1 | wc -l)" = 2 &&
	for task in tasks/*; do
		python "$task" <<-\E &&
		import schema, sys, tomllib
		config = tomllib.load(open(sys.argv[1] + "/task.toml", "rb"))
		schema.check(config, "harbor-task")
		assert config["task"]["name"] == "goldset/" + config["metadata"]["goldset"]["id"]
		E
		test_grep "What it is meant to do" "$task/instruction.md" &&
		test_no_grep "test_odd\|test_double" "$task/instruction.md" &&
		test_grep "COPY repo/ /testbed/" "$task/environment/Dockerfile" &&
		test_no_grep "def test_odd\|def test_double" -r "$task/environment" &&
		rm -rf bed && cp -r "$task/environment/repo" bed &&
		test "$(grade "$task" bed)" = 0 &&
		sed "s|/testbed/|$PWD/bed/|" "$task/solution/solve.sh" >"$task/solution/here.sh" &&
		sh "$task/solution/here.sh" &&
		test "$(grade "$task" bed)" = 1 &&
		python <<-\E || return 1
		import json, schema
		reward = json.load(open("logs-of/reward.json"))
		schema.check(reward, "harbor-reward")
		assert reward["f2p_passed"] == reward["f2p_total"] == 1
		E
	done
'

test_expect_success 'harbor: tests, configuration and exits of the agent earn nothing' '
	for task in tasks/*; do
		source=$(/usr/bin/python3 -c "import json, sys; print(json.load(open(sys.argv[1]))[\"source_path\"])" "$task/tests/task.json") &&
		rm -rf bed && cp -r "$task/environment/repo" bed &&
		printf "def pytest_collection_modifyitems(items): items.clear()\n" >bed/conftest.py &&
		rm -f bed/tests/*.py &&
		test "$(grade "$task" bed)" = 0 &&
		printf "import os\nos._exit(0)\n" >>"bed/$source" &&
		test "$(grade "$task" bed)" = 0 &&
		rm "bed/$source" &&
		test "$(grade "$task" bed)" = 0 || return 1
	done
'

# A function whose tests want a name of collections, one of pytest, and the
# distribution: gone or not there for a Python and a pytest of today.
test_expect_success 'a record that was proved with shims' '
	git init -q -b main old && (
		cd old &&
		mkdir tests &&
		cp "$test_source/tests/unit/licences/mit.txt" LICENSE &&
		printf "from setuptools import setup\nsetup(\n    name=\"old-thing\",\n    version=\"1.5\",\n)\n" >setup.py &&
		printf "from collections import Mapping\n\n\ndef is_map(x):\n    \"\"\"Is x a mapping? Nothing is none.\"\"\"\n    return not isinstance(x, Mapping)\n" >maps.py &&
		cat >tests/test_maps.py <<-\E &&
		from importlib.metadata import version

		import pytest

		from maps import is_map


		@pytest.yield_fixture
		def thing():
		    yield {}


		def test_version():
		    assert version("old-thing") == "1.5"
		E
		git add -A && test_tick && git commit -q -m Begin &&
		sed -i "s|return not is|return is|" maps.py &&
		printf "\n\ndef test_map(thing):\n    assert is_map(thing)\n    assert pytest.config is not None\n" >>tests/test_maps.py &&
		printf "\1\0" >tests/thing.bin &&
		git add -A && test_tick && git commit -q -m "Fix maps"
	) &&
	goldset -C o -q build --shim old --as acme/old -o old-rel &&
	goldset --json query old-rel "select shims, pass_to_pass from evidence" >out &&
	test_grep "collections,distribution,pytest" out && test_grep test_version out
'

test_expect_success 'harbor: it comes with its shims, for the agent and for the verifier' '
	goldset -C o --json export --to harbor -o old-tasks old-rel >out &&
	test_grep "\"left_out\":\[\]" out &&
	task=$(echo old-tasks/*) &&
	test_grep "COPY shims/ /opt/goldset/" "$task/environment/Dockerfile" &&
	test_grep "/opt/goldset/pytest_with_shims.py" "$task/instruction.md" &&
	diff -r "$task/environment/shims" "$task/tests/shims" &&
	rm -rf bed && cp -r "$task/environment/repo" bed &&
	(cd bed && /usr/bin/python3 "../$task/environment/shims/pytest_with_shims.py" -q -p no:cacheprovider tests >../out) &&
	test "$(grade "$task" bed)" = 0 && test_grep "\"p2p_passed\": 1" logs-of/reward.json &&
	cp "$task/solution/answer.py" bed/maps.py &&
	test "$(grade "$task" bed)" = 1 &&
	rm -r "$task/tests/shims" &&
	test "$(grade "$task" bed)" = 0
'

test_expect_success 'forms that cannot carry shims and bytes say so of each record' '
	id=$(/usr/bin/python3 -c "import json; print(json.load(open(\"old-tasks/$(ls old-tasks)/tests/task.json\"))[\"id\"])") &&
	goldset -C o export --to swebench -o old-swe old-rel >out 2>err &&
	cat >want <<-E &&
	$id  without the shims that its tests need (collections,distribution,pytest)
	$id  without tests/thing.bin of its test patch, which is no text
	E
	test_cmp want out &&
	test_grep "1 of 1 records written without the shims" err &&
	goldset -C o --json export --to humanevalpack -o old-pack old-rel >out &&
	test "$(json out "d[\"unfit\"], d[\"left_out\"], len(d[\"incomplete\"])")" = "(0, [], 1)"
'

test_expect_success 'of several answers to a record the harness gets one, and the rest are counted' '
	goldset -C w --json export --to swebench --answers answers -o counted rel >out &&
	test "$(json out "d[\"samples_left_out\"]")" = 1
'

test_expect_success 'what cannot be exported is said, and nothing is half done' '
	test_refuses 2 "not \"lm-eval\"" goldset export --to lm-eval -o x rel &&
	test_refuses 2 "give --report" goldset export --to inspect -o x rel &&
	test_refuses 2 "are for swebench and inspect" goldset export --to harbor --report report -o x rel &&
	sed "s/\"release_sha256\":\"[0-9a-f]*\"/\"release_sha256\":\"00\"/" report >other &&
	test_refuses 2 "of another release" goldset export --to inspect --report other -o x rel &&
	test_refuses 2 "no report of goldset score" goldset export --to inspect --report answers -o x rel &&
	test_expect_code 1 goldset -C none export --to harbor --mirror "$PWD/nowhere/{name}" -o gone rel 2>err &&
	test_grep "is left out" err &&
	test_expect_code 1 goldset -C none --json export --to harbor --mirror "$PWD/nowhere/{name}" -o gone-too rel >out &&
	test "$(json out "d[\"unfit\"], len(d[\"left_out\"])")" = "(0, 2)"
'

test_expect_success 'without space for it there is no folder' '
	(ulimit -f 1 && test_expect_code 3 goldset -C w export --to jsonl -o full rel 2>err) &&
	test_grep "File too large" err &&
	! test -e full && test -z "$(ls -d .goldset-export-* 2>/dev/null)" &&
	goldset -C w export --to jsonl -o full rel && test -f full/records.jsonl
'

test_expect_success 'two models whose names make one file are refused' '
	id=$(goldset --json query rel "select id from oracles limit 1" | cut -d"\"" -f4) &&
	for model in a/b a__b
	do
		echo "{\"id\": \"$id\", \"model_name_or_path\": \"$model\", \"answer\": \"\"}"
	done >alike.jsonl &&
	test_refuses 2 "predictions/a__b.jsonl" goldset -C w export --to swebench --answers alike.jsonl -o alike rel &&
	! test -e alike
'

test_done
