/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of strangers, made harmless for the format that it goes into (F171).
 * Control characters, bidi overrides and bytes that are not UTF-8 become
 * visible escapes everywhere.
 */
#ifndef PUBLISH_ESCAPE_H
#define PUBLISH_ESCAPE_H

#include "base/buf.h"

/* Inline Markdown, also in a table cell: no mark-up, no HTML, one line. */
void escape_markdown(struct gs_buf *out, struct gs_str text);
/* "[text](url)" where the URL is https and nothing but a URL, else the text. */
void escape_link(struct gs_buf *out, struct gs_str text, struct gs_str url);
bool escape_is_url(struct gs_str url); /* https, nothing to be quoted */
/* A double-quoted YAML scalar. */
void escape_yaml(struct gs_buf *out, struct gs_str text);
/* Inside braces of BibTeX. */
void escape_bibtex(struct gs_buf *out, struct gs_str text);

#endif
