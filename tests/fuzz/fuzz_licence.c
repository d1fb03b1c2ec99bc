/* SPDX-License-Identifier: Apache-2.0 */
/* Licence files and metadata are bytes of strangers (F044). Whatever they
 * are: an answer is whole, and a text that is taken is no longer taken with
 * one condition more behind it (L3). */
#include <stdlib.h>
#include <string.h>

#include "licence/licence.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check_verdict(const struct gs_licence_verdict *verdict)
{
	if (verdict->accepted != (verdict->expression[0] != '\0') ||
	    verdict->accepted == (verdict->reason[0] != '\0') ||
	    verdict->accepted == (verdict->detail[0] != '\0'))
		abort();
}

static void check_condition(struct gs_str bytes)
{
	struct gs_buf more = {0};
	struct gs_licence found;
	gs_licence_identify(bytes, &found);
	bool is_utf16 = gs_str_starts(bytes, "\xFF\xFE") ||
	                gs_str_starts(bytes, "\xFE\xFF");
	if (found.id[0] == '\0' && found.problem[0] == '\0')
		abort();
	if (found.id[0] == '\0' || found.problem[0] != '\0' || is_utf16)
		return;
	gs_buf_adds(&more, bytes);
	gs_buf_addz(&more, "\n\nIt may not be used for commercial purposes.\n");
	gs_licence_identify(gs_buf_str(&more), &found);
	gs_buf_release(&more);
	for (size_t i = 0; gs_licence_default_ids[i]; i++)
		if (found.problem[0] == '\0' &&
		    strcmp(found.id, gs_licence_default_ids[i]) == 0)
			abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct gs_str all = gs_str_n((const char *)data, size);
	struct gs_str rest = all, first;
	struct gs_licence_verdict verdict;
	/* Text, NUL, metadata, NUL, source; a part may be missing. */
	if (!gs_str_cut(&rest, '\0', &first))
		return 0;
	struct gs_str meta = {0};
	(void)gs_str_cut(&rest, '\0', &meta);
	static const char *const names[] = {
	    "setup.py", "setup.cfg", "pyproject.toml", "PKG-INFO"};
	struct gs_licence_file files[2] = {
	    {GS_STR("LICENSE"), all}, {GS_STR("LICENSE.txt"), first}};
	struct gs_licence_file metadata = {gs_str(names[size % 4]), meta};
	struct gs_licence_question question = {.files = files,
	    .n_files = 1 + size % 2,
	    .source = rest,
	    .metadata = &metadata,
	    .n_metadata = 1};
	gs_licence_decide(&question, &verdict);
	check_verdict(&verdict);
	question.files = files + 1;
	question.n_files = 1;
	gs_licence_decide(&question, &verdict);
	check_verdict(&verdict);
	check_condition(first);
	(void)gs_licence_is_file_name(first);
	return 0;
}
