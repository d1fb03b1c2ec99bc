/* SPDX-License-Identifier: Apache-2.0 */
#include "mine/patterns.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "git/objects.h"
#include "mine/ahead.h"
#include "model/paths.h"

#define MAX_CONFIGS 5 /* names that gs_path_is_pytest_config knows */

/* The root's configuration files: their names and blobs. */
struct config_files {
	struct gs_entry v[MAX_CONFIGS];
	size_t n;
};

/* One state of them, as long as the miner lives. */
struct config {
	struct config_files files; /* paths are literals */
	bool is_read;
	struct gs_strv patterns;
};

struct gs_patterns {
	struct gs_objects *objects;
	struct gs_tree_cache *trees;
	struct gs_map configs;  /* by names and ids → struct config */
	struct gs_ahead *ahead; /* to struct config */
};

struct gs_patterns *gs_patterns_new(
    struct gs_objects *objects, struct gs_tree_cache *trees)
{
	struct gs_patterns *patterns = gs_alloc(sizeof(*patterns));

	patterns->objects = objects;
	patterns->trees = trees;
	patterns->ahead = gs_ahead_new();
	return patterns;
}

void gs_patterns_free(struct gs_patterns *patterns)
{
	if (!patterns)
		return;
	for (size_t i = 0; i < patterns->configs.n; i++) {
		struct config *config = patterns->configs.entries[i].value;
		gs_strv_release(&config->patterns);
		free(config);
	}
	gs_map_release(&patterns->configs);
	gs_ahead_free(patterns->ahead);
	free(patterns);
}

/* The list is kept in the order of names, so that equal states have equal
 * keys. `id` NULL: the file goes. */
static void set_file(
    struct config_files *files, struct gs_str name, const struct gs_oid *id)
{
	size_t at = 0;

	while (at < files->n && gs_str_cmp(files->v[at].path, name) < 0)
		at++;
	bool is_there = at < files->n && gs_str_eq(files->v[at].path, name);
	if (is_there && !id) {
		files->n--;
		memmove(&files->v[at], &files->v[at + 1],
		    (files->n - at) * sizeof(*files->v));
		return;
	}
	if (!id || (!is_there && files->n == MAX_CONFIGS))
		return;
	if (!is_there) {
		memmove(&files->v[at + 1], &files->v[at],
		    (files->n - at) * sizeof(*files->v));
		files->n++;
	}
	files->v[at] = (struct gs_entry){.path = name, .id = *id};
}

static struct config *config_of(
    struct gs_patterns *patterns, const struct config_files *files)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};

	for (size_t i = 0; i < files->n; i++)
		gs_buf_addf(&key, "%.*s %s\n", GS_STR_ARG(files->v[i].path),
		    files->v[i].id.hex);
	void **at = gs_map_at(&patterns->configs, gs_buf_str(&key));
	struct config *config = *at;
	if (config)
		return config;
	config = gs_alloc(sizeof(*config));
	*at = config;
	config->files = *files;
	/* The names were borrowed from a tree or a commit. */
	const struct gs_map_entry *entry =
	    &patterns->configs.entries[patterns->configs.n - 1];
	struct gs_str rest = entry->key, line;
	for (size_t i = 0; gs_str_cut(&rest, '\n', &line); i++)
		(void)gs_str_cut(&line, ' ', &config->files.v[i].path);
	return config;
}

static int look_up(struct gs_patterns *patterns, const struct gs_oid *commit,
    struct config **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_listing_release) struct gs_listing root = {0};
	struct config_files files = {0};
	int rc =
	    gs_listing_folder(patterns->trees, commit, GS_STR(""), &root, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < root.n; i++)
		if (gs_entry_is_file(&root.v[i]) &&
		    gs_path_is_pytest_config(root.v[i].path))
			set_file(&files, root.v[i].path, &root.v[i].id);
	*ret = config_of(patterns, &files);
	return 0;
}

/* What the parent had: this commit's, with its changes taken back. */
static struct config *before(struct gs_patterns *patterns,
    const struct gs_commit *commit, struct config *config)
{
	struct config_files files = config->files;
	bool is_changed = false;

	for (size_t i = 0; i < commit->n_changes; i++) {
		const struct gs_change *change = &commit->changes[i];
		if (!gs_path_is_pytest_config(change->path))
			continue;
		bool was_file = (change->old_mode & 0170000) == 0100000;
		set_file(
		    &files, change->path, was_file ? &change->old_id : NULL);
		is_changed = true;
	}
	return is_changed ? config_of(patterns, &files) : config;
}

static int read_config(
    struct gs_patterns *patterns, struct config *config, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv found = {0};

	for (size_t i = 0; !config->is_read && i < config->files.n; i++) {
		const struct gs_entry *file = &config->files.v[i];
		GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
		int rc = gs_objects_read(patterns->objects, file->id.hex,
		    GS_MAX_PYTHON_FILE, &bytes, err);
		if (rc == 0)
			gs_python_files(file->path, gs_buf_str(&bytes), &found);
		else if (rc != GS_E_LIMIT)
			return rc;
	}
	if (!config->is_read)
		gs_strv_copy(&config->patterns, &found);
	config->is_read = true;
	return 0;
}

int gs_patterns_at(struct gs_patterns *patterns, const struct gs_commit *commit,
    bool is_needed, const struct gs_strv **ret, struct gs_err *err)
{
	struct config *config = gs_ahead_get(patterns->ahead, &commit->id);
	int rc = 0;

	*ret = NULL;
	if (!config && is_needed)
		rc = look_up(patterns, &commit->id, &config, err);
	if (rc || !config)
		return rc;
	if (gs_ahead_is_told(commit))
		gs_ahead_put(patterns->ahead, &commit->parent,
		    before(patterns, commit, config));
	if (!is_needed)
		return 0;
	rc = read_config(patterns, config, err);
	if (rc == 0)
		*ret = &config->patterns;
	return rc;
}
