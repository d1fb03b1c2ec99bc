#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='a build dealt out by Slurm, one node lost, has the same bytes'
. "$(dirname "$0")/lib.sh"
test_need box
test_need slurmctld
test_need munged

SOURCE_DATE_EPOCH=1735689600
export SOURCE_DATE_EPOCH

# Six projects, each with one fix of its own; the tests of the last take a
# while, so that there is a moment to lose its node in.
make_projects() {
	for name in one two three four five six; do
		pause=0
		test "$name" != six || pause=1.5
		mkdir -p "repos/$name/tests" && git init -q -b main "repos/$name" && (
			cd "repos/$name" &&
			cp "$test_source/tests/unit/licences/mit.txt" LICENSE &&
			cat >halves.py <<-P &&
				def $name(n):
				    """Return half of n, an int."""
				    return n / 2
			P
			cat >tests/test_halves.py <<-P &&
				import time

				from halves import $name


				def test_even():
				    assert $name(4) == 2
			P
			git add -A && test_tick && git commit -q -m Begin &&
			sed 's|n / 2|n // 2|' halves.py >x && mv x halves.py &&
			cat >>tests/test_halves.py <<-P &&


				def test_odd():
				    time.sleep($pause)
				    assert $name(5) == 2
			P
			git add -A && test_tick && git commit -q -m "Fix $name of odd numbers"
		) || return 1
		echo "repos/$name" >>list
	done
}

# All daemons are ours, below one folder, on loopback, and end by their pids.
start_cluster() {
	D=$PWD/cluster
	host=$(hostname -s) &&
	mkdir -p "$D/state" "$D/log" "$D/munge" "$D/spool-n1" "$D/spool-n2" &&
	base=$((20000 + $$ % 20000)) &&
	head -c 128 /dev/urandom >"$D/munge/key" && chmod 0400 "$D/munge/key" &&
	chmod 0755 "$D/munge" &&
	cat >"$D/slurm.conf" <<-C
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$base
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$D/munge/sock
		CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		AccountingStorageType=accounting_storage/none
		JobCompType=jobcomp/none
		MpiDefault=none
		ReturnToService=2
		SlurmdTimeout=30
		StateSaveLocation=$D/state
		SlurmdSpoolDir=$D/spool-%n
		SlurmctldPidFile=$D/slurmctld.pid
		SlurmdPidFile=$D/slurmd-%n.pid
		SlurmctldLogFile=$D/log/slurmctld
		SlurmdLogFile=$D/log/slurmd-%n
		NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + 2))] CPUs=1
		PartitionName=main Nodes=n[1-2] Default=YES
	C
	test $? = 0 || return 1
	export SLURM_CONF="$D/slurm.conf"
	munged --foreground --force --socket="$D/munge/sock" --key-file="$D/munge/key" \
		--pid-file="$D/munge/pid" --log-file="$D/munge/log" \
		--seed-file="$D/munge/seed" --num-threads=2 >"$D/log/munged" 2>&1 &
	echo $! >"$D/pids"
	test_until munge -S "$D/munge/sock" -n || return 1
	slurmctld -D -i >"$D/log/slurmctld.out" 2>&1 &
	echo $! >>"$D/pids"
	for node in n1 n2; do
		slurmd -D -N $node >"$D/log/$node.out" 2>&1 &
		echo $! >>"$D/pids"
		echo $! >"$D/$node.pid"
	done
	for _ in $(seq 600); do
		test "$(sinfo -h -N -o "%t" 2>/dev/null | grep -c idle)" = 2 && return 0
		sleep 0.1
	done
	cat "$D"/log/*
	return 1
}

# Process ids of this cluster: all of them, or a node's daemon with the task
# of one shard and what watches over it.
cat >pids.py <<'P'
import os, sys
cluster, shard, daemon = sys.argv[1], sys.argv[2:3], sys.argv[3:4]
parents, found = {}, set(daemon)
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        with open("/proc/%s/stat" % pid) as f:
            name, rest = f.read().rsplit(")", 1)
        with open("/proc/%s/environ" % pid, "rb") as f:
            environ = f.read().decode(errors="replace").split("\0")
        with open("/proc/%s/cmdline" % pid, "rb") as f:
            ours = cluster in f.read().decode(errors="replace")
    except OSError:
        continue
    parents[pid] = (rest.split()[1], name.split("(")[1])
    ours |= any(v.startswith("SLURM_CONF=" + cluster) for v in environ)
    if ours and pid != str(os.getpid()):
        if not shard or "SLURM_ARRAY_TASK_ID=" + shard[0] in environ:
            found.add(pid)
for pid in list(found):
    while shard and pid in parents:
        pid, name = parents[pid][0], parents.get(parents[pid][0], ("", ""))[1]
        if name == "slurmstepd":
            found.add(pid)
print("\n".join(sorted(found)))
P

stop_cluster() {
	test -f cluster/pids || return 0
	for again in 1 2; do
		for pid in $(cat cluster/pids) $(/usr/bin/python3 pids.py "$PWD/cluster"); do
			kill -KILL "$pid" 2>/dev/null
		done
		sleep 0.$again
	done
	rm -f cluster/pids
}
trap stop_cluster EXIT

test_expect_success 'the local build' '
	make_projects &&
	goldset -C local build --from list -o expected -j2 2>err &&
	cat err &&
	test_grep "6 records" err
'

if ! start_cluster >cluster.out 2>&1; then
	sed 's/^/# /' cluster.out
	case " $(echo "$GS_TEST_REQUIRE" | tr , ' ') " in
	*" slurmctld "*) test_expect_success 'the daemons run' 'exit 1' ;;
	*) test_skip 'a cluster on loopback' 'the daemons do not run here' ;;
	esac
	test_done
fi

test_expect_success 'the array is written and submitted' '
	goldset -C ws --json submit --engine slurm --shards 3 --from list --limit 5 >out 2>err &&
	cat out err &&
	test_grep "\"submitted\":\"0,1,2\"" out &&
	sh -n ws/submit/array.sh &&
	test_grep "^#SBATCH --requeue" ws/submit/array.sh &&
	test_expect_code 1 goldset -C ws --json submit --status >status &&
	json status "d[\"shards\"], d[\"done\"] + d[\"failed\"] + d[\"missing\"]" >actual &&
	echo "(3, 3)" >expect && test_cmp expect actual &&
	test_refuses 2 "is there from an earlier submit" goldset -C ws submit --engine slurm --from list
'

node_of() { # SHARD: where it runs
	squeue -h -r -t R -o "%K %N" | sed -n "s/^$1 //p"
}

# The shard of the slow project, whose node goes away with all that runs there.
test_expect_success 'a node is lost in mid-run, with its daemon and its task' '
	slow=$(/usr/bin/python3 -c "import hashlib
print(int.from_bytes(hashlib.sha256(b\"local/six\").digest()[:8], \"big\") % 3)") &&
	echo $slow >slow &&
	test_until sh -c "squeue -h -r -t R -o %K | grep -qx $slow" &&
	test_until test -f ws/submit/work/$slow/state.db &&
	node=$(node_of $slow) &&
	echo "shard $slow is on $node" && echo $node >lost &&
	/usr/bin/python3 pids.py "$PWD/cluster" $slow "$(cat cluster/$node.pid)" >doomed &&
	test "$(wc -l <doomed)" -gt 2 &&
	for pid in $(cat doomed); do kill -KILL $pid 2>/dev/null || :; done &&
	! test -e ws/submit/results/shard-$slow-of-3/state.db &&
	scontrol update nodename=$node state=down reason=lost
'

test_expect_success 'status says what is missing, and resubmitting fills the gap' '
	slow=$(cat slow) lost=$(cat lost) &&
	test_until sh -c "test \$(ls -d ws/submit/results/shard-*/state.db | wc -l) = 2" &&
	test_expect_code 1 goldset -C ws --json submit --status >status &&
	json status "[p[\"state\"] for p in d[\"parts\"]][$slow], d[\"done\"]" >actual &&
	echo "('\''missing'\'', 2)" >expect && test_cmp expect actual &&
	goldset -C ws --json submit --resubmit >out 2>err && cat out err &&
	test_grep "\"submitted\":\"$slow\"" out &&
	test_until goldset -C ws submit --status &&
	goldset -C ws submit --status >status && cat status &&
	goldset -C ws submit --resubmit 2>err && test_grep "every shard is done" err
'

test_expect_success 'merged, it has the bytes of the local build' '
	goldset -C all merge ws/submit/results &&
	goldset -C all publish release &&
	test_same_tree expected release &&
	goldset -C local --json status >expect && goldset -C all --json status >actual &&
	test_cmp expect actual
'

test_expect_success 'a task that fails is told, with its status' '
	test_refuses 2 "whole number from 1" goldset -C bad submit --engine slurm --shards 0 nowhere &&
	goldset -C bad submit --engine slurm --shards 1 nowhere 2>err && cat err &&
	test_until sh -c "test -f bad/submit/failed-0" &&
	test_expect_code 1 goldset -C bad submit --status >status &&
	test_grep "0  failed *exit status 3, see .*log-0.txt" status
'

stop_cluster
test_expect_success 'nothing of it is left running' '
	/usr/bin/python3 pids.py "$PWD/cluster" >left &&
	for pid in $(cat left); do tr "\0" " " <"/proc/$pid/cmdline"; done &&
	! grep -q . left
'

test_done
