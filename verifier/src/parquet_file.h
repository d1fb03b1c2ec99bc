/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the Parquet reader: what a file says of itself, and its pages. */
#ifndef GV_PARQUET_FILE_H
#define GV_PARQUET_FILE_H

#include "thrift.h"
#include "util.h"

enum pq_type {
	PQ_BOOL,
	PQ_INT32,
	PQ_INT64,
	PQ_INT96,
	PQ_FLOAT,
	PQ_DOUBLE,
	PQ_BYTES,
	PQ_FIXED
};

enum pq_encoding {
	PQ_PLAIN = 0,
	PQ_PLAIN_DICTIONARY = 2,
	PQ_RLE = 3,
	PQ_DELTA_INT = 5,
	PQ_DELTA_LENGTH = 6,
	PQ_DELTA_BYTES = 7,
	PQ_RLE_DICTIONARY = 8,
	PQ_SPLIT = 9,
};

/* one leaf of the schema, in the order of the file */
struct pq_column {
	char *name;      /* of the top-level field that it belongs to */
	int type, fixed; /* width of PQ_FIXED */
	int max_def, max_rep;
	int list_def; /* definition level from which a list has an element */
	bool other;   /* a shape that is left out */
};

struct pq_chunk {
	int codec;
	int64_t values, data_at, dictionary_at, size;
};

struct pq_group {
	int64_t rows;
	struct pq_chunk *chunks; /* one for each column */
};

struct pq_file {
	const uint8_t *bytes;
	size_t n;
	struct pq_column *columns;
	size_t n_columns;
	struct pq_group *groups;
	size_t n_groups;
	int64_t rows;
	size_t made;     /* bytes that its values took so far, about */
	const char *bad; /* the first thing that did not hold, or NULL */
};

/* dictionary pages have kind 2, data pages 0 or 3 */
struct pq_header {
	int64_t kind, plain_size, packed_size, values, encoding;
	int64_t def_size, rep_size; /* version 2 */
	bool packed;
};

union pq_value {
	int64_t i;
	double d;

	struct {
		const char *s;
		size_t n;
	} text;
};

/* the decoded values of a page; texts point into its bytes or `own` */
struct pq_values {
	union pq_value *v;
	size_t n;
	struct gv_buf own;
};

void pq_open(struct pq_file *file, const void *bytes, size_t n);
void pq_close(struct pq_file *file);
bool pq_read_header(struct gv_thrift *t, struct pq_header *header);

/* unpacks `n` bytes into exactly `want`; NULL or a complaint */
const char *pq_unpack(
    int codec, const uint8_t *from, size_t n, struct gv_buf *to, size_t want);
/* runs of repeated and of bit-packed numbers; false when they do not suffice */
bool pq_hybrid(struct gv_thrift *t, int width, uint32_t *to, size_t n);
/* `n` values of a column in an encoding that needs no dictionary */
const char *pq_decode(struct gv_thrift *t, const struct pq_column *column,
    int64_t encoding, size_t n, struct pq_values *to);

#endif
