/* SPDX-License-Identifier: Apache-2.0 */
/* What the verifier says: lines for people and JSON Lines (report.c), and a
 * page to be published (page.c). */
#ifndef GV_REPORT_H
#define GV_REPORT_H

#include "jail.h"
#include "release.h"

enum gv_verdict {
	GV_CONFIRMED,
	GV_REFUTED,
	GV_UNAVAILABLE,
	GV_INFRA,
	GV_VERDICTS
};

struct gv_result {
	const json_t *row;
	enum gv_verdict verdict;
	char *why; /* of the last two */
	json_t *claims;
	int64_t ms;
	bool done;
};

/* all that a closing line or page tells */
struct gv_summary {
	const struct gv_release *release;
	const struct gv_python *python; /* without program: none was found */
	const struct gv_result *results;
	size_t n, counts[GV_VERDICTS];
	const char *sample; /* how the records were chosen */
};

const char *gv_verdict_name(enum gv_verdict verdict);
/* A published value for a sentence: short, on one line, to be freed. */
char *gv_short_value(const json_t *value);
void gv_print_result(const struct gv_result *result, size_t number, size_t of);
void gv_print_json(const struct gv_result *result);
void gv_print_summary(const struct gv_summary *s, bool json);
/* What was not confirmed comes first. */
void gv_write_html(const struct gv_summary *s, const char *path);
void gv_write_markdown(const struct gv_summary *s, const char *path);

#endif
