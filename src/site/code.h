/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The change of a record as one listing: all lines of both texts, those that
 * were removed and added marked, in replaced lines the words that differ,
 * all of it highlighted by token classes. The style sheet shows it as change,
 * before or after, so that each text stands in the page once.
 */
#ifndef SITE_CODE_H
#define SITE_CODE_H

#include "site/html.h"

/* `label` is what the listing is called for those who do not see it. */
void code_change(struct html *html, struct gs_str label, struct gs_str before,
    struct gs_str after);

#endif
