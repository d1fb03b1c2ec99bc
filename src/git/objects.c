/* SPDX-License-Identifier: Apache-2.0 */
#include "git/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "git/command.h"
#include "git/commit_text.h"
#include "git/mirror.h"
#include "git/source.h"
#include "os/fd.h"
#include "os/file.h"

#define READ_SIZE (64 * GS_KIB)
#define MAX_NAME (64 * GS_KIB)

/* Requests go through a socket and not a pipe: writing to a git that died
 * must be an error and never a signal. */
struct gs_objects {
	char *mirror;
	struct gs_command command;
	struct gs_proc proc;
	int requests;      /* our end; -1 while no child runs */
	bool has_answered; /* once: this git knows what we ask */
	struct gs_buf in;
	size_t pos;
	struct gs_err why; /* the wait that just failed, else zeroed */
};

static void stop(struct gs_objects *objects)
{
	if (objects->requests < 0)
		return;
	gs_closep(&objects->requests);
	gs_proc_release(&objects->proc);
	gs_command_release(&objects->command);
	gs_buf_reset(&objects->in);
	objects->pos = 0;
}

static int start(struct gs_objects *objects, struct gs_err *err)
{
	int ends[2], rc;

	if (objects->requests >= 0)
		return 0;
	rc = gs_command_init(&objects->command, objects->mirror, err);
	if (rc)
		return rc;
	gs_strv_push_all(
	    &objects->command.argv, "cat-file", "--batch-command", NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		gs_command_release(&objects->command);
		return gs_fail_sys(err, "make a socket pair");
	}
	rc = gs_command_start(&objects->command, ends[1], &objects->proc, err);
	gs_closep(&ends[1]);
	if (rc) {
		gs_closep(&ends[0]);
		gs_command_release(&objects->command);
		return rc;
	}
	objects->requests = ends[0];
	return 0;
}

/* A source that is gone is told once, and not as every object missing. */
static int check_shared(const char *mirror, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *folder = gs_path_join(mirror, "objects");

	return gs_local_check(folder, err);
}

int gs_objects_open(
    const char *mirror, struct gs_objects **ret, struct gs_err *err)
{
	struct gs_objects *objects = gs_alloc(sizeof(*objects));
	int rc;

	objects->mirror = gs_strdup(mirror);
	objects->requests = -1;
	rc = check_shared(mirror, err);
	if (rc == 0)
		rc = start(objects, err);
	if (rc) {
		gs_objects_close(objects);
		return rc;
	}
	*ret = objects;
	return 0;
}

void gs_objects_close(struct gs_objects *objects)
{
	if (!objects)
		return;
	stop(objects);
	gs_buf_release(&objects->in);
	free(objects->mirror);
	free(objects);
}

/* A git that never answered may be one that cannot: no repository is to blame
 * then, and no commit is refused. */
static int blame_version(
    const struct gs_objects *objects, int rc, struct gs_err *err)
{
	struct gs_err version = {0};

	if (objects->has_answered || rc == GS_E_CANCELLED)
		return rc;
	if (gs_git_check(&version) == 0)
		return rc;
	return gs_fail(err, version.code, "%s", version.text);
}

/* git ended in the middle: its last words are the error, and the next call
 * starts another, since one broken object says nothing about the others. */
static int died(
    struct gs_objects *objects, const char *name, struct gs_err *err)
{
	struct gs_err why = objects->why;
	int rc;

	gs_proc_release(&objects->proc);
	objects->why = (struct gs_err){0};
	if (why.code)
		rc = gs_fail(err, why.code, "%s: %s", name, why.text);
	else
		rc = gs_command_fail(&objects->command, name, err);
	stop(objects);
	return blame_version(objects, rc, err);
}

/* Nothing that was asked before is left to be read. */
static int ask(struct gs_objects *objects, struct gs_str lines,
    const char *name, struct gs_err *err)
{
	size_t sent = 0;

	gs_buf_reset(&objects->in);
	objects->pos = 0;
	while (sent < lines.n) {
		ssize_t n = send(objects->requests, lines.p + sent,
		    lines.n - sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return died(objects, name, err);
		sent += (size_t)n;
	}
	return 0;
}

static ssize_t read_some(struct gs_objects *objects, char *to, size_t n)
{
	ssize_t got;

	do {
		if (gs_command_wait(
		        &objects->proc, GS_MAX_GIT_SILENCE_MS, &objects->why))
			return -1;
		got = read(objects->proc.stdout_fd, to, n);
	} while (got < 0 && errno == EINTR);
	return got;
}

/* The next line, without its LF; borrowed until the next read. */
static int read_line(struct gs_objects *objects, const char *name,
    struct gs_str *ret, struct gs_err *err)
{
	for (;;) {
		struct gs_str have =
		    gs_str_from(gs_buf_str(&objects->in), objects->pos);
		ptrdiff_t lf = gs_str_find_char(have, '\n');
		char *room;
		ssize_t n;

		if (lf >= 0) {
			*ret = gs_str_sub(have, 0, (size_t)lf);
			objects->pos += (size_t)lf + 1;
			return 0;
		}
		room = gs_buf_room(&objects->in, READ_SIZE);
		n = room && have.n <= 2 * MAX_NAME
		        ? read_some(objects, room, READ_SIZE)
		        : -1;
		if (n <= 0)
			return died(objects, name, err);
		gs_buf_grew(&objects->in, (size_t)n);
	}
}

static bool parse_type(struct gs_str word, enum gs_object_type *ret)
{
	static const char *const words[] = {[GS_OBJECT_COMMIT] = "commit",
	    [GS_OBJECT_TREE] = "tree",
	    [GS_OBJECT_BLOB] = "blob",
	    [GS_OBJECT_TAG] = "tag"};

	for (size_t i = 0; i < GS_COUNT(words); i++)
		if (gs_str_is(word, words[i])) {
			*ret = (enum gs_object_type)i;
			return true;
		}
	return false;
}

static bool parse_size(struct gs_str word, uint64_t *ret)
{
	uint64_t size = 0;

	if (word.n == 0 || word.n > 18)
		return false;
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] < '0' || word.p[i] > '9')
			return false;
		size = size * 10 + (uint64_t)(word.p[i] - '0');
	}
	*ret = size;
	return true;
}

/* "<id> <type> <size>", or "<name> missing". */
static int parse_answer(struct gs_objects *objects, struct gs_str line,
    const char *name, struct gs_object_info *ret, struct gs_err *err)
{
	struct gs_str id, type;

	if (gs_str_ends(line, " missing") || gs_str_ends(line, " submodule") ||
	    gs_str_ends(line, " ambiguous"))
		objects->has_answered = true;
	if (gs_str_ends(line, " missing") || gs_str_ends(line, " submodule"))
		return gs_fail(err, GS_E_NOT_FOUND, "%s is not in %s", name,
		    objects->mirror);
	if (gs_str_ends(line, " ambiguous"))
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s names several objects of %s", name, objects->mirror);
	if (!gs_str_cut(&line, ' ', &id) || !gs_oid_parse(id, &ret->id) ||
	    !gs_str_cut(&line, ' ', &type) || !parse_type(type, &ret->type) ||
	    !parse_size(line, &ret->size)) {
		stop(objects);
		return blame_version(objects,
		    gs_fail(err, GS_E_CORRUPT,
		        "git cat-file answered something unexpected for %s",
		        name),
		    err);
	}
	objects->has_answered = true;
	return 0;
}

static int request(struct gs_objects *objects, const char *verb,
    const char *name, struct gs_object_info *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf question = {0};
	struct gs_object_info info = {0};
	struct gs_str line = {0};
	int rc;

	if (name[0] == '\0' || strchr(name, '\n') || strlen(name) > MAX_NAME)
		return gs_fail(
		    err, GS_E_USAGE, "that is no name of a git object");
	rc = start(objects, err);
	if (rc)
		return rc;
	gs_buf_addf(&question, "%s %s\n", verb, name);
	rc = ask(objects, gs_buf_str(&question), name, err);
	if (rc)
		return rc;
	rc = read_line(objects, name, &line, err);
	if (rc)
		return rc;
	rc = parse_answer(objects, line, name, &info, err);
	if (rc)
		return rc;
	*ret = info;
	return 0;
}

int gs_objects_info(struct gs_objects *objects, const char *name,
    struct gs_object_info *ret, struct gs_err *err)
{
	return request(objects, "info", name, ret, err);
}

/* As many at once as fit into what a pipe holds, so that neither side waits
 * for the other to read. */
#define AT_ONCE 64

static int commits_of(struct gs_objects *objects, const struct gs_strv *ids,
    size_t from, size_t n, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf question = {0};
	int rc;

	for (size_t i = 0; i < n; i++)
		gs_buf_addf(&question, "info %s^{commit}\n", ids->v[from + i]);
	rc = start(objects, err);
	if (rc == 0)
		rc = ask(objects, gs_buf_str(&question), objects->mirror, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct gs_object_info info;
		struct gs_str line;
		rc = read_line(objects, ids->v[from + i], &line, err);
		if (rc)
			break;
		rc = parse_answer(objects, line, ids->v[from + i], &info, err);
		if (rc == 0)
			gs_strv_push(ret, info.id.hex);
		else if (rc == GS_E_NOT_FOUND)
			rc = 0;
	}
	return rc;
}

int gs_objects_commits(struct gs_objects *objects, const struct gs_strv *ids,
    struct gs_strv *ret, struct gs_err *err)
{
	for (size_t i = 0; i < ids->n; i += AT_ONCE) {
		size_t n = ids->n - i < AT_ONCE ? ids->n - i : AT_ONCE;
		int rc = commits_of(objects, ids, i, n, ret, err);
		if (rc)
			return rc;
	}
	gs_strv_sort(ret);
	gs_strv_uniq(ret);
	return 0;
}

static int read_body(struct gs_objects *objects, const char *name,
    uint64_t size, struct gs_buf *ret, struct gs_err *err)
{
	size_t have = objects->in.n - objects->pos;
	size_t left = (size_t)size + 1; /* with the LF after it */
	size_t start_n = ret->n;
	char *to = gs_buf_room(ret, left);

	if (!to)
		return gs_fail(err, GS_E_LIMIT,
		    "%s does not fit: %zu bytes more", name, (size_t)size);
	if (have > left)
		have = left;
	memcpy(to, objects->in.p + objects->pos, have);
	gs_buf_grew(ret, have);
	left -= have;
	while (left > 0) {
		ssize_t n = read_some(objects, to + (size + 1 - left), left);

		if (n <= 0) {
			gs_buf_cut(ret, start_n);
			return died(objects, name, err);
		}
		gs_buf_grew(ret, (size_t)n);
		left -= (size_t)n;
	}
	gs_buf_cut(ret, start_n + (size_t)size);
	return 0;
}

/* One question: git says the size before it unpacks anything, and is ended
 * over an object that we would not take (F028). */
int gs_objects_read(struct gs_objects *objects, const char *name, uint64_t max,
    struct gs_buf *ret, struct gs_err *err)
{
	struct gs_object_info info;

	return gs_objects_read_info(objects, name, max, &info, ret, err);
}

int gs_objects_read_info(struct gs_objects *objects, const char *name,
    uint64_t max, struct gs_object_info *ret_info, struct gs_buf *ret,
    struct gs_err *err)
{
	struct gs_object_info info = {0};
	int rc = request(objects, "contents", name, &info, err);

	if (rc)
		return rc;
	if (info.size > max) {
		stop(objects);
		return gs_fail(err, GS_E_LIMIT,
		    "%s has %llu bytes, more than the %llu that are taken",
		    name, (unsigned long long)info.size,
		    (unsigned long long)max);
	}
	rc = read_body(objects, name, info.size, ret, err);
	if (rc == GS_E_LIMIT)
		stop(objects); /* its answer lies unread in the pipe */
	if (rc == 0)
		*ret_info = info;
	return rc;
}

int gs_objects_commit(struct gs_objects *objects, const char *name,
    struct gs_commit_text *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf peeled = {0};
	int rc;

	gs_buf_addf(&peeled, "%s^{commit}", name);
	rc = gs_objects_read(
	    objects, gs_buf_cstr(&peeled), GS_MAX_COMMIT_OBJECT, &bytes, err);
	if (rc)
		return rc;
	rc = gs_commit_text_parse(gs_buf_str(&bytes), ret, err);
	return rc ? gs_wrap(err, "%s", name) : 0;
}
