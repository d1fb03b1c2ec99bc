#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='a part of the projects stays at home, and nothing tells which'
. "$(dirname "$0")/lib.sh"
test_need box

# Each with code of its own: shared code would make them one cluster (P4).
make_project() { # NUMBER
	test_project "p$1" && (
		cd "p$1" || exit 1
		printf 'def scale(n):\n    """Return n times %s, an int."""\n    return n * %s + %s\n' \
			"$1" "$1" "$1" >scales.py
		printf 'from scales import scale\n\n\ndef test_none():\n    assert scale(0) is not None\n' \
			>tests/test_scales.py
		git add -A && test_tick && git commit -q -m "Add scales $1"
		sed -i "s/ + $1$//" scales.py
		printf '\n\ndef test_scale():\n    assert scale(1) == %s\n' "$1" \
			>>tests/test_scales.py
		git add -A && test_tick && git commit -q -m "Fix scales by $1"
		git rm -q -r --cached halves.py tests/test_halves.py
	)
}

# A history of its own, without the one that test_project begins with.
begin_anew() { # NUMBER
	(cd "p$1" && tree=$(git rev-parse "HEAD~1^{tree}") && last=$(git rev-parse "HEAD^{tree}") &&
		first=$(echo "Begin $1" | git commit-tree "$tree") &&
		second=$(echo "Fix scales by $1" | git commit-tree "$last" -p "$first") &&
		git reset -q --hard && git update-ref refs/heads/main "$second")
}

test_expect_success 'six projects' '
	for n in 3 4 5 6 7 8; do
		make_project $n && begin_anew $n || exit 1
	done &&
	goldset build p3 p4 p5 p6 p7 p8 -o everything &&
	goldset --json query everything "select distinct repo from oracles" >actual &&
	test "$(wc -l <actual)" = 6
'

# P4 once more, by another hand: Python.
cat >sides.py <<'E2'
import hashlib, hmac, json, subprocess, sys
key = open(sys.argv[1], "rb").read()
for n in "345678":
    root = subprocess.run(["git", "-C", "p" + n, "rev-list", "--max-parents=0", "HEAD"],
                          check=True, capture_output=True, text=True).stdout.strip()
    mac = hmac.new(key, root.encode(), hashlib.sha256).digest()
    side = "closed" if int.from_bytes(mac[:8], "big") < 0.5 * 2**64 else "open"
    print(side, "local/p" + n)
E2

test_expect_success 'a key with which both sides are there' '
	umask 077 &&
	for n in 1 2 3 4 5 6 7 8 9; do
		printf "a key of thirty-two bytes, no. %02d" $n >key &&
		/usr/bin/python3 sides.py key >sides &&
		if grep -q ^open sides && grep -q ^closed sides; then break; fi
	done &&
	grep -q ^open sides && grep -q ^closed sides
'

test_expect_success 'keys and fractions that are none' '
	test_refuses 2 "go together" goldset publish --hold-out 0.5 open &&
	test_refuses 2 "above 0 and below 1" \
		goldset publish --hold-out 1.5 --key key --withheld closed open &&
	test_refuses 2 "above 0 and below 1" \
		goldset publish --hold-out 0x0.8 --key key --withheld closed open &&
	test_refuses 3 "there is no key" \
		goldset publish --hold-out 0.5 --key nokey --withheld closed open &&
	cp key shared && chmod 640 shared &&
	test_refuses 2 "others may read" \
		goldset publish --hold-out 0.5 --key shared --withheld closed open &&
	(umask 077 && head -c 31 key >short) &&
	test_refuses 2 "at least 32" \
		goldset publish --hold-out 0.5 --key short --withheld closed open &&
	test_refuses 2 "neither inside the other" \
		goldset publish --hold-out 0.5 --key key --withheld open/closed open &&
	! test -e open && ! test -e closed
'

test_expect_success 'each project is where the key says' '
	goldset publish --hold-out 0.5 --key key --withheld closed open &&
	for side in open closed; do
		goldset --json query $side "select distinct repo from oracles order by 1" |
			sed "s/.*\"repo\":\"\(.*\)\".*/$side \1/"
	done | sort >actual &&
	sort sides >expect &&
	test_cmp expect actual &&
	test "$(stat -c %a closed)" = 700 &&
	(cd open && sha256sum --quiet -c SHA256SUMS) &&
	(cd closed && sha256sum --quiet -c SHA256SUMS)
'

test_expect_success 'no public byte names anything withheld' '
	goldset --json query open "from oracles" >decoded &&
	goldset --json query open "from evidence" >>decoded &&
	find open -type f -exec cat {} + >>decoded &&
	goldset --json query closed "select repo, id, commit, parent, fingerprint from oracles" |
		tr "{}," "\n\n\n" | sed -n "s/.*:\"\(.*\)\"/\1/p" >words &&
	test -s words &&
	while read -r word; do
		if grep -a -q -F -e "$word" decoded; then
			echo "$word" && exit 1
		fi
	done <words &&
	grep -a -q -F "$(sed -n "s/^open //p" sides | head -1)" decoded
'

test_expect_success 'an audit agrees, and sees what was let out' '
	goldset audit --withheld closed open &&
	cp -r open planted &&
	echo "see $(sed -n "s/^closed //p" sides | head -1)" >>planted/CHANGELOG.md &&
	(cd planted && sha256sum $(sed "s/^[0-9a-f]*  //" SHA256SUMS) >sums && mv sums SHA256SUMS) &&
	test_expect_code 1 goldset audit --withheld closed planted >actual &&
	test_grep "^error   withheld  CHANGELOG.md" actual &&
	test "$(wc -l <actual)" = 1
'

test_expect_success 'what was promised can be revealed, and nothing else' '
	goldset audit --reveal closed/reveal.json open &&
	goldset audit --withheld closed --reveal closed/reveal.json open &&
	sed "s/\"id\": \"gs-0*./\"id\": \"gs-f/" closed/reveal.json >other.json &&
	! cmp -s closed/reveal.json other.json &&
	test_expect_code 1 goldset audit --reveal other.json open >actual &&
	test_grep "commitment  COMMITMENT" actual &&
	test_expect_code 1 goldset audit --reveal closed/reveal.json everything >actual &&
	test_grep "promised nothing" actual
'

test_expect_success 'what is public is not withheld later' '
	test_refuses 2 "what is public cannot be withheld" \
		goldset publish --hold-out 0.5 --key key --withheld closed2 \
		--previous everything open2 &&
	! test -e open2 && ! test -e closed2
'

test_expect_success 'a project that leaves is listed on its side only' '
	for side in open closed; do
		goldset exclude "$(sed -n "s/^$side //p" sides | head -1)" \
			--reason "asked $side" || exit 1
	done &&
	mv closed closed-old &&
	goldset publish --hold-out 0.5 --key key --withheld closed --previous open open3 &&
	test "$(json open3/croissant.json "d[\"version\"]")" = 2.0.0 &&
	test_grep "asked open" open3/withdrawn.csv &&
	test_no_grep "asked closed" open3/withdrawn.csv &&
	test_grep "asked closed" closed/withdrawn.csv &&
	test_no_grep "asked open" closed/withdrawn.csv &&
	goldset diff open open3 >actual &&
	test_grep "^- gs-.*withdrawn" actual &&
	goldset audit --withheld closed open3
'

test_done
