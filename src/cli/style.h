/* SPDX-License-Identifier: Apache-2.0 */
/* What output looks like: colours that say something (NO_COLOR obeyed), text
 * from outside made harmless, numbers, durations and tables for people. */
#ifndef CLI_STYLE_H
#define CLI_STYLE_H

#include "cli/command.h"

enum gs_style {
	GS_STYLE_PLAIN,
	GS_STYLE_BOLD,
	GS_STYLE_DIM,
	GS_STYLE_GOOD,
	GS_STYLE_BAD,
	GS_STYLE_WARN,
	GS_STYLE_ACCENT,
};

/* Appends to cli->out: control characters and bidi controls are escaped. */
void gs_put(struct gs_cli *cli, enum gs_style style, struct gs_str text);
void gs_putf(struct gs_cli *cli, enum gs_style style, const char *fmt, ...)
    GS_PRINTF(3, 4);
void gs_put_line(struct gs_cli *cli, struct gs_str text);
/* Words in lines that fit the terminal (80 columns where there is none), each
 * begun by `indent` blanks but the first, which goes on where the line is. */
void gs_put_wrapped(struct gs_cli *cli, size_t indent, const char *text);
/* "12,345" */
void gs_put_count(struct gs_cli *cli, int64_t n, size_t width);
/* "41 s", "3 min 20 s", "2 h 5 min" */
char *gs_duration_text(int64_t ms);
/* "      12  label" */
void gs_put_count_row(
    struct gs_cli *cli, int64_t n, enum gs_style style, const char *label);
/* A heading with a blank line before it. */
void gs_put_heading(struct gs_cli *cli, const char *text);

#endif
