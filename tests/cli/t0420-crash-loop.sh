#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='killed at the n-th point it passes, started again: the same release'
. "$(dirname "$0")/lib.sh"
test_need box
test_need faults

# GS_CRASH_STRIDE: every how many points a run dies; 1 is the whole loop, for
# n = 1, 2, ... up to the last point of each verb.
stride=${GS_CRASH_STRIDE:-12}
SOURCE_DATE_EPOCH=1735689600
export SOURCE_DATE_EPOCH
verbs='add mine validate publish'

verb() { # VERB WORKSPACE
	case $1 in
	add) goldset -C "$2" add halves --as demo/halves ;;
	mine) goldset -C "$2" mine ;;
	validate) goldset -C "$2" validate -j1 ;;
	publish) goldset -C "$2" publish "$2/release" --replace ;;
	esac
}

# A fix that becomes a record, and one whose test passed before.
test_expect_success 'the undisturbed release, and the state before each verb' '
	test_project halves &&
	(
		cd halves &&
		printf "\n\ndef double(n):\n    return n + n\n" >>halves.py &&
		git add -A && test_tick && git commit -q -m "Add double" &&
		sed "s|n + n|2 * n|" halves.py >x && mv x halves.py &&
		printf "\n\ndef test_double():\n    from halves import double\n    assert double(2) == 4\n" \
			>>tests/test_halves.py &&
		git add -A && test_tick && git commit -q -m "Fix double"
	) &&
	mkdir whole &&
	for verb in $verbs; do
		cp -r whole before-$verb &&
		GS_FAULT_TRACE=$PWD/trace-$verb verb $verb whole 2>err || exit 1
		cat err
		wc -l trace-$verb
	done &&
	goldset -C whole --json status >expected-status && cat expected-status &&
	json expected-status "d[\"records\"]" >records && echo 1 >expect &&
	test_cmp expect records &&
	mv whole/release expected
'

# Dies at point N of VERB; 1 when there is no such point.
die_at() { # VERB N
	rm -rf again && cp -r "before-$1" again || exit 2
	code=0
	(
		GS_FAULT_AT=$2
		export GS_FAULT_AT
		verb "$1" again
	) >out 2>err || code=$?
	grep "fault point" err && return 0
	test "$code" = 0 && return 1
	echo "$1 failed by itself at $2 with $code:"
	cat err
	exit 2
}

# That verb once more and those after it; a difference is told and counted.
finish() { # VERB N
	again=
	for next in $verbs; do
		test "$next" != "$1" || again=y
		test -n "$again" || continue
		verb "$next" again >out 2>err || {
			echo "$next failed after $1 had died at $2:"
			cat err
			return 1
		}
	done
	test_same_tree expected again/release || return 1
	goldset -C again --json status >status || return 1
	test_cmp expected-status status || return 1
	# What was begun and is nobody's.
	find again -name ".*" -o -name "*.tmp" -o -path "*/slots/*/*" >left
	if test -s left; then
		echo "left behind:"
		cat left
		return 1
	fi
}

for verb in $verbs; do
	test_expect_success "$verb, every ${stride}th point" '
		n=1 deaths=0 differences=0 &&
		while die_at $verb $n; do
			deaths=$((deaths + 1))
			finish $verb $n || differences=$((differences + 1))
			n=$((n + stride))
		done &&
		echo "$verb: $(wc -l <trace-$verb) points, $deaths deaths, $differences differences" |
			tee -a figures &&
		test $differences = 0 && test $deaths -ge $(($(wc -l <trace-$verb) / stride))
	'
done

say "$(tr '\n' ';' <figures)"
test_done
