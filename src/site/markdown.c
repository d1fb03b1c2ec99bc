/* SPDX-License-Identifier: Apache-2.0 */
#include "site/markdown.h"

#include <ctype.h>
#include <string.h>

#include "site/page.h"

/* What the block under way is. */
enum block {
	BLOCK_NONE,
	BLOCK_PARAGRAPH,
	BLOCK_LIST,
	BLOCK_NUMBERED,
	BLOCK_TABLE,
	BLOCK_CODE,
};

struct state {
	struct html *html;
	enum block block;
	bool in_item;
	bool header_done; /* of a table */
};

static const struct {
	const char *name;
	char c;
} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&#64;", '@'},
    {"&#58;", ':'}};

/* One character of text at the front, escapes undone; 0 when it is not one
 * that is spelled specially. */
static size_t special(struct gs_str text, char *ret)
{
	if (text.n > 1 && text.p[0] == '\\' &&
	    ispunct((unsigned char)text.p[1])) {
		*ret = text.p[1];
		return 2;
	}
	for (size_t i = 0; i < GS_COUNT(entities); i++)
		if (gs_str_starts(text, entities[i].name)) {
			*ret = entities[i].c;
			return strlen(entities[i].name);
		}
	return 0;
}

static void flush(struct html *html, struct gs_buf *plain)
{
	html_text(html, gs_buf_str(plain));
	gs_buf_reset(plain);
}

/* Pages of ours where there is one, else the file of the release. */
static void put_url(struct html *html, struct gs_str url)
{
	static const char *const pages[][2] = {
	    {"DATASHEET.md", "datasheet.html"},
	    {"CHANGELOG.md", "changes.html"},
	    {"ATTRIBUTION.md", "attribution.html"},
	    {"README.md", "index.html"},
	};
	for (size_t i = 0; i < GS_COUNT(pages); i++)
		if (gs_str_is(url, pages[i][0])) {
			PUT(html, "<a href=\"%\">", Z(pages[i][1]));
			return;
		}
	PUT(html, "<a href=\"data/%\">", url);
}

static bool is_relative(struct gs_str url)
{
	for (size_t i = 0; i < url.n; i++)
		if (!isalnum((unsigned char)url.p[i]) &&
		    !strchr("._-/+", url.p[i]))
			return false;
	return url.n > 0 && url.p[0] != '/' && url.p[0] != '.' &&
	       !gs_str_contains(url, GS_STR(".."));
}

static void put_inline(struct html *html, struct gs_str text);

/* "[text](url)": how long it is, 0 when it is none. */
static size_t put_link(struct html *html, struct gs_str text)
{
	ptrdiff_t middle = gs_str_find(text, GS_STR("]("));
	if (text.p[0] != '[' || middle < 0)
		return 0;
	struct gs_str label = gs_str_sub(text, 1, (size_t)middle);
	struct gs_str rest = gs_str_from(text, (size_t)middle + 2);
	ptrdiff_t end = gs_str_find_char(rest, ')');
	/* No link stands in a link. */
	if (end < 0 || gs_str_find_char(label, '[') >= 0)
		return 0;
	struct gs_str url = gs_str_sub(rest, 0, (size_t)end);
	if (gs_str_starts(url, "https://")) {
		GS_CLEANUP(gs_buf_release) struct gs_buf plain = {0};
		for (size_t i = 0; i < label.n; i++) {
			char c;
			size_t n = special(gs_str_from(label, i), &c);
			gs_buf_addc(&plain, n ? c : label.p[i]);
			i += n ? n - 1 : 0;
		}
		page_link(html, gs_buf_str(&plain), url);
	} else if (is_relative(url)) {
		put_url(html, url);
		put_inline(html, label);
		RAW(html, "</a>");
	} else {
		put_inline(html, label);
	}
	return (size_t)middle + 2 + (size_t)end + 1;
}

/* `code`, **bold** and *italic*: how long, 0 when it is none. */
static size_t put_span(struct html *html, struct gs_str text)
{
	static const struct {
		const char *mark;
		struct markup open, close;
	} spans[] = {
	    {"`", {"<code>", 6}, {"</code>", 7}},
	    {"**", {"<strong>", 8}, {"</strong>", 9}},
	    {"*", {"<em>", 4}, {"</em>", 5}},
	};

	for (size_t i = 0; i < GS_COUNT(spans); i++) {
		struct gs_str mark = gs_str(spans[i].mark);
		if (!gs_str_starts(text, spans[i].mark))
			continue;
		ptrdiff_t end = gs_str_find(gs_str_from(text, mark.n), mark);
		if (end <= 0)
			return 0;
		struct gs_str inside =
		    gs_str_sub(text, mark.n, mark.n + (size_t)end);
		html_raw(html, spans[i].open);
		if (i == 0)
			html_text(html, inside);
		else
			put_inline(html, inside);
		html_raw(html, spans[i].close);
		return 2 * mark.n + (size_t)end;
	}
	return 0;
}

/* Nesting is as deep as a line has marks in pairs that shrink: each call is
 * given less than its caller. */
static void put_inline(struct html *html, struct gs_str text)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf plain = {0};
	while (text.n > 0) {
		char c;
		size_t n = special(text, &c);
		if (n > 0) {
			gs_buf_addc(&plain, c);
		} else if (strchr("[`*", text.p[0]) && text.p[0]) {
			flush(html, &plain);
			n = text.p[0] == '[' ? put_link(html, text)
			                     : put_span(html, text);
		}
		if (n == 0) {
			gs_buf_addc(&plain, text.p[0]);
			n = 1;
		}
		text = gs_str_from(text, n);
	}
	flush(html, &plain);
}

static void end_item(struct state *state)
{
	if (state->in_item)
		RAW(state->html, "</li>\n");
	state->in_item = false;
}

static void end_block(struct state *state)
{
	end_item(state);
	switch (state->block) {
	case BLOCK_NONE:
		break;
	case BLOCK_PARAGRAPH:
		RAW(state->html, "</p>\n");
		break;
	case BLOCK_LIST:
		RAW(state->html, "</ul>\n");
		break;
	case BLOCK_NUMBERED:
		RAW(state->html, "</ol>\n");
		break;
	case BLOCK_TABLE:
		RAW(state->html, "</tbody></table></div>\n");
		break;
	case BLOCK_CODE:
		RAW(state->html, "</code></pre>\n");
		break;
	}
	state->block = BLOCK_NONE;
}

static void begin(struct state *state, enum block block, struct markup open)
{
	if (state->block == block)
		return;
	end_block(state);
	html_raw(state->html, open);
	state->block = block;
	state->header_done = false;
}

static void put_heading(struct state *state, struct gs_str line)
{
	size_t level = 0;
	while (level < line.n && line.p[level] == '#')
		level++;
	struct gs_str text = gs_str_trim(gs_str_from(line, level));
	end_block(state);
	html_raw(state->html, level <= 1   ? HTML("<h1>")
	                      : level == 2 ? HTML("<h2>")
	                                   : HTML("<h3>"));
	put_inline(state->html, text);
	html_raw(state->html, level <= 1   ? HTML("</h1>\n")
	                      : level == 2 ? HTML("</h2>\n")
	                                   : HTML("</h3>\n"));
}

/* The next cell off the front; "\|" is no border. */
static bool cut_cell(struct gs_str *row, struct gs_str *ret)
{
	size_t i = 0;
	if (row->n == 0)
		return false;
	while (i < row->n && row->p[i] != '|')
		i += row->p[i] == '\\' && i + 1 < row->n ? 2 : 1;
	*ret = gs_str_trim(gs_str_sub(*row, 0, i));
	*row = gs_str_from(*row, i < row->n ? i + 1 : i);
	return true;
}

static bool is_rule(struct gs_str line)
{
	for (size_t i = 0; i < line.n; i++)
		if (!strchr("|-: ", line.p[i]))
			return false;
	return gs_str_contains(line, GS_STR("--"));
}

static void put_table_row(struct state *state, struct gs_str line)
{
	struct html *html = state->html;
	begin(state, BLOCK_TABLE,
	    HTML("<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	         "aria-label=\"Table\"><table><thead>"));
	if (is_rule(line))
		return;
	struct gs_str row = gs_str_trim(line), cell;
	row = gs_str_from(row, 1);
	if (gs_str_ends(row, "|"))
		row.n--;
	bool head = !state->header_done;
	RAW(html, "<tr>");
	while (cut_cell(&row, &cell)) {
		html_raw(
		    html, head ? HTML("<th scope=\"col\">") : HTML("<td>"));
		put_inline(html, cell);
		html_raw(html, head ? HTML("</th>") : HTML("</td>"));
	}
	html_raw(html, head ? HTML("</tr></thead><tbody>\n") : HTML("</tr>\n"));
	state->header_done = true;
}

/* "- " or "1. ": how long the mark is. */
static size_t bullet(struct gs_str line, bool *ret_numbered)
{
	size_t i = 0;
	*ret_numbered = false;
	if (gs_str_starts(line, "- ") || gs_str_starts(line, "* "))
		return 2;
	while (i < line.n && isdigit((unsigned char)line.p[i]))
		i++;
	*ret_numbered = i > 0;
	return i > 0 && gs_str_starts(gs_str_from(line, i), ". ") ? i + 2 : 0;
}

static void put_line(struct state *state, struct gs_str line)
{
	struct gs_str text = gs_str_trim(line);
	bool numbered;
	size_t mark = bullet(text, &numbered);
	if (text.n == 0) {
		end_block(state);
	} else if (text.p[0] == '#') {
		put_heading(state, text);
	} else if (text.p[0] == '|') {
		put_table_row(state, text);
	} else if (mark > 0) {
		begin(state, numbered ? BLOCK_NUMBERED : BLOCK_LIST,
		    numbered ? HTML("<ol>\n") : HTML("<ul>\n"));
		end_item(state);
		RAW(state->html, "<li>");
		state->in_item = true;
		put_inline(state->html, gs_str_from(text, mark));
	} else if (state->in_item) {
		RAW(state->html, "\n");
		put_inline(state->html, text);
	} else {
		begin(state, BLOCK_PARAGRAPH, HTML("<p>"));
		put_inline(state->html, text);
		RAW(state->html, "\n");
	}
}

void markdown(struct html *html, struct gs_str text)
{
	struct state state = {.html = html};
	struct gs_str line;
	while (gs_str_cut(&text, '\n', &line)) {
		if (gs_str_starts(line, "```")) {
			bool ends = state.block == BLOCK_CODE;
			end_block(&state);
			if (!ends)
				begin(&state, BLOCK_CODE,
				    HTML("<pre tabindex=\"0\"><code>"));
		} else if (state.block == BLOCK_CODE) {
			html_lines(html, line);
			RAW(html, "\n");
		} else {
			put_line(&state, line);
		}
	}
	end_block(&state);
}
