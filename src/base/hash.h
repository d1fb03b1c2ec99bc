/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 and HMAC-SHA256 (nettle), and a fast non-cryptographic hash. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <nettle/sha2.h>
#include <stdint.h>

#include "base/str.h"

#define GS_SHA256_SIZE 32
#define GS_SHA256_HEX (2 * GS_SHA256_SIZE + 1)

struct gs_sha256 {
	struct sha256_ctx ctx;
};

void gs_sha256_init(struct gs_sha256 *sha);
void gs_sha256_add(struct gs_sha256 *sha, struct gs_str bytes);
void gs_sha256_end(struct gs_sha256 *sha, unsigned char out[GS_SHA256_SIZE]);
/* Ends into lower-case hex with a NUL. */
void gs_sha256_end_hex(struct gs_sha256 *sha, char out[GS_SHA256_HEX]);
void gs_sha256_hex(struct gs_str bytes, char out[GS_SHA256_HEX]);
void gs_hmac_sha256(
    struct gs_str key, struct gs_str bytes, unsigned char out[GS_SHA256_SIZE]);

void gs_hex(const unsigned char *bytes, size_t n, char *out); /* 2n+1 bytes */
/* Reads n bytes from 2n hex digits; false when they are not hex. */
bool gs_unhex(struct gs_str hex, unsigned char *out, size_t n);

uint64_t gs_hash64(struct gs_str bytes); /* FNV-1a with a final mix */

#endif
