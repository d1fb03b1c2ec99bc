/* SPDX-License-Identifier: Apache-2.0 */
/*
 * P4: which projects are withheld. Forks (a root commit in common) and
 * projects that share a fingerprint are one cluster, and a cluster goes whole
 * to one side: HMAC-SHA256 under the secret key of its distinct root commit
 * ids, sorted, joined by LF; withheld where the first eight bytes, read as a
 * big-endian fraction, are below the hold-out fraction.
 */
#ifndef MODEL_SPLIT_H
#define MODEL_SPLIT_H

#include "base/hash.h"
#include "base/strv.h"

#define GS_SPLIT_KEY_MIN 32 /* bytes */

struct gs_split_project {
	struct gs_strv roots, fingerprints; /* hex; any order, may repeat */
	/* Set by gs_split: */
	size_t cluster;   /* the least number of a project in it */
	bool is_withheld; /* never for a cluster without any commit */
};

/* The result depends on the sets alone, not on any order. */
void gs_split(struct gs_split_project *projects, size_t n, struct gs_str key,
    double fraction);
void gs_split_project_release(struct gs_split_project *project);

#endif
