#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='a release as a website'
. "$(dirname "$0")/lib.sh"

test_need box

# Names, subject and source are as hostile as git and Python let them be.
hostile_project() {
	test_project "$1" && (
		cd "$1" &&
		cat >halves.py <<-\E &&
		def half(n):
		    """Return half of n, an int. </pre><script>alert(1)</script>"""
		    return n // 2


		def double(n):
		    """Return twice n & "more" <b>."""
		    note = "</code></pre><img src=x onerror=alert(1)>"
		    return n + n + len(note) - len(note) + (n > 9)
		E
		git add -A && test_tick && git commit -q -m "Add double" &&
		sed -i "s/ + (n > 9)//" halves.py &&
		printf "\n\ndef test_double():\n    from halves import double\n\n    assert double(10) == 20\n" \
			>>tests/test_halves.py &&
		git add -A && test_tick &&
		printf "Fix \033]0;owned\007 \342\200\256double</title><script>alert(1)</script> \" onmouseover=\"alert(1)\n" |
			git commit -q -F -
	)
}

test_expect_success 'a release to show, one of its records hostile' '
	hostile_project project &&
	goldset build project --as "evil/pro.ject" -o release &&
	goldset status --json >status.json &&
	goldset --json query release "select id from oracles" |
		sed "s/.*\"\(gs-[0-9a-f]*\)\".*/\1/" >ids &&
	test $(wc -l <ids) = 2
'

test_expect_success 'the site is made, whole, and its pages hold together' '
	goldset --json site release -o site --status status.json >made &&
	test "$(json made "d[\"records\"]")" = 2 &&
	/usr/bin/python3 "$test_source/tests/site/check_site.py" site &&
	for id in $(cat ids)
	do
		test -s site/record/$id.html || exit 1
	done
'

# F171: what strangers wrote is text, whatever it says.
test_expect_success 'a hostile record is shown harmless' '
	! grep -rlE "<script>|<img|onmouseover=\"|onerror=alert\(1\)>" site --include="*.html" &&
	! grep -rlP "\x1b|\x07|\x{202e}" site --include="*.html" --include="*.js" \
		--include="*.atom" &&
	grep -rq "&lt;script&gt;alert(1)" site/record &&
	grep -q "x1b\]0;owned" site/browse.html &&
	grep -q "u{202e}" site/index.html
'

test_expect_success 'index, feed and linked data are well formed' '
	test "$(json site/index.json "len(d[\"records\"])")" = 2 &&
	/usr/bin/python3 - <<-\E
	import glob, json, re, xml.etree.ElementTree as tree
	atom = "{http://www.w3.org/2005/Atom}"
	feed = tree.parse("site/feed.atom").getroot()
	assert feed.tag == atom + "feed" and feed.find(atom + "id").text == "urn:goldset:feed"
	entries = feed.findall(atom + "entry")
	assert len(entries) == 2 and feed.find(atom + "author") is not None
	for entry in entries + [feed]:
	    for name in ("id", "title", "updated"):
	        assert entry.find(atom + name).text, name
	dates = [entry.find(atom + "updated").text for entry in entries]
	assert dates == sorted(dates, reverse=True) and feed.find(atom + "updated").text == dates[0]
	kinds = {}
	for name in glob.glob("site/**/*.html", recursive=True):
	    text = open(name, encoding="utf-8").read()
	    for block in re.findall(r"<script type=\"application/ld\+json\">(.*?)</script>", text, re.S):
	        data = json.loads(block)
	        kinds.setdefault(data["@type"], []).append(data)
	assert len(kinds["SoftwareSourceCode"]) == 2
	plain, croissant = kinds["Dataset"] if "Dataset" in kinds and len(kinds["Dataset"]) == 2 \
	    else (kinds["Dataset"][0], kinds["sc:Dataset"][0])
	for name in ("name", "description", "license", "version", "distribution"):
	    assert plain[name], name
	assert "mlcommons.org/croissant" in croissant["conformsTo"]
	assert croissant["recordSet"] and croissant["distribution"]
	E
'

test_expect_success 'the words that differ are marked, and the code is highlighted' '
	id=$(goldset --json query release \
		"select id from oracles where unit = '\''double'\''" |
		sed "s/.*\"\(gs-[0-9a-f]*\)\".*/\1/") &&
	page=site/record/$id.html &&
	grep -q "<del class=\"l\" data-o=\"[0-9]*\">.*<mark>" $page &&
	grep -q "<b class=\"k\">return</b>" $page &&
	grep -q "goldset checkout $id" $page &&
	grep -q "assertion failed" $page &&
	grep -q "class=\"said\" .*>AssertionError: assert 21 == 20" $page
'

test_expect_success 'the same release gives the same bytes' '
	(TZ=Asia/Kathmandu LC_ALL=C goldset site release -o again --status status.json) &&
	test_same_tree site again
'

test_expect_success 'the front page and what it loads are small' '
	test $(wc -c <site/index.html) -lt 100000 &&
	test $(cat site/index.html site/assets/site.css site/assets/site.js \
		site/assets/theme.js site/assets/icon.svg | wc -c) -lt 100000 &&
	test $(cat site/browse.html site/assets/site.css site/assets/*.js | wc -c) -lt 600000
'

test_expect_success 'an address gives sitemap and canonical links' '
	goldset site release -o named --url https://example.org/goldset &&
	test_grep "<loc>https://example.org/goldset/index.html</loc>" named/sitemap.xml &&
	/usr/bin/python3 - <<-\E &&
	import glob, xml.etree.ElementTree as tree
	where = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
	root = tree.parse("named/sitemap.xml").getroot()
	found = {loc.text for loc in root.iter(where + "loc")}
	assert root.tag == where + "urlset"
	assert found == {"https://example.org/goldset/" + name[6:] for name in glob.glob("named/**/*.html", recursive=True)}
	E
	test_grep "<id>https://example.org/goldset/feed.atom</id>" named/feed.atom &&
	test_grep "rel=\"canonical\" href=\"https://example.org/goldset/index.html\"" named/index.html &&
	! test -e site/sitemap.xml &&
	test_refuses 2 "https address" goldset site release -o never --url http://x/ &&
	! test -e never
'

test_expect_success 'reports make a leaderboard, with each two compared' '
	first=$(sed -n 1p ids) second=$(sed -n 2p ids) &&
	for rate in 1 0.5
	do
		cat >report-$rate.json <<-E
		{"schema_version": 1, "model": "entry <b>$rate</b>", "total": 2, "attempted": 2,
		 "samples": 1, "resolved": 1, "rate": $rate, "rate_attempted": $rate,
		 "window": {"from": null, "to": null}, "wilson95": [0.1, 0.9],
		 "project_bootstrap95": [0.0, 1.0], "pass_at": {"1": $rate},
		 "results": [{"id": "$first", "sample": 0, "outcome": "resolved"},
		  {"id": "$second", "sample": 0,
		   "outcome": "$(test $rate = 1 && echo resolved || echo unresolved)"}]}
		E
	done &&
	goldset site release report-0.5.json report-1.json -o scored &&
	/usr/bin/python3 "$test_source/tests/site/check_site.py" scored &&
	test_grep "entry &lt;b&gt;1&lt;/b&gt;" scored/leaderboard.html &&
	test_grep "Since 2023" scored/leaderboard.html &&
	test_grep "record/$second.html" scored/compare/1-2.html &&
	! test -e site/leaderboard.html &&
	echo "{}" >none.json &&
	test_refuses 3 "no report" goldset site release none.json -o never &&
	: >empty.json &&
	test_refuses 3 "empty" goldset site release empty.json -o never &&
	echo "{\"task\": \"detect\", \"total\": 1}" >detect.json &&
	test_refuses 2 "task detect" goldset site release detect.json -o never &&
	sed "s/\"schema_version\": 1/\"schema_version\": 2/" report-1.json >later.json &&
	test_refuses 3 "another schema_version" goldset site release later.json -o never &&
	sed "s/\"total\": 2/\"total\": -5/" report-1.json >less.json &&
	test_refuses 3 "more resolved than" goldset site release less.json -o never &&
	test_refuses 2 "entry <b>1</b> in report-1.json is given twice" goldset site release report-1.json report-1.json -o never &&
	! test -e never
'

# altered FIELD JSON: report-1.json with another value there.
altered() {
	/usr/bin/python3 -c "import json, sys
report = json.load(open(\"report-1.json\"))
report[sys.argv[1]] = json.loads(sys.argv[2])
json.dump(report, open(\"altered.json\", \"w\"))" "$1" "$2"
}

test_expect_success 'a report with a value of another kind is refused, with file and field' '
	while read -r field value
	do
		altered "$field" "$value" &&
		test_refuses 3 "$field.* altered.json\|altered.json has.*$field" goldset site release altered.json -o never || exit 1
	done <<-E &&
	rate "half"
	rate 1.5
	rate_attempted []
	wilson95 [0.1]
	wilson95 ["a", "b"]
	project_bootstrap95 {"low": 0}
	attempted -1
	samples "one"
	model 7
	E
	while read -r value
	do
		altered results "$value" &&
		test_refuses 3 "result 1 of altered.json has no" goldset site release altered.json -o never || exit 1
	done <<-E &&
	[1]
	[{}]
	[{"id": 4, "outcome": "resolved"}]
	[{"id": "x", "outcome": "perhaps"}]
	[{"id": "x", "outcome": []}]
	[{"id": "x", "outcome": "resolved", "sample": -1}]
	E
	altered results "{}" &&
	test_refuses 3 "altered.json is no report" goldset site release altered.json -o never &&
	first=$(sed -n 1p ids) &&
	altered results "[{\"id\": \"$first\", \"outcome\": \"resolved\"}, {\"id\": \"$first\", \"outcome\": \"timeout\"}]" &&
	test_refuses 3 "two results of $first" goldset site release altered.json -o never &&
	! test -e never
'

test_expect_success 'a status or a verification that is something else is refused' '
	while read -r text
	do
		echo "$text" >other.json &&
		test_refuses 3 "other.json.*status --json" goldset site release --status other.json -o never || exit 1
	done <<-E &&
	{}
	[1]
	{"commits": 1, "candidates": 1, "pending": 0, "records": 1}
	{"commits": "many", "candidates": 1, "pending": 0, "records": 1, "reasons": {}}
	{"commits": 1, "candidates": 1, "pending": 0, "records": 1, "reasons": {"merge": -1}}
	E
	while read -r text
	do
		echo "$text" >other.json &&
		test_refuses 3 "line 1 of other.json" goldset site release --verified other.json -o never || exit 1
	done <<-E &&
	{}
	[1]
	{"id": "gs-1", "verdict": "confirmed"}
	{"id": "gs-1", "verdict": "perhaps", "claims": []}
	{"id": "gs-1", "verdict": "refuted", "claims": [{"claim": "id"}]}
	{"verdict": "confirmed", "claims": []}
	E
	: >other.json &&
	test_refuses 3 "other.json is empty" goldset site release --verified other.json -o never &&
	! test -e never
'

test_expect_success 'a file of goldset score has a line for each model' '
	for model in gold unchanged
	do
		goldset --json query release "select id, source_after gold, source_before unchanged from oracles" |
			/usr/bin/python3 -c "import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({\"id\": row[\"id\"], \"model_name_or_path\": sys.argv[1], \"answer\": row[sys.argv[1]]}))" $model
	done >answers &&
	goldset score release answers --mirror "$PWD/project" -o lines.json &&
	test $(wc -l <lines.json) = 2 &&
	goldset site release lines.json -o lines &&
	/usr/bin/python3 "$test_source/tests/site/check_site.py" lines &&
	test_grep "<th scope=\"row\">gold</th><td class=\"num\" data-is=\"Resolved\"><strong>100.0 %" lines/leaderboard.html &&
	test_grep "<th scope=\"row\">unchanged</th><td class=\"num\" data-is=\"Resolved\"><strong>0.0 %" lines/leaderboard.html &&
	sed "s/gs-[0-9a-f]*/gs-0000000000000000/g" lines.json >elsewhere.json &&
	goldset site release elsewhere.json -o elsewhere &&
	test_grep "was scored on another release: 2 results" elsewhere/leaderboard.html
'

# V1
test_expect_success 'verdicts stand on records and on a page of their own' '
	first=$(sed -n 1p ids) second=$(sed -n 2p ids) &&
	cat >seen.jsonl <<-E &&
	{"id": "$first", "verdict": "confirmed", "claims": []}
	{"id": "$second", "verdict": "refuted", "claims": [{"claim": "diff_lines", "ok": false, "saw": "<i>7</i>"}]}
	{"summary": {"confirmed": 1, "refuted": 1, "unavailable": 0, "infra": 0}}
	E
	goldset site release --verified seen.jsonl -o verified &&
	/usr/bin/python3 "$test_source/tests/site/check_site.py" verified &&
	test_grep "badge good" verified/record/$first.html &&
	test_grep "&lt;i&gt;7&lt;/i&gt;" verified/verified.html &&
	test_grep "&lt;i&gt;7&lt;/i&gt;" verified/record/$second.html &&
	echo "{\"id\": \"$first\", \"verdict\": \"infra\", \"claims\": [], \"why\": \"no <b>space</b>\"}" >infra.jsonl &&
	goldset site release --verified infra.jsonl -o infra &&
	test_grep "no &lt;b&gt;space" infra/verified.html &&
	test_grep "no &lt;b&gt;space" infra/record/$first.html
'

test_expect_success 'a release without a record says so, and offers nothing to search' '
	git init -q -b main nothing &&
	(cd nothing && echo text >README && git add -A && test_tick && git commit -q -m Begin) &&
	goldset -C none build nothing --as me/nothing -o none.release &&
	goldset site none.release -o none.site &&
	/usr/bin/python3 "$test_source/tests/site/check_site.py" none.site &&
	test_grep "holds no record" none.site/browse.html &&
	test_grep "holds no record" none.site/statistics.html &&
	! grep -l "id=\"search\"\|newest fixes\|1.0.0, 1970" none.site/*.html
'

test_expect_success 'a folder that is there is not written over' '
	test_refuses 2 "exists" goldset site release -o site &&
	mkdir mine && echo keep >mine/file &&
	test_refuses 2 "no site of ours" goldset site release -o mine --replace &&
	test -f mine/file &&
	touch again/.htaccess &&
	test_refuses 2 "htaccess" goldset site release -o again --replace &&
	rm again/.htaccess &&
	goldset site release -o again --replace &&
	! ls -A | grep "goldset-site-" &&
	test_refuses 3 "no release" goldset site project -o never &&
	test_refuses 2 "say with -o" goldset site release &&
	! test -e never
'

# What a process that died has left is swept by the next.
test_expect_success 'an interrupted site leaves nothing in its place' '
	mkdir .goldset-site-1-abcdef && touch .goldset-site-1-abcdef/x &&
	goldset site release -o fresh &&
	! test -e .goldset-site-1-abcdef
'

test_done
