/* SPDX-License-Identifier: Apache-2.0 */
/* S1, S3, L1, W5, F168: trees listed, edited and named. */
#include <sys/stat.h>

#include "base/hash.h"
#include "git/listing.h"
#include "git/mirror.h"
#include "git_fixture.h"
#include "gs_test.h"

static struct gs_objects *objects;
static struct gs_tree_cache *cache;

static void start(void)
{
	OK(gs_mirror_update("mirror", "repo", &fx_err));
	OK(gs_objects_open("mirror", &objects, &fx_err));
	cache = gs_tree_cache_new(objects);
}

static void stop(void)
{
	gs_tree_cache_free(cache);
	gs_objects_close(objects);
	fx_end();
}

static struct gs_oid oid(const char *hex)
{
	struct gs_oid id;

	ck_assert(gs_oid_parse(gs_str(hex), &id));
	return id;
}

static void listing_is(const struct gs_listing *listing, const char *expected)
{
	struct gs_buf out = {0};

	for (size_t i = 0; i < listing->n; i++)
		gs_buf_addf(
		    &out, "%o %s\n", listing->v[i].mode, listing->v[i].path.p);
	ck_assert_str_eq(gs_buf_cstr(&out), expected);
	gs_buf_release(&out);
}

START_TEST(reads)
	{
		struct gs_listing listing = {0};
		struct gs_oid id;

		fx_enter();
		GIT(".", "init", "-q", "repo");
		fx_write("repo/a", "1");
		fx_write("repo/a-b", "2");
		fx_write("repo/a.d/x", "3");
		fx_write("repo/a0", "4");
		fx_write("repo/d/e/f", "5");
		fx_write("repo/run", "6");
		ck_assert_int_eq(chmod("repo/run", 0755), 0);
		ck_assert_int_eq(symlink("a", "repo/link"), 0);
		GIT("repo", "update-index", "--add", "--cacheinfo",
		    "160000,1234567890123456789012345678901234567890,sub");
		const char *commit = fx_commit("repo", "all");
		start();
		struct gs_oid tree =
		    oid(GIT("repo", "rev-parse", "HEAD^{tree}"));
		OK(gs_listing_read(cache, &tree, &listing, &fx_err));
		listing_is(&listing,
		    "100644 a\n100644 a-b\n100644 a.d/x\n100644 a0\n"
		    "100644 d/e/f\n120000 link\n100755 run\n");
		gs_listing_tree_id(&listing, &id);
		ck_assert_str_eq(id.hex, tree.hex);
		/* A commit's id does as well; the second time from the cache.
		 */
		struct gs_oid other = oid(commit);
		OK(gs_listing_read(cache, &other, &listing, &fx_err));
		gs_listing_tree_id(&listing, &id);
		ck_assert_str_eq(id.hex, tree.hex);
		ck_assert_str_eq(
		    gs_listing_find(&listing, GS_STR("a.d/x"))->id.hex,
		    GIT("repo", "rev-parse", "HEAD:a.d/x"));
		ck_assert_ptr_null(gs_listing_find(&listing, GS_STR("a.d")));
		ck_assert(gs_listing_has_folder(&listing, GS_STR("a.d")));
		ck_assert(gs_listing_has_folder(&listing, GS_STR("d/e")));
		ck_assert(gs_listing_has_folder(&listing, GS_STR("")));
		ck_assert(!gs_listing_has_folder(&listing, GS_STR("a")));
		ck_assert(!gs_listing_has_folder(&listing, GS_STR("d/e/f")));
		struct gs_oid blob = oid(GIT("repo", "rev-parse", "HEAD:a"));
		/* It is there, and no tree: not a thing to wait for. */
		FAILS(GS_E_CORRUPT,
		    gs_listing_read(cache, &blob, &listing, &fx_err));
		gs_listing_release(&listing);
		stop();
	}

END_TEST

/* L1 */
START_TEST(one_folder)
	{
		struct gs_listing listing = {0};

		fx_enter();
		fx_base();
		fx_write("repo/LICENSES/MIT.txt", "x");
		fx_write("repo/pkg/LICENSE", "y");
		fx_write("repo/pkg/deep/z", "z");
		struct gs_oid commit = oid(fx_commit("repo", "licences"));
		start();
		OK(gs_listing_folder(
		    cache, &commit, GS_STR(""), &listing, &fx_err));
		listing_is(
		    &listing, "40000 LICENSES\n40000 pkg\n40000 tests\n");
		listing.n = 0;
		OK(gs_listing_folder(
		    cache, &commit, GS_STR("pkg"), &listing, &fx_err));
		listing_is(&listing,
		    "100644 pkg/LICENSE\n40000 pkg/deep\n100644 pkg/m.py\n");
		FAILS(
		    GS_E_NOT_FOUND, gs_listing_folder(cache, &commit,
		                        GS_STR("pkg/m.py"), &listing, &fx_err));
		FAILS(GS_E_NOT_FOUND, gs_listing_folder(cache, &commit,
		                          GS_STR("none"), &listing, &fx_err));
		gs_listing_release(&listing);
		stop();
	}

END_TEST

static void put(struct gs_listing *listing, const char *path)
{
	struct gs_entry entry = {.path = gs_str(path),
	    .mode = 0100644,
	    .id = oid("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")};

	gs_listing_put(listing, &entry);
}

/* S1, S3: an entry replaces whatever was at, above or below its path. */
START_TEST(edits)
	{
		struct gs_listing listing = {0}, copy = {0};
		struct gs_oid a, b;

		put(&listing, "d/x");
		put(&listing, "d-e");
		put(&listing, "d/y/z");
		put(&listing, "b");
		put(&listing, "b");
		listing_is(&listing,
		    "100644 b\n100644 d-e\n100644 d/x\n100644 d/y/z\n");
		gs_listing_copy(&copy, &listing);
		put(&copy, "d");
		listing_is(&copy, "100644 b\n100644 d\n100644 d-e\n");
		put(&copy, "d/q/r");
		listing_is(&copy, "100644 b\n100644 d-e\n100644 d/q/r\n");
		gs_listing_drop(&copy, GS_STR("d/q/r"));
		gs_listing_drop(&copy, GS_STR("none"));
		gs_listing_drop(&copy, GS_STR("d"));
		listing_is(&copy, "100644 b\n100644 d-e\n");
		gs_listing_tree_id(&copy, &a);
		gs_listing_tree_id(&listing, &b);
		ck_assert_str_ne(a.hex, b.hex);
		put(&copy, "d/y/z");
		put(&copy, "d/x");
		gs_listing_tree_id(&copy, &a);
		ck_assert_str_eq(a.hex, b.hex);
		gs_listing_put(&copy, &copy.v[0]);
		gs_listing_tree_id(&copy, &a);
		ck_assert_str_eq(a.hex, b.hex);
		gs_listing_copy(&copy, &(struct gs_listing){0});
		gs_listing_tree_id(&copy, &a);
		ck_assert_str_eq(
		    a.hex, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
		gs_listing_release(&listing);
		gs_listing_release(&copy);
	}

END_TEST

static void entry(
    struct gs_buf *tree, const char *mode_and_name, const char *hex)
{
	unsigned char id[20];

	ck_assert(gs_unhex(gs_str(hex), id, sizeof(id)));
	gs_buf_addz(tree, mode_and_name);
	gs_buf_addc(tree, '\0');
	gs_buf_add(tree, id, sizeof(id));
}

static struct gs_oid tree_object(struct gs_buf *tree)
{
	struct gs_oid id = oid(fx_object("repo", "tree", gs_buf_str(tree)));

	gs_buf_release(tree);
	return id;
}

#define EMPTY_BLOB "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
#define EMPTY_TREE "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

/* F168: ten to the eighth files, or folders, of a few objects. */
START_TEST(bombs)
	{
		struct gs_listing listing = {0};
		const char *leaves[] = {"100644", "40000"};

		fx_enter();
		GIT(".", "init", "-q", "repo");
		(void)fx_object("repo", "blob", GS_STR(""));
		(void)fx_object("repo", "tree", (struct gs_str){"", 0});
		start();
		for (int kind = 0; kind < 2; kind++) {
			struct gs_oid id =
			    oid(kind == 0 ? EMPTY_BLOB : EMPTY_TREE);

			for (int level = 0; level < 8; level++) {
				struct gs_buf tree = {0};

				for (int i = 0; i < 10; i++) {
					GS_CLEANUP(gs_freep)
					char *name = gs_format("%s %d",
					    level == 0 ? leaves[kind] : "40000",
					    i);

					entry(&tree, name, id.hex);
				}
				id = tree_object(&tree);
			}
			FAILS(GS_E_LIMIT,
			    gs_listing_read(cache, &id, &listing, &fx_err));
		}
		/* Depth. */
		struct gs_oid id = oid(EMPTY_TREE);
		for (int level = 0; level < GS_MAX_TREE_DEPTH + 2; level++) {
			struct gs_buf tree = {0};

			entry(&tree, "40000 d", id.hex);
			id = tree_object(&tree);
		}
		FAILS(
		    GS_E_LIMIT, gs_listing_read(cache, &id, &listing, &fx_err));
		gs_listing_release(&listing);
		stop();
	}

END_TEST

START_TEST(hostile_trees)
	{
		struct gs_listing listing = {0};
		struct gs_buf tree = {0};
		struct gs_oid id;

		fx_enter();
		GIT(".", "init", "-q", "repo");
		(void)fx_object("repo", "blob", GS_STR(""));
		start();
		/* One name twice, as a file and as a folder that git sorts
		 * apart. */
		entry(&tree, "100644 x", EMPTY_BLOB);
		struct gs_oid sub = tree_object(&tree);
		entry(&tree, "100644 a", EMPTY_BLOB);
		entry(&tree, "100644 a-b", EMPTY_BLOB);
		entry(&tree, "40000 a", sub.hex);
		id = tree_object(&tree);
		FAILS(GS_E_CORRUPT,
		    gs_listing_read(cache, &id, &listing, &fx_err));
		/* Unsorted is only untidy. */
		entry(&tree, "100644 b", EMPTY_BLOB);
		entry(&tree, "100664 a", EMPTY_BLOB);
		id = tree_object(&tree);
		OK(gs_listing_read(cache, &id, &listing, &fx_err));
		listing_is(&listing, "100644 a\n100644 b\n");
		gs_buf_addz(&tree, "100644 a");
		id = tree_object(&tree);
		FAILS(GS_E_CORRUPT,
		    gs_listing_read(cache, &id, &listing, &fx_err));
		id = oid("1234567890123456789012345678901234567890");
		FAILS(GS_E_NOT_FOUND,
		    gs_listing_read(cache, &id, &listing, &fx_err));
		gs_listing_release(&listing);
		stop();
	}

END_TEST

/* The reader of objects by itself. */
START_TEST(object_reader)
	{
		struct gs_object_info info;
		struct gs_buf bytes = {0};
		char *big = gs_alloc(3 * GS_MIB);

		fx_enter();
		fx_base();
		memset(big, 'x', 3 * GS_MIB);
		const char *id =
		    fx_object("repo", "blob", gs_str_n(big, 3 * GS_MIB));
		start();
		OK(gs_objects_info(objects, "HEAD:pkg/m.py", &info, &fx_err));
		ck_assert_int_eq(info.type, GS_OBJECT_BLOB);
		ck_assert_uint_eq(info.size, 22);
		OK(gs_objects_read(
		    objects, "HEAD:pkg/m.py", 22, &bytes, &fx_err));
		ck_assert_str_eq(
		    gs_buf_cstr(&bytes), "def f():\n    return 2\n");
		FAILS(GS_E_LIMIT, gs_objects_read(objects, "HEAD:pkg/m.py", 21,
		                      &bytes, &fx_err));
		FAILS(GS_E_LIMIT,
		    gs_objects_read(objects, id, GS_MIB, &bytes, &fx_err));
		FAILS(GS_E_USAGE,
		    gs_objects_info(objects, "a\nb", &info, &fx_err));
		FAILS(GS_E_USAGE, gs_objects_info(objects, "", &info, &fx_err));
		FAILS(GS_E_NOT_FOUND,
		    gs_objects_info(objects, "x commit 5", &info, &fx_err));
		FAILS(GS_E_NOT_FOUND,
		    gs_objects_info(objects, "HEAD:none", &info, &fx_err));
		gs_buf_reset(&bytes);
		OK(gs_objects_read(objects, id, 3 * GS_MIB, &bytes, &fx_err));
		ck_assert_uint_eq(bytes.n, 3 * GS_MIB);
		/* A buffer too small: the reader goes on with the next object.
		 */
		gs_buf_release(&bytes);
		bytes.max = 1000;
		FAILS(GS_E_LIMIT,
		    gs_objects_read(objects, id, 3 * GS_MIB, &bytes, &fx_err));
		bytes.max = 0;
		gs_buf_release(&bytes);
		/* A broken object ends one git and not the reader. */
		GS_CLEANUP(gs_freep)
		char *path = gs_format("repo/.git/objects/%.2s/%s", id, id + 2);
		ck_assert_int_eq(chmod(path, 0644), 0);
		ck_assert_int_eq(truncate(path, 1000), 0);
		ck_assert_int_ne(
		    gs_objects_read(objects, id, 3 * GS_MIB, &bytes, &fx_err),
		    0);
		gs_buf_reset(&bytes);
		OK(gs_objects_read(
		    objects, "HEAD:pkg/m.py", 22, &bytes, &fx_err));
		ck_assert_uint_eq(bytes.n, 22);
		gs_buf_release(&bytes);
		free(big);
		stop();
	}

END_TEST

GS_TESTS(git_listing, GS_TEST(reads), GS_TEST(one_folder), GS_TEST(edits),
    GS_TEST(bombs), GS_TEST(hostile_trees), GS_TEST(object_reader))
