/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bug or feature (K7), and fair tests (K8): a written table over signals
 * that anybody can recompute from the commit. No signal is a list of
 * commits, and every one stands in the evidence.
 */
#ifndef MODEL_KIND_H
#define MODEL_KIND_H

#include "base/json.h"
#include "base/strv.h"

enum gs_change_kind {
	GS_KIND_UNCLEAR,
	GS_KIND_BUG,
	GS_KIND_FEATURE,
};

struct gs_signals {
	/* of the message */
	bool fix_word; /* fix, fixes, …, bug, correct in the subject, "fixes
	                * #N" and "closes #N" taken out */
	bool repair_word; /* says what goes wrong: crash, avoid, properly, … */
	bool feature_verb; /* subject begins with add, allow, support, … */
	bool housekeeping; /* what was fixed is a test, a typo, types, … */
	bool issue_reference;
	/* of the whole change */
	bool changelog_says_fix; /* an added changelog line says fix or bug */
	bool changelog_says_feature;
	bool documentation_changed; /* user documentation, changelog aside */
	/* of the source */
	struct gs_strv
	    new_names_used_by_tests; /* defined by the fix, and stand in
	                              * added lines of the tests */
	struct gs_strv new_public;   /* functions and classes */
	struct gs_strv changed_signatures;
	struct gs_strv changed_defaults;
	/* of the tests; lines of imports and comments apart */
	bool tests_only_add;        /* no old line removed or edited */
	bool old_assertion_changed; /* a removed line holds an assertion */
	/* of the flips */
	bool missing_name_flips; /* some flip was of that kind */
	size_t n_flips;
};

void gs_signals_release(struct gs_signals *signals);
/* The message's part. */
void gs_signals_of_message(struct gs_str message, struct gs_signals *ret);
/* Lines that a changelog file gained. */
void gs_signals_of_changelog(struct gs_str added_lines, struct gs_signals *ret);
/* A line that a test file lost: clears tests_only_add (set it before), and
 * sets old_assertion_changed. Blank lines, imports and comments do neither. */
void gs_signals_of_removed_test_line(
    struct gs_str line, struct gs_signals *ret);
/* The table. *ret_why is the name of the row that decided (static). */
enum gs_change_kind gs_change_kind(
    const struct gs_signals *signals, const char **ret_why);
const char *gs_change_kind_name(enum gs_change_kind kind);
void gs_signals_write(const struct gs_signals *signals, struct gs_json *json);

/* K8. A word is a name, a number, or a string in double quotes. A text holds
 * it where its characters (a string's without the quotes) stand and are no
 * part of a longer name: "no such key" is held by 'no such key: %s'. */
bool gs_text_holds_word(struct gs_str text, const char *word);

/* K8: of the words in the changed lines of the flipping tests, those that the
 * text after the fix holds, and that neither the sources of the before tree
 * (`known`, sorted) nor the spec hold. */
void gs_unguessable(const struct gs_strv *words, struct gs_str after,
    const struct gs_strv *known, struct gs_str spec, struct gs_strv *ret);

#endif
