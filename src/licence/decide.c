/* SPDX-License-Identifier: Apache-2.0 */
/* From the files of a folder to one verdict (L3, L5). */
#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "base/mem.h"
#include "licence/expression.h"
#include "licence/licence.h"
#include "licence/metadata.h"

#define MAX_FILES 32

struct state {
	const struct gs_licence_question *q;
	struct gs_licence_verdict *ret;
	struct gs_licence found[MAX_FILES];
	bool is_empty[MAX_FILES];
	size_t n_texts;
	unsigned have; /* families of the accepted texts */
};

static GS_PRINTF(3, 4) void refuse(
    struct gs_licence_verdict *ret, const char *reason, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	ret->accepted = false;
	ret->expression[0] = '\0';
	(void)snprintf(ret->reason, sizeof(ret->reason), "%s", reason);
	(void)vsnprintf(ret->detail, sizeof(ret->detail), fmt, args);
	va_end(args);
}

static bool is_accepted(const struct gs_licence_question *q, const char *id)
{
	if (q->accepted)
		return gs_strv_has(q->accepted, id);
	for (size_t i = 0; gs_licence_default_ids[i]; i++)
		if (strcmp(gs_licence_default_ids[i], id) == 0)
			return true;
	return false;
}

/* Nothing but white space, a BOM included (F039). */
static bool is_empty(struct gs_str bytes)
{
	if (gs_str_starts(bytes, "\xEF\xBB\xBF"))
		bytes = gs_str_from(bytes, 3);
	return gs_str_trim(bytes).n == 0;
}

static bool identify_all(struct state *s)
{
	const struct gs_licence_question *q = s->q;
	if (q->n_files > MAX_FILES) {
		refuse(s->ret, "ambiguous licence",
		    "There are more than %d licence files.", MAX_FILES);
		return false;
	}
	for (size_t i = 0; i < q->n_files; i++) {
		s->is_empty[i] = is_empty(q->files[i].bytes);
		if (s->is_empty[i])
			continue;
		gs_licence_identify(q->files[i].bytes, &s->found[i]);
		s->n_texts++;
	}
	if (s->n_texts == 0)
		refuse(s->ret, "no licence text",
		    q->n_files ? "Every licence file is empty."
		               : "There is no licence file.");
	return s->n_texts > 0;
}

static bool refuse_text(struct state *s, size_t i, const char *reason)
{
	const struct gs_licence *found = &s->found[i];
	struct gs_str path = s->q->files[i].path;
	if (found->problem[0] != '\0')
		refuse(s->ret, reason, "%.*s: %s", GS_STR_ARG(path),
		    found->problem);
	else
		refuse(s->ret, reason, "%.*s is %s, which is not accepted.",
		    GS_STR_ARG(path), found->id);
	return false;
}

static bool check_texts(struct state *s)
{
	bool is_choice = s->n_texts > 1;
	for (size_t i = 0; i < s->q->n_files; i++) {
		const struct gs_licence *found = &s->found[i];
		if (s->is_empty[i] || (found->is_pointer && is_choice))
			continue;
		bool is_mixed =
		    found->id[0] == '\0' && strstr(found->problem, "holds");
		if (found->problem[0] != '\0' || !is_accepted(s->q, found->id))
			return refuse_text(s, i,
			    is_choice || is_mixed ? "ambiguous licence"
			                          : "licence not accepted");
		s->have |= gs_licence_family_of(gs_str(found->id));
	}
	if (s->have == 0)
		refuse(s->ret, "no licence text",
		    "The licence file only says where licences are.");
	return s->have != 0;
}

/* A pointer may name what is there and nothing else (F033). */
static bool check_pointers(struct state *s)
{
	for (size_t i = 0; i < s->q->n_files; i++) {
		if (!s->found[i].is_pointer)
			continue;
		struct gs_words words = {0};
		unsigned named = 0;
		gs_words_split(&words, s->q->files[i].bytes);
		for (size_t j = 0; j < words.n; j++)
			named |= gs_licence_name_family(words.v[j].s);
		gs_words_release(&words);
		unsigned have = s->have;
		if (have & (FAMILY_BSD2 | FAMILY_BSD3))
			have |= FAMILY_BSD;
		/* "Licensed to PSF" speaks of the foundation. */
		if ((named & ~have & ~(unsigned)FAMILY_PSF) == 0)
			continue;
		refuse(s->ret, "ambiguous licence",
		    "%.*s names a licence whose text is not there.",
		    GS_STR_ARG(s->q->files[i].path));
		return false;
	}
	return true;
}

static bool check_metadata(struct state *s)
{
	char detail[240];
	for (size_t i = 0; i < s->q->n_metadata; i++) {
		if (gs_metadata_agrees(
		        &s->q->metadata[i], s->have, detail, sizeof(detail)))
			continue;
		refuse(s->ret, "licence conflict", "%s", detail);
		return false;
	}
	return true;
}

/* L5: ids sorted, each once, joined by OR. */
static void write_expression(struct state *s)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv ids = {0};
	bool is_first = true;
	for (size_t i = 0; i < s->q->n_files; i++) {
		if (s->is_empty[i] || s->found[i].is_pointer)
			continue;
		if (is_first)
			s->ret->first = i;
		is_first = false;
		gs_strv_push(&ids, s->found[i].id);
	}
	gs_strv_sort(&ids);
	gs_strv_uniq(&ids);
	size_t n = 0;
	for (size_t i = 0; i < ids.n; i++) {
		int more = snprintf(s->ret->expression + n,
		    sizeof(s->ret->expression) - n, "%s%s", i > 0 ? " OR " : "",
		    ids.v[i]);
		n += more > 0 ? (size_t)more : 0;
		if (n >= sizeof(s->ret->expression))
			break;
	}
	s->ret->accepted = true;
}

void gs_licence_decide(
    const struct gs_licence_question *question, struct gs_licence_verdict *ret)
{
	struct state *s = gs_alloc(sizeof(*s));
	char detail[240];
	*ret = (struct gs_licence_verdict){0};
	s->q = question;
	s->ret = ret;
	if (identify_all(s) && check_texts(s) && check_pointers(s) &&
	    check_metadata(s)) {
		if (gs_licence_header_ok(
		        question->source, question->accepted, detail))
			write_expression(s);
		else
			refuse(ret, "file licence conflict", "%s", detail);
	}
	gs_freep(&s);
}
