/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/audit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "audit/work.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "os/file.h"

const char *gs_severity_name(enum gs_severity severity)
{
	static const char *const names[] = {"notice", "warning", "error"};
	return names[severity];
}

void found(struct audit *audit, enum gs_severity severity, const char *check,
    struct place place, const char *fmt, ...)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0}, clean = {0};
	va_list args;
	va_start(args, fmt);
	gs_buf_vaddf(&text, fmt, args);
	va_end(args);
	gs_utf8_harmless(&clean, gs_buf_str(&text), false);
	const struct gs_finding finding = {.severity = severity,
	    .check = check,
	    .file = place.file,
	    .id = place.id,
	    .column = place.column,
	    .text = gs_buf_cstr(&clean)};
	switch (severity) {
	case GS_ERROR:
		audit->result.errors++;
		break;
	case GS_WARNING:
		audit->result.warnings++;
		break;
	case GS_NOTICE:
		audit->result.notices++;
		break;
	}
	audit->fn(audit->ctx, &finding);
}

static void tell_pair(void *ctx, size_t a, size_t b, double similarity)
{
	struct audit *audit = ctx;
	const struct row *x = &audit->rows.v[a], *y = &audit->rows.v[b];
	found(audit, GS_WARNING, "near", (struct place){.id = y->id},
	    "The code after the fix is %d in 100 that of %s: %s and %s may be "
	    "copies of each other.",
	    (int)(100 * similarity), x->id, x->repo, y->repo);
}

static void release_row(struct row *row)
{
	free(row->id);
	free(row->repo);
	free(row->commit);
	free(row->license);
	free(row->license_file);
	free(row->source);
	gs_strv_release(&row->tests);
	for (size_t i = 0; i < row->texts.n; i++)
		free(row->texts.entries[i].value);
	gs_map_release(&row->texts);
}

static void release(struct audit *audit)
{
	for (size_t i = 0; i < audit->rows.n; i++)
		release_row(&audit->rows.v[i]);
	GS_VEC_FREE(&audit->rows);
	gs_record_release(&audit->last);
	gs_map_release(&audit->ids);
	gs_map_release(&audit->fingerprints);
	gs_map_release(&audit->sums);
	gs_map_release(&audit->withheld);
	gs_map_release(&audit->foreign);
	gs_map_release(&audit->told);
	gs_map_release(&audit->totals.repos);
	gs_map_release(&audit->totals.licences);
	gs_arena_release(&audit->totals.arena);
	gs_strv_release(&audit->files);
	near_release(&audit->near);
	gs_table_close(audit->table);
}

int gs_audit(const struct gs_audit_options *options, gs_finding_fn fn,
    void *ctx, struct gs_audit_result *ret, struct gs_err *err)
{
	GS_CLEANUP(release)
	struct audit audit = {.options = options, .fn = fn, .ctx = ctx};
	if (!gs_path_is_dir(options->release))
		return gs_fail(
		    err, GS_E_NOT_FOUND, "%s is no folder", options->release);
	int rc = gs_table_open(&audit.table, err);
	if (rc == 0)
		rc = withheld_load(&audit, err);
	if (rc == 0)
		rc = audit_folder(&audit, err);
	if (rc == 0)
		rc = audit_rows(&audit, err);
	if (rc == 0)
		rc = audit_reveal(&audit, err);
	if (rc)
		return rc;
	audit_licences(&audit);
	audit_words(&audit);
	audit_machine(&audit);
	near_pairs(&audit.near, &options->watch, tell_pair, &audit);
	audit.result.records = audit.totals.records;
	*ret = audit.result;
	return 0;
}
