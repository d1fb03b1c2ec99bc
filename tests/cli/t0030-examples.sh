#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='the example in the help of every command works as it stands'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/desk.sh"
test_need box
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY

test_expect_success 'a folder with all that the examples name' '
	make_desk desk &&
	goldset help --all | sed -n "/^Commands:/,/^\$/s/^  \([a-z]*\) .*/\1/p" >commands &&
	test -s commands
'

start_server desk || exit 3

# Code in documents: fenced lines that begin with goldset, and words in
# backticks that do.
cat >options.py <<'E2'
import glob, re, subprocess, sys
program, top = sys.argv[1:]
pages = glob.glob(top + "/docs/**/*.md", recursive=True) + glob.glob(top + "/*.md")
helps, wrong, n = {}, 0, 0
for page in sorted(pages):
    text = open(page, encoding="utf-8").read()
    code = re.findall(r"`(goldset [^`\n]+)`", text)
    for block in re.findall(r"(?ms)^ *```\w*\n(.*?)^ *```", text):
        code += re.findall(r"(?m)^\s*(goldset [^\n]*)", block)
    for line in code:
        found = re.match(r"goldset (?:-C \S+ )?([a-z]+)\b([^|;)]*)", line)
        if not found:
            continue
        command, rest = found.groups()
        if command not in helps:
            helps[command] = subprocess.run([program, command, "--help"], capture_output=True, text=True).stdout
        n += 1
        if not helps[command]:
            print("%s: there is no %s" % (page, line))
            wrong += 1
        for option in re.findall(r"(?<!\S)(--[a-z-]+|-[a-zA-Z])\b", rest):
            if option not in ("--json", "-q", "-v", "-C", "--help") and not re.search(
                    r"(?m)^  .*(?<![\w-])" + re.escape(option) + r"(?![\w-])", helps[command]):
                print("%s: %s has no option %s" % (page, command, option))
                wrong += 1
sys.exit(wrong > 0 or n < 30)
E2

test_expect_success 'what documents show are commands with options that exist' '
	/usr/bin/python3 options.py "$GOLDSET" "$test_source"
'

while read -r command; do
	test_expect_success "$command: its example" '
		rm -rf here && cp -a desk here && cd here &&
		example_of ../desk '"$command"' >example &&
		test_grep "^goldset '"$command"'" example &&
		cat example &&
		clear_for '"$command"' &&
		. ./example
	'
done <"$test_trash/commands"

test_expect_success 'explain tells a record from its first run to the cheats, a failure once' '
	(cd desk && goldset explain "$(cat id)") >story &&
	cat story &&
	for words in "^A record: " "^Fix halves of odd numbers" \
		"^First the whole test files" "before it  *3 of 4 pass" \
		"the one function mended  *4 of 4 pass" "the clock a year ahead" \
		"^Cheats, none of which may pass"
	do
		test_grep "$words" story || exit 1
	done &&
	test "$(grep -c "AssertionError: assert 2.5 == 2" story)" = 1 &&
	! grep -n ".\{101,\}" story
'

test_expect_success 'explain says of a refusal what it means' '
	first=$(git -C desk/path/to/repository rev-list --max-parents=0 HEAD) &&
	(cd desk && goldset explain "$first") >story &&
	test_grep "^Refused: no parent" story &&
	test_grep "there is no state before it" story
'

test_expect_success 'show fits a page: what, the fix, the test with what it said' '
	(cd desk && goldset show "$(cat id)") >page &&
	cat page &&
	test "$(head -1 page)" = "owner/name: Fix halves of odd numbers" &&
	test "$(sed -n 2p page)" = "$(cat desk/id)" &&
	test_grep "^-    return n / 2" page &&
	test_grep "tests/test_halves.py::test_odd" page &&
	test_grep "(and 3 that pass on both sides)" page &&
	! grep -n ".\{101,\}" page
'

test_done
