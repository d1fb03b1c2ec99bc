/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/chance.h"

#include "base/limits.h"
#include "model/kind.h"

/* Modules and functions of Python's own library; K1 lists them. */
static const char *const words[] = {
    "random",
    "secrets",
    "urandom",
    "uuid1",
    "uuid4",
    "threading",
    "concurrent",
    "multiprocessing",
    "subprocess",
    "Popen",
    "fork",
    "pty",
};

static bool holds_any(struct gs_str text)
{
	for (size_t i = 0; i < GS_COUNT(words); i++)
		if (gs_text_holds_word(text, words[i]))
			return true;
	return false;
}

int gs_leans_on_chance(struct gs_observer *observer,
    const struct gs_reduction *reduction, bool *ret, struct gs_err *err)
{
	const struct gs_candidate *candidate = observer->candidate;
	*ret = holds_any(gs_buf_str(&reduction->file->after_bytes));
	for (size_t i = 0; !*ret && i < candidate->test_files.n; i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
		const struct gs_entry *entry =
		    gs_listing_find(&candidate->commit_tree,
		        gs_str(candidate->test_files.v[i]));
		if (!gs_entry_is_file(entry))
			continue;
		int rc = gs_objects_read(observer->worker->objects,
		    entry->id.hex, GS_MAX_PYTHON_FILE, &bytes, err);
		if (rc && rc != GS_E_LIMIT)
			return rc;
		*ret = holds_any(gs_buf_str(&bytes));
	}
	return 0;
}
