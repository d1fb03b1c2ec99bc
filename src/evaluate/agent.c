/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/agent.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "evaluate/prompt.h"
#include "evaluate/trees.h"
#include "git/materialise.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/proc.h"
#include "os/tree.h"
#include "py/source.h"
#include "run/policy.h"
#include "run/slot.h"

#define TASK_FILE "TASK.md"
/* Paths elsewhere that are told. */
#define MAX_ELSEWHERE 200

static const char task_words[] =
    "# Mend a bug\n"
    "\n"
    "There is a bug in {{what}}, module `{{module}}`, file `{{path}}` of this "
    "tree.\n"
    "What it is meant to do:\n"
    "\n"
    "{{spec}}\n"
    "\n"
    "Change that {{whole}} in place. Changes anywhere else are set aside.\n";

/* The tree that the agent works in, and where it stands. */
struct desk {
	struct gs_objects *objects;
	struct gs_tree_cache *trees;
	struct gs_workdir *workdir;
	struct gs_listing parent;
	struct gs_buf source; /* the record's file, as it was */
	struct gs_buf words;
};

static void desk_release(struct desk *desk)
{
	gs_workdir_close(desk->workdir);
	gs_listing_release(&desk->parent);
	gs_tree_cache_free(desk->trees);
	gs_objects_close(desk->objects);
	gs_buf_release(&desk->source);
	gs_buf_release(&desk->words);
}

void gs_agent_result_release(struct gs_agent_result *result)
{
	gs_buf_release(&result->answer);
	gs_strv_release(&result->elsewhere);
	free(result->log);
	free(result->how);
}

/* ---- the tree ---------------------------------------------------------- */

static int read_parent(
    struct desk *desk, const struct gs_task *task, struct gs_err *err)
{
	int rc = gs_objects_open(task->mirror, &desk->objects, err);
	if (rc)
		return rc;
	desk->trees = gs_tree_cache_new(desk->objects);
	rc = gs_tree_of_commit(desk->objects, desk->trees, task->record.parent,
	    &desk->parent, err);
	const struct gs_entry *entry =
	    rc ? NULL
	       : gs_listing_find(
	             &desk->parent, gs_str(task->evidence.source_path));
	if (rc == 0 && !entry)
		return gs_fail(err, GS_E_CORRUPT, "%s is not in the tree of %s",
		    task->evidence.source_path, task->record.parent);
	return rc ? rc
	          : gs_objects_read(desk->objects, entry->id.hex,
	                GS_MAX_PYTHON_FILE, &desk->source, err);
}

static int lay_out(struct desk *desk, struct gs_slot *slot,
    const struct gs_task *task, struct gs_err *err)
{
	int rc = read_parent(desk, task, err);
	if (rc == 0)
		rc = gs_prompt_fill(
		    task, gs_str(task_words), GS_STR(""), &desk->words, err);
	if (rc == 0)
		rc = gs_tree_empty(gs_slot_tree(slot), err);
	if (rc == 0)
		rc = gs_workdir_open(gs_slot_tree(slot), gs_slot_owner(slot),
		    desk->objects, &desk->workdir, err);
	const struct gs_overlay task_file = {
	    .path = GS_STR(TASK_FILE), .bytes = gs_buf_str(&desk->words)};
	return rc ? rc
	          : gs_workdir_reset(
	                desk->workdir, &desk->parent, &task_file, 1, err);
}

/* ---- the run ----------------------------------------------------------- */

/* What the box's lines on its status descriptor set off: once its first
 * process is in the control group it may go on. */
struct gate {
	struct gs_slot *slot;
	struct gs_buf status;
	int block_read, block_write;
	bool is_open;
};

static int on_status(void *ctx, struct gs_str bytes)
{
	struct gate *gate = ctx;
	gs_buf_adds(&gate->status, bytes);
	ptrdiff_t end = gs_str_find_char(gs_buf_str(&gate->status), '\n');
	if (gate->is_open || end < 0)
		return 0;
	GS_CLEANUP(gs_json_free)
	json_t *line = gs_json_parse(
	    gs_str_n(gate->status.p, (size_t)end), "status", NULL);
	int64_t pid = gs_json_get_int(line, "child-pid", 0);
	gate->is_open = true;
	int rc = pid > 0 ? gs_cgroup_attach(&gate->slot->cgroup, (int)pid, NULL)
	                 : GS_E_SYSTEM;
	gs_closep(&gate->block_read);
	gs_closep(&gate->block_write);
	return rc ? 1 : 0;
}

/* bwrap's line; with the network where that is allowed by name. */
static int build_argv(struct gs_slot *slot, const struct gs_agent_work *work,
    struct gs_strv *environment, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv binds = {0};
	const struct gs_policy_env env = {.python = work->env->python,
	    .home = GS_BOX_HOME,
	    .tmp = GS_BOX_TMP};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < work->env->binds.n; i++)
		rc = gs_slot_bind(slot, work->env->binds.v[i], &binds, err);
	for (size_t i = 0; rc == 0 && i < work->binds->n; i++)
		rc = gs_slot_bind(slot, work->binds->v[i], &binds, err);
	if (rc < 0)
		return rc;
	gs_policy_environment(&env, environment);
	const struct gs_policy policy = {.box = slot->box,
	    .tree = slot->tree,
	    .home = slot->home,
	    .tmp = slot->tmp,
	    .shm = slot->shm,
	    .kit = slot->etc,
	    .etc = slot->etc,
	    .binds = &binds,
	    .python = work->env->python,
	    .environment = (const char *const *)environment->v,
	    .can_block = true};
	gs_policy_argv(&policy, ret);
	/* The policy ends in "--": its own options stand before. */
	free(ret->v[--ret->n]);
	ret->v[ret->n] = NULL;
	if (work->network)
		gs_strv_push_all(ret, "--share-net", "--ro-bind-try",
		    "/etc/resolv.conf", "/etc/resolv.conf", "--ro-bind-try",
		    "/etc/ssl", "/etc/ssl", NULL);
	gs_strv_push(ret, "--");
	for (size_t i = 0; i < work->command->n; i++)
		gs_strv_push(ret, work->command->v[i]);
	return 0;
}

static int execute(struct gs_slot *slot, const struct gs_agent_work *work,
    struct gs_agent_result *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv environment = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	GS_CLEANUP(gs_capture_release) struct gs_capture printed = {0};
	struct gate gate = {.slot = slot};
	int status[2], block[2];
	int rc = build_argv(slot, work, &environment, &argv, err);
	if (rc == 0)
		rc = gs_fd_pipe(status, err);
	if (rc)
		return rc;
	rc = gs_fd_pipe(block, err);
	if (rc) {
		gs_closep(&status[0]);
		gs_closep(&status[1]);
		return rc;
	}
	gate.block_read = block[0];
	gate.block_write = block[1];
	if (slot->seccomp_fd >= 0)
		(void)lseek(slot->seccomp_fd, 0, SEEK_SET);
	const struct gs_fd_map fds[] = {{status[1], GS_BOX_FD_STATUS},
	    {block[0], GS_BOX_FD_BLOCK}, {slot->seccomp_fd, GS_BOX_FD_SECCOMP}};
	const struct gs_child child = {.argv = gs_strv_argv(&argv),
	    .envp = gs_strv_argv(&environment),
	    .cwd = "/",
	    .fds = fds,
	    .n_fds = slot->seccomp_fd >= 0 ? 3 : 2,
	    .uid = geteuid() == 0 ? slot->owner : 0,
	    .own_session = true};
	const struct gs_proc_io io = {.captured = &printed,
	    .output_max = slot->limits.output_bytes,
	    .deadline_ms = gs_clock_ms() + work->timeout_ms,
	    .side_fd = status[0],
	    .side = on_status,
	    .ctx = &gate};
	struct gs_end end = {0};
	rc = gs_proc_run(&child, &io, &end, err);
	gs_closep(&status[0]);
	gs_closep(&status[1]);
	gs_closep(&gate.block_read);
	gs_closep(&gate.block_write);
	gs_buf_release(&gate.status);
	if (rc)
		return rc;
	GS_CLEANUP(gs_buf_release) struct gs_buf raw = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_capture_text(&printed, &raw);
	gs_utf8_repair(&text, gs_buf_str(&raw));
	ret->log = gs_buf_steal(&text);
	ret->elapsed_ms = end.elapsed_ms;
	ret->how =
	    end.kind == GS_END_EXITED    ? gs_format("exited with %d", end.code)
	    : end.kind == GS_END_TIMEOUT ? gs_format("was ended after %lld ms",
	                                       (long long)end.elapsed_ms)
	                                 : gs_strdup("was ended");
	return end.kind == GS_END_STOPPED
	           ? gs_fail(err, GS_E_CANCELLED, "interrupted")
	           : 0;
}

/* ---- what it made ------------------------------------------------------ */

static void read_file(int dir_fd, const char *path, struct gs_buf *ret)
{
	struct stat st;
	GS_CLEANUP(gs_closep)
	int fd = openat(dir_fd, path,
	    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size <= (off_t)GS_MAX_BLOB)
		gs_ignore(gs_fd_read(fd, ret, NULL));
}

/* The unit of the new file that is the record's: of its name and ordinal. */
static bool find_unit(const struct desk *desk, const struct gs_task *task,
    struct gs_str after, struct gs_buf *ret, bool *ret_beside)
{
	struct gs_source old = {0}, new = {0};
	bool is_found = false;
	if (gs_source_parse(gs_buf_str(&desk->source), &old, NULL) == 0 &&
	    gs_source_parse(after, &new, NULL) == 0) {
		for (size_t i = 0; i < old.n_units; i++) {
			const struct gs_unit *was = &old.units[i];
			if (was->start != (size_t)task->evidence.unit_start)
				continue;
			const struct gs_unit *now =
			    gs_source_unit(&new, was->qualname, was->ordinal);
			if (!now)
				continue;
			gs_buf_adds(
			    ret, gs_str_sub(after, now->start, now->end));
			*ret_beside =
			    !gs_str_eq(gs_str_sub(after, 0, now->start),
			        gs_str_sub(gs_buf_str(&desk->source), 0,
			            was->start)) ||
			    !gs_str_eq(gs_str_from(after, now->end),
			        gs_str_from(
			            gs_buf_str(&desk->source), was->end));
			is_found = true;
			break;
		}
	}
	gs_source_release(&old);
	gs_source_release(&new);
	return is_found;
}

static void take_answer(const struct desk *desk, const struct gs_task *task,
    int dir_fd, struct gs_agent_result *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf after = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	bool is_beside = false;
	read_file(dir_fd, task->evidence.source_path, &after);
	ret->changed =
	    !gs_str_eq(gs_buf_str(&after), gs_buf_str(&desk->source));
	if (!gs_task_is_function(task))
		gs_buf_adds(&text, gs_buf_str(&after));
	else if (!find_unit(desk, task, gs_buf_str(&after), &text, &is_beside))
		is_beside = true;
	if (is_beside)
		gs_strv_pushf(&ret->elsewhere, "%s (outside %s)",
		    task->evidence.source_path, task->record.unit);
	gs_utf8_repair(&ret->answer, gs_buf_str(&text));
}

static bool is_litter(const char *name)
{
	return strcmp(name, "__pycache__") == 0 ||
	       strcmp(name, ".pytest_cache") == 0 ||
	       strcmp(name, ".hypothesis") == 0;
}

/* Files that stand there now and did not: links are not followed. */
static void find_new(int dir_fd, const char *prefix,
    const struct gs_listing *parent, struct gs_strv *ret, int depth)
{
	DIR *dir = depth < (int)GS_MAX_TREE_DEPTH ? fdopendir(dir_fd) : NULL;
	struct dirent *entry;
	if (!dir) {
		gs_closep(&dir_fd);
		return;
	}
	while (ret->n < MAX_ELSEWHERE && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    is_litter(entry->d_name))
			continue;
		GS_CLEANUP(gs_freep)
		char *path = gs_format("%s%s", prefix, entry->d_name);
		int fd = openat(dirfd(dir), entry->d_name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0) {
			GS_CLEANUP(gs_freep)
			char *deeper = gs_format("%s/", path);
			find_new(fd, deeper, parent, ret, depth + 1);
		} else if (strcmp(path, TASK_FILE) != 0 &&
		           !gs_listing_find(parent, gs_str(path))) {
			gs_strv_push(ret, path);
		}
	}
	closedir(dir);
}

static void find_elsewhere(const struct desk *desk, const struct gs_task *task,
    int dir_fd, struct gs_strv *ret)
{
	for (size_t i = 0; i < desk->parent.n && ret->n < MAX_ELSEWHERE; i++) {
		const struct gs_entry *entry = &desk->parent.v[i];
		if ((entry->mode & 0170000) != 0100000 ||
		    gs_str_is(entry->path, task->evidence.source_path))
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf left = {0};
		struct gs_oid id;
		read_file(dir_fd, entry->path.p, &left);
		gs_blob_id(gs_buf_str(&left), &entry->id, &id);
		if (!gs_oid_eq(&id, &entry->id))
			gs_strv_push_str(ret, entry->path);
	}
	find_new(dup(dir_fd), "", &desk->parent, ret, 0);
	gs_strv_sort(ret);
}

int gs_agent_run(struct gs_slot *slot, const struct gs_agent_work *work,
    struct gs_agent_result *ret, struct gs_err *err)
{
	GS_CLEANUP(desk_release) struct desk desk = {0};
	const struct gs_task *task = work->task;
	if (!task->mirror)
		return gs_fail(err, GS_E_NOT_FOUND, "%s",
		    task->lacking ? task->lacking : "there is no repository");
	int rc = gs_slot_refresh(slot, err);
	if (rc == 0)
		rc = lay_out(&desk, slot, task, err);
	if (rc == 0)
		rc = execute(slot, work, ret, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_closep)
	int dir_fd =
	    open(gs_slot_tree(slot), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		return gs_fail_sys(err, "open %s", gs_slot_tree(slot));
	take_answer(&desk, task, dir_fd, ret);
	find_elsewhere(&desk, task, dir_fd, &ret->elsewhere);
	return 0;
}
