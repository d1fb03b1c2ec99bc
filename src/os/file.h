/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files: whole reads with a cap, and writes that either happen or do not.
 *
 * gs_file_write writes a temporary neighbour, fsyncs it, renames it over the
 * target and fsyncs the folder: a reader sees the old bytes or the new ones.
 * A device or a pipe (/dev/stdout, /dev/null) is written into instead.
 */
#ifndef OS_FILE_H
#define OS_FILE_H

#include <dirent.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/* How the name of such a neighbour begins: what a killed process leaves. */
#define GS_FILE_BEGUN ".gs-"

/* Appends the file to `ret`; GS_E_LIMIT over `max` bytes. Never follows a
 * FIFO or device into a hang. */
GS_MUST_CHECK int gs_file_read(
    const char *path, size_t max, struct gs_buf *ret, struct gs_err *err);
GS_MUST_CHECK int gs_file_write(
    const char *path, struct gs_str bytes, mode_t mode, struct gs_err *err);
/* mkdir -p; an existing folder is fine. */
GS_MUST_CHECK int gs_dir_make(
    const char *path, mode_t mode, struct gs_err *err);
/* A fresh private folder "<parent>/<prefix>XXXXXX"; the caller frees. */
GS_MUST_CHECK int gs_dir_make_temp(const char *parent, const char *prefix,
    char **ret_path, struct gs_err *err);
bool gs_path_exists(const char *path); /* a dangling link exists too */
bool gs_path_is_dir(const char *path);
/* Absolute, symlinks resolved; the caller frees. */
GS_MUST_CHECK int gs_path_real(
    const char *path, char **ret_path, struct gs_err *err);
/* "a/b" from "a" and "b"; the caller frees. */
char *gs_path_join(const char *a, const char *b);
/* Where `program` is on PATH, or NULL; the caller frees. */
char *gs_path_find(const char *program);
/* The folder of the running executable; the caller frees. */
char *gs_path_of_self(void);
/* Flushes a folder's own entries to disk. */
GS_MUST_CHECK int gs_dir_sync(const char *path, struct gs_err *err);
void gs_dir_closep(DIR **dir); /* for GS_CLEANUP; NULL is fine */
/* Writes `text` into a file that is there, in one write, as the files of the
 * kernel want it (/proc, /sys); -1 and errno. */
int gs_file_poke(const char *path, const char *text);

#endif
