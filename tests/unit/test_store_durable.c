/* SPDX-License-Identifier: Apache-2.0 */
/* What happens to a workspace when things go wrong: two processes, kill -9,
 * a full disk, folders that may only be read, files that are not ours. */
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "store_fixture.h"

static const struct gs_work_filter all = {0};

static void sleep_ms(long ms)
{
	const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};

	(void)nanosleep(&pause, NULL);
}

static char *state_db(const char *workspace)
{
	return gs_path_join(workspace, "state.db");
}

static void read_file(const char *path, struct gs_buf *ret)
{
	OK(gs_file_read(path, 64 << 20, ret, &err));
}

/* A second writer is told who holds the workspace; a reader is not kept
 * waiting; afterwards it is free. */
START_TEST(one_writer)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE),
		                *other = NULL;
		char holder[64];

		int64_t a = add_project(store, "a/a");
		(void)snprintf(
		    holder, sizeof(holder), "process %ld", (long)getpid());
		check_fails(gs_store_open(path, GS_STORE_WRITE, &other, &err),
		    GS_E_BUSY, holder);
		OK(gs_store_begin(store, &err));
		put(store, a, 1, 1, NULL);
		struct gs_store *reader = open_store(path, GS_STORE_READ);
		struct gs_funnel funnel = funnel_of(reader, NULL);
		ck_assert_int_eq(funnel.commits, 0);
		gs_funnel_release(&funnel);
		OK(gs_store_commit(store, &err));
		funnel = funnel_of(reader, NULL);
		ck_assert_int_eq(funnel.commits, 1);
		gs_funnel_release(&funnel);
		gs_store_close(reader);
		gs_store_close(store);
		gs_store_close(open_store(path, GS_STORE_WRITE));
		drop_workspace(path);
	}

END_TEST

/* Another process counts while this one writes: always a sum that adds up. */
START_TEST(reading_while_another_writes)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		int64_t a = add_project(store, "a/a");

		pid_t child = fork();
		if (child == 0) {
			struct gs_store *reader =
			    open_store(path, GS_STORE_READ);
			struct gs_funnel funnel = {0};
			do {
				gs_funnel_release(&funnel);
				funnel = funnel_of(reader, NULL);
			} while (funnel.commits < 2000);
			_exit(0);
		}
		struct gs_work work = {0};
		for (uint32_t i = 0; i < 2000; i += 10) {
			OK(gs_store_begin(store, &err));
			for (uint32_t j = 0; j < 10; j++)
				put(store, a, i + j, i, j % 3 ? "merge" : NULL);
			OK(gs_store_commit(store, &err));
			OK(gs_store_claim(store, &all, &work, &err));
			finish(store, &work,
			    i % 20 ? refusal("flaky") : record_of(&work, "x"));
			gs_work_release(&work);
		}
		int status = -1;
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_int_eq(status, 0);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* Adds ten commits and finishes one candidate in each round, for ever. */
static void write_until_killed(const char *path)
{
	struct gs_store *store = open_store(path, GS_STORE_WRITE);
	struct gs_work work = {0};
	int64_t a = add_project(store, "a/a");
	struct gs_funnel funnel = funnel_of(store, NULL);
	uint32_t i = (uint32_t)funnel.commits;

	for (;;) {
		OK(gs_store_begin(store, &err));
		for (uint32_t end = i + 10; i < end; i++)
			put(store, a, i, i, i % 3 ? "merge" : NULL);
		OK(gs_store_commit(store, &err));
		OK(gs_store_claim(store, &all, &work, &err));
		finish(store, &work,
		    i % 20 ? refusal("flaky") : record_of(&work, "x"));
		gs_work_release(&work);
	}
}

static int64_t ask(const char *workspace, const char *sql)
{
	char *file = state_db(workspace);
	sqlite3 *db = NULL;
	sqlite3_stmt *query = NULL;

	ck_assert_int_eq(
	    sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, NULL), 0);
	ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &query, NULL), 0);
	ck_assert_int_eq(sqlite3_step(query), SQLITE_ROW);
	int64_t value = sqlite3_column_int64(query, 0);
	(void)sqlite3_finalize(query);
	(void)sqlite3_close(db);
	free(file);
	return value;
}

/* S2, S4, S6, as SQL over the file. */
static const char *const invariants[] = {
    "SELECT count(*) FROM pragma_integrity_check WHERE "
    "integrity_check <> 'ok'",
    "SELECT count(*) FROM pragma_foreign_key_check",
    "SELECT count(*) FROM walked w WHERE (w.reason IS NULL) <> "
    "EXISTS (SELECT 1 FROM candidate c WHERE c.id = w.id)",
    "SELECT count(*) FROM candidate c WHERE (c.state = 6) <> "
    "EXISTS (SELECT 1 FROM record r WHERE r.candidate = c.id)",
    "SELECT count(*) FROM candidate c WHERE c.state = 3 AND NOT "
    "EXISTS (SELECT 1 FROM runs r WHERE r.candidate = c.id)",
    "SELECT count(*) % 10 FROM walked",
};

static void check_invariants(const char *path)
{
	for (size_t i = 0; i < GS_COUNT(invariants); i++)
		ck_assert_msg(
		    ask(path, invariants[i]) == 0, "%s", invariants[i]);
}

/* S6: whenever the writer dies, nothing is half done, the lock is free
 * and the work goes on. */
START_TEST(killed_at_any_moment)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		int64_t before = 0;

		gs_store_close(store);
		for (int i = 0; i < 25; i++) {
			pid_t child = fork();
			if (child == 0)
				write_until_killed(path);
			sleep_ms(10 + 7 * i % 60);
			ck_assert_int_eq(kill(child, SIGKILL), 0);
			ck_assert_int_eq(waitpid(child, NULL, 0), child);
			check_invariants(path);
			store = open_store(path, GS_STORE_WRITE);
			struct gs_funnel funnel = funnel_of(store, NULL);
			ck_assert_int_ge(funnel.commits, before);
			before = funnel.commits;
			gs_funnel_release(&funnel);
			gs_store_close(store);
		}
		ck_assert_int_gt(before, 0);
		drop_workspace(path);
	}

END_TEST

/* A worker forked by the dead process keeps its lock for a moment more. */
START_TEST(orphan_holds_the_lock)
	{
		char *path = make_workspace();
		int ready[2];
		char byte;

		ck_assert_int_eq(pipe(ready), 0);
		pid_t child = fork();
		if (child == 0) {
			(void)open_store(path, GS_STORE_WRITE);
			if (fork() == 0) {
				ck_assert_int_eq(write(ready[1], "x", 1), 1);
				sleep_ms(300);
				_exit(0);
			}
			_exit(
			    0); /* as a kill would: closes nothing by itself */
		}
		ck_assert_int_eq(read(ready[0], &byte, 1), 1);
		ck_assert_int_eq(waitpid(child, NULL, 0), child);
		gs_store_close(open_store(path, GS_STORE_WRITE));
		(void)close(ready[0]);
		(void)close(ready[1]);
		drop_workspace(path);
	}

END_TEST

static void execute(const char *workspace, const char *sql)
{
	char *file = state_db(workspace);
	sqlite3 *db = NULL;

	ck_assert_int_eq(sqlite3_open(file, &db), 0);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), 0);
	(void)sqlite3_close(db);
	free(file);
}

enum damage {
	NEWER,
	FOREIGN,
	TEXT,
	CUT_SHORT,
	CUT_HALF,
	GARBLED
};

static const struct damage_row {
	const char *name;
	enum damage damage;
	enum gs_code code;
	const char *sentence;
} damages[] = {
    {"newer version", NEWER, GS_E_ENVIRONMENT, "newer goldset"},
    {"other program", FOREIGN, GS_E_CORRUPT, "some other program"},
    {"no database", TEXT, GS_E_CORRUPT, "damaged"},
    {"first page only", CUT_SHORT, GS_E_CORRUPT, "damaged"},
    {"half of it", CUT_HALF, GS_E_CORRUPT, "damaged"},
    {"garbled schema", GARBLED, GS_E_CORRUPT, "damaged"},
};

static void make_damaged(const char *workspace, enum damage damage)
{
	char *file = state_db(workspace), *log = gs_format("%s-wal", file);
	struct stat st;

	if (damage == FOREIGN) {
		execute(workspace, "CREATE TABLE mine (x)");
	} else if (damage == TEXT) {
		OK(gs_file_write(file,
		    GS_STR("this is my diary, not a database\n"), 0644, &err));
	} else {
		struct gs_store *store = open_store(workspace, GS_STORE_WRITE);
		(void)add_project(store, "a/a");
		gs_store_close(store);
	}
	if (damage == NEWER)
		execute(workspace, "PRAGMA user_version = 99");
	if (damage >= CUT_SHORT) {
		(void)unlink(log); /* all is in the file by now */
		ck_assert_int_eq(stat(file, &st), 0);
	}
	if (damage == CUT_SHORT)
		ck_assert_int_eq(truncate(file, 4096), 0);
	if (damage == CUT_HALF)
		ck_assert_int_eq(truncate(file, st.st_size / 8192 * 4096), 0);
	if (damage == GARBLED) {
		int fd = open(file, O_WRONLY);
		ck_assert_int_eq(pwrite(fd, "\1\2\3\4\5\6\7", 7, 100), 7);
		(void)close(fd);
	}
	free(log);
	free(file);
}

/* A sentence, and the bytes as they were. */
START_TEST(damaged)
	{
		const struct damage_row *row = &damages[_i];
		char *path = make_workspace(), *file = state_db(path);
		struct gs_store *store = NULL;
		struct gs_buf before = {0}, after = {0};

		make_damaged(path, row->damage);
		read_file(file, &before);
		check_fails(gs_store_open(path, GS_STORE_READ, &store, &err),
		    row->code, row->sentence);
		check_fails(gs_store_open(path, GS_STORE_WRITE, &store, &err),
		    row->code, row->sentence);
		ck_assert_ptr_nonnull(strstr(err.text, file));
		read_file(file, &after);
		ck_assert(gs_str_eq(gs_buf_str(&before), gs_buf_str(&after)));
		gs_buf_release(&before);
		gs_buf_release(&after);
		free(file);
		drop_workspace(path);
	}

END_TEST

START_TEST(no_workspace)
	{
		char *path = make_workspace(), *file = state_db(path);
		struct gs_store *store = NULL;

		check_fails(gs_store_open(path, GS_STORE_READ, &store, &err),
		    GS_E_NOT_FOUND, "no workspace");
		/* What a process leaves that dies before its first transaction.
		 */
		OK(gs_file_write(file, GS_STR(""), 0644, &err));
		check_fails(gs_store_open(path, GS_STORE_READ, &store, &err),
		    GS_E_NOT_FOUND, "no workspace");
		gs_store_close(open_store(path, GS_STORE_WRITE));
		gs_store_close(open_store(path, GS_STORE_READ));
		ck_assert_int_eq(gs_store_open("/proc/none", GS_STORE_WRITE,
		                     &store, &err) < 0,
		    1);
		free(file);
		drop_workspace(path);
	}

END_TEST

static const struct only_row {
	const char *name;
	bool log_is_there; /* -wal and -shm lie beside it */
	bool writer_is_there;
} only[] = {
    {"as left by the last writer", true, false},
    {"a lone file", false, false},
    {"while it is written", true, true},
};

/* A folder that belongs to somebody else and may only be read. */
START_TEST(read_only_folder)
	{
		const struct only_row *row = &only[_i];
		char *path = make_workspace(), *file = state_db(path);
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		int status = -1;

		put(store, add_project(store, "a/a"), 1, 1, NULL);
		if (!row->writer_is_there)
			gs_store_close(store);
		if (!row->log_is_there) {
			char *log = gs_format("%s-wal", file);
			char *index = gs_format("%s-shm", file);
			ck_assert_int_eq(unlink(log), 0);
			ck_assert_int_eq(unlink(index), 0);
			free(log);
			free(index);
		}
		ck_assert_int_eq(chmod(path, 0555), 0);
		pid_t child = fork();
		if (child == 0) {
			if (geteuid() == 0) /* root may write anywhere */
				ck_assert(setgroups(0, NULL) == 0 &&
				          setgid(65534) == 0 &&
				          setuid(65534) == 0);
			struct gs_store *reader =
			    open_store(path, GS_STORE_READ);
			struct gs_funnel funnel = funnel_of(reader, NULL);
			ck_assert_int_eq(funnel.commits, 1);
			gs_funnel_release(&funnel);
			gs_store_close(reader);
			_exit(0);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_int_eq(status, 0);
		if (row->writer_is_there)
			gs_store_close(store);
		ck_assert_int_eq(chmod(path, 0755), 0);
		free(file);
		drop_workspace(path);
	}

END_TEST

/* Mounts a disk of 768 KiB on `path`; false where this machine forbids it. */
static bool mount_small(const char *path)
{
	if (unshare(
	        geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return false;
	(void)mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return mount("tmpfs", path, "tmpfs", 0, "size=768k,mode=777") == 0;
}

/* F144: each error rolls back and says what to do; with room made, the same
 * handle and the next process go on. */
START_TEST(disk_full)
	{
		char *path = make_workspace();

		if (!mount_small(path)) {
			(void)fprintf(
			    stderr, "disk_full: no mounts here, skipped\n");
			drop_workspace(path);
			return;
		}
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		int64_t a = add_project(store, "a/a");
		struct gs_commit_row row = {.project = a,
		    .n_parents = 1,
		    .has_date = true,
		    .reason = "merge"};
		char *filler = gs_path_join(path, "filler"),
		     *file = state_db(path);
		put(store, a, 1, 1, NULL);
		int rc = 0;
		uint32_t n = 0;
		struct gs_buf zeros = {0};
		while (zeros.n < 200 << 10)
			gs_buf_addc(&zeros, 'x');
		OK(gs_file_write(filler, gs_buf_str(&zeros), 0644, &err));
		while (rc == 0 && n < 100000) { /* each its own transaction */
			row.id = oid_of(0x1000 + n++);
			rc = gs_store_put_commit(store, &row, NULL, &err);
		}
		check_fails(rc, GS_E_SYSTEM, "disk is full");
		ck_assert_ptr_nonnull(strstr(err.text, file));
		struct gs_funnel funnel = funnel_of(store, NULL);
		ck_assert_int_eq(
		    funnel.commits, n); /* all but the last, and one */
		gs_funnel_release(&funnel);
		OK(gs_store_begin(store, &err));
		for (rc = 0; rc == 0 && n < 100000;) {
			row.id = oid_of(0x1000 + n++);
			rc = gs_store_put_commit(store, &row, NULL, &err);
			if (rc == 0 && n % 500 == 0)
				break;
		}
		if (rc == 0)
			rc = gs_store_commit(store, &err);
		check_fails(rc, GS_E_SYSTEM, "disk is full");
		gs_store_rollback(store);
		ck_assert_int_eq(unlink(filler), 0);
		put(store, a, 2, 2, NULL);
		gs_store_close(store);
		store = open_store(path, GS_STORE_WRITE);
		funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.candidates, 2);
		gs_funnel_release(&funnel);
		gs_store_close(store);
		gs_buf_release(&zeros);
		free(filler);
		free(file);
		ck_assert_int_eq(umount(path), 0);
		drop_workspace(path);
	}

END_TEST

GS_TESTS(store_durable, GS_TEST(one_writer),
    GS_TEST(reading_while_another_writes), GS_TEST(killed_at_any_moment),
    GS_TEST(orphan_holds_the_lock), GS_TEST_ROWS(damaged, damages),
    GS_TEST(no_workspace), GS_TEST_ROWS(read_only_folder, only),
    GS_TEST(disk_full))
