/* SPDX-License-Identifier: Apache-2.0 */
#include "git/refs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/strv.h"
#include "os/file.h"

#define MAX_PACKED_REFS (512 * GS_MIB)
#define MAX_LOOSE_REF (4 * GS_KIB)
#define MAX_REF_DEPTH 32 /* folders under refs/ */
#define MAX_SYMBOLIC 5   /* hops, as in git */

static const char *const walked[] = {
    "refs/heads/", "refs/tags/", "refs/remotes/"};

void gs_refs_release(struct gs_refs *refs)
{
	gs_map_release(&refs->by_name);
	gs_arena_release(&refs->arena);
}

static bool component_is_ok(struct gs_str s)
{
	if (s.n == 0 || s.p[0] == '.' || gs_str_ends(s, ".lock"))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c <= ' ' || c == 127 || strchr("~^:?*[\\", c))
			return false;
		if (i > 0 && s.p[i - 1] == '.' && c == '.')
			return false;
		if (i > 0 && s.p[i - 1] == '@' && c == '{')
			return false;
	}
	return true;
}

bool gs_ref_name_is_ok(struct gs_str name)
{
	struct gs_str rest = name, part;

	if (!gs_str_starts(name, "refs/") || gs_str_ends(name, ".") ||
	    gs_str_ends(name, "/") || name.n > 4000)
		return false;
	while (gs_str_cut(&rest, '/', &part))
		if (!component_is_ok(part))
			return false;
	return true;
}

static void add(struct gs_refs *refs, struct gs_str name,
    const struct gs_oid *id, struct gs_str target)
{
	struct gs_ref *ref = gs_arena_alloc(&refs->arena, sizeof(*ref));

	if (id)
		ref->id = *id;
	else
		ref->target = gs_arena_str(&refs->arena, target);
	*gs_map_at(&refs->by_name, name) = ref;
}

int gs_refs_parse_packed(
    struct gs_refs *refs, struct gs_str bytes, struct gs_err *err)
{
	struct gs_str line;

	for (size_t number = 1; gs_str_cut(&bytes, '\n', &line); number++) {
		ptrdiff_t space = gs_str_find_char(line, ' ');
		struct gs_oid id;
		struct gs_str name;

		/* A header, or what the tag above peels to: git peels again. */
		if (line.n == 0 || line.p[0] == '#' || line.p[0] == '^')
			continue;
		if (space < 0 ||
		    !gs_oid_parse(gs_str_sub(line, 0, (size_t)space), &id))
			return gs_fail(err, GS_E_CORRUPT,
			    "packed-refs: line %zu is no ref", number);
		name = gs_str_from(line, (size_t)space + 1);
		if (gs_ref_name_is_ok(name))
			add(refs, name, &id, (struct gs_str){0});
	}
	return 0;
}

bool gs_refs_parse_loose(
    struct gs_refs *refs, struct gs_str name, struct gs_str bytes)
{
	struct gs_str value = gs_str_trim(bytes);
	struct gs_oid id;

	if (!gs_ref_name_is_ok(name))
		return false;
	if (gs_str_starts(value, "ref:")) {
		value = gs_str_trim(gs_str_from(value, 4));
		if (!gs_ref_name_is_ok(value))
			return false;
		add(refs, name, NULL, value);
		return true;
	}
	/* git allows anything after the id and white space. */
	for (size_t i = 0; i < value.n; i++)
		if (strchr(" \t\r\n", value.p[i]))
			value.n = i;
	if (!gs_oid_parse(value, &id))
		return false;
	add(refs, name, &id, (struct gs_str){0});
	return true;
}

static void read_loose_file(
    const char *path, const char *name, struct gs_refs *refs)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};

	/* An unreadable or empty ref is what git calls broken: it names no
	 * commit, so there is nothing to walk from. */
	if (gs_file_read(path, MAX_LOOSE_REF, &bytes, NULL) == 0)
		(void)gs_refs_parse_loose(
		    refs, gs_str(name), gs_buf_str(&bytes));
}

static int read_loose(const char *git_dir, const char *name, int depth,
    struct gs_refs *refs, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *folder = gs_path_join(git_dir, name);
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int rc = 0;

	if (!dir && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!dir)
		return gs_fail_sys(err, "read the folder %s", folder);
	while (rc == 0 && (entry = readdir(dir))) {
		GS_CLEANUP(gs_freep) char *child = NULL;
		GS_CLEANUP(gs_freep) char *path = NULL;
		struct stat st;

		if (entry->d_name[0] == '.')
			continue;
		child = gs_path_join(name, entry->d_name);
		path = gs_path_join(git_dir, child);
		/* Folders are not followed through links: they may loop. */
		if (lstat(path, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && depth < MAX_REF_DEPTH)
			rc = read_loose(git_dir, child, depth + 1, refs, err);
		else if (!S_ISDIR(st.st_mode))
			read_loose_file(path, child, refs);
	}
	(void)closedir(dir);
	return rc;
}

int gs_refs_read(const char *git_dir, struct gs_refs *refs, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(git_dir, "packed-refs");
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	int rc;

	if (gs_path_exists(path)) {
		rc = gs_file_read(path, MAX_PACKED_REFS, &bytes, err);
		if (rc)
			return rc;
		rc = gs_refs_parse_packed(refs, gs_buf_str(&bytes), err);
		if (rc)
			return gs_wrap(err, "%s", git_dir);
	}
	return read_loose(git_dir, "refs", 0, refs, err);
}

static const struct gs_ref *resolve(
    const struct gs_refs *refs, const struct gs_ref *ref)
{
	for (int hops = 0; ref && ref->id.hex[0] == '\0'; hops++) {
		if (hops == MAX_SYMBOLIC)
			return NULL;
		ref = gs_map_get(&refs->by_name, ref->target);
	}
	return ref;
}

static bool is_walked(struct gs_str name)
{
	for (size_t i = 0; i < GS_COUNT(walked); i++)
		if (gs_str_starts(name, walked[i]))
			return true;
	return false;
}

void gs_refs_ids(const struct gs_refs *refs, struct gs_strv *ret)
{
	for (size_t i = 0; i < refs->by_name.n; i++) {
		const struct gs_map_entry *entry = &refs->by_name.entries[i];
		const struct gs_ref *ref =
		    is_walked(entry->key) ? resolve(refs, entry->value) : NULL;

		if (ref)
			gs_strv_push(ret, ref->id.hex);
	}
	gs_strv_sort(ret);
	gs_strv_uniq(ret);
}

void gs_refs_write_packed(
    const struct gs_refs *refs, size_t id_length, struct gs_buf *out)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};

	for (size_t i = 0; i < refs->by_name.n; i++)
		if (is_walked(refs->by_name.entries[i].key))
			gs_strv_push_str(&names, refs->by_name.entries[i].key);
	gs_strv_sort(&names);
	/* Not "peeled": the peeled ids of the source are not taken over, and
	 * git would believe that tags without one need none. */
	gs_buf_addz(out, "# pack-refs with: sorted \n");
	for (size_t i = 0; i < names.n; i++) {
		const struct gs_ref *ref = resolve(
		    refs, gs_map_get(&refs->by_name, gs_str(names.v[i])));

		if (ref && strlen(ref->id.hex) == id_length)
			gs_buf_addf(out, "%s %s\n", ref->id.hex, names.v[i]);
	}
}
