/* SPDX-License-Identifier: Apache-2.0 */
/* Object ids, and one changed path of a commit. */
#ifndef MODEL_CHANGE_H
#define MODEL_CHANGE_H

#include "base/str.h"

/* An object id as lower-case hex, SHA-1 (40) or SHA-256 (64); "" is none. */
struct gs_oid {
	char hex[65];
};

struct gs_change {
	char status; /* A M D T, as git's --raw says it */
	unsigned old_mode, new_mode;
	struct gs_oid old_id, new_id;
	struct gs_str path; /* bytes; W5: may not be UTF-8 */
};

/* true when `hex` is 40 or 64 lower-case hex digits; then *ret is set. */
bool gs_oid_parse(struct gs_str hex, struct gs_oid *ret);
bool gs_oid_eq(const struct gs_oid *a, const struct gs_oid *b);

#define GS_MODE_LINK 0120000u
#define GS_MODE_GITLINK 0160000u

#endif
