/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/style.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

static const char *const codes[] = {
    [GS_STYLE_PLAIN] = "",
    [GS_STYLE_BOLD] = "\033[1m",
    [GS_STYLE_DIM] = "\033[2m",
    [GS_STYLE_GOOD] = "\033[32m",
    [GS_STYLE_BAD] = "\033[31m",
    [GS_STYLE_WARN] = "\033[33m",
    [GS_STYLE_ACCENT] = "\033[36m",
};

void gs_put(struct gs_cli *cli, enum gs_style style, struct gs_str text)
{
	bool coloured = cli->colour && style != GS_STYLE_PLAIN;
	if (coloured)
		gs_buf_addz(&cli->out, codes[style]);
	gs_utf8_harmless(&cli->out, text, true);
	if (coloured)
		gs_buf_addz(&cli->out, "\033[0m");
}

void gs_putf(struct gs_cli *cli, enum gs_style style, const char *fmt, ...)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	va_list args;
	va_start(args, fmt);
	gs_buf_vaddf(&text, fmt, args);
	va_end(args);
	gs_put(cli, style, gs_buf_str(&text));
}

void gs_put_line(struct gs_cli *cli, struct gs_str text)
{
	gs_put(cli, GS_STYLE_PLAIN, text);
	gs_buf_addc(&cli->out, '\n');
}

void gs_put_wrapped(struct gs_cli *cli, size_t indent, const char *text)
{
	size_t most = cli->width ? cli->width : 80, column = indent;
	struct gs_str rest = gs_str(text), word;
	bool is_first = true;
	while (rest.n && gs_str_cut(&rest, ' ', &word)) {
		size_t width = gs_utf8_width(word);
		if (!is_first && column + 1 + width > most) {
			gs_buf_addf(&cli->out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!is_first) {
			gs_buf_addc(&cli->out, ' ');
			column++;
		}
		gs_put(cli, GS_STYLE_PLAIN, word);
		column += width;
		is_first = false;
	}
	gs_buf_addc(&cli->out, '\n');
}

void gs_put_count(struct gs_cli *cli, int64_t n, size_t width)
{
	GS_CLEANUP(gs_freep) char *digits = gs_format("%lld", (long long)n);
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	size_t len = strlen(digits);
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			gs_buf_addc(&text, ',');
		gs_buf_addc(&text, digits[i]);
	}
	gs_buf_addf(&cli->out, "%*s", (int)width, gs_buf_cstr(&text));
}

char *gs_duration_text(int64_t ms)
{
	long long s = (long long)(ms / 1000);
	if (s < 60)
		return gs_format("%lld s", s);
	if (s < 3600)
		return gs_format("%lld min %lld s", s / 60, s % 60);
	return gs_format("%lld h %lld min", s / 3600, s % 3600 / 60);
}

void gs_put_count_row(
    struct gs_cli *cli, int64_t n, enum gs_style style, const char *label)
{
	gs_buf_addz(&cli->out, "  ");
	gs_put_count(cli, n, 10);
	gs_buf_addz(&cli->out, "  ");
	gs_put(cli, style, gs_str(label));
	gs_buf_addc(&cli->out, '\n');
}

void gs_put_heading(struct gs_cli *cli, const char *text)
{
	gs_buf_addc(&cli->out, '\n');
	gs_put(cli, GS_STYLE_BOLD, gs_str(text));
	gs_buf_addc(&cli->out, '\n');
}
