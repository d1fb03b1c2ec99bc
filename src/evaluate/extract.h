/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code in what a model said:
 *   1. of the fenced blocks (``` or ~~~, the last may be unclosed), the first
 *      that holds the record's `def NAME`, for a file simply the longest;
 *      where none holds it, the longest;
 *   2. without a fence the whole text;
 *   3. for a function, the indentation that all its lines share is replaced
 *      by that of the text it stands for (a method's code is often given
 *      without it);
 *   4. one line feed at the end.
 */
#ifndef EVALUATE_EXTRACT_H
#define EVALUATE_EXTRACT_H

#include "evaluate/task.h"

void gs_extract_code(
    const struct gs_task *task, struct gs_str said, struct gs_buf *ret);

#endif
