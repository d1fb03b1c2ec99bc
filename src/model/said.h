/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a failing test said, in a form that may be published (P1): addresses
 * in memory, folders of the machine and whatever two observations say
 * differently give way to an ellipsis.
 */
#ifndef MODEL_SAID_H
#define MODEL_SAID_H

#include "base/buf.h"
#include "base/strv.h"

#define GS_SAID_MAX 2000 /* characters of one test */

/* Appends "Exception: message", harmless, without addresses and without any
 * folder of `hidden`, cut to GS_SAID_MAX characters. */
void gs_said_clean(const char *exception, const char *message,
    const struct gs_strv *hidden, struct gs_buf *ret);
/* Appends what both say: line by line, the words alike at both ends. */
void gs_said_alike(struct gs_str a, struct gs_str b, struct gs_buf *ret);

#endif
