/* SPDX-License-Identifier: Apache-2.0 */
#include "site/code.h"

#include <string.h>

#include "base/vec.h"
#include "model/diff.h"
#include "py/classes.h"
#include "site/words.h"

#define CONTEXT 3
#define MIN_FOLD 3
/* What no page needs to hold: the release has it all. A text of more lines
 * than WHOLE comes with MARGIN of them on either side of a change. */
#define WHOLE 200
#define MARGIN 40
#define MAX_LINE ((size_t)2000)
#define MAX_HIGHLIGHT ((size_t)256 << 10)

enum nearness {
	NEAR,   /* shown with the change */
	FAR,    /* shown when asked for */
	BEYOND, /* not on the page */
};

/* One of the two texts, with what is known of its bytes; positions only grow
 * while lines are written. */
struct text {
	struct gs_str all;
	struct gs_token_spans spans;
	size_t next_span;
	size_t line; /* number of the next one, from 1 */
};

struct listing {
	struct html *html;
	struct text before, after;
	struct stretches removed, added; /* in bytes of the texts */
	size_t next_removed, next_added;
};

/* Class names are one letter: a page has thousands of them. */
static struct markup class_open(enum gs_token_class class)
{
	switch (class) {
	case GS_TOKEN_KEYWORD:
		return HTML("<b class=\"k\">");
	case GS_TOKEN_STRING:
		return HTML("<b class=\"s\">");
	case GS_TOKEN_NUMBER:
		return HTML("<b class=\"n\">");
	case GS_TOKEN_COMMENT:
		return HTML("<b class=\"c\">");
	case GS_TOKEN_DEFINED:
		return HTML("<b class=\"d\">");
	case GS_TOKEN_CALLED:
		return HTML("<b class=\"f\">");
	case GS_TOKEN_DECORATOR:
		break;
	}
	return HTML("<b class=\"a\">");
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Bytes [start, end) of a text, highlighted. */
static void put_tokens(
    struct html *html, struct text *text, size_t start, size_t end)
{
	while (start < end) {
		while (text->next_span < text->spans.n &&
		       text->spans.v[text->next_span].end <= start)
			text->next_span++;
		const struct gs_token_span *span =
		    text->next_span < text->spans.n
		        ? &text->spans.v[text->next_span]
		        : NULL;
		bool inside = span && span->start <= start;
		size_t to = !span    ? end
		            : inside ? least(span->end, end)
		                     : least(span->start, end);
		if (inside)
			html_raw(html, class_open(span->class));
		html_lines(html, gs_str_sub(text->all, start, to));
		if (inside)
			RAW(html, "</b>");
		start = to;
	}
}

/* The same with words marked. */
static void put_marked(struct html *html, struct text *text,
    const struct stretches *marks, size_t *next, size_t start, size_t end)
{
	while (start < end) {
		while (*next < marks->n && marks->v[*next].end <= start)
			++*next;
		const struct stretch *mark =
		    *next < marks->n ? &marks->v[*next] : NULL;
		bool inside = mark && mark->start <= start;
		size_t to = !mark    ? end
		            : inside ? least(mark->end, end)
		                     : least(mark->start, end);
		if (inside)
			RAW(html, "<mark>");
		put_tokens(html, text, start, to);
		if (inside)
			RAW(html, "</mark>");
		start = to;
	}
}

static void put_line(
    struct listing *listing, const struct gs_diff_line *line, bool is_far)
{
	struct html *html = listing->html;
	bool old = line->op != GS_DIFF_ADDED, new = line->op != GS_DIFF_REMOVED;
	struct text *text = new ? &listing->after : &listing->before;
	size_t start = (size_t)(line->text.p - text->all.p);
	bool ends = gs_str_ends(line->text, "\n");
	size_t n = line->text.n - ends;
	size_t shown = least(n, MAX_LINE);
	while (shown < n && shown > 0 && (line->text.p[shown] & 0xc0) == 0x80)
		shown--;
	html_raw(html, old && new ? is_far ? HTML("<div class=\"l far\"")
	                                   : HTML("<div class=\"l\"")
	               : new ? HTML("<ins class=\"l\"")
	                          : HTML("<del class=\"l\""));
	if (old)
		gs_buf_addf(
		    &html->buf, " data-o=\"%zu\"", listing->before.line++);
	if (new)
		gs_buf_addf(
		    &html->buf, " data-n=\"%zu\"", listing->after.line++);
	RAW(html, ">");
	if (old && new)
		put_tokens(html, text, start, start + shown);
	else if (new)
		put_marked(html, text, &listing->added, &listing->next_added,
		    start, start + shown);
	else
		put_marked(html, text, &listing->removed,
		    &listing->next_removed, start, start + shown);
	if (shown < n)
		PUT(html, "<i class=\"cut\">… % more bytes</i>",
		    N((int64_t)(n - shown)));
	if (!ends)
		RAW(html, "<i class=\"cut\">no line break at the end</i>");
	html_raw(html, old && new ? HTML("</div>\n")
	               : new      ? HTML("</ins>\n")
	                          : HTML("</del>\n"));
}

/* The end of the lines from i on that have the same operation. */
static size_t run_end(const struct gs_diff *diff, size_t i, enum gs_diff_op op)
{
	while (i < diff->n && diff->v[i].op == op)
		i++;
	return i;
}

static struct gs_str run_text(
    const struct gs_diff *diff, size_t from, size_t to)
{
	const char *p = diff->v[from].text.p;
	const struct gs_str last = diff->v[to - 1].text;
	return gs_str_n(p, (size_t)(last.p + last.n - p));
}

/* Whether all of a line but its blanks is in the stretches from `i` on. */
static bool covers(const struct stretches *marks, size_t i, struct gs_str text,
    size_t start, size_t end)
{
	for (size_t at = start; at < end; at++) {
		if (strchr(" \t\r", text.p[at]))
			continue;
		while (i < marks->n && marks->v[i].end <= at)
			i++;
		if (i == marks->n || marks->v[i].start > at)
			return false;
	}
	return true;
}

/* Cut at the ends of lines, without those of lines that are new as a whole:
 * their colour says so. `by` is added to all. */
static void take_parts(struct stretches *to, const struct stretches *from,
    struct gs_str text, size_t by)
{
	size_t i = 0, end;
	for (size_t start = 0; start < text.n; start = end + 1) {
		const char *stop = memchr(text.p + start, '\n', text.n - start);
		end = stop ? (size_t)(stop - text.p) : text.n;
		while (i < from->n && from->v[i].end <= start)
			i++;
		if (covers(from, i, text, start, end))
			continue;
		for (size_t k = i; k < from->n && from->v[k].start < end; k++) {
			struct stretch *part = GS_VEC_ADD(to);
			*part = (struct stretch){
			    by + (from->v[k].start > start ? from->v[k].start
			                                   : start),
			    by + least(from->v[k].end, end)};
		}
	}
}

/* Where removed lines are followed by added ones, by their words. */
static void mark_words(struct listing *listing, const struct gs_diff *diff)
{
	for (size_t i = 0; i < diff->n;) {
		size_t middle = run_end(diff, i, GS_DIFF_REMOVED);
		size_t end = run_end(diff, middle, GS_DIFF_ADDED);
		if (middle > i && end > middle) {
			struct gs_str old = run_text(diff, i, middle);
			struct gs_str new = run_text(diff, middle, end);
			GS_CLEANUP(stretches_release)
			struct stretches removed, added;
			words_differ(old, new, &removed, &added);
			take_parts(&listing->removed, &removed, old,
			    (size_t)(old.p - listing->before.all.p));
			take_parts(&listing->added, &added, new,
			    (size_t)(new.p - listing->after.all.p));
		}
		i = end > i ? end : i + 1;
	}
}

/* A fold that hides hardly more than the line which says so is none. */
static void unfold_short(enum nearness *near, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && near[end] == near[i];)
			end++;
		for (size_t k = i; end - i < MIN_FOLD && k < end; k++)
			near[k] = NEAR;
	}
}

static enum nearness at_distance(size_t lines, bool is_long)
{
	return lines <= CONTEXT              ? NEAR
	       : lines <= MARGIN || !is_long ? FAR
	                                     : BEYOND;
}

/* For each line how near it is to any change. */
static enum nearness *measure(const struct gs_diff *diff)
{
	bool is_long = diff->n > WHOLE;
	enum nearness *near = gs_alloc((diff->n + 1) * sizeof(*near));
	size_t since = diff->n;
	for (size_t i = 0; i < diff->n; i++) {
		since = diff->v[i].op == GS_DIFF_SAME ? since + 1 : 0;
		near[i] = at_distance(since, is_long);
	}
	since = diff->n;
	for (size_t i = diff->n; i-- > 0;) {
		since = diff->v[i].op == GS_DIFF_SAME ? since + 1 : 0;
		enum nearness other = at_distance(since, is_long);
		if (other < near[i])
			near[i] = other;
	}
	unfold_short(near, diff->n);
	return near;
}

/* Before the first line of a stretch that is not near: how many they are. */
static void put_fold(
    struct html *html, const enum nearness *near, size_t i, size_t n)
{
	size_t end = i;
	while (end < n && near[end] != NEAR)
		end++;
	RAW(html, "<div class=\"fold\">");
	html_count(html, (int64_t)(end - i), HTML("unchanged line"));
	RAW(html, "</div>\n");
}

/* Lines that are not on the page; returns the first behind them. */
static size_t pass_over(
    struct listing *listing, const enum nearness *near, size_t i, size_t n)
{
	size_t from = i;
	while (i < n && near[i] == BEYOND)
		i++;
	listing->before.line += i - from;
	listing->after.line += i - from;
	RAW(listing->html, "<div class=\"far note\">");
	html_count(
	    listing->html, (int64_t)(i - from), HTML("more unchanged line"));
	RAW(listing->html, ", which the release holds</div>\n");
	return i;
}

static void put_lines(struct listing *listing, const struct gs_diff *diff,
    const enum nearness *near)
{
	for (size_t i = 0; i < diff->n;) {
		if (near[i] != NEAR && (i == 0 || near[i - 1] == NEAR))
			put_fold(listing->html, near, i, diff->n);
		if (near[i] == BEYOND) {
			i = pass_over(listing, near, i, diff->n);
			continue;
		}
		put_line(listing, &diff->v[i], near[i] == FAR);
		i++;
	}
}

static void put_views(struct html *html)
{
	RAW(html,
	    "<fieldset class=\"views\"><legend>Show</legend>"
	    "<label><input type=\"radio\" name=\"view\" id=\"v-change\" "
	    "checked> Change</label>"
	    "<label><input type=\"radio\" name=\"view\" id=\"v-before\"> "
	    "Before</label>"
	    "<label><input type=\"radio\" name=\"view\" id=\"v-after\"> "
	    "After</label>"
	    "<label class=\"whole\"><input type=\"checkbox\" id=\"v-whole\"> "
	    "Unchanged lines too</label></fieldset>\n");
}

/* A line that begins a unit, at any indentation: a good place to begin and
 * end reading a part of a file. */
static bool begins_unit(struct gs_str line)
{
	struct gs_str text = gs_str_trim(line);
	return gs_str_starts(text, "def ") || gs_str_starts(text, "class ") ||
	       gs_str_starts(text, "async def ");
}

/* Classes of bytes [start, end) of the text, read by itself. */
static void classify_part(struct text *text, size_t start, size_t end)
{
	struct gs_token_spans part;
	gs_token_classes(gs_str_sub(text->all, start, end), &part);
	for (size_t i = 0; i < part.n; i++) {
		struct gs_token_span *span = GS_VEC_ADD(&text->spans);
		*span = part.v[i];
		span->start += start;
		span->end += start;
	}
	gs_token_spans_release(&part);
}

/* Whether a line is one of this text, and which are to be coloured: of the
 * text before only what was removed stands on the page. */
static bool is_of(const struct gs_diff_line *line, bool before)
{
	return line->op != (before ? GS_DIFF_ADDED : GS_DIFF_REMOVED);
}

static bool is_wanted(
    const struct gs_diff_line *line, enum nearness near, bool before)
{
	return before ? line->op == GS_DIFF_REMOVED : near != BEYOND;
}

/* The units around the wanted lines are read, which costs less than to read
 * all of a long file. */
static void classify(struct text *text, const struct gs_diff *diff,
    const enum nearness *near, bool before)
{
	size_t begin = 0, at = 0; /* of the unit, of the line */
	bool wanted = false;
	if (text->all.n > MAX_HIGHLIGHT)
		return;
	for (size_t i = 0; i < diff->n; i++) {
		const struct gs_diff_line *line = &diff->v[i];
		if (!is_of(line, before))
			continue;
		bool wants = is_wanted(line, near[i], before);
		if (begins_unit(line->text) && !(wanted && wants)) {
			if (wanted)
				classify_part(text, begin, at);
			begin = at;
			wanted = false;
		}
		wanted |= wants;
		at += line->text.n;
	}
	if (wanted)
		classify_part(text, begin, at);
}

void code_change(struct html *html, struct gs_str label, struct gs_str before,
    struct gs_str after)
{
	struct listing listing = {.html = html};
	struct gs_diff diff = {0};
	gs_diff(before, after, &diff);
	listing.before = (struct text){.all = before, .line = 1};
	listing.after = (struct text){.all = after, .line = 1};
	GS_CLEANUP(gs_freep) enum nearness *near = measure(&diff);
	classify(&listing.before, &diff, near, true);
	classify(&listing.after, &diff, near, false);
	mark_words(&listing, &diff);
	put_views(html);
	PUT(html,
	    "<div class=\"diff\" role=\"region\" tabindex=\"0\" "
	    "aria-label=\"%\">\n",
	    label);
	put_lines(&listing, &diff, near);
	RAW(html, "</div>\n");
	gs_diff_release(&diff);
	gs_token_spans_release(&listing.before.spans);
	gs_token_spans_release(&listing.after.spans);
	stretches_release(&listing.removed);
	stretches_release(&listing.added);
}
