#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='make dist: the same commit gives the same bytes'
. "$(dirname "$0")/lib.sh"
if ! git -C "$test_source" rev-parse -q --verify HEAD >.null 2>&1; then
	echo "1..0 # SKIP the sources are no git repository"
	exit 0
fi

test_expect_success 'twice the same, with the lock of what npm brings' '
	"$test_source/tools/make-dist" "$PWD/one.tar.gz" &&
	sleep 1 &&
	TZ=Asia/Tokyo "$test_source/tools/make-dist" "$PWD/two.tar.gz" &&
	cmp one.tar.gz two.tar.gz &&
	tar -tzf one.tar.gz >names &&
	grep -q "^goldset-[0-9.]*/package-lock.json$" names &&
	grep -q "^goldset-[0-9.]*/verifier/CMakeLists.txt$" names &&
	! grep "node_modules\|^goldset-[0-9.]*/build" names
'

test_expect_success 'the version is that of the build file and of the package' '
	version=$(sed -n "s/^project(goldset VERSION \([0-9.]*\).*/\1/p" "$test_source/CMakeLists.txt") &&
	head -1 names >first &&
	test_grep "^goldset-$version/" first &&
	head -1 "$test_source/debian/changelog" >changelog &&
	test_grep "^goldset ($version)" changelog
'

test_done
