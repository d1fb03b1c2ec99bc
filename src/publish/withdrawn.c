/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/withdrawn.h"

#include "base/csv.h"
#include "base/utf8.h"

struct rows {
	struct gs_store *store;
	const struct gs_strv *hidden;  /* projects not to be named; or NULL */
	const struct gs_strv *removed; /* since the release before */
	bool is_withheld;
	struct gs_map ids;
	struct gs_strv lines;
};

static void release_rows(struct rows *rows)
{
	gs_map_release(&rows->ids);
	gs_strv_release(&rows->lines);
}

/* The reason is for people: no line break, nothing that a terminal obeys,
 * and no leading sign that a spreadsheet would take for a formula. */
static void add_reason(struct gs_buf *out, struct gs_str reason)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	if (reason.n > 0 && gs_str_find_char(GS_STR("=+-@"), reason.p[0]) >= 0)
		gs_buf_addc(&clean, '\'');
	gs_utf8_harmless(&clean, reason, false);
	gs_csv_add(out, gs_buf_str(&clean));
}

static int add(void *ctx, const char *repo, const char *id, const char *date,
    const char *reason, struct gs_err *err)
{
	struct rows *rows = ctx;
	/* Released once, before there was a hold-out: to name it now would
	 * say on which side its project is (P4). */
	if (rows->hidden && gs_strv_has(rows->hidden, repo))
		return 0;
	bool was_published = gs_strv_has(rows->removed, id);
	int rc = was_published ? 0
	                       : gs_store_was_published(rows->store, id,
	                             rows->is_withheld, &was_published, err);
	if (rc || !was_published || !gs_map_add(&rows->ids, gs_str(id), NULL))
		return rc;
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	gs_buf_addf(&line, "%s,%s,", id, date ? date : "");
	add_reason(&line, gs_str(reason));
	gs_strv_push(&rows->lines, gs_buf_cstr(&line));
	return 0;
}

/* Our own lines of before: an id, and the rest as it stands. */
static void carry_over(struct gs_str text, struct rows *rows)
{
	struct gs_str line;
	(void)gs_str_cut(&text, '\n', &line); /* the header */
	while (gs_str_cut(&text, '\n', &line)) {
		struct gs_str rest = line, id;
		if (line.n == 0 || !gs_str_starts(line, "gs-") ||
		    !gs_str_cut(&rest, ',', &id) || !gs_utf8_valid(line))
			continue;
		if (gs_map_add(&rows->ids, id, NULL))
			gs_strv_push_str(&rows->lines, line);
	}
}

int withdrawn_write(const struct side *side, struct gs_buf *out, int64_t *ret_n,
    struct gs_err *err)
{
	GS_CLEANUP(release_rows)
	struct rows rows = {.store = side->store,
	    .hidden = side->hidden,
	    .removed = &side->changes.removed,
	    .is_withheld = side->is_withheld};
	int rc = gs_store_each_withdrawn(side->store, add, &rows, err);
	if (rc)
		return rc;
	carry_over(gs_buf_str(&side->changes.withdrawn), &rows);
	gs_strv_sort(&rows.lines);
	gs_buf_addz(out, "id,date,reason\n");
	for (size_t i = 0; i < rows.lines.n; i++)
		gs_buf_addf(out, "%s\n", rows.lines.v[i]);
	*ret_n = (int64_t)rows.lines.n;
	return 0;
}
