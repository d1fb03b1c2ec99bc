/* SPDX-License-Identifier: Apache-2.0 */
#include "model/kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* One bit a signal, so that a row of the table is three masks. */
enum {
	FIX = 1 << 0,
	REPAIR = 1 << 1,
	FEATURE = 1 << 2,
	HOUSEKEEPING = 1 << 3,
	LOG_FIX = 1 << 4,
	LOG_FEATURE = 1 << 5,
	DOCS = 1 << 6,
	NEW_NAME = 1 << 7, /* and the tests use it */
	NEW_PUBLIC = 1 << 8,
	SIGNATURE = 1 << 9,
	DEFAULTS = 1 << 10,
	ADDITIVE = 1 << 11, /* the tests only add lines */
	OLD_ASSERTION = 1 << 12,
	MISSING_NAME = 1 << 13,
};

struct row {
	const char *name;
	enum gs_change_kind kind;
	unsigned any;  /* one of these, unless 0 */
	unsigned all;  /* each of these */
	unsigned none; /* none of these */
};

/* K7: the first row that fits decides. docs/kinds.md says how it was found
 * and how well it does. */
static const struct row rows[] = {
    {"housekeeping", GS_KIND_UNCLEAR, HOUSEKEEPING, 0, 0},
    {"documented behaviour changed", GS_KIND_UNCLEAR, FIX | LOG_FIX,
        DOCS | OLD_ASSERTION, FEATURE},
    {"fix said, nothing new", GS_KIND_BUG, FIX | LOG_FIX, 0,
        FEATURE | NEW_NAME | DEFAULTS | LOG_FEATURE},
    {"feature verb", GS_KIND_FEATURE, FEATURE, 0, 0},
    {"tests use a new name", GS_KIND_FEATURE, NEW_NAME, 0, 0},
    {"changelog of a feature", GS_KIND_FEATURE, LOG_FEATURE, 0, 0},
    {"interface changed", GS_KIND_FEATURE, NEW_PUBLIC | SIGNATURE | DEFAULTS, 0,
        0},
    {"documentation changed", GS_KIND_FEATURE, DOCS, 0, 0},
    {"repair said, tests only add", GS_KIND_BUG, REPAIR, ADDITIVE,
        MISSING_NAME},
    {"nothing decides", GS_KIND_UNCLEAR, 0, 0, 0},
};

static unsigned bits_of(const struct gs_signals *s)
{
	return (s->fix_word ? FIX : 0u) | (s->repair_word ? REPAIR : 0u) |
	       (s->feature_verb ? FEATURE : 0u) |
	       (s->housekeeping ? HOUSEKEEPING : 0u) |
	       (s->changelog_says_fix ? LOG_FIX : 0u) |
	       (s->changelog_says_feature ? LOG_FEATURE : 0u) |
	       (s->documentation_changed ? DOCS : 0u) |
	       (s->new_names_used_by_tests.n > 0 ? NEW_NAME : 0u) |
	       (s->new_public.n > 0 ? NEW_PUBLIC : 0u) |
	       (s->changed_signatures.n > 0 ? SIGNATURE : 0u) |
	       (s->changed_defaults.n > 0 ? DEFAULTS : 0u) |
	       (s->tests_only_add ? ADDITIVE : 0u) |
	       (s->old_assertion_changed ? OLD_ASSERTION : 0u) |
	       (s->missing_name_flips ? MISSING_NAME : 0u);
}

enum gs_change_kind gs_change_kind(
    const struct gs_signals *signals, const char **ret_why)
{
	unsigned bits = bits_of(signals);
	const struct row *row = rows;
	while ((row->any && !(bits & row->any)) ||
	       (bits & row->all) != row->all || (bits & row->none))
		row++; /* the last row fits everything */
	*ret_why = row->name;
	return row->kind;
}

const char *gs_change_kind_name(enum gs_change_kind kind)
{
	static const char *const names[] = {
	    [GS_KIND_UNCLEAR] = "unclear",
	    [GS_KIND_BUG] = "bug",
	    [GS_KIND_FEATURE] = "feature",
	};
	return names[kind];
}

void gs_signals_release(struct gs_signals *signals)
{
	gs_strv_release(&signals->new_names_used_by_tests);
	gs_strv_release(&signals->new_public);
	gs_strv_release(&signals->changed_signatures);
	gs_strv_release(&signals->changed_defaults);
	*signals = (struct gs_signals){0};
}

void gs_signals_write(const struct gs_signals *s, struct gs_json *json)
{
	gs_json_begin_object(json);
	gs_json_put_bool(json, "fix_word", s->fix_word);
	gs_json_put_bool(json, "repair_word", s->repair_word);
	gs_json_put_bool(json, "feature_verb", s->feature_verb);
	gs_json_put_bool(json, "housekeeping", s->housekeeping);
	gs_json_put_bool(json, "issue_reference", s->issue_reference);
	gs_json_put_bool(json, "changelog_says_fix", s->changelog_says_fix);
	gs_json_put_bool(
	    json, "changelog_says_feature", s->changelog_says_feature);
	gs_json_put_bool(
	    json, "documentation_changed", s->documentation_changed);
	gs_json_put_strv(
	    json, "new_names_used_by_tests", &s->new_names_used_by_tests);
	gs_json_put_strv(json, "new_public", &s->new_public);
	gs_json_put_strv(json, "changed_signatures", &s->changed_signatures);
	gs_json_put_strv(json, "changed_defaults", &s->changed_defaults);
	gs_json_put_bool(json, "tests_only_add", s->tests_only_add);
	gs_json_put_bool(
	    json, "old_assertion_changed", s->old_assertion_changed);
	gs_json_put_bool(json, "missing_name_flips", s->missing_name_flips);
	gs_json_put_int(json, "n_flips", (int64_t)s->n_flips);
	gs_json_end_object(json);
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

static struct gs_str without_quotes(const char *word)
{
	struct gs_str bare = gs_str(word);
	if (bare.n >= 2 && bare.p[0] == '"' && bare.p[bare.n - 1] == '"')
		bare = gs_str_n(bare.p + 1, bare.n - 2);
	return bare;
}

bool gs_text_holds_word(struct gs_str text, const char *quoted)
{
	struct gs_str word = without_quotes(quoted);
	while (word.n > 0 && text.n >= word.n) {
		const char *at = memmem(text.p, text.n, word.p, word.n);
		if (!at)
			return false;
		size_t end = (size_t)(at - text.p) + word.n;
		bool starts = at == text.p || !is_word_char(at[-1]) ||
		              !is_word_char(word.p[0]);
		bool ends = end == text.n || !is_word_char(text.p[end]) ||
		            !is_word_char(word.p[word.n - 1]);
		if (starts && ends)
			return true;
		text = gs_str_from(text, (size_t)(at - text.p) + 1);
	}
	return false;
}

void gs_unguessable(const struct gs_strv *words, struct gs_str after,
    const struct gs_strv *known, struct gs_str spec, struct gs_strv *ret)
{
	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->v[i];
		if (gs_text_holds_word(after, word) &&
		    !gs_strv_has_sorted(known, word) &&
		    !gs_text_holds_word(spec, word))
			gs_strv_push(ret, word);
	}
}
