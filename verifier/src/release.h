/* SPDX-License-Identifier: Apache-2.0 */
/* A release as it was published: its tables, and what holds for all of it. */
#ifndef GV_RELEASE_H
#define GV_RELEASE_H

#include <jansson.h>

#include "util.h"

struct gv_release {
	char *path;
	bool folder; /* else only a file of records */
	json_t *rows;
	json_t *evidence; /* its rows, in the same order, or empty */
	char *table;      /* path of the table that was read */
	json_t *licences; /* SHA-256 of the shipped texts to their paths */
	char *checksums, *card; /* what does not hold, or NULL */
};

struct gv_column {
	const char *name;
	char type; /* t text, l list of text, i integer */
};

extern const struct gv_column gv_columns[];
extern const size_t gv_columns_n;

/* the objects of JSON Lines, one a line that is not blank; or NULL and, to be
 * freed, what is wrong with which line */
json_t *gv_read_lines(const char *bytes, size_t n, char **why);

void gv_read_release(struct gv_release *release, const char *path);
void gv_free_release(struct gv_release *release);
/* the evidence of a row, or NULL */
const json_t *gv_evidence(const struct gv_release *release, const json_t *row);
/* what is not unique about a row (ids and fingerprints), or NULL */
char *gv_not_unique(const struct gv_release *release, const json_t *row);
/* the first number of the card that does not hold, or NULL */
char *gv_check_card(const struct gv_release *release);

/* text of a column, "" where it is none */
const char *gv_get(const json_t *row, const char *column);

#endif
