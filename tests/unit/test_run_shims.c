/* SPDX-License-Identifier: Apache-2.0 */
/* The shims do what spec/shims.md says: the vectors that the verifier, which
 * has shims of its own, is tested with too. */
#include <jansson.h>

#include "run_fixture.h"

/* "python 3.11" is gone here when the interpreter is 3.11 or later. */
static bool is_gone(const struct fixture *f, const char *since)
{
	int want[2] = {0}, have[2] = {0};
	char what[16] = "";
	if (sscanf(since, "%15s %d.%d", what, &want[0], &want[1]) != 3)
		return false;
	const char *version = strcmp(what, "python") == 0
	                          ? f->env.python_version
	                          : f->env.pytest_version;
	ck_assert_int_eq(sscanf(version, "%d.%d", &have[0], &have[1]), 2);
	return have[0] != want[0] ? have[0] > want[0] : have[1] >= want[1];
}

static void write_vector(
    struct fixture *f, const char *name, const json_t *vector)
{
	struct gs_buf text = {0};
	size_t i;
	json_t *line;
	gs_buf_addz(&text, "def test_a(request, tmp_path):\n");
	json_array_foreach(json_object_get(vector, "code"), i, line)
	    gs_buf_addf(&text, "    %s\n", json_string_value(line));
	fixture_file(f, name, gs_buf_cstr(&text));
	gs_buf_release(&text);
}

static bool is_about(const json_t *vector, const char *shim)
{
	return strcmp(json_string_value(json_object_get(vector, "shim")),
	           shim) == 0;
}

static const struct row {
	const char *shim;
	unsigned bit;
} rows[] = {
    {"collections", GS_SHIM_COLLECTIONS},  /* O6.1 */
    {"inspect", GS_SHIM_INSPECT},          /* O6.2 */
    {"pytest", GS_SHIM_PYTEST},            /* O6.3 */
    {"stdlib", GS_SHIM_STDLIB},            /* O6.4 */
    {"distribution", GS_SHIM_DISTRIBUTION} /* O6.5 */
};

static void check_all(
    struct fixture *f, const json_t *vectors, const char *shim, bool is_offered)
{
	size_t i;
	json_t *vector;
	json_array_foreach(vectors, i, vector)
	{
		if (!is_about(vector, shim))
			continue;
		char id[64];
		(void)snprintf(id, sizeof(id), "test_%zu.py::test_a", i);
		const char *gone =
		    json_string_value(json_object_get(vector, "gone"));
		bool wanted = is_offered || !*gone;
		if (!wanted && !is_gone(f, gone))
			continue;
		ck_assert_msg(gs_run_passed(&f->run, id) == wanted,
		    "%s, %s: %s %s the shim\n%.2000s", shim,
		    json_string_value(json_object_get(vector, "name")),
		    wanted ? "fails" : "passes",
		    is_offered ? "with" : "without", f->run.log);
	}
}

START_TEST(vectors)
	{
		const char *shim = rows[_i].shim, *path;
		struct fixture f;
		json_t *all =
		    json_load_file("../../spec/vectors/shims.json", 0, NULL);
		json_t *list = json_object_get(all, "vectors"), *one;
		size_t i;
		ck_assert_ptr_nonnull(list);
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		json_object_foreach(json_object_get(all, "tree"), path, one)
		    fixture_file(&f, path, json_string_value(one));
		json_array_foreach(list, i, one)
		{
			char name[32];
			(void)snprintf(name, sizeof(name), "test_%zu.py", i);
			if (is_about(one, shim))
				write_vector(&f, name, one);
		}
		ck_assert_uint_gt(f.files.n, 0);
		f.spec.dist_name = "my-pkg";
		f.spec.dist_version = "1.5";
		fixture_run(&f);
		check_all(&f, list, shim, false);
		f.spec.shims = rows[_i].bit;
		fixture_run(&f);
		check_all(&f, list, shim, true);
		ck_assert_uint_eq(f.run.shims_used.n, 1);
		ck_assert_str_eq(f.run.shims_used.v[0], shim);
		json_decref(all);
		fixture_close(&f);
	}

END_TEST

GS_TESTS(run_shims, GS_TEST_ROWS(vectors, rows))
