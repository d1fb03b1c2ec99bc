#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A build as shards under GNU parallel, on one machine or over ssh:
#
#   GOLDSET=goldset SHARDS=8 docs/recipes/parallel.sh list results
#
# `list` names the repositories, `results` is a folder that all machines see.
# Called again it runs the shards whose results are not there. For other
# machines give parallel --sshlogin; the paths must be the same there.
set -eu
list=$(realpath "$1")
mkdir -p "$2" && results=$(realpath "$2")
shards=${SHARDS:-4}
for i in $(seq 0 $((shards - 1))); do
	test -f "$results/shard-$i-of-$shards/state.db" || echo "$i"
done | parallel --will-cite -j "${JOBS:-2}" --joblog "$results/log.txt" \
	"${GOLDSET:-goldset}" -C "$results/work-{}" build --from "$list" \
	--shard "{}/$shards" --results "$results" -j1
