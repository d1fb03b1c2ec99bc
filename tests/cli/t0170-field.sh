#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='cases from the field that need a history or a machine of their own'
. "$(dirname "$0")/lib.sh"
test_need box

story() { # WORKSPACE COMMIT: what became of it
	goldset -C "$1" explain --json "$2" >story &&
	json story "d[\"state\"], d[\"reason\"]"
}

# F015
test_expect_success 'a fix that is reverted and made again is one record, of the first' '
	test_project undone && cd undone &&
	git rev-parse main >../commits &&
	for n in 1 2; do
		test_tick && git revert --no-edit HEAD >out && git rev-parse main >>../commits || exit 1
	done &&
	cd .. &&
	goldset -C undone-ws build undone --as demo/undone -o undone-release &&
	for commit in $(cat commits); do
		story undone-ws $commit || exit 1
	done >actual &&
	cat >expect <<-\E &&
	('"'"'record'"'"', None)
	('"'"'refused'"'"', '"'"'passes before'"'"')
	('"'"'duplicate'"'"', None)
	E
	test_cmp expect actual
'

# F110: a marker that the fix makes known, with markers that must be known.
test_expect_success 'the configuration is that of the fix on both sides' '
	test_project marked &&
	(
		cd marked &&
		printf "[pytest]\naddopts = --strict-markers\nmarkers =\n    odd: of odd numbers\n" >pytest.ini &&
		sed "s/^def test_odd/import pytest\n\n\n@pytest.mark.odd\n&/" tests/test_halves.py >new &&
		mv new tests/test_halves.py && git add -A && git commit -q --amend -m "Fix halves"
	) &&
	goldset -C marked-ws build marked --as demo/marked -o marked-release 2>err &&
	test_grep "1 record from 1 project" err
'

# F073, F161
test_expect_success 'a folder of any name, below what would disturb pytest' '
	mkdir outer && cd outer &&
	printf "[pytest]\naddopts = --no-such-option\npython_files = nothing.py\n" >pytest.ini &&
	echo "raise SystemExit(9)" >conftest.py &&
	echo "raise SystemExit(9)" >sitecustomize.py &&
	odd=$(printf "a b%sc\"d;\$(touch PWN)\n&%%s" "'"'"'") &&
	mkdir "$odd" && test_project "$odd/halves here" &&
	PYTHONPATH=$PWD goldset -C "$odd/ws" build "$odd/halves here" --as demo/odd -o "$odd/release" 2>err &&
	cat err && test_grep "1 record from 1 project" err &&
	test -f "$odd/release/oracles.parquet" && ! find . -name "PWN*" | grep .
'

# F067, F068, F077: what is installed is the mended code, a path to it, and a
# plugin that would leave no test.
test_expect_success 'an installed copy, a path file and a plugin of the interpreter change nothing' '
	test_project plain &&
	/usr/bin/python3 -m venv --system-site-packages --without-pip venv &&
	site=$(echo venv/lib/python3*/site-packages) && mkdir mended &&
	cp plain/halves.py "$site" && cp plain/halves.py mended &&
	echo "$PWD/mended" >"$site/mended.pth" &&
	printf "def pytest_collection_modifyitems(items):\n    items[:] = []\n" >"$site/taker.py" &&
	mkdir "$site/taker-1.dist-info" &&
	printf "Metadata-Version: 2.1\nName: taker\nVersion: 1\n" >"$site/taker-1.dist-info/METADATA" &&
	printf "[pytest11]\ntaker = taker\n" >"$site/taker-1.dist-info/entry_points.txt" &&
	goldset -C plain-ws build plain --as demo/plain --python "$PWD/venv/bin/python" \
		-o plain-release 2>err && cat err &&
	test_grep "1 record from 1 project" err
'

test_done
