/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/extract.h"

#include <string.h>

#include "base/mem.h"

/* "   ```python" → how many of which character; 0: no fence. */
static size_t fence_of(struct gs_str line, char *ret_char)
{
	size_t spaces = 0, n = 0;
	while (spaces < line.n && line.p[spaces] == ' ')
		spaces++;
	line = gs_str_from(line, spaces);
	if (spaces > 3 || !line.n || (line.p[0] != '`' && line.p[0] != '~'))
		return 0;
	while (n < line.n && line.p[n] == line.p[0])
		n++;
	*ret_char = line.p[0];
	return n >= 3 ? n : 0;
}

static bool closes(struct gs_str line, size_t n, char c)
{
	char other = 0;
	size_t m = fence_of(line, &other);
	struct gs_str bare = gs_str_trim(line);
	return m >= n && other == c && bare.n == m;
}

/* Takes the next fenced block off the front of *text. */
static bool next_block(struct gs_str *text, struct gs_str *ret)
{
	struct gs_str line;
	char c = 0;
	size_t n = 0;
	while (text->n && n == 0 && gs_str_cut(text, '\n', &line))
		n = fence_of(line, &c);
	if (n == 0)
		return false;
	const char *start = text->p;
	size_t size = 0;
	while (text->n && gs_str_cut(text, '\n', &line)) {
		if (closes(line, n, c)) {
			*ret = gs_str_n(start, size);
			return true;
		}
		size = (size_t)(line.p + line.n - start);
		size += text->n || line.p[line.n] == '\n' ? 1 : 0;
	}
	*ret = gs_str_n(start, size);
	return true;
}

static bool defines(struct gs_str block, struct gs_str name)
{
	GS_CLEANUP(gs_freep)
	char *def = gs_format("def %.*s", GS_STR_ARG(name));
	struct gs_str head = gs_str(def);
	for (;;) {
		ptrdiff_t at = gs_str_find(block, head);
		if (at < 0)
			return false;
		block = gs_str_from(block, (size_t)at + head.n);
		if (block.n && (block.p[0] == '(' || block.p[0] == '[' ||
		                   block.p[0] == ' '))
			return true;
	}
}

static struct gs_str choose(const struct gs_task *task, struct gs_str said)
{
	struct gs_str rest = said, block, longest = {0};
	struct gs_str name = gs_str(task->record.unit);
	ptrdiff_t dot = gs_str_rfind_char(name, '.');
	bool is_any = false;
	name = gs_str_from(name, (size_t)(dot + 1));
	while (next_block(&rest, &block)) {
		if (gs_task_is_function(task) && defines(block, name))
			return block;
		if (!is_any || block.n > longest.n)
			longest = block;
		is_any = true;
	}
	return is_any ? longest : said;
}

static size_t indent_of(struct gs_str line)
{
	size_t n = 0;
	while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
		n++;
	return n;
}

/* White space that all lines with something on them begin with. */
static struct gs_str shared_indent(struct gs_str text)
{
	struct gs_str line, shared = {0};
	bool is_first = true;
	while (text.n && gs_str_cut(&text, '\n', &line)) {
		if (gs_str_trim(line).n == 0)
			continue;
		struct gs_str indent = gs_str_sub(line, 0, indent_of(line));
		if (is_first)
			shared = indent;
		is_first = false;
		size_t n = 0;
		while (
		    n < shared.n && n < indent.n && shared.p[n] == indent.p[n])
			n++;
		shared.n = n;
	}
	return shared;
}

void gs_extract_code(
    const struct gs_task *task, struct gs_str said, struct gs_buf *ret)
{
	struct gs_str code = choose(task, said), line;
	if (gs_str_trim(code).n == 0)
		return;
	struct gs_str want = shared_indent(gs_str(task->record.source_before));
	struct gs_str have = shared_indent(code);
	if (!gs_task_is_function(task) || gs_str_eq(want, have)) {
		gs_buf_adds(ret, code);
	} else {
		while (code.n && gs_str_cut(&code, '\n', &line)) {
			if (gs_str_trim(line).n > 0) {
				gs_buf_adds(ret, want);
				gs_buf_adds(ret, gs_str_from(line, have.n));
			}
			gs_buf_addc(ret, '\n');
		}
	}
	if (ret->n && ret->p[ret->n - 1] != '\n')
		gs_buf_addc(ret, '\n');
}
