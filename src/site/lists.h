/* SPDX-License-Identifier: Apache-2.0 */
/* All records, those of a project and those under a licence, as pages. */
#ifndef SITE_LISTS_H
#define SITE_LISTS_H

#include "site/page.h"

GS_MUST_CHECK int lists_write(struct site *site, struct gs_err *err);

#endif
