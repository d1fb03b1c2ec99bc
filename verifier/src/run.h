/* SPDX-License-Identifier: Apache-2.0 */
/* Cold runs of pytest over a state, and what they say of node ids. */
#ifndef GV_RUN_H
#define GV_RUN_H

#include <jansson.h>

#include "help.h"
#include "jail.h"
#include "junit.h"
#include "state.h"

/* what runs of one record have in common */
struct gv_bench {
	struct gv_repo *repo;
	const struct gv_python *python;
	char *folder;        /* for trees and results; ours alone */
	char *path;          /* PYTHONPATH inside */
	struct gv_help help; /* S6, O6 */
	char **plugins;      /* ends with NULL */
	int timeout_ms, runs, days_ahead;
};

struct gv_run {
	struct gv_report report;
	struct gv_end end;
	char *trouble; /* why the run is not complete (O3), or NULL */
	char *xpassed; /* pytest's list of unexpected passes */
};

/* pytest over these arguments (files or ids), less the ids in `without` */
void gv_pytest(struct gv_bench *bench, struct gv_tree *tree, char *const *what,
    const char *without, struct gv_run *to);
enum gv_outcome gv_seen(
    const struct gv_run *run, const char *id, const char **message);
/* runs look.py over the files that were put into its folder */
json_t *gv_look(struct gv_bench *bench, json_t *files);
char *gv_look_folder(struct gv_bench *bench);
/* how the interpreter's distributions differ from a JSON object of versions:
 * what it lacks, has in another version, and has beside them where a Python
 * file of the tree imports it; NULL where they do not */
char *gv_lacking(
    struct gv_bench *bench, struct gv_tree *tree, const char *distributions);
/* the same, of two such objects */
char *gv_other(
    struct gv_repo *repo, struct gv_tree *tree, json_t *wanted, json_t *have);

#endif
