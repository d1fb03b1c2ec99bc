/* SPDX-License-Identifier: Apache-2.0 */
/* From the bytes of a licence file to the words that count: copyright lines,
 * titles and lists of holders dropped, spellings made one. The SPDX texts go
 * through the same function at build time. */
#ifndef LICENCE_NORMALISE_H
#define LICENCE_NORMALISE_H

#include "licence/words.h"

void gs_licence_normalise(struct gs_str bytes, struct gs_words *ret);
/* Drops every paragraph that only names people, as an AUTHORS list after a
 * text does, or only says who wrote what; counts its words in `names`. */
void gs_normalise_drop_names(struct gs_words *words);

#endif
