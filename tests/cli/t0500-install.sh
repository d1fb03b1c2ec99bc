#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='what make install puts in place works from there'
. "$(dirname "$0")/lib.sh"
test_need cmake

test_expect_success 'install into a prefix below DESTDIR' '
	DESTDIR=$PWD/root cmake --install "$GS_BUILD" --prefix /opt/goldset >log 2>&1 || {
		cat log
		exit 1
	}
	(cd root && find . -type f -o -type l) | sort >files &&
	cat files &&
	test -x root/opt/goldset/bin/goldset &&
	test -f root/opt/goldset/lib/goldset/libduckdb.so &&
	! test -h root/opt/goldset/lib/goldset/libduckdb.so
'

test_expect_success 'each command has its page there' '
	for command in "" $(goldset help --all | sed -n "/^Commands:/,/^\$/s/^  \([a-z]*\) .*/-\1/p")
	do
		test -f "root/opt/goldset/share/man/man1/goldset$command.1" || {
			echo "no page for goldset$command"
			exit 1
		}
	done
'

test_expect_success 'the completions of three shells stand where these look' '
	share=root/opt/goldset/share &&
	test -f $share/bash-completion/completions/goldset &&
	test -f $share/zsh/site-functions/_goldset &&
	test -f $share/fish/vendor_completions.d/goldset.fish
'

test_expect_success 'nothing of the build folder or the sources is installed or needed' '
	! grep -v "^./opt/goldset/\(bin/goldset\|lib/goldset/libduckdb.so\|share/man/man1/goldset[a-z-]*\.1\|share/doc/.*\|share/\(bash-completion\|zsh\|fish\)/.*\|bin/goldset-[a-z]*\)\$" files
'

# Moved elsewhere, so that no path of the build can be what works.
test_expect_success 'it finds its library from wherever it stands' '
	mkdir moved && cp -a root/opt/goldset moved/here && rm -rf root &&
	GOLDSET=$PWD/moved/here/bin/goldset &&
	goldset --version &&
	test_project halves &&
	goldset -C ws add --as demo/halves halves &&
	goldset -C ws publish release &&
	goldset --json query release "select count(*) n from oracles" >actual &&
	echo "{\"n\":0}" >expect &&
	test_cmp expect actual &&
	(cd / && "$GOLDSET" query "$test_trash/release" "select 1 as one" >"$test_trash/out") &&
	test_grep one out
'

test_expect_success 'through a link too' '
	mkdir links && ln -s ../moved/here/bin/goldset links/goldset &&
	links/goldset --json query release "select 1 as n" >actual &&
	echo "{\"n\":1}" >expect &&
	test_cmp expect actual
'

test_expect_success 'without its library the reason is told' '
	mv moved/here/lib/goldset/libduckdb.so kept.so &&
	test_refuses 3 "libduckdb" moved/here/bin/goldset query release "select 1" &&
	moved/here/bin/goldset -C ws status >status &&
	test_grep "in all" status
'

test_expect_success unprivileged 'for a user who is not root' '
	mv kept.so moved/here/lib/goldset/libduckdb.so &&
	mkdir -m 777 /tmp/goldset-t0500.$$ &&
	test_when_finished "rm -rf /tmp/goldset-t0500.$$" &&
	cp -a moved/here halves /tmp/goldset-t0500.$$ &&
	chmod -R a+rX /tmp/goldset-t0500.$$ &&
	cd /tmp/goldset-t0500.$$ &&
	HOME=$PWD setpriv --reuid 65534 --regid 65534 --clear-groups \
		here/bin/goldset -C ws build halves --as demo/halves -o release 2>err || {
		cat err
		exit 1
	}
	cat err &&
	test_grep "1 record\b" err
'

test_done
