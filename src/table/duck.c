/* SPDX-License-Identifier: Apache-2.0 */
#include "table/duck.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "os/file.h"
#include "os/signals.h"

#define DUCK_MAX_THREADS 4

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {

#define DUCK_SYMBOL(name) {"duckdb_" #name, offsetof(struct duck, name)},
    DUCK_FUNCTIONS(DUCK_SYMBOL)};

static int fill_in(struct gs_table *table, const char *path, struct gs_err *err)
{
	for (size_t i = 0; i < GS_COUNT(symbols); i++) {
		void *symbol = dlsym(table->library, symbols[i].name);
		if (!symbol)
			return gs_fail(err, GS_E_ENVIRONMENT,
			    "%s lacks %s: it is not DuckDB " DUCK_VERSION, path,
			    symbols[i].name);
		/* ISO C has no way from void * to a function pointer; POSIX
		 * promises that the bytes are the same. */
		memcpy((char *)&table->duck + symbols[i].offset, &symbol,
		    sizeof(symbol));
	}
	const char *version = table->duck.library_version();
	if (strcmp(version, DUCK_VERSION) != 0)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "%s is DuckDB %s; releases are written with " DUCK_VERSION
		    ", so that the same rows give the same bytes",
		    path, version);
	return 0;
}

static void candidates(struct gs_strv *paths)
{
	const char *chosen = getenv("GOLDSET_LIBDIR");
	if (chosen && *chosen) {
		gs_strv_pushf(paths, "%s/libduckdb.so", chosen);
		return;
	}
	GS_CLEANUP(gs_freep) char *self = gs_path_of_self();
	gs_strv_pushf(paths, "%s/lib/libduckdb.so", self);
	gs_strv_pushf(paths, "%s/../lib/goldset/libduckdb.so", self);
	/* The build tree's test programs stand one folder deeper. */
	gs_strv_pushf(paths, "%s/../lib/libduckdb.so", self);
}

static int load(struct gs_table *table, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv paths = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf seen = {0};
	candidates(&paths);
	for (size_t i = 0; i < paths.n; i++) {
		gs_buf_addf(&seen, "%s%s", i ? ", " : "", paths.v[i]);
		if (!gs_path_exists(paths.v[i]))
			continue;
		table->library = dlopen(paths.v[i], RTLD_NOW | RTLD_LOCAL);
		if (!table->library)
			return gs_fail(err, GS_E_ENVIRONMENT,
			    "DuckDB does not load: %s", dlerror());
		return fill_in(table, paths.v[i], err);
	}
	return gs_fail(err, GS_E_ENVIRONMENT,
	    "libduckdb.so was not found (looked for %s): run ./bootstrap, or "
	    "set GOLDSET_LIBDIR to its folder",
	    gs_buf_cstr(&seen));
}

static unsigned threads_here(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1                  ? 1
	       : n > DUCK_MAX_THREADS ? DUCK_MAX_THREADS
	                              : (unsigned)n;
}

int duck_open(const struct duck *duck, unsigned threads,
    struct duck_session *ret, struct gs_err *err)
{
	char n_threads[16];
	(void)snprintf(n_threads, sizeof(n_threads), "%u",
	    threads ? threads : threads_here());
	/* Nothing is fetched, nothing is written beside what we name, and no
	 * file of the user's home is read. */
	const char *const settings[][2] = {
	    {"threads", n_threads},
	    {"autoinstall_known_extensions", "false"},
	    {"autoload_known_extensions", "false"},
	    {"allow_persistent_secrets", "false"},
	    {"temp_directory", ""},
	};
	duckdb_config config;
	if (duck->create_config(&config) != DuckDBSuccess)
		return gs_fail(
		    err, GS_E_SYSTEM, "DuckDB gives no configuration");
	for (size_t i = 0; i < GS_COUNT(settings); i++)
		if (duck->set_config(config, settings[i][0], settings[i][1]) !=
		    DuckDBSuccess) {
			duck->destroy_config(&config);
			return gs_fail(err, GS_E_SYSTEM,
			    "DuckDB does not know the setting %s",
			    settings[i][0]);
		}
	struct duck_session session = {.duck = duck};
	char *message = NULL;
	int rc = 0;
	if (duck->open_ext(NULL, &session.database, config, &message) !=
	        DuckDBSuccess ||
	    duck->connect(session.database, &session.connection) !=
	        DuckDBSuccess)
		rc = gs_fail(err, GS_E_SYSTEM, "DuckDB does not start: %s",
		    message ? message : "no connection");
	duck->free(message);
	duck->destroy_config(&config);
	if (rc == 0)
		rc = duck_run(&session, "SET TimeZone = 'UTC'", err);
	if (rc)
		duck_close(&session);
	else
		*ret = session;
	return rc;
}

void duck_close(struct duck_session *session)
{
	if (session->connection)
		session->duck->disconnect(&session->connection);
	if (session->database)
		session->duck->close(&session->database);
	*session = (struct duck_session){0};
}

int gs_table_open(struct gs_table **ret, struct gs_err *err)
{
	struct gs_table *table = gs_alloc(sizeof(*table));
	int rc = load(table, err);
	if (rc == 0)
		rc = duck_open(&table->duck, 0, &table->session, err);
	if (rc) {
		gs_table_close(table);
		return rc;
	}
	*ret = table;
	return 0;
}

void gs_table_close(struct gs_table *table)
{
	if (!table)
		return;
	duck_close(&table->session);
	/* The library stays: its threads and thread-local destructors do not
	 * survive dlclose. */
	free(table);
}

const char *gs_table_version(const struct gs_table *table)
{
	return table->duck.library_version();
}

int duck_fail(struct gs_err *err, enum gs_code code, const char *message)
{
	/* What it puts before the words of a query that failed as it ran. */
	static const char before[] = "closed pending query result\nError: ";
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	struct gs_str words = gs_str(message ? message : "DuckDB failed");
	ptrdiff_t at = gs_str_find(words, gs_str(before));
	if (at >= 0)
		words = gs_str_from(words, (size_t)at + sizeof(before) - 1);
	gs_utf8_harmless(&clean, words, true);
	return gs_fail(err, code, "%s", gs_buf_cstr(&clean));
}

static int fail_result(struct gs_err *err, enum gs_code otherwise,
    const struct duck *duck, duckdb_result *result)
{
	enum gs_code code = otherwise;
	switch ((int)duck->result_error_type(result)) {
	case DUCKDB_ERROR_IO:
	case DUCKDB_ERROR_SERIALIZATION:
		/* Where we read a file, it is to blame; where we write one,
		 * the disk is. */
		if (otherwise != GS_E_SYSTEM)
			code = GS_E_CORRUPT;
		break;
	case DUCKDB_ERROR_OUT_OF_MEMORY:
		code = GS_E_LIMIT;
		break;
	case DUCKDB_ERROR_INTERRUPT:
		code = GS_E_CANCELLED;
		break;
	default:
		break;
	}
	return duck_fail(err, code, duck->result_error(result));
}

int duck_run(struct duck_session *session, const char *sql, struct gs_err *err)
{
	duckdb_result result;
	int rc = 0;
	if (session->duck->query(session->connection, sql, &result) !=
	    DuckDBSuccess)
		rc = fail_result(err, GS_E_SYSTEM, session->duck, &result);
	session->duck->destroy_result(&result);
	return rc;
}

static int execute(struct duck_session *session, duckdb_pending_result pending,
    struct gs_err *err)
{
	for (;;) {
		duckdb_pending_state state =
		    session->duck->pending_execute_task(pending);
		if (session->duck->pending_execution_is_finished(state))
			return 0;
		if (gs_stop_requested()) {
			session->duck->interrupt(session->connection);
			return gs_fail(
			    err, GS_E_CANCELLED, "interrupted while querying");
		}
		if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE)
			(void)usleep(500); /* its own threads are at work */
	}
}

int duck_stream(struct duck_session *session,
    duckdb_prepared_statement statement, enum gs_code otherwise,
    duckdb_result *ret, struct gs_err *err)
{
	const struct duck *duck = session->duck;
	duckdb_pending_result pending = NULL;
	if (duck->pending_prepared_streaming(statement, &pending) !=
	    DuckDBSuccess) {
		int rc =
		    duck_fail(err, otherwise, duck->pending_error(pending));
		duck->destroy_pending(&pending);
		return rc;
	}
	int rc = execute(session, pending, err);
	duckdb_result result;
	if (rc == 0) {
		if (duck->execute_pending(pending, &result) == DuckDBSuccess) {
			*ret = result;
		} else {
			rc = fail_result(err, otherwise, duck, &result);
			duck->destroy_result(&result);
		}
	}
	duck->destroy_pending(&pending);
	return rc;
}

int duck_next(struct duck_session *session, duckdb_result *result,
    enum gs_code otherwise, duckdb_data_chunk *ret, struct gs_err *err)
{
	const struct duck *duck = session->duck;
	if (gs_stop_requested())
		return gs_fail(
		    err, GS_E_CANCELLED, "interrupted while reading");
	duckdb_data_chunk chunk = duck->fetch_chunk(*result);
	if (!chunk) {
		const char *message = duck->result_error(result);
		if (message && *message)
			return fail_result(err, otherwise, duck, result);
		return 0;
	}
	if (duck->data_chunk_get_size(chunk) == 0) {
		duck->destroy_data_chunk(&chunk);
		return 0;
	}
	*ret = chunk;
	return 1;
}

char *duck_column_name(
    const struct duck *duck, duckdb_prepared_statement statement, idx_t column)
{
	const char *given =
	    duck->prepared_statement_column_name(statement, column);
	char *name = gs_strdup(given ? given : "");
	/* DuckDB gives it as const and wants it back to free it. */
	void *theirs;
	memcpy(&theirs, &given, sizeof(theirs));
	duck->free(theirs);
	return name;
}

void duck_quote(struct gs_buf *out, const char *text)
{
	gs_buf_addc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			gs_buf_addc(out, '\'');
		gs_buf_addc(out, *text);
	}
	gs_buf_addc(out, '\'');
}
