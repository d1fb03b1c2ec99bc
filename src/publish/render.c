/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/render.h"

#include <stdarg.h>

void values_set(struct values *values, const char *name, struct gs_str value)
{
	struct gs_str *kept = gs_arena_alloc(&values->arena, sizeof(*kept));
	*kept = gs_arena_str(&values->arena, value);
	*gs_map_at(&values->map, gs_str(name)) = kept;
}

void values_setf(struct values *values, const char *name, const char *fmt, ...)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	va_list args;
	va_start(args, fmt);
	gs_buf_vaddf(&text, fmt, args);
	va_end(args);
	values_set(values, name, gs_buf_str(&text));
}

void values_release(struct values *values)
{
	gs_map_release(&values->map);
	gs_arena_release(&values->arena);
}

static int put_value(const char *what, struct gs_str name,
    const struct values *values, struct gs_buf *out, struct gs_err *err)
{
	const struct gs_str *value = gs_map_get(&values->map, name);
	if (!value)
		return gs_fail(err, GS_E_USAGE,
		    "the template of %s names {{%.*s}}, which nothing sets",
		    what, GS_STR_ARG(name));
	if (gs_str_trim(*value).n == 0)
		return gs_fail(err, GS_E_USAGE,
		    "%s would have nothing at {{%.*s}}", what,
		    GS_STR_ARG(name));
	gs_buf_adds(out, *value);
	return 0;
}

int render(const char *what, struct gs_str template,
    const struct values *values, struct gs_buf *out, struct gs_err *err)
{
	struct gs_str rest = template, line;
	if (gs_str_starts(rest, "{{!"))
		(void)gs_str_cut(&rest, '\n', &line);
	for (;;) {
		ptrdiff_t open = gs_str_find(rest, GS_STR("{{"));
		if (open < 0)
			break;
		gs_buf_adds(out, gs_str_sub(rest, 0, (size_t)open));
		rest = gs_str_from(rest, (size_t)open + 2);
		ptrdiff_t close = gs_str_find(rest, GS_STR("}}"));
		if (close < 0)
			return gs_fail(err, GS_E_USAGE,
			    "the template of %s has {{ without }}", what);
		int rc = put_value(
		    what, gs_str_sub(rest, 0, (size_t)close), values, out, err);
		if (rc)
			return rc;
		rest = gs_str_from(rest, (size_t)close + 2);
	}
	gs_buf_adds(out, rest);
	return out->overflow
	           ? gs_fail(err, GS_E_LIMIT, "%s grows too long", what)
	           : 0;
}
