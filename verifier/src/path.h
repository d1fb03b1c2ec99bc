/* SPDX-License-Identifier: Apache-2.0 */
/* What a path is (W4), and what may be written (S3). */
#ifndef GV_PATH_H
#define GV_PATH_H

#include "util.h"

enum gv_class {
	GV_TEST,
	GV_OTHER,
	GV_VENDORED,
	GV_GENERATED,
	GV_AUXILIARY,
	GV_SOURCE
};

/* the project's own `python_files` */
struct gv_patterns {
	char **v;
	size_t n;
};

enum gv_class gv_class_of(const char *path, const struct gv_patterns *own);
bool gv_collected(const char *path, const struct gv_patterns *own);
/* pytest's configuration at the root (S1) */
bool gv_is_config(const char *path);
/* reads one of those files and adds what it names */
void gv_read_patterns(
    const char *name, const struct gv_buf *text, struct gv_patterns *to);
void gv_add_pattern(struct gv_patterns *to, const char *pattern);
void gv_free_patterns(struct gv_patterns *p);

bool gv_writable_path(const char *path);
/* does a symlink at `path` lead to a place inside the tree? */
bool gv_link_inside(const char *path, const char *target);
/* dotted name of a file below a root ("." or a folder), or NULL */
char *gv_module_of(const char *path, const char *root);

#endif
