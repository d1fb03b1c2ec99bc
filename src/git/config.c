/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "git/command.h"
#include "git/mirror.h"
#include "os/file.h"

#define MAX_CONFIG_FILE (1 * GS_MIB)

void gs_config_release(struct gs_config *config)
{
	for (size_t i = 0; i < config->n; i++) {
		free(config->v[i].key);
		free(config->v[i].value);
	}
	GS_VEC_FREE(config);
}

/* "key LF value" each, ended by NUL; a key that stands alone has no LF. */
static void parse(struct gs_str list, struct gs_config *ret)
{
	struct gs_str item;

	while (gs_str_cut(&list, '\0', &item)) {
		ptrdiff_t lf = gs_str_find_char(item, '\n');
		struct gs_config_entry *entry;

		if (item.n == 0)
			continue;
		entry = GS_VEC_ADD(ret);
		if (lf < 0) {
			entry->key = gs_strndup(item.p, item.n);
			entry->value = gs_strdup("true");
			continue;
		}
		entry->key = gs_strndup(item.p, (size_t)lf);
		item = gs_str_from(item, (size_t)lf + 1);
		entry->value = gs_strndup(item.p, item.n);
	}
}

/* The file is read by us and handed over as bytes: git never opens a name
 * that a repository chose. --no-includes is not the default for stdin. */
int gs_config_read(const char *path, struct gs_config *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_command_release) struct gs_command command = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf list = {0};
	int rc = gs_file_read(path, MAX_CONFIG_FILE, &bytes, err);

	if (rc)
		return rc;
	rc = gs_command_init(&command, NULL, err);
	if (rc)
		return rc;
	rc = gs_command_input(&command, gs_buf_str(&bytes), err);
	if (rc)
		return rc;
	gs_strv_push_all(&command.argv, "config", "--no-includes", "-z",
	    "--list", "-f", "-", NULL);
	rc = gs_command_run(&command, path, &list, err);
	if (rc)
		return rc;
	parse(gs_buf_str(&list), ret);
	return 0;
}
