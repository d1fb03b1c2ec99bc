/* SPDX-License-Identifier: Apache-2.0 */
/* The one way in which anything of a project is run: bubblewrap, always cold,
 * no network, no root, nothing of the caller's environment (S4). */
#ifndef GV_JAIL_H
#define GV_JAIL_H

#include "util.h"

#define GV_TREE "/box/tree" /* where a tree is, inside */
#define GV_OUT "/box/out"   /* where results go, inside */

struct gv_python {
	char *program, *prefix, *base; /* the last two only outside of /usr */
	char *version, *pytest;
};

/* The interpreter with pytest: `wanted`, or python3 on the path, or Debian's.
 * False when there is none; then `program` is NULL. */
bool gv_find_python(const char *wanted, struct gv_python *python);
void gv_free_python(struct gv_python *python);

struct gv_jail {
	const struct gv_python *python;
	const char *tree; /* bound at GV_TREE, or NULL */
	const char *out;  /* bound at GV_OUT */
	const char *log;  /* file for what the process prints */
	const char *path; /* PYTHONPATH */
	const char *help; /* bound at /box/help, read-only, or NULL */
	int seed, timeout_ms, uid;
	int days_ahead;    /* of the clock; needs libfaketime */
	char *const *argv; /* behind the interpreter's name */
};

struct gv_end {
	bool timeout;
	int status; /* as a shell sees it: 128 and more for a signal */
	int64_t ms;
};

/* dies when the sandbox does not start */
void gv_jail(const struct gv_jail *jail, struct gv_end *end);
/* the user that runs things when we are root, else -1 */
int gv_jail_uid(void);

#endif
