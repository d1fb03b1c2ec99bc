/* SPDX-License-Identifier: Apache-2.0 */
/* P4: a public and a withheld side, and that the one says nothing of the
 * other. */
#include <dirent.h>
#include <sys/stat.h>

#include "publish/folder.h"
#include "publish_fixture.h"
#include "store/also.h"
#include "table/table.h"

#define N 24
#define KEY "0123456789abcdef0123456789abcdef"

struct world {
	char *workspace, *open, *closed; /* the folders of the two sides */
	struct gs_store *store;
};

/* In memory where that is offered: all is flushed at every step, and that
 * this does not try. */
static char *quick_workspace(void)
{
	char *path = NULL;
	OK(gs_dir_make_temp(gs_path_is_dir("/dev/shm") ? "/dev/shm" : "/tmp",
	    "goldset-test-", &path, &err));
	return path;
}

static char *name_of(size_t i)
{
	return gs_format("own%02zu/proj%02zu", i, i);
}

static void set_root(struct gs_store *store, const char *repo, uint32_t number)
{
	struct gs_project project = {0};
	struct gs_strv tips = {0}, roots = {0};
	gs_strv_push(&roots, oid_of(number).hex);
	gs_strv_push(&tips, oid_of(number + 1).hex);
	OK(gs_store_project(store, repo, &project, &err));
	struct gs_mined mined = {.tips = &tips, .roots = &roots};
	OK(gs_store_set_mined(store, project.id, &mined, &err));
	gs_project_release(&project);
	gs_strv_release(&tips);
	gs_strv_release(&roots);
}

/* What the code of sample `number` is after the fix, for I4. */
static void hold_at_tip(
    struct gs_store *store, const char *repo, uint32_t number)
{
	struct gs_project project = {0};
	struct gs_strv hashes = {0};
	char hash[GS_SHA256_HEX];
	char *code = gs_format("def f():\n    \"\"\"Gives the number.\"\"\""
	                       "\n    return %u\n",
	    number);
	struct gs_oid blob = oid_of(number + 7);
	gs_text_hash(gs_str(code), hash);
	gs_strv_push(&hashes, hash);
	OK(gs_store_project(store, repo, &project, &err));
	OK(gs_store_put_tip_blob(store, project.id, &blob, &hashes, &err));
	gs_project_release(&project);
	gs_strv_release(&hashes);
	free(code);
}

/* Project i has one record, number 1000 + 20 i; every sixth is a fork of the
 * one before it. Each holds the code of all records at its tips, so that
 * also_in would name everybody. `wanted`: only these; NULL: all. */
static void fill(struct gs_store *store, const struct gs_strv *wanted)
{
	for (size_t i = 0; i < N; i++) {
		char *name = name_of(i);
		uint32_t number = 1000 + 20 * (uint32_t)i;
		const struct sample sample = {name, "bug", "Fix f", "MIT",
		    "LICENSE", number, (int64_t)i + 1, i % 2, false};
		if (!wanted || gs_strv_has(wanted, name)) {
			add_sample(store, &sample);
			set_root(
			    store, name, i % 6 == 5 ? number - 17 : number + 3);
			for (size_t k = 0; k < N; k++)
				hold_at_tip(
				    store, name, 1000 + 20 * (uint32_t)k);
		}
		free(name);
	}
}

static struct world make(const struct gs_strv *wanted)
{
	struct world world = {.workspace = quick_workspace()};
	world.open = gs_path_join(world.workspace, "open");
	world.closed = gs_path_join(world.workspace, "closed");
	world.store = open_store(world.workspace, GS_STORE_WRITE);
	fill(world.store, wanted);
	return world;
}

static void drop(struct world *world)
{
	free(world->open);
	free(world->closed);
	end_samples(world->store, world->workspace);
}

static struct gs_publish_options options_of(const struct world *world)
{
	return (struct gs_publish_options){.folder = world->open,
	    .has_hold_out = true,
	    .hold_out = {
	        .folder = world->closed, .fraction = 0.4, .key = GS_STR(KEY)}};
}

static struct gs_publish_result make_both(const struct world *world)
{
	struct gs_publish_result result = {0};
	const struct gs_publish_options options = options_of(world);
	publish(world->store, &options, &result);
	return result;
}

static int keep_words(void *ctx, struct gs_record *record, struct gs_err *e)
{
	(void)e;
	struct gs_strv *words = ctx;
	gs_strv_push(words, record->repo);
	gs_strv_push(words, record->id);
	gs_strv_push(words, record->commit);
	gs_strv_push(words, record->parent);
	gs_strv_push(words, record->repo_url);
	gs_strv_push(words, record->commit_url);
	gs_strv_push(words, record->fingerprint);
	return 0;
}

static int keep_repo(void *ctx, struct gs_record *record, struct gs_err *e)
{
	(void)e;
	gs_strv_push(ctx, record->repo);
	return 0;
}

static void each(const char *folder,
    int (*fn)(void *ctx, struct gs_record *record, struct gs_err *e),
    struct gs_strv *ret)
{
	struct gs_table *table = NULL;
	char *path = gs_path_join(folder, "oracles.parquet");
	OK(gs_table_open(&table, &err));
	OK(gs_table_each_record(table, path, NULL, NULL, fn, ret, &err));
	gs_table_close(table);
	free(path);
}

static void list(const char *folder, const char *prefix, struct gs_strv *ret)
{
	char *path = gs_path_join(folder, prefix);
	DIR *dir = opendir(path);
	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (entry->d_type == DT_REG)
			gs_strv_pushf(ret, "%s%s", prefix, entry->d_name);
	(void)closedir(dir);
	free(path);
	gs_strv_sort(ret);
}

/* All bytes of a release: of every file, and of both tables decoded. */
static void all_bytes(const char *folder, struct gs_buf *ret)
{
	static const char *const views[] = {"from oracles", "from evidence"};
	struct gs_strv files = {0};
	struct gs_table *table = NULL;
	list(folder, "", &files);
	list(folder, "licenses/", &files);
	for (size_t i = 0; i < files.n; i++) {
		char *path = gs_path_join(folder, files.v[i]);
		gs_buf_addf(ret, "%s\n", files.v[i]);
		OK(gs_file_read(path, (size_t)1 << 30, ret, &err));
		free(path);
	}
	OK(gs_table_open(&table, &err));
	for (size_t i = 0; i < GS_COUNT(views); i++) {
		const struct gs_query query = {
		    .release = folder, .sql = views[i], .format = GS_QUERY_CSV};
		OK(gs_table_query(table, &query, ret, &err));
	}
	gs_table_close(table);
	gs_strv_release(&files);
}

START_TEST(every_project_is_on_one_side)
	{
		struct world world = make(NULL);
		struct gs_publish_result result = make_both(&world);
		struct gs_strv open = {0}, closed = {0};
		each(world.open, keep_repo, &open);
		each(world.closed, keep_repo, &closed);
		ck_assert_uint_eq(open.n + closed.n, N);
		ck_assert_uint_gt(open.n, 4); /* both are there */
		ck_assert_uint_gt(closed.n, 2);
		ck_assert_int_eq(result.records, (int64_t)open.n);
		ck_assert_int_eq(result.withheld_records, (int64_t)closed.n);
		for (size_t i = 0; i < N; i++) {
			char *name = name_of(i);
			char *origin = name_of(i ? i - 1 : 0);
			bool is_open = gs_strv_has(&open, name);
			ck_assert_int_ne(is_open, gs_strv_has(&closed, name));
			if (i % 6 == 5) /* forks stay together */
				ck_assert_int_eq(
				    is_open, gs_strv_has(&open, origin));
			free(name);
			free(origin);
		}
		check_sums(world.open);
		check_sums(world.closed);
		struct stat st;
		ck_assert_int_eq(stat(world.closed, &st), 0);
		ck_assert_int_eq(st.st_mode & 0777, 0700);
		char *card = read_text(world.closed, "README.md");
		ck_assert_ptr_nonnull(strstr(card, "not for publication"));
		free(card);
		gs_strv_release(&open);
		gs_strv_release(&closed);
		drop(&world);
	}

END_TEST

START_TEST(no_public_byte_names_anything_withheld)
	{
		struct world world = make(NULL);
		(void)make_both(&world);
		struct gs_buf bytes = {0};
		struct gs_strv words = {0}, known = {0};
		all_bytes(world.open, &bytes);
		each(world.closed, keep_words, &words);
		each(world.open, keep_words, &known);
		ck_assert_uint_gt(words.n, 14);
		for (size_t i = 0; i < words.n; i++)
			ck_assert_msg(!gs_str_contains(gs_buf_str(&bytes),
			                  gs_str(words.v[i])),
			    "%s", words.v[i]);
		/* The search can find: all that is public is there. */
		for (size_t i = 0; i < known.n; i++)
			ck_assert_msg(gs_str_contains(gs_buf_str(&bytes),
			                  gs_str(known.v[i])),
			    "%s", known.v[i]);
		gs_strv_release(&words);
		gs_strv_release(&known);
		gs_buf_release(&bytes);
		drop(&world);
	}

END_TEST

/* The strongest form of P4: the public side is the one that the public
 * projects alone would give, byte for byte, but for the commitment. So
 * nothing in it hints at anything withheld, and whoever has it and all names
 * but not the key knows what the base rate says and no more. */
START_TEST(the_public_side_does_not_depend_on_what_is_withheld)
	{
		struct world world = make(NULL);
		(void)make_both(&world);
		struct gs_strv open = {0}, files = {0};
		each(world.open, keep_repo, &open);
		struct world alone = make(&open);
		struct gs_publish_result result = make_both(&alone);
		ck_assert_int_eq(result.withheld_records, 0);
		list(world.open, "", &files);
		list(world.open, "licenses/", &files);
		for (size_t i = 0; i < files.n; i++) {
			char one[GS_SHA256_HEX], two[GS_SHA256_HEX];
			struct gs_buf a = {0}, b = {0};
			char *x = gs_path_join(world.open, files.v[i]);
			char *y = gs_path_join(alone.open, files.v[i]);
			OK(gs_file_read(x, (size_t)1 << 30, &a, &err));
			OK(gs_file_read(y, (size_t)1 << 30, &b, &err));
			gs_sha256_hex(gs_buf_str(&a), one);
			gs_sha256_hex(gs_buf_str(&b), two);
			bool may_differ =
			    strcmp(files.v[i], "COMMITMENT") == 0 ||
			    strcmp(files.v[i], "SHA256SUMS") == 0;
			ck_assert_msg(may_differ || strcmp(one, two) == 0, "%s",
			    files.v[i]);
			ck_assert_uint_eq(a.n, b.n);
			gs_buf_release(&a);
			gs_buf_release(&b);
			free(x);
			free(y);
		}
		ck_assert_uint_gt(files.n, 13);
		gs_strv_release(&open);
		gs_strv_release(&files);
		drop(&alone);
		drop(&world);
	}

END_TEST

START_TEST(the_same_key_gives_the_same_sides)
	{
		struct world world = make(NULL);
		(void)make_both(&world);
		char *first = read_text(world.open, "SHA256SUMS");
		char *second = read_text(world.closed, "SHA256SUMS");
		struct gs_publish_result result = {0};
		struct gs_publish_options options = options_of(&world);
		options.replace = true;
		publish(world.store, &options, &result);
		char *again = read_text(world.open, "SHA256SUMS");
		char *withheld = read_text(world.closed, "SHA256SUMS");
		ck_assert_str_eq(first, again);
		ck_assert_str_eq(second, withheld);
		free(first);
		free(second);
		free(again);
		free(withheld);
		drop(&world);
	}

END_TEST

/* What is public cannot be withheld. */
START_TEST(another_key_would_withhold_what_is_public)
	{
		struct world world = make(NULL);
		(void)make_both(&world);
		struct gs_publish_result result = {0};
		struct gs_publish_options options = options_of(&world);
		char *before = read_text(world.open, "SHA256SUMS");
		options.replace = true;
		options.hold_out.key =
		    GS_STR("another key of thirty-two bytes.");
		check_fails(gs_publish(world.store, &options, &result, &err),
		    GS_E_USAGE, "what is public cannot be withheld");
		char *after = read_text(world.open, "SHA256SUMS");
		ck_assert_str_eq(before, after);
		/* Elsewhere, without the release before, it is told of. */
		char *folder = gs_path_join(world.workspace, "open2");
		options.folder = folder;
		options.version = "1.0.0";
		publish(world.store, &options, &result);
		ck_assert_int_gt(result.exposed, 0);
		free(folder);
		free(before);
		free(after);
		drop(&world);
	}

END_TEST

START_TEST(what_makes_no_sense_is_refused)
	{
		struct world world = make(NULL);
		struct gs_publish_result result = {0};
		struct gs_publish_options options = options_of(&world);
		options.hold_out.key = GS_STR("short");
		check_fails(gs_publish(world.store, &options, &result, &err),
		    GS_E_USAGE, "at least 32");
		options = options_of(&world);
		char *inside = gs_path_join(world.open, "closed");
		options.hold_out.folder = inside;
		check_fails(gs_publish(world.store, &options, &result, &err),
		    GS_E_USAGE, "neither inside the other");
		options.hold_out.folder = world.open;
		check_fails(gs_publish(world.store, &options, &result, &err),
		    GS_E_USAGE, "folders of their own");
		/* A project without a root would be public unseen. */
		static const struct sample odd = {"odd/odd", "bug", "Fix",
		    "MIT", "LICENSE", 9, 50, false, false};
		add_sample(world.store, &odd);
		options = options_of(&world);
		check_fails(gs_publish(world.store, &options, &result, &err),
		    GS_E_CORRUPT, "no root commit");
		ck_assert(!gs_path_exists(world.closed));
		free(inside);
		drop(&world);
	}

END_TEST

/* Where the second side cannot be placed, the first is taken back. */
START_TEST(both_sides_or_neither)
	{
		char *folder = quick_workspace();
		char *paths[2] = {gs_path_join(folder, "closed"),
		    gs_path_join(folder, "open")};
		struct gs_staging sides[2];
		for (size_t i = 0; i < 2; i++) {
			OK(folder_open(&sides[i], paths[i], false, &err));
			char *licences =
			    gs_path_join(sides[i].path, "licenses");
			OK(gs_dir_make(licences, 0755, &err));
			OK(folder_write(
			    &sides[i], "README.md", GS_STR("x\n"), &err));
			OK(folder_seal(&sides[i], false, &err));
			free(licences);
		}
		OK(folder_place(&sides[0], &err));
		ck_assert(gs_path_exists(paths[0]));
		OK(gs_dir_make(paths[1], 0755, &err)); /* somebody was faster */
		check_fails(
		    folder_place(&sides[1], &err), GS_E_EXISTS, "meanwhile");
		gs_staging_undo(&sides[0]);
		ck_assert(!gs_path_exists(paths[0]));
		for (size_t i = 0; i < 2; i++) {
			gs_staging_release(&sides[i]);
			free(paths[i]);
		}
		OK(gs_tree_remove(folder, &err));
		free(folder);
	}

END_TEST

static size_t lines_of(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* P5: withdrawn.csv of a side names what that side published, nothing of the
 * other, and nothing that was never released. */
START_TEST(each_side_withdraws_its_own)
	{
		struct world world = make(NULL);
		/* Once, before there was a hold-out, all were in one folder. */
		char *all = gs_path_join(world.workspace, "all");
		const struct gs_publish_options plain = {.folder = all};
		struct gs_publish_result first = {0};
		publish(world.store, &plain, &first);
		free(all);
		(void)make_both(&world);
		struct gs_strv open = {0}, closed = {0};
		each(world.open, keep_repo, &open);
		each(world.closed, keep_repo, &closed);
		const struct sample wish = {open.v[0], "feature", "Add", "MIT",
		    "LICENSE", 8, 60, false, false};
		add_sample(world.store, &wish); /* no bug: never released */
		const char *const gone[] = {open.v[0], closed.v[0]};
		for (size_t i = 0; i < 2; i++) {
			struct gs_project project = {0};
			OK(gs_store_project(
			    world.store, gone[i], &project, &err));
			OK(gs_store_exclude(world.store, project.id, "asked",
			    "2026-05-06T00:00:00Z", &err));
			gs_project_release(&project);
		}
		/* Into new folders: what was published, the store knows. */
		char *folders[2] = {gs_path_join(world.workspace, "open2"),
		    gs_path_join(world.workspace, "closed2")};
		struct gs_publish_options options = options_of(&world);
		struct gs_publish_result result = {0};
		options.folder = folders[0];
		options.hold_out.folder = folders[1];
		options.previous = world.open;
		publish(world.store, &options, &result);
		ck_assert_str_eq(result.version, "2.0.0");
		ck_assert_int_eq(result.withdrawn, 1);
		for (size_t i = 0; i < 2; i++) {
			char *csv = read_text(folders[i], "withdrawn.csv");
			ck_assert_uint_eq(lines_of(csv), 2);
			ck_assert_ptr_nonnull(
			    strstr(csv, ",2026-05-06T00:00:00Z,asked\n"));
			free(csv);
			free(folders[i]);
		}
		gs_strv_release(&open);
		gs_strv_release(&closed);
		drop(&world);
	}

END_TEST

GS_TESTS(sides, GS_TEST(every_project_is_on_one_side),
    GS_TEST(no_public_byte_names_anything_withheld),
    GS_TEST(the_public_side_does_not_depend_on_what_is_withheld),
    GS_TEST(the_same_key_gives_the_same_sides),
    GS_TEST(another_key_would_withhold_what_is_public),
    GS_TEST(what_makes_no_sense_is_refused), GS_TEST(both_sides_or_neither),
    GS_TEST(each_side_withdraws_its_own))
