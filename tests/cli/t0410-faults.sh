#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='what a machine does to a build that goes on: a locked store, a clock that jumps, a mirror or a sandbox that goes'
. "$(dirname "$0")/lib.sh"
test_need box

SOURCE_DATE_EPOCH=1735689600
export SOURCE_DATE_EPOCH

# Two records of two commits, so that there is one after the fault too.
test_expect_success 'the undisturbed release' '
	test_project halves &&
	(
		cd halves &&
		printf "def third(n):\n    \"\"\"Return a third of n, an int.\"\"\"\n    return n / 3\n" \
			>thirds.py &&
		git add -A && test_tick && git commit -q -m "Add thirds" &&
		sed "s|n / 3|n // 3|" thirds.py >x && mv x thirds.py &&
		printf "from thirds import third\n\n\ndef test_third():\n    assert third(7) == 2\n" \
			>tests/test_thirds.py &&
		git add -A && test_tick && git commit -q -m "Fix thirds"
	) &&
	goldset -C whole build halves --as demo/halves -o expected 2>err &&
	cat err &&
	test_grep "2 records" err
'

build() { # WORKSPACE RELEASE
	goldset -C "$1" build halves --as demo/halves -o "$2" -j1
}

# Nothing was lost and nothing is half there.
finish() { # WORKSPACE RELEASE
	build "$1" "$2" 2>err || {
		cat err
		return 1
	}
	test_same_tree expected "$2"
}

# Another program in the same database, such as somebody with sqlite3.
test_expect_success 'a store that somebody else has locked' '
	goldset -C locked add --as demo/halves halves &&
	mkfifo say && { sqlite3 locked/state.db <say >said 2>&1 & } &&
	exec 8>say &&
	echo "begin immediate; select 1;" >&8 &&
	test_until test -s said &&
	test_refuses 3 "locked\|busy\|in use" goldset -C locked mine &&
	goldset -C locked status >.null &&
	echo "rollback;" >&8 && exec 8>&- && wait &&
	finish locked locked-release
'

# The wall clock, as an administrator or ntp moves it; what is measured is
# measured by another clock.
test_expect_success faketime 'a clock that jumps back and forth' '
	library=$(ls /usr/lib/*/faketime/libfaketime.so.1 | head -n 1) &&
	jump() { # DAYS COMMAND...
		days=$1 && shift &&
		LD_PRELOAD=$library FAKETIME="$days" FAKETIME_DONT_FAKE_MONOTONIC=1 \
			ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" "$GOLDSET" "$@"
	} &&
	jump +400d -C jumping add --as demo/halves halves &&
	jump -900d -C jumping mine &&
	jump +20000d -C jumping validate -j1 --limit 1 &&
	jump -400d -C jumping validate -j1 &&
	jump -12000d -C jumping publish jumping-release &&
	test_same_tree expected jumping-release
'

# The N-th call of a program, and all after it, find that something is gone.
# Where everybody can reach it: the sandbox is not started as root.
test_wrapped=$(mktemp -d) && chmod 755 "$test_wrapped" || exit 3
trap 'rm -rf "$test_wrapped"' EXIT

wrap() { # PROGRAM N WHAT-THEN
	rm -f "$test_wrapped"/* && : >"$test_wrapped/calls" && chmod 666 "$test_wrapped/calls" &&
	{
		echo "#!/bin/sh"
		echo "echo call >>$test_wrapped/calls"
		echo "if test \$(wc -l <$test_wrapped/calls) -ge $2; then $3; fi"
		echo "exec $(command -v "$1") \"\$@\""
	} >"$test_wrapped/$1" && chmod 755 "$test_wrapped/$1"
}

test_expect_success 'a mirror that goes while its commits are examined' '
	n=1 lost=0 &&
	while :
	do
		rm -rf "gone$n" && cp -a halves gone && code=0 &&
		wrap git $n "rm -rf $PWD/gone" || exit 1
		goldset -C "gone$n" add --as demo/halves gone && goldset -C "gone$n" mine || exit 1
		(PATH=$test_wrapped:$PATH && goldset -C "gone$n" validate -j1) 2>err || code=$?
		test $code != 0 || break
		lost=$((lost + 1)) &&
		echo "call $n: $code, $(tail -n 1 err)" &&
		{ case $code in 1 | 3) ;; *) cat err; exit 1 ;; esac; } &&
		test_grep "^goldset validate: " err &&
		rm -rf gone && cp -a halves gone || exit 1
		goldset -C "gone$n" validate -j1 && goldset -C "gone$n" status --json >status || exit 1
		json status "d[\"records\"], d[\"pending\"]" >actual && echo "(2, 0)" >expect &&
		test_cmp expect actual || exit 1
		n=$((n + 1))
	done &&
	echo "$lost times" &&
	test $lost -ge 1
'

# libfaketime leaves files in the /dev/shm of whoever is ended with it.
test_expect_success 'the clock is moved inside the sandbox, not around it' '
	wrap bwrap 100000 : && sed -i "s|^echo call.*|env >>$test_wrapped/calls|" "$test_wrapped/bwrap" &&
	(PATH=$test_wrapped:$PATH LD_LIBRARY_PATH=/nowhere && export LD_LIBRARY_PATH &&
		build clocked clocked-release) 2>err &&
	test_same_tree expected clocked-release &&
	test_grep "^PATH=" "$test_wrapped/calls" &&
	test_no_grep "LD_\|FAKETIME\|nowhere" "$test_wrapped/calls"
'

test_expect_success 'a sandbox that goes while commits are examined' '
	n=1 lost=0 &&
	while :
	do
		rm -rf boxless && code=0 &&
		goldset -C boxless add --as demo/halves halves && goldset -C boxless mine &&
		wrap bwrap $n "echo bwrap: No permissions to create new namespace >&2; exit 1" ||
			exit 1
		(PATH=$test_wrapped:$PATH && goldset -C boxless validate -j1) 2>err || code=$?
		test $code != 0 || break
		lost=$((lost + 1)) &&
		echo "call $n: $code, $(grep . err | tail -n 1)" &&
		{ case $code in 1 | 3) ;; *) cat err; exit 1 ;; esac; } &&
		test_grep "^goldset validate: .*No permissions" err &&
		goldset -C boxless status --json >status &&
		json status "d[\"records\"] + d[\"pending\"]" >actual && echo 2 >expect &&
		test_cmp expect actual &&
		goldset -C boxless validate -j1 && goldset -C boxless publish "boxless-release" &&
		test_same_tree expected boxless-release || exit 1
		rm -rf boxless-release
		n=$((n + ${GS_BOX_STEP:-2}))
	done &&
	echo "$lost times" &&
	test $lost -ge 2
'

test_done
