/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8: checking, repairing, and rendering harmless for people. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/buf.h"

bool gs_utf8_valid(struct gs_str s); /* no surrogates, no overlongs */
/* Bytes at the front of s that are valid UTF-8. */
size_t gs_utf8_prefix(struct gs_str s);
/* Appends s with each invalid byte replaced by U+FFFD (rule: one for each
 * maximal ill-formed subsequence, as Unicode recommends). */
void gs_utf8_repair(struct gs_buf *out, struct gs_str s);
/* Appends s for a terminal or a log: control characters, bidi controls and
 * invalid bytes become \xNN or \u{NNNN}; LF and tab stay when `multiline`. */
void gs_utf8_harmless(struct gs_buf *out, struct gs_str s, bool multiline);
/* Decodes one code point from *s (valid UTF-8, not empty) and advances. */
uint32_t gs_utf8_next(struct gs_str *s);
void gs_utf8_put(struct gs_buf *out, uint32_t code_point);
/* Columns that s takes on a terminal (wide characters count two). */
size_t gs_utf8_width(struct gs_str s);

#endif
