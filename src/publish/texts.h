/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a release that are words about its tables. Each is written
 * from the facts read back, and from nothing that a clock or a machine says. */
#ifndef PUBLISH_TEXTS_H
#define PUBLISH_TEXTS_H

#include "publish/changes.h"
#include "publish/facts.h"
#include "publish/publish.h"
#include "publish/render.h"

struct release {
	const struct gs_publish_options *options;
	const struct facts *facts;
	const struct licences *licences;
	const struct changes *changes;
	bool is_withheld, has_commitment; /* P4: which side this is */
	/* Of the store, for the funnel and for what was left out. */
	int64_t candidates; /* tried */
	const struct gs_counts *all_kinds;
};

/* "" stands for a fact that the publisher did not give. */
const char *said(const char *fact);
const char *name_of(const struct release *release);
const char *author_of(const struct release *release);
/* The day of the release: that of its last proving run. */
const char *date_of(const struct release *release);
/* "1 record", "2 records", "1,234 records". */
void add_count(struct gs_buf *out, int64_t n, const char *noun);
void add_number(struct gs_buf *out, int64_t n);

/* Everything that the templates name. */
void fill_values(const struct release *release, struct values *values);

void write_attribution(const struct release *release, struct gs_buf *out);
void write_citation(const struct release *release, struct gs_buf *out);
void write_bibtex(const struct release *release, struct gs_buf *out);
void write_croissant(const struct release *release, struct gs_buf *out);
void write_schema(const struct release *release, struct gs_buf *out);
void write_eval(const struct release *release, struct gs_buf *out);

#endif
