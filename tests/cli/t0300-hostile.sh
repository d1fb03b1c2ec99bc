#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='hostile repositories run nothing, write nothing outside, and stop nobody else'
. "$(dirname "$0")/lib.sh"

PWN=$PWD/pwned
export PWN

# The marker that every planted command would leave, in a folder that the
# sandbox's user too could write.
mkdir -m 777 "$PWN"
no_marker() {
	test -z "$(ls -A "$PWN")" || {
		ls -lA "$PWN"
		return 1
	}
}

# F163: everything of a repository's own that git would execute.
test_expect_success 'configuration, hooks, filters and attributes run nothing' '
	test_project armed &&
	(
		cd armed &&
		printf "*.py filter=evil diff=evil merge=evil\n* text=auto eol=crlf ident\n" \
			>.gitattributes &&
		git add -A && test_tick && git commit -q -m "Attributes" &&
		for key in core.fsmonitor core.pager core.editor core.sshCommand \
			core.askPass core.gitProxy diff.external gpg.program \
			filter.evil.smudge filter.evil.clean filter.evil.process \
			diff.evil.textconv diff.evil.command merge.evil.driver \
			credential.helper uploadpack.packObjectsHook \
			core.alternateRefsCommand pager.log alias.log alias.cat-file
		do
			git config "$key" "!touch $PWN/$key; false" || exit 1
			git config --add "$key" "touch $PWN/$key; false" || exit 1
		done &&
		git config core.hooksPath "$PWD/.git/hooks" &&
		git config include.path "$PWD/.git/more" &&
		printf "[core]\n\tfsmonitor = touch %s/include\n" "$PWN" >.git/more &&
		git config log.showSignature true &&
		git config core.worktree /etc &&
		for hook in post-checkout pre-commit reference-transaction \
			post-index-change pre-auto-gc post-rewrite update
		do
			printf "#!/bin/sh\ntouch %s/%s\n" "$PWN" $hook >.git/hooks/$hook &&
			chmod +x .git/hooks/$hook || exit 1
		done
	) &&
	test_list_tree armed >before &&
	goldset -C ws add --as demo/armed armed &&
	goldset -C ws mine &&
	no_marker &&
	test_list_tree armed >after &&
	test_cmp before after
'

test_expect_success box 'nor when its tests run, and the record is right' '
	goldset -C ws validate demo/armed 2>err &&
	cat err &&
	test_grep "1 record\b" err &&
	no_marker &&
	id=$(goldset -C ws explain --json "$(git --git-dir=armed/.git rev-parse main~1)" |
		sed "s/.*\"record\":\"\([^\"]*\)\".*/\1/") &&
	goldset -C ws show --after "$id" >actual &&
	test_no_grep "$(printf "\r")" actual &&
	goldset -C ws checkout "$id" -d tree &&
	no_marker
'

# F020: the same with the settings of the one who calls it.
test_expect_success 'settings of the user change nothing' '
	goldset -C plain add --as demo/armed armed && goldset -C plain mine &&
	goldset -C plain status --json >expect &&
	cat >"$HOME/.gitconfig" <<-E &&
	[diff]
		noprefix = true
		external = touch $PWN/diff
		renames = copies
	[color]
		ui = always
	[log]
		showSignature = true
	[core]
		fsmonitor = touch $PWN/fsmonitor
		quotePath = true
	E
	(
		unset GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM &&
		export GIT_DIR=/nonexistent GIT_WORK_TREE=/ \
			GIT_EXTERNAL_DIFF="touch $PWN/env" GIT_TRACE=1 \
			GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor \
			GIT_CONFIG_VALUE_0="touch $PWN/count" &&
		goldset -C changed add --as demo/armed armed &&
		goldset -C changed mine &&
		goldset -C changed status --json >actual
	) &&
	test_cmp expect actual &&
	no_marker
'

# F165, F166: trees that no git would make by itself.
plant() { # REPO: a tree on stdin becomes a commit whose parent is main
	tree=$(git -C "$1" mktree) &&
	test_tick &&
	commit=$(git -C "$1" commit-tree -p main -m 'Fix it' "$tree") &&
	git -C "$1" update-ref refs/heads/main "$commit"
}

test_expect_success 'names that escape, alias or point outside write nothing' '
	test_project escaping &&
	cd escaping &&
	evil=$(printf "open(%s, \"w\")\n" "\"$PWN/ran\"" | git hash-object -w --stdin) &&
	link=$(printf "%s" "$PWN" | git hash-object -w --stdin) &&
	inner=$(printf "100644 blob %s\tescaped.py\n" $evil | git mktree) &&
	base=$(git ls-tree main | grep -v halves) &&
	for name in .. . .git .GIT .git. "git~1" "a\\b" ".gi‌t"
	do
		for mode in "040000 tree $inner" "100644 blob $evil" "120000 blob $link"
		do
			{ echo "$base" &&
				printf "%s\t%s\n" "$mode" "$name" &&
				printf "100644 blob %s\thalves.py\n" $evil; } >../list &&
			# git itself refuses some; a raw tree object does not ask.
			/usr/bin/python3 - ../list <<-\E >../raw &&
	import sys
	out = b""
	rows = {}
	for line in open(sys.argv[1], "rb").read().splitlines():
	    if not line.strip():
	        continue
	    head, name = line.split(b"\t", 1)
	    mode, kind, oid = head.split()
	    rows[name] = (mode.lstrip(b"0"), oid, kind)
	for name in sorted(rows, key=lambda n: n + (b"/" if rows[n][2] == b"tree" else b"")):
	    mode, oid, kind = rows[name]
	    out += mode + b" " + name + b"\0" + bytes.fromhex(oid.decode())
	sys.stdout.buffer.write(out)
	E
			tree=$(git hash-object -t tree -w --literally ../raw) &&
			test_tick &&
			commit=$(git commit-tree -p main -m "Fix $name" $tree) &&
			git update-ref refs/heads/main $commit || exit 1
		done
	done &&
	cd .. &&
	goldset -C ws add --as demo/escaping escaping &&
	goldset -C ws mine &&
	no_marker
'

test_expect_success box 'nor are they written for a run' '
	goldset -C ws validate demo/escaping 2>err &&
	cat err &&
	no_marker &&
	! find ws -name escaped.py | grep . &&
	goldset -C ws status --json >status &&
	json status "d[\"commits\"] == d[\"records\"] + d[\"pending\"]
		+ d[\"duplicates\"] + sum(d[\"reasons\"].values())" >actual &&
	echo True >expect && test_cmp expect actual
'

# F166: a folder of tests becomes a link outside, then tests are laid through.
test_expect_success box 'tests are not laid through a link' '
	test_project linked &&
	(
		cd linked &&
		git rm -q -r --cached tests && rm -rf tests && ln -s "$PWN" tests &&
		git add tests && test_tick && git commit -q -m "A link" &&
		git rm -q --cached tests && rm tests && mkdir tests &&
		printf "from halves import half\n\n\ndef test_neg():\n    assert half(-4) == -2\n" \
			>tests/test_halves.py &&
		printf "def half(n):\n    \"\"\"Return half of n, an int.\"\"\"\n    return int(n // 2)\n" \
			>halves.py &&
		git add -A && test_tick && git commit -q -m "Fix halves behind a link"
	) &&
	goldset -C ws add --as demo/linked linked &&
	goldset -C ws mine demo/linked && goldset -C ws validate demo/linked &&
	no_marker
'

# What tests do in their box: nothing of it reaches the machine.
test_expect_success box 'a test that attacks costs its own run only' '
	test_project attack &&
	(
		cd attack &&
		cat >>tests/test_halves.py <<-E &&


	def test_attack():
	    import os, signal, socket, subprocess
	    for path in ("$PWN/direct", "/etc/pwned", "/pwned", "/tmp/../$PWN/x"):
	        try:
	            open(path, "w").close()
	        except OSError:
	            pass
	    subprocess.call("touch $PWN/shell; (sleep 60; touch $PWN/late) &", shell=True)
	    os.environ["HOME"] = "$PWN"
	    try:
	        socket.create_connection(("127.0.0.1", $$), 1)
	    except OSError:
	        pass
	    os.kill(0, signal.SIGKILL)
	E
		git commit -q --amend -a -m "Fix halves of odd numbers, and attack"
	) &&
	goldset -C ws add --as demo/attack attack &&
	goldset -C ws mine demo/attack &&
	goldset -C ws validate demo/attack 2>err && cat err &&
	no_marker && ! test -e /etc/pwned && ! test -e /pwned &&
	test_grep "1 candidate examined" err
'

# F017, F018, F019
test_expect_success box 'odd names of files come through, byte for byte' '
	for dir in "x b" "a b/té st" "qu\"ote" "tab	tab" "-rf" ":top" "[ab]" "new
line"
	do
		name=$(printf "%s" "$dir" | tr -c "a-z" _ ) &&
		repo="odd-$name" &&
		git init -q -b main "$repo" &&
		(
			cd "$repo" &&
			mkdir -p "./$dir" tests &&
			cp "$test_source/tests/unit/licences/mit.txt" LICENSE &&
			cat >"tests/test_y.py" <<-\E &&
			import importlib.util, os, sys
			here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
			found = [os.path.join(d, "y.py") for d, _, f in os.walk(here) if "y.py" in f]
			spec = importlib.util.spec_from_file_location("y", found[0])
			y = importlib.util.module_from_spec(spec)
			spec.loader.exec_module(y)


			def test_one():
			    assert y.one() == 1
			E
			printf "def one():\n    \"\"\"Return one, as an int.\"\"\"\n    return 2 - 0\n" \
				>"./$dir/y.py" &&
			git add -A && test_tick && git commit -q -m Begin &&
			printf "def one():\n    \"\"\"Return one, as an int.\"\"\"\n    return 2 - 1\n" \
				>"./$dir/y.py" &&
			printf "\n\ndef test_again():\n    assert y.one() < 2\n" \
				>>"tests/test_y.py" &&
			git add -A && test_tick && git commit -q -m "Fix one"
		) &&
		goldset -C odd add --as "demo/$repo" "$repo" || exit 1
	done &&
	goldset -C odd mine 2>err && cat err &&
	goldset -C odd validate 2>err && cat err &&
	goldset -C odd status --json >status && cat status &&
	json status "d[\"records\"] + d[\"duplicates\"] >= 1 and d[\"pending\"] == 0" >actual &&
	echo True >expect && test_cmp expect actual
'

test_expect_success box 'names of tests that look like options or magic' '
	test_project magic &&
	(
		cd magic &&
		for name in -k :top a "*" "(exclude)" "a b"
		do
			printf "from halves import half\n\n\ndef test_x():\n    assert half(7) == 3\n" \
				>"tests/test_$name.py" || exit 1
		done &&
		mv "tests/test_-k.py" "tests/-k_test.py" &&
		git add -A && git commit -q --amend -m "Fix halves"
	) &&
	goldset -C magic-ws add --as demo/magic magic &&
	goldset -C magic-ws mine && goldset -C magic-ws validate 2>err && cat err &&
	goldset -C magic-ws explain --json "$(git -C magic rev-parse main)" >story &&
	json story "d[\"state\"]" >actual &&
	echo record >expect && test_cmp expect actual &&
	goldset -C magic-ws show --tests "$(json story "d[\"record\"]")" >ids && cat ids &&
	grep -F "tests/test_:top.py::test_x" ids &&
	grep -F "tests/test_(exclude).py::test_x" ids &&
	grep -F "tests/test_*.py::test_x" ids &&
	grep -F "tests/-k_test.py::test_x" ids
'

# pytest 7 cannot be given a file whose name has a bracket: it takes what
# follows for a parameter. Such a file is refused with that reason, and the
# sibling that the name would match as a pattern is not run in its place.
test_expect_success box 'a bracket in a name is refused and matches nobody else' '
	test_project bracket &&
	(
		cd bracket &&
		git reset -q --soft HEAD^ &&
		git checkout -q HEAD tests &&
		printf "def test_a():\n    assert False\n" >tests/test_a.py &&
		git add tests/test_a.py && git commit -q --amend -m Begin -- tests/test_a.py &&
		printf "from halves import half\n\n\ndef test_x():\n    assert half(7) == 3\n" \
			>"tests/test_[ab].py" &&
		git add -A && test_tick && git commit -q -m "Fix halves"
	) &&
	goldset -C bracket-ws add --as demo/bracket bracket &&
	goldset -C bracket-ws mine && goldset -C bracket-ws validate 2>err && cat err &&
	goldset -C bracket-ws explain --json "$(git -C bracket rev-parse main)" >story &&
	json story "d[\"reason\"] in (None, \"usage after\")" >actual &&
	echo True >expect && test_cmp expect actual &&
	test_no_grep "test_a.py" story
'

test_expect_success 'one broken repository never stops the others' '
	test_project sound && test_project broken && test_project torn &&
	find broken/.git/objects -type f -exec chmod u+w {} + &&
	for object in $(find broken/.git/objects -type f)
	do
		echo garbage >"$object" || exit 1
	done &&
	head=$(git -C torn rev-parse HEAD^{tree}) &&
	rm -f torn/.git/objects/$(echo $head | sed "s|^..|&/|") &&
	mkdir none &&
	test_expect_code 1 goldset -C many build broken torn none missing sound \
		-o release --walk first-parent 2>err;
	cat err &&
	test_grep "broken.*left out" err &&
	test_grep "none.*left out" err &&
	test_grep "missing.*left out" err &&
	goldset -C many status --json >status && cat status &&
	json status "d[\"commits\"] >= 2" >actual &&
	echo True >expect && test_cmp expect actual
'

# W5: what git cannot read of one commit costs that commit and nothing else.
raw_commit() { # REPO REF TREE PARENT: a commit object, whatever they are
	printf "tree %s\nparent %s\nauthor A <a@e> 1 +0000\ncommitter A <a@e> 1 +0000\n\nm\n" \
		"$3" "$4" | git -C "$1" hash-object -t commit -w --literally --stdin >oid &&
	git -C "$1" update-ref "refs/heads/$2" "$(cat oid)"
}

test_expect_success 'a commit that cannot be read is refused by itself' '
	test_project partly &&
	main=$(git -C partly rev-parse main) tree=$(git -C partly rev-parse main^{tree}) &&
	blob=$(git -C partly rev-parse main:halves.py) &&
	missing=1234567890123456789012345678901234567890 &&
	/usr/bin/python3 - $blob >twice <<-\E &&
	import sys
	entry = b"100644 halves.py\0" + bytes.fromhex(sys.argv[1])
	sys.stdout.buffer.write(entry + entry)
	E
	twice=$(git -C partly hash-object -t tree -w --literally --stdin <twice) &&
	raw_commit partly orphan $tree $missing &&
	raw_commit partly rubbish $blob $main &&
	raw_commit partly twice $twice $main &&
	goldset -C partly-ws add --as demo/partly partly &&
	goldset -C partly-ws mine 2>err && cat err &&
	test_grep "demo/partly: 5 new commits, 1 candidate" err &&
	test_grep "refused 2 commits that cannot be read" err &&
	goldset -C partly-ws status --json >status &&
	json status "d[\"pending\"], sorted(d[\"reasons\"].items())" >actual &&
	echo "(1, [(\"no parent\", 1), (\"parent missing\", 1), (\"unreadable object\", 2)])" |
		tr "\"" "\047" >expect &&
	test_cmp expect actual &&
	goldset -C partly-ws explain "$(git -C partly rev-parse twice)" >story && cat story &&
	test_grep "one name twice" story &&
	# What is as it was gives nothing new.
	goldset -C partly-ws mine 2>err && cat err &&
	test_grep "demo/partly: 0 new commits, 0 candidates" err &&
	test_no_grep "cannot be read" err
'

# N commits more that mend halves.py together with its test.
mend() { # REPO N
	for n in $(seq "$2"); do
		printf "\n\nTIMES = %s\n" "$n" >>"$1/halves.py" &&
		printf "\n\ndef test_%s():\n    assert half(%s) == %s\n" \
			"$n" $((n * 2)) "$n" >>"$1/tests/test_halves.py" &&
		test_tick && git -C "$1" commit -qam "Fix $n" || return 1
	done
}

reasons() { # WORKSPACE
	goldset -C "$1" status --json >status &&
	json status "d[\"pending\"], sorted(d[\"reasons\"].items())" | tr "\"" "\047"
}

# W5, L1: not the first commit only.
test_expect_success 'a licence that cannot be read lets no commit through' '
	test_project unread && mend unread 3 &&
	blob=$(git -C unread rev-parse main:LICENSE) &&
	rm -f unread/.git/objects/$(echo $blob | sed "s|^..|&/|") &&
	goldset -C unread-ws add --as demo/unread unread &&
	goldset -C unread-ws mine &&
	reasons unread-ws >actual &&
	echo "(0, [(\"missing object\", 4), (\"no parent\", 1)])" | tr "\"" "\047" >expect &&
	test_cmp expect actual
'

# L1: commits are judged by what stood there then, though few trees are opened.
test_expect_success 'a licence counts from the commit in which it came to that in which it went' '
	test_project change && mend change 2 &&
	git -C change mv LICENSE words && ln -s words change/LICENSE &&
	git -C change add LICENSE && test_tick && git -C change commit -qm "Link" && mend change 2 &&
	echo "All rights reserved." >change/words && test_tick && git -C change commit -qam "Close" &&
	mend change 3 && git -C change rm -q LICENSE && test_tick &&
	git -C change commit -qm "Nothing" && mend change 4 &&
	git -C change checkout -qb side HEAD~1 && mend change 1 &&
	git -C change checkout -q main && git -C change merge -q -s ours -m Merge side &&
	goldset -C change-ws add --as demo/change change &&
	goldset -C change-ws mine &&
	reasons change-ws >actual &&
	echo "(5, [(\"licence not accepted\", 3), (\"merge\", 1), (\"no licence text\", 5)," \
		"(\"no parent\", 1), (\"no source change\", 3)])" | tr "\"" "\047" >expect &&
	test_cmp expect actual
'

# F168: ten folders of ten, nine deep: git has to give up over it, soon, and
# the rest of the history is mined.
test_expect_success 'a bomb of nested trees is refused by itself' '
	test_project bomb &&
	(
		cd bomb &&
		id=$(git rev-parse main:halves.py) kind="100644 blob" &&
		for level in 1 2 3 4 5 6 7 8 9
		do
			id=$(for i in 0 1 2 3 4 5 6 7 8 9
			do
				printf "%s %s\tn%s\n" "$kind" $id $i
			done | git mktree) && kind="040000 tree" || exit 1
		done &&
		tree=$( (git ls-tree main && printf "040000 tree %s\tzz\n" $id) | git mktree) &&
		git update-ref refs/heads/bomb \
			$(git commit-tree -p main -m "Fix it all" $tree)
	) &&
	goldset -C bomb-ws add --as demo/bomb bomb &&
	timeout 120 "$GOLDSET" -C bomb-ws mine 2>err && cat err &&
	goldset -C bomb-ws status --json >status &&
	json status "d[\"pending\"], sorted(d[\"reasons\"].items())" >actual &&
	echo "(1, [(\"no parent\", 1), (\"too many changed files\", 1)])" |
		tr "\"" "\047" >expect &&
	test_cmp expect actual
'

# W2: the kind of walk is the project'"'"'s; another one walks again and accounts
# for all of it, and the first brings back what it had.
test_expect_success 'the other kind of walk is another walk' '
	test_project merged &&
	(
		cd merged &&
		git checkout -q -b side main~1 &&
		echo text >text && git add text && test_tick && git commit -q -m Text &&
		test_tick && git merge -q --no-ff -m "Merge the fix" main &&
		git branch -q -D main && git branch -m main
	) &&
	goldset -C walk-ws add --as demo/merged merged &&
	counts() {
		goldset -C walk-ws status --json >status &&
		json status "d[\"commits\"], d[\"candidates\"], sorted(d[\"reasons\"].items())"
	} &&
	goldset -C walk-ws mine && counts >plainly && cat plainly &&
	goldset -C walk-ws mine --walk first-parent && counts >first && cat first &&
	goldset -C walk-ws mine && counts >actual && test_cmp plainly actual &&
	goldset -C walk-ws mine --walk first-parent && counts >actual &&
	test_cmp first actual &&
	goldset -C fresh-ws add --as demo/merged merged &&
	goldset -C fresh-ws mine --walk first-parent &&
	goldset -C fresh-ws status --json >expect &&
	goldset -C walk-ws status --json >actual && test_cmp expect actual &&
	! test_cmp plainly first
'

# W4: what a commit calls a test is said by its own configuration.
test_expect_success 'python_files counts where it stands, and nowhere else' '
	test_project patterns &&
	(
		cd patterns &&
		printf "[pytest]\npython_files = check_*.py\n" >pytest.ini &&
		printf "from halves import half\n" >check_halves.py &&
		git add -A && test_tick && git commit -q -m "Checks" &&
		sed -i "s/int/int,/" halves.py && echo "# one" >>check_halves.py &&
		test_tick && git commit -q -a -m "Fix, with a check" &&
		git rm -q pytest.ini && test_tick && git commit -q -m "No more" &&
		sed -i "s/int,/int;/" halves.py && echo "# two" >>check_halves.py &&
		test_tick && git commit -q -a -m "Fix, with what is no check now"
	) &&
	goldset -C patterns-ws add --as demo/patterns patterns &&
	goldset -C patterns-ws mine &&
	for at in main~2 main
	do
		goldset -C patterns-ws explain --json "$(git -C patterns rev-parse $at)" >story &&
		json story "d[\"state\"], d[\"reason\"]" || exit 1
	done >actual &&
	printf "%s\n" "('"'"'pending'"'"', None)" "('"'"'refused'"'"', '"'"'no test change'"'"')" >expect &&
	test_cmp expect actual
'

# F024: nothing is fetched for a submodule; its address is never asked.
test_expect_success 'submodules and partial histories ask nobody' '
	test_project sub &&
	(
		cd sub &&
		git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),tests/data &&
		printf "[submodule \"x\"]\n\tpath = tests/data\n\turl = ext::touch %s/sub\n" "$PWN" \
			>.gitmodules &&
		git add .gitmodules && test_tick && git commit -q -m "A submodule"
	) &&
	goldset -C subs add --as demo/sub sub && goldset -C subs mine &&
	git clone -q --depth 1 "file://$PWD/sound" shallow &&
	goldset -C subs add --as demo/shallow shallow && goldset -C subs mine 2>err &&
	no_marker &&
	goldset -C subs explain --json "demo/shallow:$(git -C shallow rev-parse HEAD)" >story &&
	json story "d[\"reason\"]" >actual &&
	test_no_grep "no parent" actual
'

test_done
