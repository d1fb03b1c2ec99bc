/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fault.h"
#include "os/fd.h"
#include "os/file.h"
#include "store/db.h"

#define APPLICATION_ID 0x47534554 /* "GSET" */
#define BUSY_MS 10000
#define ORPHAN_WAIT_MS 2000

extern const char gs_text_schema_sql[], gs_text_published_sql[],
    gs_text_instances_sql[], gs_text_walks_sql[], gs_text_surveyed_sql[];

/* Step i brings version i to i + 1; all of them make a new database. */
static const char *const steps[] = {gs_text_schema_sql, gs_text_published_sql,
    gs_text_instances_sql, gs_text_walks_sql, gs_text_surveyed_sql};

static long holder_of(int lock)
{
	char text[32] = {0};
	ssize_t n = pread(lock, text, sizeof(text) - 1, 0);

	return n > 0 ? strtol(text, NULL, 10) : 0;
}

/* A forked worker of a killed process still holds its lock for the moment
 * until PDEATHSIG reaches it: a dead holder is worth waiting for. */
static bool wait_for(int lock, long *ret_holder)
{
	const struct timespec pause = {.tv_nsec = 20L * 1000 * 1000};

	for (int waited = 0; waited < ORPHAN_WAIT_MS; waited += 20) {
		if (flock(lock, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		*ret_holder = holder_of(lock);
		if (*ret_holder <= 0 || kill((pid_t)*ret_holder, 0) == 0 ||
		    errno != ESRCH)
			break;
		(void)nanosleep(&pause, NULL);
	}
	errno = EWOULDBLOCK;
	return false;
}

static int take_lock(struct gs_store *store, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(store->workspace, "lock");
	char text[32];
	long holder = 0;

	store->lock =
	    open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (store->lock < 0)
		return gs_fail_sys(err, "open %s", path);
	if (!wait_for(store->lock, &holder)) {
		if (errno != EWOULDBLOCK)
			return gs_fail_sys(err, "lock %s", path);
		/* It may not have written its number yet. */
		if (holder <= 0)
			return gs_fail(err, GS_E_BUSY,
			    "workspace %s is in use by another process: wait "
			    "for it to end, or end it",
			    store->workspace);
		return gs_fail(err, GS_E_BUSY,
		    "workspace %s is in use by process %ld: wait for it to "
		    "end, or end it",
		    store->workspace, holder);
	}
	int n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	if (ftruncate(store->lock, 0) < 0 ||
	    pwrite(store->lock, text, (size_t)n, 0) != n)
		return gs_fail_sys(err, "write %s", path);
	return 0;
}

static int exec(struct gs_store *store, const char *sql, struct gs_err *err)
{
	if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return gs_db_fail(store, err);
	return 0;
}

static int pragma_int(
    struct gs_store *store, const char *sql, int64_t *ret, struct gs_err *err)
{
	sqlite3_stmt *query = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &query, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(query);
	if (rc == SQLITE_ROW)
		*ret = sqlite3_column_int64(query, 0);
	rc = rc == SQLITE_ROW ? 0 : gs_db_fail(store, err);
	(void)sqlite3_finalize(query);
	return rc;
}

/* Before anything is written: is this a database of ours, and of a version
 * that we know? Reading the table of tables finds a cut or garbled file. */
static int check_version(
    struct gs_store *store, int64_t *ret_version, struct gs_err *err)
{
	int64_t id = 0, tables = 0;
	int rc = pragma_int(store, "PRAGMA application_id", &id, err);

	if (rc == 0)
		rc = pragma_int(store, "PRAGMA user_version", ret_version, err);
	if (rc == 0)
		rc = pragma_int(
		    store, "SELECT count(*) FROM sqlite_schema", &tables, err);
	if (rc < 0)
		return rc;
	if (tables > 0 && id != APPLICATION_ID)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s is a database of some other program and is left as it "
		    "is: choose another workspace",
		    store->path);
	if (*ret_version > (int64_t)GS_COUNT(steps))
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "%s was written by a newer goldset (version %lld, this one "
		    "knows %zu): use that goldset or another workspace",
		    store->path, (long long)*ret_version, GS_COUNT(steps));
	return 0;
}

static int migrate(struct gs_store *store, int64_t version, struct gs_err *err)
{
	char done[96];
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	for (; rc == 0 && version < (int64_t)GS_COUNT(steps); version++) {
		rc = exec(store, steps[version], err);
		gs_fault("store.migrate");
	}
	(void)snprintf(done, sizeof(done),
	    "PRAGMA application_id = %d; PRAGMA user_version = %zu",
	    APPLICATION_ID, GS_COUNT(steps));
	if (rc == 0)
		rc = exec(store, done, err);
	return gs_db_leave(store, rc, err);
}

/* S5 */
static int settle(struct gs_store *store, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end) sqlite3_stmt *query = NULL;
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	query = gs_db_query(store, GS_Q_SETTLE, err);
	rc = query ? gs_db_next(store, query, err) : gs_db_fail(store, NULL);
	gs_fault("store.settle");
	return gs_db_leave(store, rc, err);
}

static int open_database(
    struct gs_store *store, const char *name, int flags, struct gs_err *err)
{
	int on = 1;

	if (sqlite3_open_v2(name, &store->db,
	        flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
	        NULL) != SQLITE_OK)
		return gs_db_fail(store, err);
	(void)sqlite3_busy_timeout(store->db, BUSY_MS);
	(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_db_config(
	    store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	/* The log and its index stay when the last writer leaves, so that a
	 * reader who may not write the folder can still open the database. */
	(void)sqlite3_file_control(
	    store->db, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
	return exec(store,
	    "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;"
	    "PRAGMA cell_size_check = ON",
	    err);
}

static int open_for_writing(struct gs_store *store, struct gs_err *err)
{
	/* A folder's name is no URI, whatever it begins with. */
	GS_CLEANUP(gs_freep)
	char *name =
	    gs_format("%s%s", store->path[0] == 'f' ? "./" : "", store->path);
	int64_t version = 0;
	int rc = gs_dir_make(store->workspace, 0777, err);

	if (rc == 0)
		rc = take_lock(store, err);
	gs_fault("store.locked");
	if (rc == 0)
		rc = open_database(store, name,
		    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
		        SQLITE_OPEN_URI, /* for what is attached */
		    err);
	if (rc == 0)
		rc = check_version(store, &version, err);
	/* FULL: a finished piece costs seconds of test runs and one flush of
	 * milliseconds, and then survives a power cut too. */
	if (rc == 0)
		rc = exec(store,
		    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
		    "PRAGMA cache_size = -65536",
		    err);
	if (rc == 0 && version < (int64_t)GS_COUNT(steps))
		rc = migrate(store, version, err);
	if (rc == 0)
		rc = settle(store, err);
	return rc;
}

/* file:…?… with every byte that a URI gives a meaning escaped. */
static char *uri_of(const char *path, const char *query)
{
	struct gs_buf name = {0};

	gs_buf_addz(&name, "file:");
	while (path[0] == '/' && path[1] == '/') /* else a host follows */
		path++;
	for (; *path; path++) {
		if (strchr("%?#", *path))
			gs_buf_addf(&name, "%%%02X", (unsigned char)*path);
		else
			gs_buf_addc(&name, *path);
	}
	gs_buf_addf(&name, "?%s", query);
	return gs_buf_steal(&name);
}

char *gs_db_uri(const struct gs_store *reader)
{
	return uri_of(
	    reader->path, reader->is_immutable ? "immutable=1" : "mode=ro");
}

static bool has_log(const struct gs_store *store)
{
	GS_CLEANUP(gs_freep) char *log = gs_format("%s-wal", store->path);
	struct stat st;

	return stat(log, &st) == 0 && st.st_size > 0;
}

static int open_for_reading(struct gs_store *store, struct gs_err *err)
{
	struct stat st;
	int64_t version = 0;

	if (stat(store->path, &st) < 0 || st.st_size == 0)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s is no workspace: there is no state.db in it (goldset "
		    "add makes one)",
		    store->workspace);
	int rc = open_database(store, store->path, SQLITE_OPEN_READONLY, err);
	if (rc == 0)
		rc = check_version(store, &version, err);
	/* A lone state.db in a folder that we may not write: SQLite wants to
	 * make the log's index. Without a log nobody writes, or could. */
	if (rc == GS_E_SYSTEM && !has_log(store) &&
	    access(store->workspace, W_OK) < 0) {
		store->is_immutable = true;
		GS_CLEANUP(gs_freep) char *name = gs_db_uri(store);
		(void)sqlite3_close_v2(store->db);
		store->db = NULL;
		rc = open_database(
		    store, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
		if (rc == 0)
			rc = check_version(store, &version, err);
	}
	if (rc == 0 && version == 0)
		rc = gs_fail(err, GS_E_NOT_FOUND,
		    "%s is no workspace yet: nothing was ever finished in it",
		    store->workspace);
	else if (rc == 0 && version < (int64_t)GS_COUNT(steps))
		rc = gs_fail(err, GS_E_ENVIRONMENT,
		    "%s was written by an older goldset: run `goldset mine` "
		    "once to bring it up to date",
		    store->path);
	return rc;
}

int gs_store_open(const char *workspace, enum gs_store_mode mode,
    struct gs_store **ret, struct gs_err *err)
{
	struct gs_store *store = gs_alloc(sizeof(*store));

	store->lock = -1;
	store->workspace = gs_strdup(workspace);
	store->path = gs_path_join(workspace, "state.db");
	store->is_open_for_writing = mode == GS_STORE_WRITE;
	int rc = mode == GS_STORE_WRITE ? open_for_writing(store, err)
	                                : open_for_reading(store, err);
	if (rc < 0)
		gs_store_close(store);
	else
		*ret = store;
	return rc;
}

void gs_store_close(struct gs_store *store)
{
	if (!store)
		return;
	if (store->db)
		gs_store_rollback(store);
	for (size_t i = 0; i < GS_N_QUERIES; i++)
		(void)sqlite3_finalize(store->queries[i]);
	/* The log stays, but empty. */
	if (store->db && store->is_open_for_writing)
		(void)sqlite3_exec(store->db, "PRAGMA journal_size_limit = 0",
		    NULL, NULL, NULL);
	(void)sqlite3_close_v2(store->db);
	gs_closep(&store->lock); /* last: now the next one may write */
	gs_map_release(&store->reasons);
	gs_arena_release(&store->reason_ids);
	gs_turns_release(&store->turns);
	free(store->workspace);
	free(store->path);
	free(store);
}
