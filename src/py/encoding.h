/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a file as the interpreter reads it (PEP 263): UTF-8 whatever
 * the file declares, with the way back to the file's own bytes (F061).
 */
#ifndef PY_ENCODING_H
#define PY_ENCODING_H

#include <stdint.h>

#include "base/buf.h"

struct gs_py_text {
	struct gs_str utf8; /* a BOM, where the file has one, included */
	bool is_valid;      /* the bytes are what they declare */
	/* Not UTF-8: the decoded bytes, and where each stands in the file. */
	struct gs_buf decoded;
	uint32_t *offsets; /* utf8.n + 1 of them, or NULL: the same place */
};

/* `bytes` are borrowed. Bytes that do not decode are taken as they are. */
void gs_py_text_init(struct gs_str bytes, struct gs_py_text *ret);
void gs_py_text_release(struct gs_py_text *text);
size_t gs_py_text_offset(const struct gs_py_text *text, size_t at);

/* Bytes of the UTF-8 byte order mark at the start: 3 or 0. */
size_t gs_py_bom(struct gs_str bytes);

#endif
