#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='a release is looked at without a clone, and compared'
. "$(dirname "$0")/lib.sh"
test_need box

seal() { # RELEASE: sums of what is there now
	(cd "$1" && sed 's/^[0-9a-f]*  //' SHA256SUMS | xargs -d '\n' sha256sum >sums &&
		mv sums SHA256SUMS)
}

test_expect_success 'a release to look at' '
	test_project half &&
	goldset build half --as a/half -o release &&
	test "$(json release/croissant.json "d[\"version\"]")" = 1.0.0
'

test_expect_success 'a clean release has no finding' '
	goldset audit release >actual &&
	test_cmp /dev/null actual &&
	goldset --json audit release >actual &&
	test "$(wc -l <actual)" = 1 &&
	test "$(json actual "d[\"summary\"][\"records\"]")" = 1 &&
	test "$(json actual "d[\"summary\"][\"errors\"]")" = 0
'

# P3: what the card says is counted again.
test_expect_success 'one defect is one line, and the status says that it must be mended' '
	cp -r release planted &&
	test_when_finished "rm -rf planted" &&
	sed -i "s/1 record from/7 records from/" planted/README.md &&
	seal planted &&
	test_expect_code 1 goldset audit planted >actual &&
	test "$(wc -l <actual)" = 1 &&
	test_grep "^error   card  README.md: " actual &&
	test_expect_code 1 goldset audit --json planted >actual &&
	head -1 actual >first &&
	test "$(json first "d[\"severity\"]")" = error &&
	test "$(json first "d[\"check\"]")" = card &&
	test "$(json first "d[\"file\"]")" = README.md &&
	tail -1 actual >last &&
	test "$(json last "d[\"summary\"][\"errors\"]")" = 1
'

test_expect_success 'a warning alone is not a failure' '
	cp -r release planted &&
	test_when_finished "rm -rf planted" &&
	echo "kept by somebody" >planted/notes.txt &&
	(cd planted && sha256sum notes.txt >>SHA256SUMS) &&
	goldset audit planted >actual &&
	test_grep "^warning files  notes.txt: " actual
'

# P1: one byte.
test_expect_success 'a damaged table is told of, and nothing crashes' '
	cp -r release planted &&
	test_when_finished "rm -rf planted" &&
	printf X | dd of=planted/oracles.parquet bs=1 seek=2000 conv=notrunc &&
	test_expect_code 1 goldset audit planted >actual &&
	test_grep "checksums  oracles.parquet" actual &&
	: >planted/oracles.parquet &&
	test_expect_code 1 goldset audit planted >actual &&
	test_grep "schema  oracles.parquet" actual &&
	rm planted/oracles.parquet planted/README.md &&
	test_expect_code 1 goldset audit planted >actual &&
	test "$(grep -c "^error   files " actual)" = 2
'

# F171: a terminal obeys nothing of what a finding quotes.
test_expect_success 'a finding is harmless to print' '
	cp -r release planted &&
	test_when_finished "rm -rf planted" &&
	printf "gs-1,\033]0;x\007,y\n" >>planted/withdrawn.csv &&
	seal planted &&
	test_expect_code 1 goldset audit planted >actual &&
	test_no_grep "$(printf "\033")" actual
'

test_expect_success 'what is no release is a sentence' '
	test_refuses 3 "is no folder" goldset audit nothing &&
	mkdir empty &&
	test_expect_code 1 goldset audit empty >actual &&
	test_grep "^error   files  oracles.parquet" actual &&
	test_refuses 2 "is no release" goldset diff empty release
'

test_expect_success 'a release does not differ from itself' '
	goldset diff release release >actual &&
	test_cmp /dev/null actual
'

# The rule of versions: what only came is minor.
test_expect_success 'what came is told of, and is a minor change' '
	git init -q -b main third &&
	(cd third && mkdir tests && cp ../half/LICENSE . &&
		printf "def third(n):\n    \"\"\"Return a third of n, cut to an int.\"\"\"\n    return n / 3\n" \
			>thirds.py &&
		printf "from thirds import third\n\n\ndef test_whole():\n    assert third(6) == 2\n" \
			>tests/test_thirds.py &&
		git add -A && test_tick && git commit -q -m Begin &&
		sed -i "s|n / 3|n // 3|" thirds.py &&
		printf "\n\ndef test_cut():\n    assert third(7) == 2\n" >>tests/test_thirds.py &&
		git add -A && test_tick && git commit -q -m "Fix thirds that are not whole") &&
	goldset build third --as a/third -o second --previous release &&
	test "$(json second/croissant.json "d[\"version\"]")" = 1.1.0 &&
	goldset diff release second >actual &&
	test "$(wc -l <actual)" = 1 &&
	test_grep "^+ gs-.*  a/third third  new" actual &&
	goldset --json diff release second >actual &&
	tail -1 actual >last &&
	test "$(json last "d[\"summary\"][\"bump\"]")" = minor &&
	goldset audit second
'

# A number that lies is refused when it is given, and told of when it is there.
test_expect_success 'a version that says too little is told of' '
	goldset exclude a/half --reason "asked by its author" &&
	goldset publish --previous release third-release 2>told &&
	test "$(json third-release/croissant.json "d[\"version\"]")" = 2.0.0 &&
	goldset diff release third-release >actual &&
	test_grep "^- gs-.*withdrawn .*asked by its author" actual &&
	sed -i "s/2\.0\.0/1.0.1/" third-release/croissant.json &&
	test_expect_code 1 goldset --json diff release third-release >actual &&
	tail -1 actual >last &&
	test "$(json last "d[\"summary\"][\"least_version\"]")" = 2.0.0 &&
	test "$(json last "d[\"summary\"][\"version_is_true\"]")" = False &&
	test_refuses 2 "says too little" \
		goldset publish --version 1.0.1 --previous release fourth
'

test_done
