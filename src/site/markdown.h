/* SPDX-License-Identifier: Apache-2.0 */
/* The Markdown that releases are written in, as HTML: headings, paragraphs,
 * lists, tables, fenced code, **bold**, *italic*, `code`, links, escapes. Any
 * HTML in it is text. */
#ifndef SITE_MARKDOWN_H
#define SITE_MARKDOWN_H

#include "site/html.h"

/* Relative links lead into the folder data/, where the release stands. */
void markdown(struct html *html, struct gs_str text);

#endif
