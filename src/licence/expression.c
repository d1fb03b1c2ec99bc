/* SPDX-License-Identifier: Apache-2.0 */
#include "licence/expression.h"

#include "base/attr.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
}

/* Word by word, without regard to case. */
static bool next_word(struct gs_str *s, struct gs_str *ret)
{
	while (s->n > 0 && !is_letter(s->p[0]))
		*s = gs_str_from(*s, 1);
	size_t n = 0;
	while (n < s->n && is_letter(s->p[n]))
		n++;
	*ret = gs_str_sub(*s, 0, n);
	*s = gs_str_from(*s, n);
	return n > 0;
}

static bool starts(struct gs_str s, const char *prefix)
{
	struct gs_str p = gs_str(prefix);
	return s.n >= p.n && gs_str_ieq(gs_str_sub(s, 0, p.n), p);
}

/* Licences of others, by how their names begin. */
static bool is_other(struct gs_str word)
{
	static const char *const stems[] = {"gpl", "lgpl", "agpl", "gnu", "mpl",
	    "mozilla", "cc-by", "cc0", "epl", "eclipse", "cddl", "eupl",
	    "cecill", "artistic", "wtfpl", "proprietary", "commercial", "sspl",
	    "busl", "bsl", "mit-0", "ncsa", "hpnd", "json", "ecl", "afl", "osl",
	    "zpl", "ofl", "unfree", "noncommercial", "non-commercial", "public",
	    "confidential", "polyform", "elastic", "blueoak", "bsd-4",
	    "bsd-1-clause", "bsd-3-clause-", "bsd-2-clause-", "apache-1",
	    "isc-", "mit-", "mulan", "python-2", "cnri", "beerware", "x11",
	    "academic", "licenseref", "affero", "lesser", "vim", "odbl"};
	for (size_t i = 0; i < GS_COUNT(stems); i++)
		if (starts(word, stems[i]))
			return true;
	return false;
}

/* "MIT", "BSD-3-Clause", "mit" and what is around it ("The MIT License"). */
unsigned gs_licence_name_family(struct gs_str word)
{
	static const struct {
		const char *stem;
		unsigned family;
	} stems[] = {{"bsd-2", FAMILY_BSD2}, {"bsd2", FAMILY_BSD2},
	    {"bsd-3", FAMILY_BSD3}, {"bsd3", FAMILY_BSD3}, {"bsd", FAMILY_BSD},
	    {"mit", FAMILY_MIT}, {"expat", FAMILY_MIT},
	    {"apache", FAMILY_APACHE}, {"asl", FAMILY_APACHE},
	    {"isc", FAMILY_ISC}, {"psf", FAMILY_PSF}, {"0bsd", FAMILY_0BSD},
	    {"zlib", FAMILY_ZLIB}, {"unlicense", FAMILY_UNLICENSE}};

	if (is_other(word))
		return FAMILY_OTHER;
	for (size_t i = 0; i < GS_COUNT(stems); i++)
		if (starts(word, stems[i].stem))
			return stems[i].family;
	return 0;
}

/* A file name is no licence name (F041). */
static bool is_file(struct gs_str word)
{
	static const char *const ends[] = {".txt", ".md", ".rst"};
	for (size_t i = 0; i < GS_COUNT(ends); i++)
		if (word.n > gs_str(ends[i]).n &&
		    gs_str_ieq(gs_str_from(word, word.n - gs_str(ends[i]).n),
		        gs_str(ends[i])))
			return true;
	return false;
}

static unsigned sharpen(unsigned family, struct gs_str word)
{
	if (family != FAMILY_BSD)
		return family;
	if (starts(word, "3") || starts(word, "new") || starts(word, "three") ||
	    starts(word, "modified") || starts(word, "revised"))
		return FAMILY_BSD3;
	if (starts(word, "2") || starts(word, "simplified") ||
	    starts(word, "two") || starts(word, "freebsd"))
		return FAMILY_BSD2;
	return starts(word, "4") || starts(word, "original") ? FAMILY_OTHER
	                                                     : family;
}

static unsigned family_of_name(struct gs_str name)
{
	unsigned family = 0;
	struct gs_str rest = name, word;
	while (next_word(&rest, &word)) {
		unsigned one = is_file(word) ? 0 : gs_licence_name_family(word);
		if (one == FAMILY_OTHER)
			return one;
		family = family ? family : one;
	}
	rest = name;
	while (next_word(&rest, &word))
		family = sharpen(family, word);
	if (family == 0 &&
	    gs_str_contains(name, GS_STR("Python Software Foundation")))
		family = FAMILY_PSF;
	return family;
}

static void add(struct gs_expression *e, struct gs_str name)
{
	/* "Apache-2.0 WITH LLVM-exception" only permits more. */
	if (e->n < GS_EXPRESSION_MAX && gs_str_trim(name).n > 0)
		e->families[e->n++] = family_of_name(name);
}

void gs_expression_read(struct gs_str text, struct gs_expression *ret)
{
	bool has_and = false;
	struct gs_str rest = text, word;
	const char *start = text.p;
	*ret = (struct gs_expression){0};
	while (next_word(&rest, &word)) {
		bool is_or = gs_str_ieq(word, GS_STR("or"));
		bool is_and = gs_str_ieq(word, GS_STR("and"));
		/* "GPL-2.0 or later" is one licence. */
		if (is_or && starts(gs_str_trim(rest), "later"))
			continue;
		if (is_or || is_and) {
			add(ret, gs_str_n(start, (size_t)(word.p - start)));
			start = word.p + word.n;
			has_and |= is_and;
			continue;
		}
		/* "MIT/Apache-2.0", "MIT, BSD" */
		if (rest.n > 0 && (rest.p[0] == '/' || rest.p[0] == ',' ||
		                      rest.p[0] == ';')) {
			add(ret, gs_str_n(start, (size_t)(rest.p - start)));
			has_and |= rest.p[0] != '/';
			start = rest.p + 1;
		}
	}
	add(ret, gs_str_n(start, (size_t)(text.p + text.n - start)));
	ret->is_choice = !has_and;
}

unsigned gs_classifier_family(struct gs_str classifier)
{
	ptrdiff_t at = gs_str_rfind_char(classifier, ':');
	struct gs_str last =
	    gs_str_trim(gs_str_from(classifier, (size_t)(at + 1)));
	if (gs_str_is(last, "OSI Approved") || gs_str_is(last, "License") ||
	    gs_str_contains(last, GS_STR("DFSG approved")))
		return 0;
	unsigned family = family_of_name(last);
	if (gs_str_starts(last, "MIT No Attribution"))
		family = FAMILY_OTHER;
	/* The list of classifiers is closed: what is none of ours is known. */
	return family ? family : FAMILY_OTHER;
}

static bool agrees(unsigned family, unsigned have)
{
	if (family == FAMILY_BSD)
		return (have & (FAMILY_BSD2 | FAMILY_BSD3)) != 0;
	return (family & have) != 0;
}

bool gs_expression_agrees(const struct gs_expression *e, unsigned have)
{
	bool any = false, all = true, said = false;
	for (size_t i = 0; i < e->n; i++) {
		if (e->families[i] == 0)
			continue;
		said = true;
		any |= agrees(e->families[i], have);
		all &= agrees(e->families[i], have);
	}
	return !said || (e->is_choice ? any : all);
}
