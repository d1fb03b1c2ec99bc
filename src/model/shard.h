/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which projects one of N machines works on: a project's shard is the first
 * eight bytes of the SHA-256 of its name, read as a big-endian number, modulo
 * N. It depends on the name alone, so every machine and every version agrees
 * (docs/scale.md), and what shares a name meets in one shard.
 */
#ifndef MODEL_SHARD_H
#define MODEL_SHARD_H

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define GS_SHARDS_MAX 100000

struct gs_shard {
	uint32_t at; /* 0 … n - 1 */
	uint32_t n;  /* 0 or 1: everything */
};

/* "2/8"; GS_E_USAGE for what is none. */
GS_MUST_CHECK int gs_shard_parse(
    const char *text, struct gs_shard *ret, struct gs_err *err);
uint32_t gs_shard_of(struct gs_str project, uint32_t n);
bool gs_shard_has(const struct gs_shard *shard, const char *project);

#endif
