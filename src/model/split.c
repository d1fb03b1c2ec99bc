/* SPDX-License-Identifier: Apache-2.0 */
#include "model/split.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"

/* Union-find over project numbers; the least number of a set is its name. */
static size_t find(size_t *parent, size_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

static void join(size_t *parent, size_t a, size_t b)
{
	a = find(parent, a);
	b = find(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}

/* `owners`: who was first to have each word; the others join that one. */
static void join_by(struct gs_map *owners, const struct gs_strv *words,
    size_t *parent, size_t i)
{
	for (size_t k = 0; k < words->n; k++) {
		void **owner = gs_map_at(owners, gs_str(words->v[k]));
		if (*owner)
			join(parent, (size_t)((size_t *)*owner - parent), i);
		else
			*owner = &parent[i];
	}
}

static bool is_below(const unsigned char mac[GS_SHA256_SIZE], double fraction)
{
	uint64_t head = 0;
	for (size_t i = 0; i < 8; i++)
		head = head << 8 | mac[i];
	/* Both sides times 2 to the 64; a long double holds 64 bits. */
	return (long double)head < (long double)fraction * 0x1p64L;
}

static bool is_withheld(
    struct gs_strv *roots, struct gs_str key, double fraction)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	unsigned char mac[GS_SHA256_SIZE];
	if (roots->n == 0)
		return false;
	gs_strv_sort(roots);
	gs_strv_uniq(roots);
	for (size_t i = 0; i < roots->n; i++)
		gs_buf_addf(&text, "%s%s", i ? "\n" : "", roots->v[i]);
	gs_hmac_sha256(key, gs_buf_str(&text), mac);
	return is_below(mac, fraction);
}

void gs_split(struct gs_split_project *projects, size_t n, struct gs_str key,
    double fraction)
{
	size_t *parent = gs_alloc((n ? n : 1) * sizeof(*parent));
	struct gs_strv *roots = gs_alloc((n ? n : 1) * sizeof(*roots));
	GS_CLEANUP(gs_map_release) struct gs_map by_root = {0};
	GS_CLEANUP(gs_map_release) struct gs_map by_fingerprint = {0};

	for (size_t i = 0; i < n; i++) {
		parent[i] = i;
		join_by(&by_root, &projects[i].roots, parent, i);
		join_by(&by_fingerprint, &projects[i].fingerprints, parent, i);
	}
	for (size_t i = 0; i < n; i++) {
		projects[i].cluster = find(parent, i);
		gs_strv_copy(&roots[projects[i].cluster], &projects[i].roots);
	}
	/* A cluster's first project comes before its others. */
	for (size_t i = 0; i < n; i++) {
		size_t cluster = projects[i].cluster;
		projects[i].is_withheld =
		    cluster == i ? is_withheld(&roots[i], key, fraction)
		                 : projects[cluster].is_withheld;
	}
	for (size_t i = 0; i < n; i++)
		gs_strv_release(&roots[i]);
	free(roots);
	free(parent);
}

void gs_split_project_release(struct gs_split_project *project)
{
	gs_strv_release(&project->roots);
	gs_strv_release(&project->fingerprints);
}
