/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Word by word: what a text adds to its template and leaves out. Similarity
 * alone reads MIT with one more condition as MIT; this does not (L3).
 *
 * Passed over, and nothing else: up to three words in a row that permit,
 * forbid and demand nothing; up to forty words in a row that only name
 * people or the licence itself; up to twelve in front, where a project says
 * what it is; forty words in all added, twenty left out.
 */
#ifndef LICENCE_EXPLAIN_H
#define LICENCE_EXPLAIN_H

#include "licence/words.h"

#define GS_REST_RUN 3
#define GS_REST_NAMES 40
#define GS_REST_FRONT 12
#define GS_REST_ADDED 40
#define GS_REST_LEFT_OUT 20

/* true when every difference is harmless; else `ret` is a sentence. */
bool gs_explain(const struct gs_words *text, const struct gs_words *template,
    char *ret, size_t size);

#endif
