#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='a disk that is full at the n-th page: a sentence, nothing half done, then the same result'
# The small disk is mounted where nobody else sees it.
if test "$(id -u)" = 0 && test -z "$GS_OWN_MOUNTS"; then
	GS_OWN_MOUNTS=y && export GS_OWN_MOUNTS
	if unshare -m true 2>/dev/null; then
		exec unshare -m --propagation private sh "$0" "$@"
	fi
fi
. "$(dirname "$0")/lib.sh"
test_need box

mkdir small
if ! mount -t tmpfs -o size=64m none "$PWD/small" 2>/dev/null; then
	echo "1..0 # SKIP no file system can be mounted here"
	exit 0
fi

# GS_FULL_STRIDE: pages of 4 KiB from one size of the disk to the next; 1 is
# every page that a verb may be the first to miss.
stride=${GS_FULL_STRIDE:-5}
SOURCE_DATE_EPOCH=1735689600
TMPDIR=$PWD/small/tmp
export SOURCE_DATE_EPOCH TMPDIR
verbs='mine validate publish score merge'

verb() { # VERB FOLDER
	case $1 in
	mine) goldset -C "$2/ws" mine ;;
	validate) goldset -C "$2/ws" validate -j1 ;;
	publish) goldset -C "$2/ws" publish "$2/release" ;;
	score) goldset -C "$2/ws" score -j1 -o "$2/report" "$2/release" answers ;;
	merge) goldset -C "$2/all" merge "$2/ws" ;;
	esac
}

# What a verb leaves that is to be the same however often it was tried.
outcome() { # VERB FOLDER
	case $1 in
	mine) goldset -C "$2/ws" --json status ;;
	validate) goldset -C "$2/ws" --json status &&
		goldset -C "$2/ws" publish "$2/proof" && test_list_tree "$2/proof" ;;
	publish) test_list_tree "$2/release" ;;
	score) cat "$2/report" ;;
	merge) goldset -C "$2/all" --json status ;;
	esac
}

test_expect_success 'the state before each verb, and what it makes of it' '
	test_project project && mkdir -p whole/tmp &&
	goldset -C whole/ws add project --as demo/halves &&
	for verb in $verbs; do
		cp -r whole before-$verb &&
		if test $verb = score; then
			goldset --json query whole/release "select id, '\''m'\'' as model_name_or_path, source_after as answer from oracles" >answers
		fi &&
		verb $verb whole || exit 1
		cp -r whole after && outcome $verb after >expected-$verb && rm -rf after || exit 1
	done
'

# Empties the small disk, and puts the state before VERB there with N pages
# left.
fill() { # VERB N
	find small -mindepth 1 -delete && mount -o remount,size=64m small &&
	cp -r "before-$1"/. small &&
	used=$(df -k --output=used small | tail -n 1) &&
	mount -o remount,size=$((used + 4 * $2))k small
}

# The sentence, the status, and that nothing stands in the verb's place.
check_refusal() { # VERB CODE
	test "$2" = 3 || { echo "exit status $2"; return 1; }
	test_grep "^goldset.*\([Nn]o space\|full\)" err || return 1
	test_no_grep "Sanitizer\|Assert" err || return 1
	case $1 in
	publish) test ! -e small/release ;;
	score) test ! -e small/report ;;
	esac || { echo "$1 left something half done"; return 1; }
	find small \( -name "*release-*" -o -name ".gs-*" -o -name ".release*" \) >left
	test ! -s left || { cat left; return 1; }
}

for verb in $verbs; do
	test_expect_success "$verb, at every ${stride}th page" '
		n=0 refusals=0
		while fill $verb $n && code=0 && { verb $verb small >out 2>err || code=$?; } &&
			test $code != 0
		do
			refusals=$((refusals + 1))
			check_refusal $verb $code || { echo "$n pages:"; cat err; exit 1; }
			mount -o remount,size=64m small
			verb $verb small >out 2>err || { echo "$n pages, then room:"; cat err; exit 1; }
			outcome $verb small >actual && test_cmp expected-$verb actual || exit 1
			n=$((n + stride))
		done
		mount -o remount,size=64m small
		outcome $verb small >actual && test_cmp expected-$verb actual
		echo "$verb: $refusals refusals, enough at $n pages" | tee -a figures
		test $refusals -gt 0
	'
done

say "$(tr '\n' ';' <figures)"
umount small
test_done
