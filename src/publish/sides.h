/* SPDX-License-Identifier: Apache-2.0 */
/* P4: who is on which side, and what is promised in public about the side
 * that stays at home. */
#ifndef PUBLISH_SIDES_H
#define PUBLISH_SIDES_H

#include "base/buf.h"
#include "base/strv.h"
#include "publish/publish.h"
#include "store/store.h"

#define COMMITMENT "COMMITMENT"
#define REVEAL "reveal.json"

struct sides {
	struct gs_strv public, withheld; /* names of projects, sorted */
};

GS_MUST_CHECK int sides_read(struct gs_store *store,
    const struct gs_hold_out *hold_out, struct sides *ret, struct gs_err *err);
void sides_release(struct sides *sides);

/* The two files of the commitment, from the withheld ids. */
void sides_commit(struct gs_str key, const struct gs_strv *ids,
    struct gs_buf *ret_commitment, struct gs_buf *ret_reveal);

#endif
