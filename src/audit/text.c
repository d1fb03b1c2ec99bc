/* SPDX-License-Identifier: Apache-2.0 */
/* What may stand in no text, whoever wrote it. */
#include <string.h>

#include "audit/secrets.h"
#include "audit/work.h"

#define SHOWN 4 /* characters of a secret that a finding may show */

static void scan_secrets(
    struct audit *audit, struct place place, struct gs_str text)
{
	size_t line = 1;
	struct secret secret;
	while (secret_next(&text, &line, &secret)) {
		struct gs_str head = gs_str_sub(
		    secret.value, 0, secret.value.n < SHOWN ? 0 : SHOWN);
		found(audit, secret.is_certain ? GS_ERROR : GS_WARNING,
		    "secrets", place,
		    "Line %zu looks like %s: %.*s… of %zu characters.",
		    secret.line, secret.what, GS_STR_ARG(head), secret.value.n);
	}
}

/* U+202A to U+202E and U+2066 to U+2069: they turn the order of what is
 * read, not of what runs. */
static bool is_bidi(struct gs_str text, size_t i)
{
	if (i + 2 >= text.n || (unsigned char)text.p[i] != 0xe2)
		return false;
	unsigned char a = (unsigned char)text.p[i + 1];
	unsigned char b = (unsigned char)text.p[i + 2];
	return (a == 0x80 && b >= 0xaa && b <= 0xae) ||
	       (a == 0x81 && b >= 0xa6 && b <= 0xa9);
}

/* Form feeds and carriage returns are plain text in Python's world. */
static bool is_control(unsigned char c, bool is_ours)
{
	return c == 0x7f ||
	       (c < 0x20 && c != '\n' && (is_ours || !strchr("\t\r\f", c)));
}

/* F171: the data keep what was written, what people read does not. */
static void scan_control(
    struct audit *audit, struct place place, struct gs_str text, bool is_ours)
{
	size_t n_bidi = 0, n_control = 0;
	for (size_t i = 0; i < text.n; i++) {
		n_bidi += is_bidi(text, i);
		n_control += is_control((unsigned char)text.p[i], is_ours);
	}
	if (n_bidi > 0)
		found(audit, is_ours ? GS_ERROR : GS_WARNING, "control", place,
		    "It holds bidirectional controls (%zu): it does not read "
		    "as it is stored.",
		    n_bidi);
	if (n_control > 0)
		found(audit, is_ours ? GS_ERROR : GS_NOTICE, "control", place,
		    "It holds control characters (%zu).", n_control);
}

void scan_text(
    struct audit *audit, struct place place, struct gs_str text, bool is_ours)
{
	scan_secrets(audit, place, text);
	scan_control(audit, place, text, is_ours);
	withheld_scan(audit, place, text, is_ours);
}
