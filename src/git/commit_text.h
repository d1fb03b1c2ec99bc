/* SPDX-License-Identifier: Apache-2.0 */
/* A commit object's bytes, read (F005, F006, F009, F011, F012). Pure. */
#ifndef GIT_COMMIT_TEXT_H
#define GIT_COMMIT_TEXT_H

#include "git/objects.h"

/* GS_E_CORRUPT without a tree. */
GS_MUST_CHECK int gs_commit_text_parse(
    struct gs_str bytes, struct gs_commit_text *ret, struct gs_err *err);

#endif
