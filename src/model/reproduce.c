/* SPDX-License-Identifier: Apache-2.0 */
#include "model/reproduce.h"

#include <string.h>

#include "base/mem.h"
#include "model/outcome.h"

/* "tests/test_a.py::C::test_x[1]" and "tests.test_a.C.test_x" as one: dots
 * between all parts, no suffix, no parameters. */
static char *dotted(const char *name)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	struct gs_str rest = gs_str(name);
	ptrdiff_t bracket = gs_str_find_char(rest, '[');
	if (bracket >= 0)
		rest = gs_str_sub(rest, 0, (size_t)bracket);
	if (gs_str_starts(rest, "./"))
		rest = gs_str_from(rest, 2);
	while (rest.n > 0) {
		if (gs_str_starts(rest, ".py::") || gs_str_is(rest, ".py")) {
			rest = gs_str_from(rest, 3);
		} else if (gs_str_starts(rest, "::")) {
			gs_buf_addc(&out, '.');
			rest = gs_str_from(rest, 2);
		} else {
			gs_buf_addc(&out, rest.p[0] == '/' ? '.' : rest.p[0]);
			rest = gs_str_from(rest, 1);
		}
	}
	return gs_strdup(gs_buf_cstr(&out));
}

/* The id is the named test, or lies in the class or file that is named. */
static bool is_named(const char *id, const struct gs_strv *names)
{
	GS_CLEANUP(gs_freep) char *have = dotted(id);
	for (size_t i = 0; i < names->n; i++) {
		size_t n = strlen(names->v[i]);
		if (strncmp(have, names->v[i], n) == 0 &&
		    (have[n] == '\0' || have[n] == '.'))
			return true;
	}
	return names->n == 0;
}

/* The two runs of one look at a candidate. Each environment that was tried,
 * and the screening, is a look of its own: the commit's run comes first. */
struct look {
	struct gs_run after, before;
	bool has_after, has_before;
};

static void look_release(struct look *look)
{
	gs_run_release(&look->after);
	gs_run_release(&look->before);
	*look = (struct look){0};
}

static bool read_run(const json_t *one, struct gs_run *ret)
{
	gs_run_release(ret);
	*ret = (struct gs_run){0};
	if (gs_run_parse(json_object_get(one, "run"), ret, NULL))
		return false;
	gs_run_index(ret);
	return true;
}

/* A run that did not finish gives way to the one that was made again. */
static bool wants_before(const struct look *look)
{
	return look->has_after &&
	       (!look->has_before || look->before.kind != GS_RUN_COMPLETE);
}

static bool shows_flip(const struct look *look, const struct gs_strv *names)
{
	if (!look->has_after || !look->has_before)
		return false;
	for (size_t i = 0; i < look->after.nodes.n; i++) {
		const char *id = look->after.nodes.v[i].id;
		if (is_named(id, names) && gs_run_passed(&look->after, id) &&
		    !gs_run_passed(&look->before, id))
			return true;
	}
	return false;
}

bool gs_runs_reproduce(const json_t *runs, const struct gs_strv *tests)
{
	GS_CLEANUP(look_release) struct look look = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	for (size_t i = 0; i < tests->n; i++) {
		GS_CLEANUP(gs_freep) char *name = dotted(tests->v[i]);
		gs_strv_push(&names, name);
	}
	for (size_t i = 0; i < json_array_size(runs); i++) {
		const json_t *one = json_array_get(runs, i);
		const char *state = gs_json_get_cstr(one, "state");
		if (state && strcmp(state, "commit") == 0) {
			if (shows_flip(&look, &names))
				return true;
			look_release(&look);
			look.has_after = read_run(one, &look.after);
		} else if (state && strcmp(state, "before") == 0 &&
		           wants_before(&look)) {
			look.has_before = read_run(one, &look.before);
		}
	}
	return shows_flip(&look, &names);
}
