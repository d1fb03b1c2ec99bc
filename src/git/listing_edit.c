/* SPDX-License-Identifier: Apache-2.0 */
/* Listings asked, edited, and named by the tree that they are. */
#include <nettle/sha1.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/vec.h"
#include "git/listing.h"
#include "git/tree.h"

/* The first entry that is not before `path`. */
static size_t lower_bound(const struct gs_listing *listing, struct gs_str path)
{
	size_t low = 0, high = listing->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (gs_str_cmp(listing->v[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_under(struct gs_str path, struct gs_str folder)
{
	return path.n > folder.n && path.p[folder.n] == '/' &&
	       memcmp(path.p, folder.p, folder.n) == 0;
}

/* Where the entries under `folder` start: those of "a-b" stand between "a"
 * and "a/x". */
static size_t first_under(
    const struct gs_listing *listing, struct gs_str folder)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf prefix = {0};

	gs_buf_adds(&prefix, folder);
	gs_buf_addc(&prefix, '/');
	return lower_bound(listing, gs_buf_str(&prefix));
}

void gs_listing_copy(struct gs_listing *ret, const struct gs_listing *other)
{
	ret->n = 0;
	gs_arena_reset(&ret->arena);
	for (size_t i = 0; i < other->n; i++) {
		struct gs_entry *entry = GS_VEC_ADD(ret);

		*entry = other->v[i];
		entry->path = gs_arena_str(&ret->arena, entry->path);
	}
}

const struct gs_entry *gs_listing_find(
    const struct gs_listing *listing, struct gs_str path)
{
	size_t i = lower_bound(listing, path);

	return i < listing->n && gs_str_eq(listing->v[i].path, path)
	           ? &listing->v[i]
	           : NULL;
}

bool gs_listing_has_folder(
    const struct gs_listing *listing, struct gs_str folder)
{
	size_t i;

	if (folder.n == 0)
		return listing->n > 0;
	i = first_under(listing, folder);
	return i < listing->n && is_under(listing->v[i].path, folder);
}

static void remove_range(struct gs_listing *listing, size_t from, size_t to)
{
	if (from == to)
		return;
	memmove(&listing->v[from], &listing->v[to],
	    (listing->n - to) * sizeof(*listing->v));
	listing->n -= to - from;
}

static void drop_under(struct gs_listing *listing, struct gs_str folder)
{
	size_t from = first_under(listing, folder), to = from;

	while (to < listing->n && is_under(listing->v[to].path, folder))
		to++;
	remove_range(listing, from, to);
}

void gs_listing_drop(struct gs_listing *listing, struct gs_str path)
{
	const struct gs_entry *entry = gs_listing_find(listing, path);
	size_t i;

	if (!entry)
		return;
	i = (size_t)(entry - listing->v);
	remove_range(listing, i, i + 1);
}

void gs_listing_put(struct gs_listing *listing, const struct gs_entry *entry)
{
	struct gs_entry added = *entry; /* may stand in this very listing */
	size_t i;

	added.path = gs_arena_str(&listing->arena, entry->path);
	for (i = 0; i < added.path.n; i++)
		if (added.path.p[i] == '/')
			gs_listing_drop(listing, gs_str_sub(added.path, 0, i));
	drop_under(listing, added.path);
	gs_listing_drop(listing, added.path);
	i = lower_bound(listing, added.path);
	(void)GS_VEC_ADD(listing);
	memmove(&listing->v[i + 1], &listing->v[i],
	    (listing->n - 1 - i) * sizeof(*listing->v));
	listing->v[i] = added;
}

/* SHA-1 names git's objects and secures nothing here. */
static void object_id(
    const char *type, struct gs_str body, bool is_sha256, struct gs_oid *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf head = {0};
	unsigned char digest[GS_SHA256_SIZE];

	gs_buf_addf(&head, "%s %zu", type, body.n);
	gs_buf_addc(&head, '\0');
	if (is_sha256) {
		struct gs_sha256 sha;

		gs_sha256_init(&sha);
		gs_sha256_add(&sha, gs_buf_str(&head));
		gs_sha256_add(&sha, body);
		gs_sha256_end(&sha, digest);
		gs_hex(digest, GS_SHA256_SIZE, ret->hex);
	} else {
		struct sha1_ctx ctx;

		sha1_init(&ctx);
		sha1_update(&ctx, head.n, (const uint8_t *)head.p);
		sha1_update(&ctx, body.n, (const uint8_t *)body.p);
		sha1_digest(&ctx, SHA1_DIGEST_SIZE, digest);
		memset(ret->hex, 0, sizeof(ret->hex));
		gs_hex(digest, SHA1_DIGEST_SIZE, ret->hex);
	}
}

void gs_blob_id(
    struct gs_str bytes, const struct gs_oid *like, struct gs_oid *ret)
{
	object_id("blob", bytes, strlen(like->hex) == 64, ret);
}

static void add_entry(struct gs_buf *body, unsigned mode, struct gs_str name,
    const struct gs_oid *id)
{
	unsigned char raw[32];
	size_t n = strlen(id->hex) / 2;

	gs_buf_addf(body, "%o ", mode);
	gs_buf_adds(body, name);
	gs_buf_addc(body, '\0');
	if (n <= sizeof(raw) && gs_unhex(gs_str_n(id->hex, 2 * n), raw, n))
		gs_buf_add(body, raw, n);
}

/* The tree of v[0..n), whose paths all start with the same `skip` bytes. */
static void tree_id(const struct gs_entry *v, size_t n, size_t skip,
    bool is_sha256, struct gs_oid *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf body = {0};

	for (size_t i = 0; i < n;) {
		struct gs_str rest = gs_str_from(v[i].path, skip);
		ptrdiff_t slash = gs_str_find_char(rest, '/');
		struct gs_str folder;
		struct gs_oid id;
		size_t end = i + 1;

		if (slash < 0) {
			add_entry(&body, v[i].mode, rest, &v[i].id);
			i = end;
			continue;
		}
		folder = gs_str_sub(v[i].path, 0, skip + (size_t)slash);
		while (end < n && is_under(v[end].path, folder))
			end++;
		tree_id(&v[i], end - i, folder.n + 1, is_sha256, &id);
		add_entry(&body, GS_MODE_DIR,
		    gs_str_sub(rest, 0, (size_t)slash), &id);
		i = end;
	}
	object_id("tree", gs_buf_str(&body), is_sha256, ret);
}

void gs_listing_tree_id(const struct gs_listing *listing, struct gs_oid *ret)
{
	bool is_sha256 = listing->n > 0 && strlen(listing->v[0].id.hex) == 64;

	tree_id(listing->v, listing->n, 0, is_sha256, ret);
}
