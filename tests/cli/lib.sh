# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the command tests share, in the manner of git's test library. A test is
#
#	test_description='what it is about'
#	. "$(dirname "$0")/lib.sh"
#	test_expect_success 'a title' '
#		goldset status >actual &&
#		test_cmp expect actual
#	'
#	test_done
#
# Each script has a trash folder of its own and begins in it; each test body
# runs in a subshell under `set -e`, so what one leaves for the next stands in
# files. TAP comes out, so that `prove tests/cli` runs them as ctest does.
#
# GOLDSET	the program under test (default: build/goldset)
# GS_BUILD	its build folder (default: build)
# GS_TEST_REQUIRE	words, such as "box faults": what is missing of these
#	fails instead of being skipped
# GS_TEST_VERBOSE	set: show what the bodies print

test_source=${GS_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)} || exit 3
test_name=${0##*/}
test_name=${test_name%.sh}
GS_BUILD=$(cd "${GS_BUILD:-$test_source/build}" && pwd) || exit 3
GOLDSET=${GOLDSET:-$GS_BUILD/goldset}
test_trash=$GS_BUILD/trash/$test_name
test_count=0
test_failures=0

if ! test -x "$GOLDSET"; then
	echo "Bail out! $GOLDSET is not built; run make"
	exit 3
fi

# Nothing of the caller's settings reaches a test.
for test_variable in $(env | sed -n 's/^\(GIT_[A-Z_]*\)=.*/\1/p') \
	GOLDSET_WORKSPACE NO_COLOR PAGER SOURCE_DATE_EPOCH PYTHONPATH \
	PYTHONHOME PYTEST_ADDOPTS GS_FAULT_AT GS_FAULT_TRACE; do
	unset "$test_variable"
done
LC_ALL=C.UTF-8 TZ=UTC TERM=dumb HOME=$test_trash/home
PATH=/usr/sbin:/usr/bin:/sbin:/bin
GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0
GIT_CEILING_DIRECTORIES=$GS_BUILD/trash
GIT_AUTHOR_NAME='A Author' GIT_AUTHOR_EMAIL=author@example.org
GIT_COMMITTER_NAME='C Committer' GIT_COMMITTER_EMAIL=committer@example.org
test_now=1700000000
GIT_AUTHOR_DATE="$test_now +0000" GIT_COMMITTER_DATE="$test_now +0000"
ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0:exitcode=99}
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:exitcode=99}
export GS_BUILD GOLDSET LC_ALL TZ TERM HOME PATH GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL \
	GIT_TERMINAL_PROMPT GIT_CEILING_DIRECTORIES GIT_AUTHOR_NAME \
	GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL \
	GIT_AUTHOR_DATE GIT_COMMITTER_DATE ASAN_OPTIONS UBSAN_OPTIONS

chmod -R u+rwx "$test_trash" 2>/dev/null
rm -rf "$test_trash" || exit 3
mkdir -p "$HOME" && cd "$test_trash" || exit 3

goldset() {
	"$GOLDSET" "$@"
}

say() {
	printf '# %s\n' "$*"
}

# Dates of later commits are a minute later each.
test_tick() {
	test_now=$((test_now + 60))
	GIT_AUTHOR_DATE="$test_now +0000" GIT_COMMITTER_DATE="$test_now +0000"
}

# Run at the end of the present body, whatever becomes of it; the last first.
test_when_finished() {
	test_cleanup="{ $*
} && ($test_cleanup)"
}

test_run_body() {
	test_cleanup=:
	trap 'test_status=$?
		set +e
		eval "$test_cleanup" || test_status=1
		exit $test_status' EXIT
	set -e
	eval "$1"
}

# test_expect_success [PREREQUISITE] TITLE BODY
test_expect_success() {
	if test $# = 3; then
		if ! test_have "$1"; then
			test_skip "$2" "$1 is missing"
			return
		fi
		shift
	fi
	test_count=$((test_count + 1))
	# A body inherits no open descriptor but these three.
	(test_run_body "$2") </dev/null >.output 2>&1
	test_status=$?
	if test $test_status = 0; then
		echo "ok $test_count - $1"
	else
		test_failures=$((test_failures + 1))
		echo "not ok $test_count - $1"
		say "exit status $test_status of:"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
	if test $test_status != 0 || test -n "$GS_TEST_VERBOSE"; then
		say 'which printed:'
		tail -n 60 .output | sed 's/^/#   /'
	fi
}

test_skip() {
	test_count=$((test_count + 1))
	echo "ok $test_count - $1 # SKIP $2"
}

# Is it there? What GS_TEST_REQUIRE names must be.
#	box	a sandbox that works and an interpreter with pytest
#	faults	a program built with fault points
#	playwright	drives a browser; node runs it
#	faketime	libfaketime, which moves the clock
#	yaml	the system's Python has a module for it
#	git-daemon, unprivileged, npm, man, chromium, node	as their names say
test_have() {
	case $1 in
	box)
		"$GOLDSET" doctor >.doctor 2>&1 ;;
	faults)
		grep -qa 'store\.commit' "$GOLDSET" ;;
	playwright)
		test -d "$test_source/node_modules/playwright-core" ;;
	faketime)
		ls /usr/lib/*/faketime/libfaketime.so.1 >.null 2>&1 ;;
	yaml)
		/usr/bin/python3 -c "import yaml" >.null 2>&1 ;;
	unprivileged)
		test "$(id -u)" = 0 && command -v setpriv >.null 2>&1 ;;
	*)
		command -v "$1" >.null 2>&1 ;;
	esac && return 0
	case " $(echo "$GS_TEST_REQUIRE" | tr , ' ') " in
	*" $1 "*)
		test_count=$((test_count + 1))
		test_failures=$((test_failures + 1))
		echo "not ok $test_count - $1 is required here, and is missing"
		if test -f .doctor; then sed 's/^/# /' .doctor; fi ;;
	esac
	return 1
}

# The whole script is about something that may be missing.
test_need() {
	test_have "$1" && return 0
	if test $test_failures != 0; then
		test_done
	fi
	echo "1..0 # SKIP $1 is missing"
	exit 0
}

# A refusal: exit status 1, 2 or 3, told in a sentence. A crash is none.
test_must_fail() {
	test_code=0
	"$@" || test_code=$?
	case $test_code in
	1 | 2 | 3) return 0 ;;
	0) echo "test_must_fail: it succeeded: $*" ;;
	*) echo "test_must_fail: exit status $test_code is no refusal: $*" ;;
	esac
	return 1
}

# test_expect_code CODE COMMAND...
test_expect_code() {
	test_wanted=$1
	shift
	test_code=0
	"$@" || test_code=$?
	test "$test_code" = "$test_wanted" && return 0
	echo "test_expect_code: $test_code instead of $test_wanted: $*"
	return 1
}

# test_refuses CODE TEXT COMMAND...: with that exit status, and on stderr one
# sentence with the text (a pattern of grep) in it.
test_refuses() {
	test_wanted=$1 test_text=$2
	shift 2
	test_expect_code "$test_wanted" "$@" 2>refusal || {
		cat refusal
		return 1
	}
	test_grep "^goldset.*$test_text" refusal
}

test_cmp() {
	diff -u "$1" "$2"
}

test_grep() {
	grep -e "$1" "$2" >/dev/null && return 0
	echo "test_grep: no \"$1\" in $2:"
	cat "$2"
	return 1
}

test_no_grep() {
	if grep -e "$1" "$2"; then
		echo "test_no_grep: \"$1\" stands in $2"
		return 1
	fi
}

# test_same_tree A B: same names, types, modes and bytes.
test_same_tree() {
	test_list_tree "$1" >.tree-a
	test_list_tree "$2" >.tree-b
	diff -u .tree-a .tree-b
}

test_list_tree() {
	(cd "$1" && find . -mindepth 1 -printf '%p %y %m %l\n' | sort &&
		find . -type f -print0 | sort -z | xargs -0r sha256sum)
}

# test_until COMMAND...: again and again until it succeeds. What is waited for
# comes soon or never; how soon is the machine's, so the bound is far away.
test_until() {
	for _ in $(seq 1800); do
		"$@" >.null 2>&1 && return 0
		sleep 0.1
	done
	echo "waited in vain for: $*"
	return 1
}

# json FILE EXPRESSION: a Python expression over `d`, the document.
json() {
	/usr/bin/python3 -c 'import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    d = json.load(f)
print(eval("(" + sys.argv[2] + ")"))' "$1" "$2"
}

# test_project DIR: a project with one bug and the commit that mends it.
test_project() {
	git init -q -b main "$1" && (
		cd "$1" &&
		mkdir -p tests &&
		cp "$test_source/tests/unit/licences/mit.txt" LICENSE &&
		printf 'def half(n):\n    """Return half of n, an int."""\n    return n / 2\n' \
			>halves.py &&
		printf 'from halves import half\n\n\ndef test_even():\n    assert half(4) == 2\n' \
			>tests/test_halves.py &&
		git add -A && test_tick && git commit -q -m 'Begin' &&
		printf 'def half(n):\n    """Return half of n, an int."""\n    return n // 2\n' \
			>halves.py &&
		printf '\n\ndef test_odd():\n    assert half(5) == 2\n' \
			>>tests/test_halves.py &&
		git add -A && test_tick && git commit -q -m 'Fix halves of odd numbers'
	)
}

test_done() {
	echo "1..$test_count"
	cd "$test_source" || exit 3
	if test $test_failures = 0; then
		chmod -R u+rwx "$test_trash" 2>/dev/null
		rm -rf "$test_trash"
		exit 0
	fi
	exit 1
}

say "${test_description:-$test_name}"
