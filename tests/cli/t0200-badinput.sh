#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='bad input gets a clear sentence, an exit status, and leaves the store as it was'
. "$(dirname "$0")/lib.sh"

# What the store says, however its file is laid out.
dump_store() {
	/usr/bin/python3 -c 'import sqlite3, sys
db = sqlite3.connect("file:%s/state.db?mode=ro" % sys.argv[1], uri=True)
print("\n".join(db.iterdump()))' "$1"
}

# refuses CODE TEXT COMMAND...: and the workspace ws says afterwards what it
# said before.
refuses() {
	dump_store ws >store-before || return 1
	test_refuses "$@" || return 1
	cat refusal
	dump_store ws >store-after || return 1
	test_cmp store-before store-after
}

test_expect_success 'a workspace with a project that is mined' '
	test_project halves &&
	goldset -C ws add --as demo/halves halves &&
	goldset -C ws mine &&
	goldset -C ws status --json >status &&
	json status "d[\"candidates\"]" >actual &&
	echo 1 >expect && test_cmp expect actual
'

test_expect_success 'what is no repository is told, in every form' '
	mkdir folder && echo text >folder/file && mkdir empty-folder &&
	for bad in folder empty-folder folder/file missing/path ""
	do
		test_must_fail goldset -C ws add "$bad" 2>err || exit 1
		cat err
		test_grep "^goldset add: ." err || exit 1
		test_no_grep "Assertion\|errno\|(null)" err || exit 1
	done &&
	refuses 3 "folder" goldset -C ws add folder &&
	refuses 3 "folder" goldset -C ws build folder -o out &&
	! test -e out
'

test_expect_success unprivileged 'a folder that may not be entered is told so' '
	test_project closed && chmod 700 closed && chmod 777 . &&
	test_expect_code 3 setpriv --reuid=12345 --regid=12345 --clear-groups \
		"$GOLDSET" -C "$(mktemp -d -u)" add "$PWD/closed" 2>err && cat err &&
	test_grep "closed: Permission denied" err
'

test_expect_success 'a repository without a commit' '
	git init -q hollow &&
	test_must_fail goldset -C ws2 add hollow 2>err &&
	test_grep "hollow.*\(empty\|no commit\|no branch\)" err &&
	git init -q --bare hollow.git &&
	test_must_fail goldset -C ws2 add hollow.git 2>err &&
	test_grep "hollow.*\(empty\|no commit\|no branch\)" err
'

# W1
test_expect_success 'an origin with dot segments is no public origin' '
	test_project dotted &&
	git -C dotted remote add origin https://github.com/a/b/../../x &&
	goldset -C dotted-ws add dotted >actual && echo local/dotted >expect &&
	test_cmp expect actual
'

# F167: the port of a server that is not there.
test_expect_success 'an address that does not answer ends soon, with its name' '
	refuses 3 "127.0.0.1:9/some/where" \
		timeout 60 "$GOLDSET" -C ws add https://127.0.0.1:9/some/where
'

# F167
test_expect_success 'other protocols and options in disguise run nothing' '
	for url in "ext::touch PWN" "ext::sh -c touch% PWN" "file://$PWD/halves" \
		"fd::7" "ssh://-oProxyCommand=touch%20PWN/x" "git://127.0.0.1:9/x" \
		"http://127.0.0.1:9/x/y" "git@127.0.0.1:x/y" \
		"https://user:secret@127.0.0.1:9/x/y"
	do
		test_must_fail timeout 60 "$GOLDSET" -C ws add "$url" 2>err || exit 1
		cat err
		test_grep "^goldset add: ." err || exit 1
		test_no_grep "secret" err || exit 1
	done &&
	refuses 2 "upload-pack" goldset -C ws add "--upload-pack=touch PWN" halves &&
	refuses 2 "" goldset -C ws add -- "--upload-pack=touch PWN" &&
	! test -e PWN
'

test_expect_success 'a broken list of repositories is told' '
	refuses 3 "no-list" goldset -C ws add --from no-list &&
	mkdir list &&
	refuses 3 "list" goldset -C ws add --from list &&
	printf "# nothing\n\n" >comments &&
	goldset -C ws add --from comments
'

test_expect_success 'names of projects that cannot be' '
	for name in "" demo demo/ /x a/b/c "../x" "a/.." "a b/c" "a/b
c"
	do
		test_must_fail goldset -C ws add --as "$name" halves 2>err || exit 1
		cat err
	done &&
	refuses 2 "" goldset -C ws add --as "../../x" halves
'

test_expect_success 'an unknown project, commit and record' '
	refuses 3 "no project no/such" goldset -C ws mine no/such &&
	refuses 3 "no project no/such" goldset -C ws validate no/such &&
	refuses 3 "no/such" goldset -C ws exclude no/such --reason x &&
	refuses 3 "0123456789" goldset -C ws explain 0123456789 &&
	refuses 2 "neither" goldset -C ws explain xyzzy &&
	refuses 3 "gs-0123456789abcdef" goldset -C ws show gs-0123456789abcdef &&
	refuses 3 "gs-0123456789abcdef" \
		goldset -C ws checkout gs-0123456789abcdef -d tree &&
	! test -e tree
'

test_expect_success 'reading where no workspace is makes none' '
	test_refuses 3 "nowhere" goldset -C nowhere status &&
	test_refuses 3 "nowhere" goldset -C nowhere explain 01234567 &&
	test_refuses 3 "nowhere" goldset -C nowhere show gs-01234567 &&
	! test -e nowhere &&
	echo text >file &&
	test_refuses 3 "file" goldset -C file status &&
	test_must_fail goldset -C file add halves 2>err &&
	test_grep "file" err
'

test_expect_success 'a workspace of a newer version is left as it is' '
	cp -a ws newer &&
	/usr/bin/python3 -c "import sqlite3
db = sqlite3.connect(\"newer/state.db\")
db.execute(\"PRAGMA user_version = 999\")" &&
	dump_store newer >before &&
	test_refuses 3 "newer goldset" goldset -C newer mine &&
	test_refuses 3 "newer goldset" goldset -C newer status &&
	dump_store newer >after &&
	test_cmp before after
'

test_expect_success 'a database that is none, or cut, is told and left' '
	mkdir strange cut &&
	echo "this is no database, it is a letter to somebody else" >strange/state.db &&
	cp strange/state.db letter &&
	test_refuses 3 "strange/state.db" goldset -C strange mine &&
	test_refuses 3 "strange/state.db" goldset -C strange status &&
	test_cmp letter strange/state.db &&
	goldset -C whole add --as a/b halves &&
	/usr/bin/python3 -c "import sqlite3
sqlite3.connect(\"whole/state.db\").execute(\"PRAGMA wal_checkpoint(TRUNCATE)\")" &&
	head -c 5000 whole/state.db >cut/state.db &&
	test_must_fail goldset -C cut status 2>err &&
	cat err &&
	test_grep "cut/state.db" err
'

test_expect_success 'a folder that cannot be made' '
	test_refuses 3 "/proc/ws" goldset -C /proc/ws add halves &&
	test_must_fail goldset -C /dev/null/ws add halves 2>err &&
	test_grep "/dev/null" err
'

test_expect_success 'a configuration with a mistake' '
	cp -a ws configured &&
	printf "[project \"demo/halves\"\n\tpython = x\n" >configured/goldset.conf &&
	test_must_fail goldset -C configured mine 2>err &&
	test_grep "goldset.conf" err
'

test_expect_success 'SQL with a mistake, and what is no release' '
	goldset -C ws publish none &&
	test_must_fail goldset query none "selec 1" 2>err &&
	test_grep "selec" err &&
	test_must_fail goldset query none "select no_such from oracles" 2>err &&
	test_grep "no_such" err &&
	test_must_fail goldset query none "" 2>err &&
	test_refuses 3 "folder" goldset query folder "select 1" &&
	test_refuses 3 "missing" goldset query missing "select 1" &&
	test_must_fail goldset show --release folder gs-0123 2>err &&
	test_grep "folder" err
'

test_expect_success 'what only looks like a SELECT, and one that fails as it runs' '
	test_refuses 2 "must be a SELECT" goldset query none "pragma version" &&
	test_refuses 2 "boom" goldset query none "select error('"'"'boom'"'"') from oracles union all
		select error('"'"'boom'"'"')" &&
	test_no_grep "pending query" refusal &&
	test_refuses 2 "PIVOT" goldset query none "pivot oracles on granularity"
'

test_expect_success 'a query changes nothing and reads nothing else' '
	echo "the secret" >secret.txt &&
	for sql in "drop view oracles" "create table x as select 1" \
		"copy (select 1) to '\''written.csv'\''" \
		"select * from read_text('\''secret.txt'\'')" \
		"attach '\''x.db'\'' as x" "install httpfs"
	do
		test_must_fail goldset query none "$sql" >out 2>err || exit 1
		test_no_grep "the secret" out || exit 1
	done &&
	! test -e written.csv && ! test -e x.db &&
	(cd none && sha256sum --quiet -c SHA256SUMS)
'

test_expect_success 'a Parquet file that is cut or garbled' '
	cp -a none broken &&
	size=$(stat -c %s broken/oracles.parquet) &&
	head -c $((size / 2)) none/oracles.parquet >broken/oracles.parquet &&
	test_must_fail goldset query broken "select count(*) from oracles" 2>err &&
	cat err &&
	test_grep "broken" err &&
	printf PAR1PAR1 >broken/oracles.parquet &&
	test_refuses 3 "broken/oracles.parquet does not read: " \
		goldset query broken "select count(*) from oracles" &&
	test_no_grep "/proc/\|CREATE" refusal &&
	: >broken/oracles.parquet &&
	test_must_fail goldset query broken "select count(*) from oracles" 2>err &&
	test_must_fail goldset show --release broken gs-0123 2>err &&
	rm broken/oracles.parquet &&
	test_must_fail goldset query broken "select count(*) from oracles" 2>err
'

test_expect_success 'an interpreter that is missing, or is none, or has no pytest' '
	refuses 3 "/no/such/python" goldset -C ws validate --python /no/such/python &&
	refuses 3 "/bin/true" goldset -C ws validate --python /bin/true &&
	/usr/bin/python3 -m venv --without-pip bare &&
	refuses 3 "pytest" goldset -C ws validate --python "$PWD/bare/bin/python" &&
	test_grep "bare/bin/python" refusal
'

test_expect_success 'no sandbox, no run' '
	mkdir stub &&
	printf "#!/bin/sh\necho \"bwrap: No permissions to create new namespace\" >&2\nexit 1\n" \
		>stub/bwrap &&
	chmod +x stub/bwrap &&
	(
		PATH=$PWD/stub:$PATH &&
		refuses 3 "namespace\|sandbox" goldset -C ws validate &&
		test_expect_code 1 goldset doctor >out 2>&1 &&
		test_grep "missing *sandbox" out
	) &&
	mkdir bin && for tool in git python3 sh env
	do
		ln -s "$(command -v $tool)" bin/$tool || exit 1
	done &&
	(
		PATH=$PWD/bin &&
		test_code=0 &&
		"$GOLDSET" -C ws validate 2>err || test_code=$? &&
		test "$test_code" = 3
	) &&
	test_grep "bwrap\|bubblewrap" err
'

test_expect_success 'a git that is none, or too old' '
	mkdir old &&
	printf "#!/bin/sh\necho git version 2.30.2\n" >old/git && chmod +x old/git &&
	(PATH=$PWD/old:$PATH &&
		test_refuses 3 "version 2.30.2, and 2.36 or later" "$GOLDSET" -C ws3 add halves &&
		refuses 3 "2.36 or later" "$GOLDSET" -C ws mine) &&
	echo "echo nothing" >old/git &&
	(PATH=$PWD/old:$PATH && test_refuses 3 "git" "$GOLDSET" -C ws3 add halves)
'

test_expect_success 'without git' '
	mkdir nothing &&
	(PATH=$PWD/nothing && test_code=0 &&
		"$GOLDSET" -C ws3 add halves 2>err || test_code=$? &&
		test "$test_code" = 3) &&
	test_grep "git" err
'

# Field case 36: a local source is shared, not copied.
test_expect_success 'a repository that is gone is told, and found again elsewhere' '
	test_project here && git init -q other &&
	(cd other && echo other >other && git add other && git commit -q -m Other) &&
	goldset -C moving add --as demo/here here && goldset -C moving mine &&
	goldset -C moving status --json >before &&
	mv here there &&
	test_expect_code 1 goldset -C moving mine 2>err && cat err &&
	test_grep "demo/here: its repository .*/here is gone" err &&
	test_grep "goldset add --as demo/here FOLDER" err &&
	test_refuses 2 "holds another history" goldset -C moving add --as demo/here other &&
	goldset -C moving add --as demo/here there &&
	goldset -C moving mine 2>err && cat err &&
	test_grep "demo/here: 0 new commits" err &&
	goldset -C moving status --json >after && test_cmp before after &&
	# It is there: a second place needs a name of its own.
	cp -a there copy &&
	test_refuses 2 "taken by .*/there" goldset -C moving add --as demo/here copy &&
	ls moving/mirrors >mirrors && test_grep "^demo+here-[0-9a-f]*.git$" mirrors &&
	test_no_grep "moving" mirrors
'

# The same: a candidate whose objects went stays pending, and is examined when
# they are back.
test_expect_success box 'objects that went away lose no candidate' '
	test_project hollowed && goldset -C hollowed-ws add --as demo/h hollowed &&
	goldset -C hollowed-ws mine &&
	object=$(git -C hollowed rev-parse main:halves.py | sed "s|^..|&/|") &&
	mv hollowed/.git/objects/$object kept &&
	test_refuses 3 "all stay pending: .* is not in" goldset -C hollowed-ws validate &&
	goldset -C hollowed-ws status --json >status &&
	json status "d[\"pending\"]" >actual && echo 1 >expect && test_cmp expect actual &&
	mv kept hollowed/.git/objects/$object &&
	goldset -C hollowed-ws validate 2>err && cat err &&
	test_grep "1 record" err
'

test_expect_success box 'a umask that shuts others out changes no record and no release' '
	test_project masked &&
	(umask 077 && goldset -C masked-ws build masked --as demo/m -o masked-release 2>err) &&
	cat err && test_grep "1 record from 1 project" err &&
	find masked-release ! -type d ! -perm 644 -o -type d ! -perm 755 >modes &&
	! grep . modes
'

# One that works holds the workspace; a second writer is refused at once,
# readers are not, and Ctrl-C ends the first with 130.
test_expect_success 'a project whose test takes its time' '
	test_project slow &&
	(cd slow &&
		printf "\n\ndef test_slow():\n    import time\n    time.sleep(30)\n" \
			>>tests/test_halves.py &&
		git commit -q --amend -a -m "Fix halves slowly") &&
	goldset -C busy add --as demo/slow slow && goldset -C busy mine
'

test_expect_success box 'a workspace that is in use' '
	"$GOLDSET" -C busy validate -j1 2>first &
	pid=$!
	test_when_finished "kill -KILL $pid 2>/dev/null || :"
	test_until grep -qx $pid busy/lock &&
	test_refuses 3 "busy.*in use" goldset -C busy mine &&
	goldset -C busy status --json >status &&
	json status "d[\"pending\"]" >actual && echo 1 >expect &&
	test_cmp expect actual &&
	kill -INT $pid && code=0 && { wait $pid || code=$?; } &&
	cat first &&
	test "$code" = 130 &&
	test_grep "interrupted" first &&
	goldset -C busy mine &&
	goldset -C busy status --json >status &&
	json status "d[\"pending\"]" >actual &&
	test_cmp expect actual
'

test_done
