/* SPDX-License-Identifier: Apache-2.0 */
/* A page for each record. */
#ifndef SITE_RECORD_H
#define SITE_RECORD_H

#include "site/page.h"

GS_MUST_CHECK int records_write(struct site *site, struct gs_err *err);

#endif
