#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='bash, zsh and fish complete what the option tables say'
. "$(dirname "$0")/lib.sh"

complete() {
	goldset --complete "$@" | cut -f1
}

test_expect_success 'commands, with what they do' '
	goldset --complete "" >all &&
	goldset help --all | sed -n "/^Commands:/,/^\$/s/^  \([a-z]*\) .*/\1/p" >expect &&
	echo help >>expect &&
	cut -f1 all >actual &&
	test_cmp expect actual &&
	test_grep "^build	repositories in" all &&
	test "$(complete va)" = validate &&
	test "$(complete help exp | tr "\n" " ")" = "explain export "
'

test_expect_success 'every option of every command' '
	while read -r command
	do
		test "$command" != help || continue
		goldset $command --help |
			sed -n "s/^  ....--\([a-z-]*\).*/--\1/p" >expect &&
		complete $command -- | head -n "$(wc -l <expect)" >actual &&
		test_cmp expect actual || exit 1
	done <actual
'

test_expect_success 'values: words, lists, folders, files, and none' '
	test "$(complete validate --env "" | tr "\n" " ")" = "system venv " &&
	test "$(complete validate --env=ve)" = "--env=venv" &&
	test "$(complete publish --kinds bug,un)" = bug,unclear &&
	test "$(complete export --to js)" = jsonl &&
	test "$(complete score "")" = :dirs &&
	test "$(complete score rel "")" = :files &&
	test "$(complete mine --limit "")" = "" &&
	test "$(complete site rel one two "")" = :files &&
	test "$(complete -C "")" = :dirs &&
	test "$(complete query rel "")" = "" &&
	test "$(complete nosuch --x "")" = "" &&
	test "$(complete show -- --be)" = ""
'

test_expect_success box 'names and ids of the workspace' '
	test_project halves &&
	goldset -C ws -q build --as demo/halves halves -o release &&
	id=$(goldset --json query release "select id from oracles" | sed "s/.*\"\(gs-.*\)\".*/\1/") &&
	test "$(complete -C ws mine "")" = demo/halves &&
	test "$(complete -C ws exclude dem)" = demo/halves &&
	test "$(complete status -C ws --project "")" = demo/halves &&
	test "$(complete -C ws show "")" = "$id" &&
	test "$(complete -C ws show gs-zz)" = "" &&
	test "$(goldset --complete -C ws explain "$id")" = "$id	demo/halves"
'

test_expect_success bash 'bash: by its own function, words and folders' '
	mkdir -p relics/inner other && : >notes &&
	cat >ask <<-\EOF &&
	. "$test_source/completions/goldset.bash"
	ask() {
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_goldset
		printf "%s\n" "${COMPREPLY[@]}"
	}
	test "$(ask "$GOLDSET" exp)" = "explain
	export" || exit 1
	test "$(ask "$GOLDSET" validate --env = ve)" = venv || exit 2
	test "$(ask "$GOLDSET" audit rel)" = "release
	relics" || exit 3
	test "$(ask "$GOLDSET" audit relics/)" = relics/inner || exit 4
	test "$(ask "$GOLDSET" compare no)" = notes || exit 5
	complete -p goldset
	EOF
	mkdir -p release && sed "s/^	//" ask >ask.sh &&
	test_source=$test_source bash ask.sh >out &&
	test_grep "complete -F _goldset goldset" out
'

# Typed into a shell on a terminal: text, then Tab, then what the line became.
cat >type.py <<'E2'
import os, pty, re, select, sys, time
shell, text = sys.argv[1:2] + sys.argv[3:], sys.argv[2]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(shell[0], shell)
seen = b""
def wait_for(pattern, seconds=60):
    global seen
    end = time.time() + seconds
    while not re.search(pattern, re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]|[\x07\x08]", b"", seen)):
        if time.time() > end or not select.select([fd], [], [], end - time.time())[0]:
            sys.exit("no %r in %r" % (pattern, seen))
        try:
            seen += os.read(fd, 4096)
        except OSError:
            sys.exit("it ended: %r" % seen)
wait_for(rb"ready> ")
seen = b""
os.write(fd, text.encode() + b"\t")
wait_for(re.escape(os.environ["WANTED"]).encode())
os.write(fd, b"\x03\x04exit\n")
os.close(fd)
E2

test_expect_success bash 'bash: the Tab key on a terminal' '
	cat >rc <<-EOF &&
	PS1="ready> "
	PATH=$(dirname "$GOLDSET"):\$PATH
	. "$test_source/completions/goldset.bash"
	EOF
	TERM=xterm WANTED="goldset validate --exhaustive" /usr/bin/python3 type.py \
		bash "goldset validate --exh" --noprofile --rcfile rc -i
'

test_expect_success zsh 'zsh: the Tab key on a terminal' '
	mkdir -p zdot functions && cp "$test_source/completions/goldset.zsh" functions/_goldset &&
	cat >zdot/.zshrc <<-EOF &&
	PS1="ready> "
	path=($(dirname "$GOLDSET") \$path)
	fpath=($PWD/functions \$fpath)
	autoload -Uz compinit && compinit -u -D
	EOF
	TERM=xterm ZDOTDIR=$PWD/zdot WANTED="goldset validate --exhaustive" \
		/usr/bin/python3 type.py zsh "goldset validate --exh" -i &&
	TERM=xterm ZDOTDIR=$PWD/zdot WANTED="venv" \
		/usr/bin/python3 type.py zsh "goldset validate --env=v" -i &&
	TERM=xterm ZDOTDIR=$PWD/zdot WANTED="relics/" \
		/usr/bin/python3 type.py zsh "goldset audit reli" -i
'

test_expect_success fish 'fish: by its own engine' '
	cat >ask.fish <<-EOF &&
	set PATH $(dirname "$GOLDSET") \$PATH
	source $test_source/completions/goldset.fish
	complete -C "goldset va"
	complete -C "goldset validate --env "
	complete -C "goldset audit reli"
	EOF
	fish --no-config ask.fish >actual &&
	cat actual &&
	test_grep "^validate	run the tests" actual &&
	test_grep "^venv" actual &&
	test_grep "^relics/" actual
'

test_done
