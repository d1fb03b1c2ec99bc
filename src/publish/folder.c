/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/folder.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/mem.h"
#include "base/strv.h"
#include "os/file.h"
#include "publish/facts.h"
#include "publish/publish.h"
#include "publish/sides.h"

#define HIDDEN ".goldset-publish-"
#define SUMS "SHA256SUMS"

/* Everything that a release holds at its top. */
static const char *const names[] = {ORACLES, EVIDENCE, "README.md",
    "DATASHEET.md", "ATTRIBUTION.md", "LICENSE", "licenses", "CITATION.cff",
    "CHANGELOG.md", "croissant.json", "schema.json", "eval.yaml",
    "withdrawn.csv", COMMITMENT, REVEAL, SUMS};

static bool has_file(const char *folder, const char *name)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, name);
	struct stat st;
	return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool gs_is_release(const char *folder)
{
	return has_file(folder, ORACLES) && has_file(folder, EVIDENCE) &&
	       has_file(folder, "croissant.json") && has_file(folder, SUMS);
}

static bool is_ours(const char *name)
{
	for (size_t i = 0; i < GS_COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Replacing a folder removes all in it: nothing else may live there (a
 * .git, notes, somebody's home). */
static int check_replaceable(const char *folder, struct gs_err *err)
{
	if (!gs_is_release(folder))
		return gs_fail(err, GS_E_EXISTS,
		    "%s exists and is not a release: name another folder",
		    folder);
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(folder);
	if (!dir)
		return gs_fail_sys(err, "read the folder %s", folder);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (!is_ours(entry->d_name))
			return gs_fail(err, GS_E_EXISTS,
			    "%s holds %s, which no release holds: it is not "
			    "replaced",
			    folder, entry->d_name);
	return 0;
}

int folder_open(struct gs_staging *staging, const char *folder, bool replace,
    struct gs_err *err)
{
	static const struct gs_staging_kind release = {
	    HIDDEN, "a release", check_replaceable};
	return gs_staging_open(staging, folder, &release, replace, err);
}

int folder_write(const struct gs_staging *staging, const char *name,
    struct gs_str text, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(staging->path, name);
	return gs_file_write(path, text, 0644, err);
}

/* Names below `folder`, with `prefix` before them. */
static int list(const char *folder, const char *prefix, struct gs_strv *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(folder);
	if (!dir)
		return gs_fail_sys(err, "read the folder %s", folder);
	for (struct dirent *entry; (entry = readdir(dir));) {
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(folder, entry->d_name);
		struct stat st;
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			gs_strv_pushf(ret, "%s%s", prefix, entry->d_name);
	}
	return 0;
}

int folder_sums(
    const struct gs_staging *staging, struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv all = {0};
	GS_CLEANUP(gs_freep)
	char *licences = gs_path_join(staging->path, "licenses");
	int rc = list(staging->path, "", &all, err);
	if (rc == 0)
		rc = list(licences, "licenses/", &all, err);
	if (rc)
		return rc;
	gs_strv_sort(&all);
	for (size_t i = 0; i < all.n; i++) {
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(staging->path, all.v[i]);
		char hex[GS_SHA256_HEX];
		uint64_t size;
		rc = file_sha256(path, hex, &size, err);
		if (rc)
			return rc;
		gs_buf_addf(ret, "%s  %s\n", hex, all.v[i]);
	}
	return 0;
}

/* The texts are so by themselves; whatever the umask, all is alike. */
static void open_to_all(const struct gs_staging *staging, const char *licences)
{
	GS_CLEANUP(gs_freep)
	char *oracles = gs_path_join(staging->path, ORACLES);
	GS_CLEANUP(gs_freep)
	char *evidence = gs_path_join(staging->path, EVIDENCE);
	(void)chmod(licences, 0755);
	(void)chmod(oracles, 0644);
	(void)chmod(evidence, 0644);
}

int folder_seal(struct gs_staging *staging, bool is_private, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf sums = {0};
	GS_CLEANUP(gs_freep)
	char *licences = gs_path_join(staging->path, "licenses");
	int rc = folder_sums(staging, &sums, err);
	if (rc == 0)
		rc = folder_write(staging, SUMS, gs_buf_str(&sums), err);
	if (rc == 0)
		rc = gs_dir_sync(licences, err);
	if (rc)
		return rc;
	if (!is_private)
		open_to_all(staging, licences);
	if (fchmod(staging->lock, is_private ? 0700 : 0755) < 0 ||
	    fsync(staging->lock) < 0)
		return gs_fail_sys(err, "flush %s", staging->path);
	gs_fault("publish.made");
	return 0;
}

int folder_place(struct gs_staging *staging, struct gs_err *err)
{
	int rc = gs_staging_place(staging, err);
	gs_fault("publish.placed");
	return rc;
}
