#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='--json prints what docs/reference/json.md says, of every command'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/desk.sh"
test_need box
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY

# Lines of a command against the lines of its section: each has the keys of
# one of them, no more and no fewer, with values of the same kinds (null fits
# all); objects whose keys are data stand as {"…": kind}. Each line of the
# section was seen once, or begins with "?" there.
cat >shapes.py <<'E2'
import json, re, sys
page, command, seen = sys.argv[1:]
sections = dict(re.findall(r"(?ms)^## (\w+)\n(.*?)(?=^## |\Z)", open(page, encoding="utf-8").read()))
if command not in sections:
    sys.exit("%s has no section in %s" % (command, page))
lines = "".join(re.findall(r"(?ms)^```json\n(.*?)^```", sections[command])).splitlines()
shapes = [(json.loads(line.lstrip("?")), line.startswith("?")) for line in lines]
def fits(value, shape):
    if value is None or shape is None:
        return True
    if isinstance(shape, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(shape, bool)
    if isinstance(shape, (int, float)):
        return isinstance(value, (int, float))
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(v, shape[0]) for v in value if shape)
    if isinstance(shape, dict) and isinstance(value, dict):
        if "…" in shape:
            return all(fits(v, shape["…"]) for k, v in value.items() if k not in shape)
        return set(value) == set(shape) and all(fits(value[k], shape[k]) for k in shape)
    return type(value) is type(shape)
found = set()
n = 0
for line in open(seen, encoding="utf-8"):
    value, n = json.loads(line), n + 1
    which = [i for i, (shape, _) in enumerate(shapes) if fits(value, shape)]
    if not which:
        sys.exit("%s --json prints what %s does not say:\n%s" % (command, page, line))
    found.update(which)
if not n and shapes:
    sys.exit("%s --json prints nothing" % command)
for i, (shape, is_rare) in enumerate(shapes):
    if i not in found and not is_rare:
        sys.exit("%s --json never printed %s" % (command, lines[i]))
E2

test_expect_success 'a folder to work in' '
	make_desk desk &&
	goldset help --all | sed -n "/^Commands:/,/^\$/s/^  \([a-z]*\) .*/\1/p" >commands
'

start_server desk || exit 3

while read -r command; do
	test_expect_success "$command: what --json prints is what the page says" '
		rm -rf here && cp -a desk here && cd here &&
		example_of ../desk '"$command"' | sed "s/^goldset /goldset --json /" >example &&
		cat example &&
		clear_for '"$command"' &&
		. ./example >../seen &&
		/usr/bin/python3 ../shapes.py "$test_source/docs/reference/json.md" \
			'"$command"' ../seen
	'
done <"$test_trash/commands"

test_expect_success 'the page has no section of what is no command' '
	sed -n "s/^## \([a-z]*\)\$/\1/p" "$test_source/docs/reference/json.md" | sort >actual &&
	sort commands >expect &&
	test_cmp expect actual
'

# The names in the first column of a page's table.
columns_of() {
	sed -n "s/^| \`\([a-z0-9_]*\)\` |.*/\1/p" "$test_source/docs/reference/$1.md"
}

test_expect_success 'record.md and evidence.md have every column, in order' '
	for pair in "record oracles" "evidence evidence"
	do
		set -- $pair &&
		goldset --json query desk/release "from $2 limit 1" >described &&
		/usr/bin/python3 -c "import json, sys
for key in json.loads(open(\"described\").readline()): print(key)" >expect &&
		columns_of $1 >actual &&
		test_cmp expect actual || exit 1
	done
'

test_expect_success 'report.md names every key of a report' '
	/usr/bin/python3 -c "import json
for key in json.loads(open(\"desk/first.json\").readline()): print(key)" >keys &&
	test -s keys &&
	while read -r key
	do
		grep -q "^|.*\`$key\`.*|" "$test_source/docs/reference/report.md" || {
			echo "report.md does not name $key"
			exit 1
		}
	done <keys
'

test_done
