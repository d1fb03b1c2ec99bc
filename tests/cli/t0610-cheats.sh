#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='no cheat of the battery is scored as resolved (E2; F151, F153, F155 to F158)'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/project.sh"
test_need box

cheats=$test_source/tests/cli/scoring/cheats.py

test_expect_success 'a release to cheat on' '
	scoring_release &&
	test "$(wc -l <records)" = 2
'

test_expect_success 'the battery is of thirty cheats and more' '
	/usr/bin/python3 "$cheats" records quick >quick &&
	/usr/bin/python3 "$cheats" records slow >slow &&
	test "$(cat quick slow | wc -l)" -gt 100
'

test_expect_success 'each is unresolved, tampered or no answer, the honest one resolved' '
	goldset -C w -q score rel quick -o report &&
	/usr/bin/python3 "$cheats" report check quick
'

test_expect_success 'so are those that do not end' '
	goldset -C w -q score rel slow --timeout 8 -o report &&
	/usr/bin/python3 "$cheats" report check slow
'

# docs/scoring.md, What cannot be caught
test_expect_success 'what may resolve is told to be suspicious' '
	/usr/bin/python3 "$cheats" records known >known &&
	goldset -C w -q score rel known -o report &&
	/usr/bin/python3 "$cheats" report check known
'

test_expect_success 'what is right only as far as the tests look resolves' '
	/usr/bin/python3 "$cheats" records overfit >overfit &&
	goldset -C w -q score rel overfit -o report &&
	/usr/bin/python3 "$cheats" report check overfit
'

test_done
