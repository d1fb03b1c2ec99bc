/* SPDX-License-Identifier: Apache-2.0 */
/* What programs read: index.json, the index of the search, the feed of new
 * records, the sitemap, and the files of the release. */
#ifndef SITE_MACHINE_H
#define SITE_MACHINE_H

#include "site/page.h"

GS_MUST_CHECK int machine_write(struct site *site, struct gs_err *err);
/* schema.org's Dataset for the front page. */
void machine_dataset(struct html *head, const struct catalogue *catalogue);

#endif
