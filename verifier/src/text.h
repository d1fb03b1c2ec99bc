/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that need nothing but text: identity (I), diff size (P2), dates
 * (W6), messages (K4). Tested against spec/vectors. */
#ifndef GV_TEXT_H
#define GV_TEXT_H

#include "util.h"

/* a SHA-256 on its way */
struct gv_sum;

struct gv_sum *gv_sum_begin(void);
void gv_sum_add(struct gv_sum *sum, const void *bytes, size_t n);
/* frees it */
void gv_sum_end(struct gv_sum *sum, char hex[GV_HEX]);
void gv_sha256(const void *bytes, size_t n, char hex[GV_HEX]);
/* I1: appends the normalised text */
void gv_normalise(const char *text, size_t n, struct gv_buf *to);
/* I2 */
void gv_fingerprint(
    const struct gv_buf *before, const struct gv_buf *after, char hex[GV_HEX]);
/* I3: of the seven in their order; `id` takes 20 bytes */
void gv_id(const char *const seven[7], char id[20]);
/* I4: does the text hold `normal` as a whole unit or as all of it? Lines
 * are compared as I1 sees them, under any common indentation. */
bool gv_holds_unit(const char *text, size_t n, const struct gv_buf *normal);

/* P2: lines removed and added by a smallest difference */
int64_t gv_diff_lines(const char *a, size_t an, const char *b, size_t bn);
/* The same over numbered things. When `kept` is given, it tells for each of
 * `a` the index in `b` that it was paired with, or -1. */
int64_t gv_diff(const int *a, int an, const int *b, int bn, int *kept);

/* W6: false when it cannot be printed; `to` takes 24 bytes */
bool gv_date(int64_t seconds, char to[24]);
bool gv_is_date(const char *text);

bool gv_is_utf8(const char *text, size_t n);
/* for a terminal: control characters, those that turn the direction of
 * writing, and bytes that are no UTF-8 become \xNN or \u{NNNN} */
char *gv_plain(const char *text);
/* bytes that are no UTF-8 become U+FFFD */
void gv_repair_utf8(const char *text, size_t n, struct gv_buf *to);
/* K4: the message as a spec, and its first line that is not blank */
void gv_message_spec(const struct gv_buf *message, struct gv_buf *to);
void gv_subject(const struct gv_buf *message, struct gv_buf *to);

#endif
