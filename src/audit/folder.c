/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a release: which are there, and whether their sums hold. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/work.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/tree.h"

#define MAX_TEXT (64 * GS_MIB)

/* P3 */
static const char *const wanted[] = {ORACLES, EVIDENCE, "README.md",
    "DATASHEET.md", "ATTRIBUTION.md", "LICENSE", INDEX, "CITATION.cff",
    "croissant.json", "CHANGELOG.md", "withdrawn.csv", SUMS};
/* What may stand beside it. */
static const char *const known[] = {
    "schema.json", "eval.yaml", "COMMITMENT", "reveal.json"};

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool has_file(const struct audit *audit, const char *name)
{
	return gs_strv_has(&audit->files, name);
}

bool read_file(struct audit *audit, const char *name, struct gs_buf *ret)
{
	if (!has_file(audit, name))
		return false;
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(audit->options->release, name);
	struct gs_err err = {0};
	if (gs_file_read(path, MAX_TEXT, ret, &err) == 0)
		return true;
	found(audit, GS_ERROR, "files", (struct place){.file = name},
	    "It cannot be read: %s.", err.text);
	return false;
}

static int list(struct audit *audit, const char *folder, const char *prefix,
    struct gs_err *err);

/* A hub keeps its own files beside ours: .git and .gitattributes. */
static int take(struct audit *audit, const char *path, const char *name,
    mode_t mode, struct gs_err *err)
{
	const struct place place = {.file = name};
	if (S_ISDIR(mode) && strcmp(name, "licenses") == 0)
		return list(audit, path, "licenses/", err);
	if (!S_ISREG(mode)) {
		found(audit, GS_ERROR, "files", place, "It is %s.",
		    S_ISLNK(mode)   ? "a symbolic link, which may lead anywhere"
		    : S_ISDIR(mode) ? "a folder that no release holds"
		                    : "no regular file");
		(void)gs_map_add(&audit->told, gs_str(name), NULL);
		return 0;
	}
	gs_strv_push(&audit->files, name);
	return 0;
}

static int list(struct audit *audit, const char *folder, const char *prefix,
    struct gs_err *err)
{
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(folder);
	if (!dir)
		return gs_fail_sys(err, "read the folder %s", folder);
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	for (struct dirent *entry; (entry = readdir(dir));)
		if (!gs_str_starts(gs_str(entry->d_name), ".git") &&
		    strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			gs_strv_push(&names, entry->d_name);
	gs_strv_sort(&names);
	for (size_t i = 0; i < names.n; i++) {
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(folder, names.v[i]);
		GS_CLEANUP(gs_freep)
		char *name = gs_format("%s%s", prefix, names.v[i]);
		struct stat st;
		if (lstat(path, &st) < 0)
			return gs_fail_sys(err, "stat %s", path);
		int rc = take(audit, path, name, st.st_mode, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int sha256_of(
    const char *path, char out[GS_SHA256_HEX], struct gs_err *err)
{
	GS_CLEANUP(gs_closep)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return gs_fail_sys(err, "open %s", path);
	GS_CLEANUP(gs_freep) char *block = gs_alloc(GS_MIB);
	struct gs_sha256 sha;
	gs_sha256_init(&sha);
	ssize_t n;
	while ((n = read(fd, block, GS_MIB)) > 0)
		gs_sha256_add(&sha, gs_str_n(block, (size_t)n));
	if (n < 0)
		return gs_fail_sys(err, "read %s", path);
	gs_sha256_end_hex(&sha, out);
	return 0;
}

static int check_sum(struct audit *audit, const char *name, struct gs_str sum,
    struct gs_err *err)
{
	const struct place place = {.file = name};
	if (!has_file(audit, name)) {
		if (!is_one_of(name, wanted, GS_COUNT(wanted)) &&
		    !gs_map_has(&audit->told, gs_str(name)))
			found(audit, GS_ERROR, "checksums", place,
			    "It stands in " SUMS " and is not there.");
		return 0;
	}
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(audit->options->release, name);
	char is[GS_SHA256_HEX];
	int rc = sha256_of(path, is, err);
	if (rc == 0 && !gs_str_is(sum, is))
		found(audit, GS_ERROR, "checksums", place,
		    "Its SHA-256 is %s and not what " SUMS " says.", is);
	return rc;
}

/* "<64 hex>  <name>", as sha256sum writes it. */
static int check_sums(struct audit *audit, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	if (!read_file(audit, SUMS, &text))
		return 0;
	struct gs_str rest = gs_buf_str(&text), line;
	for (size_t n = 1; gs_str_cut(&rest, '\n', &line); n++) {
		unsigned char raw[GS_SHA256_SIZE];
		GS_CLEANUP(gs_freep)
		char *name =
		    line.n > 66 ? gs_strndup(line.p + 66, line.n - 66) : NULL;
		if (!name || !gs_path_is_safe(gs_str(name)) ||
		    !gs_unhex(gs_str_sub(line, 0, 64), raw, sizeof(raw)) ||
		    memcmp(line.p + 64, "  ", 2) != 0 ||
		    gs_map_has(&audit->sums, gs_str(name))) {
			found(audit, GS_ERROR, "checksums",
			    (struct place){.file = SUMS},
			    "Line %zu is not a sum of one file of the release.",
			    n);
			continue;
		}
		char *kept =
		    gs_arena_cstr(&audit->sums.keys, gs_str_sub(line, 0, 64));
		(void)gs_map_add(&audit->sums, gs_str(name), kept);
		int rc = check_sum(audit, name, gs_str_sub(line, 0, 64), err);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < audit->files.n; i++)
		if (strcmp(audit->files.v[i], SUMS) != 0 &&
		    !gs_map_has(&audit->sums, gs_str(audit->files.v[i])))
			found(audit, GS_ERROR, "checksums",
			    (struct place){.file = audit->files.v[i]},
			    "It has no line in " SUMS ".");
	return 0;
}

/* Run when the sums are known: a strange file without one is told of there. */
static void check_names(struct audit *audit)
{
	for (size_t i = 0; i < GS_COUNT(wanted); i++)
		if (!has_file(audit, wanted[i]) &&
		    !gs_map_has(&audit->told, gs_str(wanted[i])))
			found(audit, GS_ERROR, "files",
			    (struct place){.file = wanted[i]},
			    "A release has this file, and it is not there.");
	for (size_t i = 0; i < audit->files.n; i++) {
		const char *name = audit->files.v[i];
		if (!is_one_of(name, wanted, GS_COUNT(wanted)) &&
		    !is_one_of(name, known, GS_COUNT(known)) &&
		    !gs_str_starts(gs_str(name), "licenses/") &&
		    gs_map_has(&audit->sums, gs_str(name)))
			found(audit, GS_WARNING, "files",
			    (struct place){.file = name},
			    "No release of goldset holds such a file.");
	}
}

static uint64_t size_of(const struct audit *audit, const char *name)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(audit->options->release, name);
	struct stat st;
	return lstat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static void scan_files(struct audit *audit)
{
	for (size_t i = 0; i < audit->files.n; i++) {
		const char *name = audit->files.v[i];
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		if (gs_str_ends(gs_str(name), ".parquet") ||
		    strcmp(name, SUMS) == 0 || strcmp(name, "LICENSE") == 0 ||
		    !read_file(audit, name, &text))
			continue;
		/* Licence texts and their paths are the projects' own. */
		scan_text(audit, (struct place){.file = name},
		    gs_buf_str(&text),
		    !gs_str_starts(gs_str(name), "licenses/"));
	}
}

int audit_folder(struct audit *audit, struct gs_err *err)
{
	int rc = list(audit, audit->options->release, "", err);
	if (rc)
		return rc;
	gs_strv_sort(&audit->files);
	audit->oracles_size = size_of(audit, ORACLES);
	audit->evidence_size = size_of(audit, EVIDENCE);
	rc = check_sums(audit, err);
	if (rc)
		return rc;
	check_names(audit);
	scan_files(audit);
	return 0;
}
