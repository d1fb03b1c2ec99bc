# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A folder in which every example of --help has what it names: a repository, a
# workspace, releases, answers and reports; and a server that answers.
. "$test_source/tests/cli/scoring/project.sh"

make_desk() { # DIR
	mkdir -p "$1/path/to" &&
	scoring_project "$1/path/to/repository" &&
	(cd "$1" &&
		goldset -q build path/to/repository --as owner/name -o release \
			--results results &&
		cp -r release release-1 && cp -r release release-2 &&
		goldset --json query release "select id, source_after as answer from oracles" |
			sed "s/^{/{\"model_name_or_path\":\"m\",/" >answers.jsonl &&
		sed "s/\"m\"/\"other\"/" answers.jsonl >others.jsonl &&
		goldset --json score -o first.json release answers.jsonl >.null &&
		goldset --json score -o second.json release others.jsonl >.null &&
		goldset export --to swebench -o swe release &&
		mv swe/instances.jsonl . &&
		goldset --json query release "select id, commit from oracles limit 1" >one &&
		sed "s/.*\"id\":\"\([^\"]*\).*/\1/" one >id &&
		sed "s/.*\"commit\":\"\(........\).*/\1/" one >commit)
}

# The example of a command, with what is here for what it names.
example_of() { # DESK COMMAND
	goldset "$2" --help | sed -n '/^Example:/{n;s/^  //p;}' |
		sed "s/gs-0123456789abcdef/$(cat "$1/id")/; s/1a2b3c4d/$(cat "$1/commit")/
			s/127.0.0.1:8000/127.0.0.1:$(cat "$1/port" 2>.null)/"
}

# What must not be there yet.
clear_for() { # COMMAND
	case $1 in
	build) rm -rf release .goldset ;;
	publish) rm -rf release ;;
	solve) rm -f answers.jsonl ;;
	esac
}

# Lives as long as the FIFO that it reads has a writer.
start_server() { # DESK
	mkdir -p served && mkfifo served/alive &&
	{ /usr/bin/python3 "$test_source/tests/cli/scoring/server.py" served ok \
		<served/alive >served/log 2>&1 & } &&
	exec 9>served/alive &&
	for _ in $(seq 200); do
		test -f served/port && break
		sleep 0.05
	done &&
	cp served/port "$1/port"
}
