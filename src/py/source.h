/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One Python file, read: its units with their spans, docstrings and
 * signatures (tree-sitter). An error-free tree is not yet valid Python: the
 * interpreter decides that elsewhere.
 *
 * Bytes are kept as they are. Where a file declares an encoding (PEP 263) or
 * has a BOM, gs_source_decode gives its text as UTF-8 and gs_source_encode
 * takes it back (F061); spans are always in the file's own bytes.
 */
#ifndef PY_SOURCE_H
#define PY_SOURCE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum gs_unit_kind {
	GS_UNIT_FUNCTION, /* also methods, async, nested in control flow */
	GS_UNIT_CLASS,
};

struct gs_unit {
	struct gs_str name;     /* last part */
	struct gs_str qualname; /* "C.m"; for an outermost function "f" */
	enum gs_unit_kind kind;
	int parent;  /* index of the enclosing class unit, or -1 */
	int ordinal; /* 0, 1, … among units of one qualname, in file order */
	/* K3: whole lines, from the first decorator's line to the end of the
	 * last line of the body; no comments below the block. */
	size_t start, end;
	size_t def_start;                      /* of `def` / `class` itself */
	size_t body_start, body_end;           /* the block's statements */
	size_t docstring_start, docstring_end; /* the literal(s); equal: none */
	struct gs_str
	    docstring; /* evaluated, cleaned (inspect.cleandoc), UTF-8 */
	struct gs_str
	    signature;        /* "(a, b=1)" and return annotation, verbatim */
	struct gs_str indent; /* white space before def */
	bool has_docstring;
	bool is_async;
	bool has_error; /* a syntax error inside its span */
};

/* Functions nested in functions belong to the outermost one and are not
 * listed (K5); classes nested in functions likewise. Units under `if`, `try`
 * and the like at module or class level are listed. */
struct gs_source {
	struct gs_str bytes; /* borrowed from the caller */
	bool has_error;
	bool has_nul;
	struct gs_unit *units; /* in file order, an enclosing class first */
	size_t n_units;
	struct gs_arena arena;
};

/* Never fails on bad Python: has_error says so. GS_E_LIMIT over
 * GS_MAX_PYTHON_FILE or GS_MAX_UNITS. */
GS_MUST_CHECK int gs_source_parse(
    struct gs_str bytes, struct gs_source *ret, struct gs_err *err);
void gs_source_release(struct gs_source *source);
const struct gs_unit *gs_source_unit(
    const struct gs_source *source, struct gs_str qualname, int ordinal);

/* `bytes` decoded by BOM and coding cookie, BOM removed; GS_E_CORRUPT when
 * they do not decode (the interpreter refuses such a file) or hold NUL. */
GS_MUST_CHECK int gs_source_decode(
    struct gs_str bytes, struct gs_buf *ret, struct gs_err *err);
/* UTF-8 `text` encoded as `like` declares (without BOM). */
GS_MUST_CHECK int gs_source_encode(struct gs_str text, struct gs_str like,
    struct gs_buf *ret, struct gs_err *err);

/* The file with bytes [start, end) replaced. */
void gs_source_splice(struct gs_str file, size_t start, size_t end,
    struct gs_str text, struct gs_buf *ret);

/* W5: equal token streams, comments, docstrings, line ends and blank space
 * that carries no meaning aside. Files that do not lex are compared as bytes.
 */
bool gs_source_same_tokens(struct gs_str before, struct gs_str after);

/* true for a file whose first lines say that it is generated (W4). */
bool gs_source_is_generated(struct gs_str bytes);

#endif
