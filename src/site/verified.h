/* SPDX-License-Identifier: Apache-2.0 */
/* What goldset-verify has said: read into the catalogue, and its page. */
#ifndef SITE_VERIFIED_H
#define SITE_VERIFIED_H

#include "site/catalogue.h"
#include "site/page.h"

GS_MUST_CHECK int verified_read(
    struct catalogue *catalogue, struct gs_err *err);
GS_MUST_CHECK int verified_write(struct site *site, struct gs_err *err);

#endif
