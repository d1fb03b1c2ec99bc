#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='the library of the command tests can tell right from wrong'
. "$(dirname "$0")/lib.sh"

# A script of its own, run with the same library in a trash folder below ours.
run_inner() { # NAME [REQUIRE]: body on stdin; TAP and status are left behind
	{
		echo "test_description=inner"
		echo ". '$test_source/tests/cli/lib.sh'"
		cat
		echo test_done
	} >"inner-$1.sh" || return 1
	inner_status=0
	GS_SOURCE=$test_source GS_TEST_REQUIRE=$2 sh "inner-$1.sh" >tap 2>&1 ||
		inner_status=$?
}

test_expect_success 'a body that succeeds is ok' '
	run_inner good <<-\E &&
	test_expect_success "fine" "true"
	E
	test $inner_status = 0 &&
	test_grep "^ok 1 - fine" tap &&
	test_grep "^1..1" tap
'

test_expect_success 'a body that fails anywhere is not ok, and the script fails' '
	run_inner bad <<-\E &&
	test_expect_success "last" "true && false"
	test_expect_success "without a chain" "
		false
		true
	"
	test_expect_success "exit" "exit 7"
	test_expect_success "still runs" "true"
	E
	test $inner_status = 1 &&
	test_grep "^not ok 1" tap &&
	test_grep "^not ok 2" tap &&
	test_grep "^not ok 3" tap &&
	test_grep "^ok 4" tap
'

test_expect_success 'a refusal is told from success and from a crash' '
	test_must_fail sh -c "exit 1" &&
	test_must_fail sh -c "exit 3" &&
	! test_must_fail true &&
	! test_must_fail sh -c "kill -SEGV \$\$" &&
	! test_must_fail sh -c "exit 99" &&
	! test_must_fail sh -c "exit 130" &&
	! test_must_fail no-such-program
'

test_expect_success 'an exit status is compared exactly' '
	test_expect_code 2 sh -c "exit 2" &&
	! test_expect_code 2 sh -c "exit 3"
'

test_expect_success 'clean-up runs after a failure too, the last first' '
	run_inner cleanup <<-E &&
	test_expect_success "first" "
		test_when_finished \"echo one >>$PWD/cleaned\" &&
		test_when_finished \"echo two >>$PWD/cleaned\" &&
		false
	"
	E
	test_grep "^not ok 1" tap &&
	printf "two\none\n" >expect &&
	test_cmp expect cleaned
'

test_expect_success 'a clean-up that fails is a failure' '
	run_inner uncleaned <<-\E &&
	test_expect_success "unclean" "test_when_finished false"
	E
	test_grep "^not ok 1" tap
'

test_expect_success 'what is missing skips, and fails where it is required' '
	run_inner skip <<-\E &&
	test_expect_success no-such-thing "never" "false"
	E
	test $inner_status = 0 &&
	test_grep "^ok 1 - never # SKIP no-such-thing is missing" tap &&
	run_inner skip other,no-such-thing <<-\E &&
	test_expect_success no-such-thing "never" "false"
	E
	test $inner_status = 1 &&
	run_inner need <<-\E &&
	test_need no-such-thing
	E
	test $inner_status = 0 &&
	test_grep "^1..0 # SKIP" tap &&
	run_inner need no-such-thing <<-\E &&
	test_need no-such-thing
	E
	test $inner_status = 1
'

test_expect_success 'no trash of a good script stays, that of a bad one does' '
	run_inner tidy <<-\E &&
	test_expect_success "fine" "echo left >behind"
	E
	test_path=$GS_BUILD/trash/inner-tidy &&
	! test -e "$test_path" &&
	run_inner untidy <<-\E &&
	test_expect_success "not fine" "echo left >behind; false"
	E
	test_when_finished "rm -rf \"$GS_BUILD/trash/inner-untidy\"" &&
	test -f "$GS_BUILD/trash/inner-untidy/behind"
'

test_expect_success 'commits have the same ids everywhere and always' '
	test_project one &&
	test_project two &&
	git -C one rev-parse HEAD >expect &&
	git -C two rev-list -1 HEAD >actual &&
	test "$(git -C one log --format=%ct -1)" = 1700000120
'

test_done
