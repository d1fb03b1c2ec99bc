#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='solve: a chat endpoint that misbehaves in every way'
. "$(dirname "$0")/lib.sh"
. "$test_source/tests/cli/scoring/project.sh"
test_need box
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
OPENAI_API_KEY=sk-secret-of-the-test
export OPENAI_API_KEY

# The server lives as long as the FIFO that it reads has a writer.
serve() { # BEHAVIOUR...
	rm -rf served && mkdir served && mkfifo served/alive &&
	{ /usr/bin/python3 "$test_source/tests/cli/scoring/server.py" served "$@" \
		<served/alive >served/log 2>&1 & } &&
	exec 9>served/alive &&
	test_until test -f served/port &&
	url=http://127.0.0.1:$(cat served/port)/v1 &&
	test_when_finished "exec 9>&-"
}

solve() {
	goldset solve --model m --base-url "$url" -o answers "$@" rel
}

test_expect_success 'a release' '
	scoring_release
'

test_expect_success 'asked, answered, scored: end to end' '
	rm -f answers && serve ok &&
	solve --json --log log --temperature 0.5 --seed 7 --max-tokens 99 --price-in 1 --price-out 2 >solved.json &&
	test "$(json solved.json "d[\"answered\"], d[\"failed\"], d[\"prompt_tokens\"], round(d[\"cost\"], 6)")" = "(2, 0, 200, 0.00028)" &&
	test_grep "\"temperature\": 0.5" served/requests &&
	test_grep "\"max_tokens\": 99" served/requests &&
	test_grep "\"seed\": 7" served/requests &&
	test_grep "\"seed\": 8" served/requests &&
	test_grep "Bearer sk-secret" served/requests &&
	goldset -C w --json score rel answers >report.json &&
	test "$(json report.json "d[\"resolved\"], d[\"prompt_tokens\"]")" = "(2, 200)"
'

test_expect_success 'the key is in no file and in no message' '
	serve 400 && rm -f answers &&
	test_expect_code 1 solve --log log -v >out 2>err &&
	test -s log && ! grep -r sk-secret log out err
'

test_expect_success 'what is there is not asked again, what is torn is' '
	rm -f answers && serve ok && solve &&
	cp answers whole && printf "{\"id\": \"gs-" >>answers &&
	: >served/requests && solve &&
	test_cmp whole answers && ! test -s served/requests &&
	head -1 whole >answers && solve &&
	test "$(wc -l <served/requests)" = 1 &&
	solve -n 3 && test "$(wc -l <answers)" = 6
'

for status in 408 409 429 500 502 503; do
	test_expect_success "$status is asked again" "
		rm -f answers && serve $status $status ok && solve &&
		test \"\$(wc -l <answers)\" = 2 &&
		test \"\$(wc -l <served/requests)\" = 4
	"
done

for broken in drop half garbage empty; do
	test_expect_success "a response that is broken ($broken) is asked for again" "
		rm -f answers && serve $broken ok && solve &&
		test \"\$(wc -l <answers)\" = 2 &&
		test \"\$(wc -l <served/requests)\" = 3
	"
done

for status in 400 404 413 422; do
	test_expect_success "$status is final, for its request" "
		rm -f answers && serve $status ok && test_expect_code 1 solve -j1 &&
		test \"\$(wc -l <answers)\" = 1 &&
		test \"\$(wc -l <served/requests)\" = 2
	"
done

for hopeless in 401 403 quota; do
	test_expect_success "$hopeless is the end" "
		rm -f answers && serve $hopeless ok &&
		test_expect_code 3 solve -j1 2>err &&
		test \"\$(wc -l <served/requests)\" = 1
	"
done

test_expect_success 'Retry-After is obeyed' '
	rm -f answers && serve 429:2 ok && solve -j1 &&
	/usr/bin/python3 -c "import json
at = [json.loads(l)[\"at\"] for l in open(\"served/requests\")]
assert 1.9 < at[1] - at[0] < 20, at"
'

test_expect_success 'patience and tries end' '
	rm -f answers && serve 503 && test_expect_code 1 solve -j1 --tries 2 &&
	test "$(wc -l <served/requests)" = 4
'

test_expect_success 'so many at a time and no more' '
	rm -f answers && serve slow && solve -n 6 -j3 &&
	test "$(wc -l <answers)" = 12 &&
	/usr/bin/python3 -c "import json
assert max(json.loads(l)[\"most\"] for l in open(\"served/requests\")) == 3"
'

test_expect_success 'so many a minute and no more' '
	rm -f answers && serve ok && solve --per-minute 60 -j1 &&
	/usr/bin/python3 -c "import json
at = [json.loads(l)[\"at\"] for l in open(\"served/requests\")]
assert at[1] - at[0] > 0.8, at"
'

test_expect_success 'nobody listens' '
	rm -f answers && url=http://127.0.0.1:1/v1 &&
	test_expect_code 1 solve --tries 2
'

test_expect_success 'detect: asked and scored' '
	rm -f answers && serve ok && solve --task detect &&
	test "$(wc -l <answers)" = 4 &&
	goldset --json score --task detect rel answers >report.json &&
	test "$(json report.json "d[\"accuracy\"], d[\"auroc\"], d[\"pairs\"][\"both_right\"], d[\"total\"]")" = "(1.0, None, 2, 4)" &&
	sed "s/buggy/clean/" answers >always &&
	goldset --json score --task detect rel always >report.json &&
	test "$(json report.json "d[\"accuracy\"], d[\"recall\"], d[\"pairs\"][\"both_clean\"]")" = "(0.5, 0.0, 2)" &&
	head -3 answers >some &&
	goldset --json score --task detect rel some >report.json &&
	test "$(json report.json "d[\"accuracy\"], d[\"attempted\"], d[\"pairs\"][\"incomplete\"]")" = "(0.75, 3, 1)"
'

test_done
