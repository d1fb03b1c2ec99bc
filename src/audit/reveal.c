/* SPDX-License-Identifier: Apache-2.0 */
/* P4: what is revealed about a withheld side, against what was promised. */
#include <stdlib.h>
#include <string.h>

#include "audit/work.h"
#include "base/limits.h"
#include "base/mem.h"
#include "model/commitment.h"
#include "os/file.h"

#define FILE_NAME "COMMITMENT"
#define MAX_REVEAL (256 * GS_MIB)

static const struct place commitment = {.file = FILE_NAME};

/* "goldset-commitment-1 <64 hex>" */
static bool read_root(struct audit *audit, char ret[GS_SHA256_HEX])
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	unsigned char raw[GS_SHA256_SIZE];
	struct gs_str form;
	if (!read_file(audit, FILE_NAME, &text))
		return false;
	struct gs_str rest = gs_buf_str(&text);
	bool holds =
	    gs_str_cut(&rest, ' ', &form) &&
	    gs_str_is(form, GS_COMMITMENT_FORM) && rest.n == GS_SHA256_HEX &&
	    rest.p[rest.n - 1] == '\n' &&
	    gs_unhex(gs_str_sub(rest, 0, GS_SHA256_HEX - 1), raw, sizeof(raw));
	if (!holds) {
		found(audit, GS_ERROR, "commitment", commitment,
		    "It is not the root of a commitment.");
		return false;
	}
	gs_hex(raw, sizeof(raw), ret);
	return true;
}

struct leaves {
	struct gs_leaf *v;
	size_t n, cap;
};

static void release_leaves(struct leaves *leaves)
{
	GS_VEC_FREE(leaves);
}

static bool take_leaves(
    struct audit *audit, const json_t *json, struct leaves *ret)
{
	GS_CLEANUP(gs_map_release) struct gs_map seen = {0};
	size_t i;
	json_t *item;
	json_array_foreach(json_object_get(json, "leaves"), i, item)
	{
		struct gs_leaf *leaf = GS_VEC_ADD(ret);
		leaf->id = gs_json_get_str(item, "id");
		if (!gs_unhex(gs_json_get_str(item, "salt"), leaf->salt,
		        sizeof(leaf->salt)) ||
		    !gs_map_add(&seen, leaf->id, NULL)) {
			found(audit, GS_ERROR, "commitment", commitment,
			    "What is revealed as number %zu has no salt, or an "
			    "id that is there twice.",
			    i + 1);
			return false;
		}
	}
	if (ret->n > 0 &&
	    gs_str_is(gs_json_get_str(json, "form"), GS_REVEAL_FORM))
		return true;
	found(audit, GS_ERROR, "commitment", commitment,
	    "The file does not reveal a commitment.");
	return false;
}

static size_t n_withheld(const struct audit *audit)
{
	size_t n = 0;
	for (size_t i = 0; i < audit->withheld.n; i++)
		n += gs_str_starts(audit->withheld.entries[i].key, "gs-");
	return n;
}

static void check_ids(struct audit *audit, const struct leaves *leaves)
{
	size_t known = 0, ids = 0;
	for (size_t i = 0; i < leaves->n; i++) {
		GS_CLEANUP(gs_freep)
		char *id = gs_strndup(leaves->v[i].id.p, leaves->v[i].id.n);
		ids += id[0] != '\0';
		known += gs_map_has(&audit->withheld, gs_str(id));
		if (id[0] && gs_map_has(&audit->ids, gs_str(id)))
			found(audit, GS_ERROR, "commitment",
			    (struct place){.id = id},
			    "It is revealed as withheld, and is published "
			    "here.");
	}
	if (audit->options->withheld &&
	    (known != ids || ids != n_withheld(audit)))
		found(audit, GS_ERROR, "commitment", commitment,
		    "%zu ids are revealed, and %zu of them are among the %zu "
		    "of the withheld side.",
		    ids, known, n_withheld(audit));
}

static void check_root(
    struct audit *audit, const struct leaves *leaves, const char *promised)
{
	char root[GS_SHA256_HEX];
	gs_commitment_root(leaves->v, leaves->n, root);
	if (strcmp(root, promised) != 0)
		found(audit, GS_ERROR, "commitment", commitment,
		    "It promised %s, and what is revealed gives %s.", promised,
		    root);
}

int audit_reveal(struct audit *audit, struct gs_err *err)
{
	char promised[GS_SHA256_HEX] = "";
	const char *path = audit->options->reveal;
	bool has_root = read_root(audit, promised);
	if (!path)
		return 0;
	if (!has_file(audit, FILE_NAME))
		found(audit, GS_ERROR, "commitment", commitment,
		    "The release promised nothing: there is no such file.");
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_json_free) json_t *json = NULL;
	GS_CLEANUP(release_leaves) struct leaves leaves = {0};
	int rc = gs_file_read(path, MAX_REVEAL, &text, err);
	if (rc)
		return rc;
	json = gs_json_parse(gs_buf_str(&text), path, err);
	if (!json)
		return GS_E_CORRUPT;
	if (!has_root || !take_leaves(audit, json, &leaves))
		return 0;
	check_root(audit, &leaves, promised);
	check_ids(audit, &leaves);
	return 0;
}
