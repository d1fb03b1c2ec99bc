/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a text says, without how it is laid out: one byte string for all
 * texts that differ in nothing that the interpreter acts on (W5, F014).
 *
 * The tree is written out, not the bare tokens, so that these are equal:
 * another indentation, line breaks inside brackets, a comma before a closing
 * bracket (but the one that makes a tuple), quotes and spelling of a string,
 * adjacent strings and their sum, redundant parentheses, `;` and a new line,
 * the case of a number's letters. Comments and docstrings are left out.
 */
#ifndef PY_TOKENS_H
#define PY_TOKENS_H

#include "base/buf.h"
#include "py/tree.h"

/* Appends what is under `top` (itself aside). False when the text cannot be
 * judged this way: an empty block, or tabs and spaces mixed so that the
 * interpreter refuses it (F047). The tree must have no error. */
bool gs_tokens_write(
    const struct gs_tree *tree, TSNode top, struct gs_buf *ret);
/* The same for one child of `parent`, itself included. */
bool gs_tokens_write_child(const struct gs_tree *tree, TSNode parent,
    TSNode child, struct gs_buf *ret);
/* Whether both texts say the same, for the text of one unit, or of a class,
 * which may be indented. */
bool gs_tokens_same(struct gs_str before, struct gs_str after);

#endif
