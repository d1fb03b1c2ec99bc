#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='the tutorial, its commands run as they stand and its output seen'
. "$(dirname "$0")/lib.sh"
test_need box
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
page=$test_source/docs/tutorial.md

blocks() { # LANGUAGE
	awk -v begin="\`\`\`$1" '$0 == begin { on = 1; next } on && $0 == "```" { on = 0 } on' "$page"
}

# What differs from day to day.
harmless() {
	sed -E "s/gs-[0-9a-f]{16}/gs-ID/g; s/[0-9a-f]{40}/HASH/g; s/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/g"
}

test_expect_success 'a folder with nothing in it, and the two programs on PATH' '
	mkdir bin empty lib &&
	ln -s "$GOLDSET" bin/goldset &&
	ln -s "$GS_BUILD/lib/libduckdb.so" lib/ &&
	blocks sh >commands && test -s commands &&
	blocks text >wanted && test -s wanted
'

# The verifier is another project, built in a folder of its own.
for verifier in "$test_source/build/goldset-verify" "$test_source/build-verifier/goldset-verify" ""; do
	test -x "$verifier" && break
done
if test -n "$verifier"; then
	ln -s "$verifier" bin/goldset-verify
else
	say 'goldset-verify is not built: its step is left out'
	sed -i '/^goldset-verify/d' commands
	sed -i '/records checked/d' wanted
fi

test_expect_success 'every command works' '
	port=$(/usr/bin/python3 -c "import socket
s = socket.socket()
s.bind((\"127.0.0.1\", 0))
print(s.getsockname()[1])") &&
	{ echo "set -e" && sed "s/8642/$port/" commands; } >script &&
	cd empty &&
	PATH=${PWD%/*}/bin:$PATH sh ../script >../seen 2>&1 || {
		cat ../seen
		exit 1
	}
'

test_expect_success 'and prints what the tutorial says' '
	harmless <seen >said &&
	harmless <wanted >lines &&
	while IFS= read -r line
	do
		grep -qxF -e "$line" said || {
			printf "not printed: %s\n" "$line"
			cat said
			exit 1
		}
	done <lines
'

test_done
