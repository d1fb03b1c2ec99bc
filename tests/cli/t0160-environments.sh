#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='where the imports of the tests come from: --env, --python, --shim, goldset.conf'
. "$(dirname "$0")/lib.sh"
test_need box

# A project whose code needs the distribution "tinydep".
make_project() {
	test_project "$1" &&
	(
		cd "$1" &&
		echo "tinydep==1.0" >requirements.txt &&
		printf 'import tinydep\n\n\ndef third(n):\n    """Return a third of n, an int."""\n    return n / tinydep.THREE\n' >thirds.py &&
		git add -A && test_tick && git commit -q -m "Need something" &&
		sed -i "s|n / |n // |" thirds.py &&
		printf 'from thirds import third\n\n\ndef test_third():\n    assert third(7) == 2\n' >tests/test_thirds.py &&
		git add -A && test_tick && git commit -q -m "Fix thirds"
	)
}

test_expect_success 'a project that needs a distribution' '
	make_project project &&
	git -C project rev-parse HEAD >head
'

test_expect_success 'system: what it lacks is named, not failed' '
	goldset -C ws build project --as test/env -o release &&
	goldset -C ws explain --json "$(cat head)" >story &&
	json story "d[\"reason\"]" >actual &&
	echo "environment unsatisfied: tinydep" >expect &&
	test_cmp expect actual &&
	goldset -C ws --json status >status &&
	json status "[(m[\"module\"], m[\"candidates\"]) for m in d[\"lacking\"]]" >actual &&
	echo "[('\''tinydep'\'', 1)]" >expect &&
	test_cmp expect actual &&
	goldset -C ws status >text &&
	test_grep "^  *1  environment unsatisfied: a module is missing\$" text &&
	test_grep "^  *1  tinydep" text
'

test_expect_success 'venv: made from a folder of wheels, and --retry takes it up' '
	/usr/bin/python3 - <<-\E &&
	import os, zipfile
	os.makedirs("wheels")
	info = "tinydep-1.0.dist-info/"
	with zipfile.ZipFile("wheels/tinydep-1.0-py3-none-any.whl", "w") as z:
	    z.writestr("tinydep.py", "THREE = 3\n")
	    z.writestr("tinydep.pth", "import os; os.path.isdir(%r) and open(%r, '\''w'\'')\n" % (os.getcwd(), os.getcwd() + "/ran-outside"))
	    z.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: tinydep\nVersion: 1.0\n")
	    z.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
	    z.writestr(info + "RECORD", "tinydep.py,,\n%sMETADATA,,\n%sWHEEL,,\n%sRECORD,,\n" % (info, info, info))
	E
	goldset -C ws validate --env venv --wheels wheels --retry &&
	goldset -C ws explain --json "$(cat head)" >story &&
	json story "d[\"state\"]" >actual &&
	echo record >expect && test_cmp expect actual &&
	goldset -C ws --json show "$(json story "d[\"record\"]")" >record &&
	json record "\"tinydep\" in d[\"evidence\"][\"distributions\"]" >actual &&
	echo True >expect && test_cmp expect actual &&
	ls ws/envs >envs && test -s envs &&
	! test -e ran-outside
'

test_expect_success 'answers are scored where the record was made' '
	goldset -C ws -q publish --kinds bug,feature,unclear venv-release &&
	goldset -C ws score --self-test venv-release >actual &&
	test_grep "^gold  *\([0-9]*\) of \1 resolved" actual &&
	test_no_grep "^gold  *0 of" actual &&
	test_expect_code 1 goldset -C elsewhere score --self-test venv-release --mirror "$PWD/project" >actual 2>err &&
	test_grep "made with tinydep 1.0, which .*python3.* does not have" err
'

test_expect_success 'goldset.conf chooses the environment of one project' '
	make_project other &&
	goldset -C conf add --as test/conf other &&
	cat >conf/goldset.conf <<-\E &&
	[project "test/conf"]
		env = venv
	E
	goldset -C conf mine && goldset -C conf validate --wheels wheels &&
	goldset -C conf --json status >status &&
	json status "d[\"records\"]" >actual &&
	echo 2 >expect && test_cmp expect actual
'

test_expect_success 'an interpreter that is not there is named' '
	test_refuses 3 "no-such-python" goldset -C ws validate --retry --python no-such-python
'

test_expect_success '--shim puts back names that Python removed, and the record says so (O6)' '
	test_project old &&
	(
		cd old &&
		printf "import collections\n\n\ndef is_map(x):\n    \"\"\"Return whether x is a mapping.\"\"\"\n    return isinstance(x, dict)\n" >maps.py &&
		git add -A && test_tick && git commit -q -m "Know maps" &&
		sed -i "s/isinstance(x, dict)/isinstance(x, collections.Mapping)/" maps.py &&
		printf "import types\n\nfrom maps import is_map\n\n\ndef test_proxy():\n    assert is_map(types.MappingProxyType({}))\n" >tests/test_maps.py &&
		git add -A && test_tick && git commit -q -m "Fix maps that are no dict"
	) &&
	goldset -C plain build old --as test/old -o plain-release &&
	goldset -C shim build old --as test/old -o shim-release --shim &&
	goldset -C plain --json status >status &&
	json status "d[\"records\"]" >actual &&
	goldset -C shim --json status >status &&
	json status "d[\"records\"]" >>actual &&
	printf "1\n2\n" >expect && test_cmp expect actual &&
	goldset --json query shim-release "select distinct shims from evidence order by 1" >actual &&
	test_grep collections actual &&
	goldset --json query shim-release "select validator from oracles where validator like '\''%shims=%'\''" >actual &&
	test_grep shims=collections actual
'

test_done
