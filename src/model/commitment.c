/* SPDX-License-Identifier: Apache-2.0 */
#include "model/commitment.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

struct node {
	unsigned char hash[GS_SHA256_SIZE];
};

static struct gs_str bytes_of(const unsigned char *bytes)
{
	return gs_str_n((const char *)bytes, GS_SHA256_SIZE);
}

void gs_leaf_salt(
    struct gs_str key, struct gs_str id, unsigned char out[GS_SHA256_SIZE])
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	/* Told apart from the split's own input, which begins with hex. */
	gs_buf_addz(&text, "goldset commitment\n");
	gs_buf_adds(&text, id);
	gs_hmac_sha256(key, gs_buf_str(&text), out);
}

static void hash_leaf(const struct gs_leaf *leaf, struct node *ret)
{
	struct gs_sha256 sha;
	gs_sha256_init(&sha);
	gs_sha256_add(&sha, gs_str_n("\0", 1));
	gs_sha256_add(&sha, bytes_of(leaf->salt));
	gs_sha256_add(&sha, leaf->id);
	gs_sha256_end(&sha, ret->hash);
}

static void hash_pair(
    const struct node *left, const struct node *right, struct node *ret)
{
	struct gs_sha256 sha;
	gs_sha256_init(&sha);
	gs_sha256_add(&sha, gs_str_n("\1", 1));
	gs_sha256_add(&sha, bytes_of(left->hash));
	gs_sha256_add(&sha, bytes_of(right->hash));
	gs_sha256_end(&sha, ret->hash);
}

static int by_hash(const void *a, const void *b)
{
	return memcmp(a, b, GS_SHA256_SIZE);
}

void gs_commitment_root(
    const struct gs_leaf *leaves, size_t n, char out[GS_SHA256_HEX])
{
	assert(n > 0);
	struct node *row = gs_alloc(n * sizeof(*row));
	for (size_t i = 0; i < n; i++)
		hash_leaf(&leaves[i], &row[i]);
	qsort(row, n, sizeof(*row), by_hash);
	while (n > 1) {
		for (size_t i = 0; i + 1 < n; i += 2)
			hash_pair(&row[i], &row[i + 1], &row[i / 2]);
		if (n % 2)
			row[n / 2] = row[n - 1];
		n = n / 2 + n % 2;
	}
	gs_hex(row[0].hash, GS_SHA256_SIZE, out);
	free(row);
}
