/* SPDX-License-Identifier: Apache-2.0 */
/* withdrawn.csv (P5): ids that were published and left at a maintainer's
 * request, with date and reason; those of the release before stay. What was
 * never published on this side is not named (P4). */
#ifndef PUBLISH_WITHDRAWN_H
#define PUBLISH_WITHDRAWN_H

#include "publish/side.h"
#include "store/query.h"

GS_MUST_CHECK int withdrawn_write(const struct side *side, struct gs_buf *out,
    int64_t *ret_n, struct gs_err *err);

#endif
