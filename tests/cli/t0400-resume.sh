#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='stopped at any moment, the work goes on and ends in the same release'
. "$(dirname "$0")/lib.sh"
test_need box

SOURCE_DATE_EPOCH=1735689600
export SOURCE_DATE_EPOCH

# Two commits that become records and one that is refused.
test_expect_success 'the undisturbed release' '
	test_project halves &&
	(
		cd halves &&
		printf "def half(n):\n    \"\"\"Return half of n, an int.\"\"\"\n    return n // 2\n\n\ndef third(n):\n    \"\"\"Return a third of n, an int.\"\"\"\n    return n / 3\n" \
			>halves.py &&
		git add -A && test_tick && git commit -q -m "Add thirds" &&
		sed "s|n / 3|n // 3|" halves.py >x && mv x halves.py &&
		printf "\n\ndef test_third():\n    from halves import third\n    assert third(7) == 2\n" \
			>>tests/test_halves.py &&
		git add -A && test_tick && git commit -q -m "Fix thirds" &&
		printf "\n\ndef double(n):\n    return 2 * n\n" >>halves.py &&
		printf "\n\ndef test_double():\n    from halves import double\n    assert double(2) == 4\n" \
			>>tests/test_halves.py &&
		git add -A && test_tick && git commit -q -m "Add double"
	) &&
	goldset -C whole build halves --as demo/halves -o expected 2>err &&
	cat err &&
	test_grep "2 records" err &&
	goldset -C whole status --json >expected-status
'

build() { # WORKSPACE RELEASE
	goldset -C "$1" build halves --as demo/halves -o "$2" --replace -j2
}

# Equal to the undisturbed one, to the byte; and nothing half-made beside it.
finish() { # WORKSPACE RELEASE
	build "$1" "$2" 2>err || {
		cat err
		return 1
	}
	test_same_tree expected "$2" || return 1
	goldset -C "$1" status --json >status || return 1
	test_cmp expected-status status || return 1
	find . -maxdepth 1 -name "*$2*" ! -name "$2" >left
	if test -s left; then
		echo "left behind:"
		cat left
		return 1
	fi
}

# Processes that name this place, besides this shell; what a kill ends is gone
# when the kernel comes to it.
strays() {
	for process in /proc/[0-9]*; do
		if tr '\0' ' ' <"$process/cmdline" 2>/dev/null | grep -q "$PWD/$1"; then
			echo "${process#/proc/}"
		fi
	done
}

no_strays() {
	strays "$1" >left
	! test -s left
}

test_expect_success 'kill -9 at any moment, again and again' '
	for pause in 0.1 0.4 0.9 1.3 1.7 2.2 0.6
	do
		"$GOLDSET" -C "$PWD/killed" build halves --as demo/halves \
			-o killed-release --replace -j2 2>err &
		pid=$!
		sleep $pause
		kill -KILL $pid 2>/dev/null || :
		wait $pid 2>/dev/null || :
	done &&
	test_until no_strays killed &&
	finish killed killed-release
'

test_expect_success 'the same with the whole group, as a terminal does' '
	setsid "$GOLDSET" -C "$PWD/group" build halves --as demo/halves \
		-o group-release -j2 2>err &
	pid=$!
	sleep 1.5
	kill -INT -$pid && code=0 && { wait $pid || code=$?; } &&
	cat err &&
	case $code in 0 | 130) ;; *) echo "exit status $code"; exit 1 ;; esac &&
	test_until no_strays group &&
	finish group group-release
'

# Dies at the n-th named point; the status is what SIGKILL gives.
die_at() { # N WORKSPACE RELEASE
	code=0
	(
		GS_FAULT_AT=$1
		export GS_FAULT_AT
		build "$2" "$3"
	) 2>err || code=$?
	test "$code" = 137 || grep -q "fault point" err
}

# Each time in a fresh workspace, at points ever further apart (each of
# them: t0420), over mining, validating and publishing; a point that
# is in a worker ends that worker only, and the command may then go on.
test_expect_success faults 'dying at a named point, then going on' '
	n=1 step=1 reached=0 &&
	while die_at $n "fault$n" "release$n"
	do
		tail -n 1 err &&
		reached=$((reached + 1)) &&
		finish "fault$n" "release$n" || exit 1
		rm -rf "fault$n" "release$n"
		n=$((n + step)) && step=$((step + 1 + n / 12))
	done &&
	echo "$reached points, up to $n" &&
	test $reached -ge 8
'

# One workspace that dies over and over: what was finished is kept, so that
# it comes to the end at last.
test_expect_success faults 'dying all the time, and still coming to the end' '
	n=3 tries=0 &&
	while die_at $n often often-release
	do
		tries=$((tries + 1)) && n=$((n + 4)) &&
		test $tries -lt 60 || exit 1
	done &&
	echo "$tries deaths" &&
	test $tries -ge 3 &&
	finish often often-release
'

test_done
