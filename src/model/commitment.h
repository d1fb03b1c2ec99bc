/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A promise about what is withheld, made in public and checked later: the
 * root of a Merkle tree over salted ids. The root tells nothing: neither an
 * id, since each is hashed with a salt that only the key gives, nor how many
 * there are, since there is always one leaf that stands for no id.
 *
 *	leaf  SHA-256 of 00, the salt (32 bytes), the id
 *	node  SHA-256 of 01, left, right; the last of an odd row moves up
 *	root  over the leaves in the order of their hashes
 *	salt  HMAC-SHA256 under the key of "goldset commitment", LF, the id
 */
#ifndef MODEL_COMMITMENT_H
#define MODEL_COMMITMENT_H

#include "base/hash.h"
#include "base/strv.h"

#define GS_COMMITMENT_FORM "goldset-commitment-1"
#define GS_REVEAL_FORM "goldset-reveal-1"

struct gs_leaf {
	struct gs_str id; /* borrowed; "" for the one that is none */
	unsigned char salt[GS_SHA256_SIZE];
};

void gs_leaf_salt(
    struct gs_str key, struct gs_str id, unsigned char out[GS_SHA256_SIZE]);
/* `n` at least 1. */
void gs_commitment_root(
    const struct gs_leaf *leaves, size_t n, char out[GS_SHA256_HEX]);

#endif
