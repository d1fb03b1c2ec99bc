#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='recipes for other engines are what those engines take'
. "$(dirname "$0")/lib.sh"

SOURCE_DATE_EPOCH=1735689600
export SOURCE_DATE_EPOCH
recipes=$test_source/docs/recipes

# Every option that a recipe gives is one of build.
test_expect_success 'recipes name options that there are' '
	goldset build --help >help &&
	cat "$recipes"/* | grep -oE "[ -]--(from|shard|results)" | sort -u | tr -d " " >given &&
	test "$(wc -l <given)" = 3 &&
	while read -r option; do test_grep "$option" help; done <given
'

test_expect_success 'HTCondor: assignments and one queue, nothing undefined' '
	/usr/bin/python3 - "$recipes/condor.sub" <<-\P
	import re, sys
	known, queues, used = {"Process", "Cluster"}, 0, set()
	for line in open(sys.argv[1]):
	    if line.startswith("#") or not line.strip():
	        continue
	    used |= set(re.findall(r"\$\((\w+)\)", line))
	    m = re.fullmatch(r"(\w+)\s*=\s*(\S.*)\n", line)
	    if m:
	        assert m.group(1) not in known, line
	        known.add(m.group(1))
	    else:
	        assert re.fullmatch(r"queue \$\(shards\)\n", line), line
	        queues += 1
	assert queues == 1 and used <= known, used - known
	assert {"universe", "executable", "arguments", "log"} <= known
	P
'

test_expect_success yaml 'Kubernetes: an Indexed Job of the batch API' '
	/usr/bin/python3 - "$recipes/kubernetes-job.yaml" <<-\P
	import sys, yaml
	job = yaml.safe_load(open(sys.argv[1]))
	assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
	spec = job["spec"]
	assert spec["completionMode"] == "Indexed"
	pod = spec["template"]["spec"]
	assert pod["restartPolicy"] in ("OnFailure", "Never")
	args = pod["containers"][0]["args"]
	assert args[args.index("--shard") + 1] == "$(JOB_COMPLETION_INDEX)/%d" % spec["completions"]
	mounts = {m["name"] for m in pod["containers"][0]["volumeMounts"]}
	assert mounts == {v["name"] for v in pod["volumes"]}
	assert all(isinstance(a, str) for a in args)
	P
'

if test_have box && test_have parallel; then
	test_expect_success 'GNU parallel runs it, and again only what lacks' '
		test_project one && test_project two &&
		printf "%s\n" "$PWD/one" "$PWD/two" >list &&
		goldset -C whole build --from list -o expected 2>err &&
		export GOLDSET && SHARDS=2 "$recipes/parallel.sh" list results 2>err &&
		goldset -C all merge results && goldset -C all publish release &&
		test_same_tree expected release &&
		rm -r results/shard-1-of-2 && SHARDS=2 "$recipes/parallel.sh" list results 2>err &&
		test "$(wc -l <results/log.txt)" = 2 &&
		test -f results/shard-1-of-2/state.db
	'
fi

test_done
