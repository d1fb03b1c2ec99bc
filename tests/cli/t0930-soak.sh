#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='tests that leak, fork, flood and hang leave nothing behind, run after run'
. "$(dirname "$0")/lib.sh"
test_need box

# GS_SOAK_ROUNDS: each round is four commits and some twenty runs; the soak of
# 2,000 runs is GS_SOAK_ROUNDS=100.
rounds=${GS_SOAK_ROUNDS:-3}

nasty() { # KIND ROUND: what a test does besides
	case $1 in
	leak) echo 'hoard = [bytearray(1 << 20) for _ in range(64)]' ;;
	fork) echo 'import subprocess; [subprocess.Popen(["sleep", "300"], start_new_session=True) for _ in range(8)]' ;;
	flood) echo 'import sys; [print("x" * 1000) for _ in range(4000)]; open("/tmp/litter", "w").write("x" * 100000)' ;;
	hang) echo 'import threading, time; threading.Thread(target=time.sleep, args=(300,)).start()' ;;
	esac
}

test_expect_success 'a project of such tests' '
	git init -q -b main soak && cd soak && mkdir tests &&
	cp "$test_source/tests/unit/licences/mit.txt" LICENSE &&
	for round in $(seq $rounds); do for kind in leak fork flood hang; do
		printf "def %s(n):\n    return n / 2\n" $kind$round >$kind$round.py
	done; done &&
	git add -A && git commit -q -m Begin &&
	for round in $(seq $rounds); do for kind in leak fork flood hang; do
		name=$kind$round &&
		printf "def %s(n):\n    return n // 2\n" $name >$name.py &&
		printf "from %s import %s\n\n\ndef test_it():\n    %s\n    assert %s(5) == 2\n" \
			$name $name "$(nasty $kind)" $name >tests/test_$name.py &&
		git add -A && test_tick && git commit -q -m "Fix $name" || exit 1
	done; done
'

# Descriptors and memory (KiB) of the parent while it works, once a second.
cat >watch.py <<'P'
import os, subprocess, sys, time
child = subprocess.Popen(sys.argv[2:])
with open(sys.argv[1], "w") as out:
    while child.poll() is None:
        try:
            fds = len(os.listdir("/proc/%d/fd" % child.pid))
            rss = [l.split()[1] for l in open("/proc/%d/status" % child.pid) if l.startswith("VmRSS")]
            print(fds, rss[0], file=out)
        except (OSError, IndexError):
            pass
        time.sleep(0.5)
sys.exit(child.returncode)
P

test_expect_success 'they are all examined, and the parent does not grow' '
	mkdir tmp && TMPDIR=$PWD/tmp && export TMPDIR &&
	goldset -C ws add soak --as local/soak && goldset -C ws mine &&
	/usr/bin/python3 watch.py seen "$GOLDSET" -C "$PWD/ws" validate -j2 --timeout 5 2>err &&
	cat err &&
	test_grep "$((rounds * 4)) candidates examined" err &&
	goldset -C ws --json status >status && cat status &&
	json status "d[\"pending\"]" >pending && echo 0 >expect && test_cmp expect pending &&
	/usr/bin/python3 - seen <<-\P
	import sys
	rows = [tuple(map(int, line.split())) for line in open(sys.argv[1])][2:]
	third = max(1, len(rows) // 3)
	first, last = rows[:third], rows[-third:]
	print(max(first), max(last))
	assert max(f for f, _ in last) <= max(f for f, _ in first) + 4, "descriptors"
	assert max(m for _, m in last) <= max(m for _, m in first) + 16384, "memory"
	P
'

test_expect_success 'no process, temporary file or slot is left' '
	no_process() {
		! cat /proc/[0-9]*/cmdline 2>.null | tr "\0" " " | grep -q "$PWD/ws"
	} &&
	test_until no_process &&
	find tmp -mindepth 1 >left && ! test -s left &&
	find ws/slots -type f -size +1k >left 2>/dev/null && cat left &&
	du -sk ws/slots >size 2>/dev/null && cat size &&
	test "$(cut -f1 size)" -lt 2048
'

test_done
