/* SPDX-License-Identifier: Apache-2.0 */
/* The value of one string literal as the interpreter sees it. */
#ifndef PY_LITERAL_H
#define PY_LITERAL_H

#include "base/buf.h"

struct gs_literal {
	struct gs_str body; /* between the quotes */
	bool is_raw, is_bytes;
	bool is_format;     /* f"" or t"" */
	bool is_backquoted; /* `repr` of Python 2: no literal at all */
};

/* `text` is the whole literal, prefix and quotes included; false when it is
 * not one. */
bool gs_literal_read(struct gs_str text, struct gs_literal *ret);

/* Appends the value of `body`: escapes resolved, line ends LF. Text is UTF-8,
 * bytes are bytes. False when there is none that could be written down: \N{…}
 * (needs the Unicode name table), a surrogate, or an escape that the
 * interpreter refuses. */
bool gs_literal_value(const struct gs_literal *literal, struct gs_buf *ret);

/* Appends `text` as inspect.cleandoc of Python 3.11 gives it. */
void gs_cleandoc(struct gs_str text, struct gs_buf *ret);

#endif
