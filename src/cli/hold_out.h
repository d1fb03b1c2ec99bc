/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a hold-out (P4): a fraction, a secret key, a folder. */
#ifndef CLI_HOLD_OUT_H
#define CLI_HOLD_OUT_H

#include "cli/steps.h"
#include "publish/publish.h"

/* Sets has_hold_out and hold_out where the options ask for it; the key is
 * read into `ret_key`, which must outlive `publish`. */
GS_MUST_CHECK int gs_step_hold_out(const struct gs_step_options *options,
    struct gs_publish_options *publish, struct gs_buf *ret_key,
    struct gs_err *err);
/* What was withheld, for whoever holds the key. */
void gs_step_say_hold_out(struct gs_cli *cli,
    const struct gs_publish_options *publish,
    const struct gs_publish_result *result);

#endif
