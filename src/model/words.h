/* SPDX-License-Identifier: Apache-2.0 */
/* English words of a commit message or a changelog, for K7. */
#ifndef MODEL_WORDS_H
#define MODEL_WORDS_H

#include "base/buf.h"
#include "base/str.h"

/* The next word of *text: a run of ASCII letters (and ' inside), as it
 * stands; false at the end. */
bool gs_word_next(struct gs_str *text, struct gs_str *ret_word);
/* Is the word, in any case, one of the NULL-terminated list? */
bool gs_word_is_one_of(struct gs_str word, const char *const *list);
bool gs_words_have(struct gs_str text, const char *const *list);
/* Appends `text` without its issue references: "fixes #12", "closes GH-3",
 * "(#12)", "Fixes: https://…". *ret_found (may be NULL) is set when there
 * was one. */
void gs_words_without_issues(
    struct gs_str text, struct gs_buf *ret, bool *ret_found);

#endif
