#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='doctor: what is missing, for which command, and what helps'
. "$(dirname "$0")/lib.sh"

test_expect_success box 'all is here' '
	goldset doctor >out &&
	test_grep "^  ok       git" out &&
	test_grep "^  ok       sandbox  *bubblewrap" out &&
	test_grep "^All that is needed is here" out
'

test_expect_success 'nothing is here: each thing is named with its commands and its package' '
	PATH=/nonexistent test_expect_code 1 "$GOLDSET" doctor >out &&
	test_grep "^  missing  git" out &&
	test_grep "^  missing  sandbox" out &&
	test_grep "needed for build, add, mine" out &&
	test_grep "needed for build, validate, test, score" out &&
	test_grep "what helps [a-z -]*install git\|what helps pacman -S git\|what helps install git" out &&
	test_grep "^Something that is needed is missing" out
'

test_expect_success 'as JSON, with what helps' '
	PATH=/nonexistent test_expect_code 1 "$GOLDSET" --json doctor >out &&
	head -1 out >git &&
	test "$(json git "d[\"ok\"], d[\"needed\"]")" = "(False, True)" &&
	json git "d[\"mend\"]" >mend &&
	test_grep git mend
'

# A user namespace in which none may be made, as on many clusters.
no_namespaces() {
	unshare --user --map-root-user sh -c "echo 0 >/proc/sys/user/max_user_namespaces && exec \"\$@\"" sh "$@"
}

if no_namespaces true 2>.null; then
	test_expect_success 'namespaces that are switched off are named as the cause' '
		test_expect_code 1 no_namespaces "$GOLDSET" doctor >out &&
		cat out &&
		test_grep "^  missing  sandbox" out &&
		test_grep "user.max_user_namespaces" out &&
		SLURM_JOB_ID=1 test_expect_code 1 no_namespaces "$GOLDSET" doctor >out &&
		test_grep "srun goldset doctor" out
	'
fi

test_expect_success 'without libcurl only models cannot be asked' '
	mkdir broken && >broken/libcurl.so.4 &&
	{ LD_LIBRARY_PATH=$PWD/broken goldset doctor >out || true; } &&
	test_grep "^  without  models" out &&
	test_grep "lost .*solve" out &&
	test_grep "what helps .*curl" out &&
	goldset doctor | grep "^  ok       models"
'

test_expect_success 'an interpreter that is none' '
	test_expect_code 1 goldset doctor --python nosuch >out &&
	test_grep "missing  python.*nosuch" out
'

test_done
