/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of runs share: a slot in this process, small trees written
 * as text, and a run told in one line. With GS_TEST_WARM set, runs are warm
 * wherever a worker serves them: both kinds must tell the same. */
#ifndef RUN_FIXTURE_H
#define RUN_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "gs_test.h"
#include "os/file.h"
#include "os/tree.h"
#include "run/warm.h"

#define PYTHON "/usr/bin/python3"

struct fixture {
	struct gs_box box;
	struct gs_env env;
	struct gs_box_limits limits;
	struct gs_slot *slot;
	struct gs_warm *warm; /* or NULL */
	char dir[64];
	struct gs_strv files, roots, probe, ids, skip, options;
	struct gs_run_spec spec;
	struct gs_run run;
};

#define OK(call)                                                               \
	do {                                                                   \
		struct gs_err err_ = {0};                                      \
		struct gs_err *err = &err_;                                    \
		ck_assert_msg((call) == 0, "%s", err->text);                   \
	} while (0)

static inline void fixture_open(struct fixture *f, const char *python)
{
	gs_log_enable(getenv("GS_TEST_LOG"));
	*f = (struct fixture){.dir = "/tmp/goldset-test-XXXXXX"};
	ck_assert_ptr_nonnull(mkdtemp(f->dir));
	OK(gs_box_probe(false, &f->box, err));
	OK(gs_env_system(python, &f->env, err));
	f->limits = gs_box_default_limits;
	f->limits.timeout_ms = 60000;
	gs_strv_push(&f->roots, ".");
	gs_strv_push(&f->roots, "src");
	f->spec = (struct gs_run_spec){.env = &f->env,
	    .files = &f->files,
	    .ids = &f->ids,
	    .import_roots = &f->roots,
	    .probe = &f->probe,
	    .options = &f->options,
	    .skip = &f->skip,
	    .hash_seed = 1};
}

static inline void fixture_slot(struct fixture *f)
{
	OK(gs_slot_open(f->dir, &f->box, &f->limits, &f->slot, err));
	if (getenv("GS_TEST_WARM"))
		f->warm = gs_warm_new(f->slot);
}

static inline void fixture_close(struct fixture *f)
{
	gs_run_release(&f->run);
	gs_warm_free(f->warm);
	gs_slot_close(f->slot);
	OK(gs_tree_remove(f->dir, err));
	gs_strv_release(&f->files);
	gs_strv_release(&f->roots);
	gs_strv_release(&f->probe);
	gs_strv_release(&f->ids);
	gs_strv_release(&f->skip);
	gs_strv_release(&f->options);
	gs_env_release(&f->env);
	gs_box_release(&f->box);
}

/* Writes one file of the tree; a name that begins with test_ or tests/ is
 * run too. */
static inline void fixture_file(
    struct fixture *f, const char *name, const char *text)
{
	char *path = gs_path_join(gs_slot_tree(f->slot), name);
	char *folder = gs_strndup(path, (size_t)(strrchr(path, '/') - path));
	OK(gs_dir_make(folder, 0755, err));
	OK(gs_file_write(path, gs_str(text), 0644, err));
	free(folder);
	free(path);
	const char *base = strrchr(name, '/');
	if (strncmp(base ? base + 1 : name, "test_", 5) == 0)
		gs_strv_push(&f->files, name);
}

static inline void fixture_clear(struct fixture *f)
{
	OK(gs_tree_empty(gs_slot_tree(f->slot), err));
	gs_strv_reset(&f->files);
	gs_strv_reset(&f->ids);
}

/* Tests write into their tree: it is theirs. */
static inline void fixture_own(const struct fixture *f)
{
	char *argv = gs_format(
	    "chown -R %u %s", gs_slot_owner(f->slot), gs_slot_tree(f->slot));
	if (geteuid() == 0)
		ck_assert_int_eq(system(argv), 0);
	free(argv);
}

static inline void fixture_run(struct fixture *f)
{
	fixture_own(f);
	gs_run_release(&f->run);
	f->run = (struct gs_run){0};
	bool was_made = false;
	if (f->warm)
		OK(gs_run_warm(f->warm, &f->spec, &f->run, &was_made, err));
	if (!was_made)
		OK(gs_run_cold(f->slot, &f->spec, &f->run, err));
}

/* "complete: test_0=passed test_1=failed:assertion !test_x.py" */
static inline char *fixture_told(const struct gs_run *run)
{
	struct gs_buf out = {0};
	gs_buf_addf(&out, "%s:", gs_run_kind_name(run->kind));
	for (size_t i = 0; i < run->nodes.n; i++) {
		const struct gs_node *node = &run->nodes.v[i];
		const char *colons = strstr(node->id, "::");
		gs_buf_addf(&out, " %s=%s", colons ? colons + 2 : node->id,
		    gs_outcome_name(node->outcome));
		if (node->failure != GS_FAILURE_NONE)
			gs_buf_addf(
			    &out, ":%s", gs_failure_name(node->failure));
	}
	for (size_t i = 0; i < run->collect_errors.n; i++)
		gs_buf_addf(&out, " !%s", run->collect_errors.v[i].id);
	return gs_buf_steal(&out);
}

static inline void fixture_expect(const struct fixture *f, const char *told)
{
	char *got = fixture_told(&f->run);
	ck_assert_msg(strcmp(got, told) == 0,
	    "expected  %s\n     got  %s\n  detail  %s\n     log  %s", told, got,
	    f->run.detail ? f->run.detail : "", f->run.log);
	free(got);
}

#endif
