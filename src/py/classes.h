/* SPDX-License-Identifier: Apache-2.0 */
/* What kind of word stands where in a Python text, for showing it to people.
 * Never fails: where the text does not parse there are fewer spans. */
#ifndef PY_CLASSES_H
#define PY_CLASSES_H

#include "base/str.h"

enum gs_token_class {
	GS_TOKEN_KEYWORD,
	GS_TOKEN_STRING,
	GS_TOKEN_NUMBER, /* True, False, None and ... too */
	GS_TOKEN_COMMENT,
	GS_TOKEN_DEFINED, /* the name after def or class */
	GS_TOKEN_CALLED,  /* the name before an opening parenthesis */
	GS_TOKEN_DECORATOR,
};

struct gs_token_span {
	size_t start, end; /* bytes */
	enum gs_token_class class;
};

struct gs_token_spans {
	struct gs_token_span *v; /* in order, not overlapping */
	size_t n, cap;
};

/* `text` is UTF-8: a file, or a unit that may be indented. */
void gs_token_classes(struct gs_str text, struct gs_token_spans *ret);
void gs_token_spans_release(struct gs_token_spans *spans);

#endif
