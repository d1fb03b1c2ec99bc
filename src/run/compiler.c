/* SPDX-License-Identifier: Apache-2.0 */
#include "run/compiler.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "os/fd.h"
#include "os/tree.h"
#include "run/server.h"
#include "run/slot.h"

/* One an environment; the last few are kept. */
#define N_COMPILERS 2
/* Files of the tree whose code is kept. */
#define FILES_MAX ((size_t)4000)
#define COMPILE_MS 60000

struct compiler {
	struct gs_server server;
	char *folder;        /* host folder with the code */
	struct gs_map files; /* of the tree: "p:path", or "r:path" rewritten */
	size_t n_told;
	uint64_t used_at;
};

struct gs_compilers {
	struct gs_slot *slot;
	struct compiler v[N_COMPILERS];
	struct gs_map failed;  /* keys that could not start */
	struct gs_map shunned; /* files at which one was lost */
	uint64_t clock;
	unsigned n_started;
};

struct gs_compilers *gs_compilers_new(struct gs_slot *slot)
{
	struct gs_compilers *compilers = gs_alloc(sizeof(*compilers));
	compilers->slot = slot;
	for (size_t i = 0; i < N_COMPILERS; i++)
		gs_server_init(&compilers->v[i].server);
	return compilers;
}

/* The folder goes with it: another one trusts nothing that is half
 * written. */
static void retire(struct compiler *compiler)
{
	gs_server_retire(&compiler->server);
	gs_map_release(&compiler->files);
	if (compiler->folder && gs_tree_remove(compiler->folder, NULL) < 0)
		gs_log("%s could not be removed", compiler->folder);
	free(compiler->folder);
	*compiler = (struct compiler){0};
	gs_server_init(&compiler->server);
}

void gs_compilers_free(struct gs_compilers *compilers)
{
	if (!compilers)
		return;
	for (size_t i = 0; i < N_COMPILERS; i++)
		retire(&compilers->v[i]);
	gs_map_release(&compilers->failed);
	gs_map_release(&compilers->shunned);
	free(compilers);
}

unsigned gs_compilers_started(const struct gs_compilers *compilers)
{
	return compilers->n_started;
}

static struct compiler *find(struct gs_compilers *compilers, const char *key)
{
	for (size_t i = 0; i < N_COMPILERS; i++) {
		const char *have = compilers->v[i].server.key;
		if (have && strcmp(have, key) == 0)
			return &compilers->v[i];
	}
	return NULL;
}

static struct compiler *oldest(struct gs_compilers *compilers)
{
	struct compiler *choice = &compilers->v[0];
	for (size_t i = 1; i < N_COMPILERS; i++)
		if (compilers->v[i].used_at < choice->used_at)
			choice = &compilers->v[i];
	return choice;
}

/* NULL without an error when there can be none. */
static int start(struct gs_compilers *compilers, const struct gs_run_spec *spec,
    const char *key, struct compiler **ret, struct gs_err *err)
{
	struct gs_err reason = {0};
	struct compiler *compiler = oldest(compilers);
	if (gs_server_is_refused(&compilers->failed, key))
		return 0;
	retire(compiler);
	int rc = gs_slot_new_cache(compilers->slot, &compiler->folder, &reason);
	struct gs_run_spec own = *spec;
	own.code = compiler->folder;
	if (rc == 0)
		rc = gs_server_start(&compiler->server, compilers->slot, &own,
		    "compiles", &reason);
	if (rc < 0) {
		retire(compiler);
		if (reason.code == GS_E_CANCELLED)
			return gs_fail(err, reason.code, "%s", reason.text);
		gs_log("no compiled code is kept: %s", reason.text);
		gs_server_note_failed(&compilers->failed, key);
		return 0;
	}
	free(compiler->server.key);
	compiler->server.key = gs_strdup(key);
	compilers->n_started++;
	*ret = compiler;
	return 0;
}

static void note(
    struct gs_compilers *compilers, struct compiler *compiler, const char *name)
{
	if (compiler->files.n < FILES_MAX && strlen(name) < PATH_MAX &&
	    !gs_map_has(&compilers->shunned, gs_str(name)))
		(void)gs_map_index(&compiler->files, gs_str(name));
}

void gs_compile_note(struct gs_compilers *compilers, const char *folder,
    const struct gs_strv *names)
{
	for (size_t i = 0; folder && i < N_COMPILERS; i++) {
		struct compiler *compiler = &compilers->v[i];
		if (!compiler->folder || strcmp(compiler->folder, folder) != 0)
			continue;
		for (size_t k = 0; k < names->n; k++)
			note(compilers, compiler, names->v[k]);
	}
}

/* What it does not know yet, as much as a packet takes. */
static void write_new(struct compiler *compiler, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_key(&json, "files");
	gs_json_begin_array(&json);
	while (compiler->n_told < compiler->files.n &&
	       ret->n < GS_SERVER_PACKET_MAX)
		gs_json_string(
		    &json, compiler->files.entries[compiler->n_told++].key);
	gs_json_end_array(&json);
	gs_json_end_object(&json);
}

static int update(struct compiler *compiler, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_closep)
	int folder = open(compiler->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return gs_fail_sys(err, "open %s", compiler->folder);
	write_new(compiler, &text);
	int rc =
	    gs_server_send(&compiler->server, gs_buf_str(&text), &folder, 1);
	return rc < 0 ? gs_fail(err, rc, "a compiler is lost")
	              : gs_server_await(&compiler->server, COMPILE_MS, err);
}

/* A text that ends an interpreter when it is compiled is the project's; the
 * next one is not to meet it again. */
static void shun(struct gs_compilers *compilers, const struct gs_map *files)
{
	for (size_t i = 0; i < files->n; i++)
		(void)gs_map_index(&compilers->shunned, files->entries[i].key);
}

int gs_compile(struct gs_compilers *compilers, const struct gs_run_spec *spec,
    const char **ret_folder, struct gs_err *err)
{
	struct gs_run_spec plain = *spec;
	plain.code = NULL;
	plain.hash_seed = 0;
	plain.clock_ahead_s = 0;
	*ret_folder = NULL;
	GS_CLEANUP(gs_freep) char *key = gs_server_key(&plain);
	struct compiler *compiler = find(compilers, key);
	if (!compiler) {
		int rc = start(compilers, &plain, key, &compiler, err);
		if (rc < 0 || !compiler)
			return rc;
	}
	compiler->used_at = ++compilers->clock;
	/* What runs is rewritten by pytest: known before the first run. */
	for (size_t i = 0; spec->files && i < spec->files->n; i++) {
		GS_CLEANUP(gs_freep)
		char *name = gs_format("r:%s", spec->files->v[i]);
		note(compilers, compiler, name);
	}
	struct gs_err reason = {0};
	int rc = update(compiler, &reason);
	if (rc == 0) {
		*ret_folder = compiler->folder;
		return 0;
	}
	gs_log("a compiler is replaced: %s", reason.text);
	shun(compilers, &compiler->files);
	gs_server_stop(&compiler->server);
	retire(compiler);
	return reason.code == GS_E_CANCELLED
	           ? gs_fail(err, reason.code, "%s", reason.text)
	           : 0;
}
