/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <nettle/hmac.h>

static const uint8_t *bytes_of(struct gs_str s)
{
	return (const uint8_t *)(s.p ? s.p : "");
}

void gs_sha256_init(struct gs_sha256 *sha)
{
	sha256_init(&sha->ctx);
}

void gs_sha256_add(struct gs_sha256 *sha, struct gs_str bytes)
{
	sha256_update(&sha->ctx, bytes.n, bytes_of(bytes));
}

void gs_sha256_end(struct gs_sha256 *sha, unsigned char out[GS_SHA256_SIZE])
{
	sha256_digest(&sha->ctx, GS_SHA256_SIZE, out);
}

void gs_sha256_end_hex(struct gs_sha256 *sha, char out[GS_SHA256_HEX])
{
	unsigned char digest[GS_SHA256_SIZE];

	gs_sha256_end(sha, digest);
	gs_hex(digest, sizeof(digest), out);
}

void gs_sha256_hex(struct gs_str bytes, char out[GS_SHA256_HEX])
{
	struct gs_sha256 sha;

	gs_sha256_init(&sha);
	gs_sha256_add(&sha, bytes);
	gs_sha256_end_hex(&sha, out);
}

void gs_hmac_sha256(
    struct gs_str key, struct gs_str bytes, unsigned char out[GS_SHA256_SIZE])
{
	struct hmac_sha256_ctx ctx;

	hmac_sha256_set_key(&ctx, key.n, bytes_of(key));
	hmac_sha256_update(&ctx, bytes.n, bytes_of(bytes));
	hmac_sha256_digest(&ctx, GS_SHA256_SIZE, out);
}

void gs_hex(const unsigned char *bytes, size_t n, char *out)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		*out++ = digits[bytes[i] >> 4];
		*out++ = digits[bytes[i] & 15];
	}
	*out = '\0';
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool gs_unhex(struct gs_str hex, unsigned char *out, size_t n)
{
	if (hex.n != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++) {
		int high = digit_of(hex.p[2 * i]);
		int low = digit_of(hex.p[2 * i + 1]);
		if (high < 0 || low < 0)
			return false;
		out[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

uint64_t gs_hash64(struct gs_str bytes)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < bytes.n; i++) {
		hash ^= (unsigned char)bytes.p[i];
		hash *= UINT64_C(0x100000001b3);
	}
	/* FNV leaves the low bits weak, and maps use just those. */
	hash ^= hash >> 32;
	hash *= UINT64_C(0xd6e8feb86659fd93);
	return hash ^ hash >> 32;
}
