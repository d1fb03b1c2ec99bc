/* SPDX-License-Identifier: Apache-2.0 */
#include "base/csv.h"

#include <string.h>

void gs_csv_add(struct gs_buf *out, struct gs_str field)
{
	bool plain = true;
	for (size_t i = 0; plain && i < field.n; i++)
		plain = field.p[i] && !strchr("\",\r\n", field.p[i]);
	if (plain) {
		gs_buf_adds(out, field);
		return;
	}
	gs_buf_addc(out, '"');
	for (size_t i = 0; i < field.n; i++) {
		if (field.p[i] == '"')
			gs_buf_addc(out, '"');
		gs_buf_addc(out, field.p[i]);
	}
	gs_buf_addc(out, '"');
}

bool gs_csv_field(struct gs_str *rest, struct gs_buf *ret)
{
	gs_buf_reset(ret);
	if (!rest->p)
		return false;
	size_t i = 0;
	bool quoted = rest->n > 0 && rest->p[0] == '"';
	for (i = quoted; i < rest->n; i++) {
		char c = rest->p[i];
		if (quoted && c == '"') {
			if (i + 1 >= rest->n || rest->p[i + 1] != '"') {
				i++;
				break;
			}
			i++;
		} else if (!quoted && c == ',') {
			break;
		}
		gs_buf_addc(ret, c);
	}
	/* Behind the last field nothing is left, not even an empty rest. */
	if (i < rest->n && rest->p[i] == ',')
		*rest = gs_str_from(*rest, i + 1);
	else
		*rest = (struct gs_str){0};
	return true;
}
