/* SPDX-License-Identifier: Apache-2.0 */
/* A record's tree in one of its two states, as a folder. */
#ifndef VALIDATE_CHECKOUT_H
#define VALIDATE_CHECKOUT_H

#include "base/err.h"
#include "model/record.h"

struct gs_checkout {
	const char *mirror; /* folder of the project's mirror */
	const struct gs_record *record;
	const struct gs_evidence *evidence;
	bool is_after;
	const char *folder; /* is made; must not exist, or be empty */
};

GS_MUST_CHECK int gs_check_out(
    const struct gs_checkout *checkout, struct gs_err *err);

#endif
