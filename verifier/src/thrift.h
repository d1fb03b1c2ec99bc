/* SPDX-License-Identifier: Apache-2.0 */
/* Thrift's compact protocol, as far as Parquet's headers use it. */
#ifndef GV_THRIFT_H
#define GV_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gv_thrift_type {
	GV_THRIFT_STOP,
	GV_THRIFT_TRUE,
	GV_THRIFT_FALSE,
	GV_THRIFT_BYTE,
	GV_THRIFT_I16,
	GV_THRIFT_I32,
	GV_THRIFT_I64,
	GV_THRIFT_DOUBLE,
	GV_THRIFT_BINARY,
	GV_THRIFT_LIST,
	GV_THRIFT_SET,
	GV_THRIFT_MAP,
	GV_THRIFT_STRUCT,
};

/* a place in bytes; once `bad`, all reads give zero and do not move */
struct gv_thrift {
	const uint8_t *at, *end;
	bool bad;
};

/* one struct: call until false, and read or skip each field that it names */
struct gv_field {
	int id, type;
};

bool gv_thrift_next(struct gv_thrift *t, struct gv_field *field);
void gv_thrift_skip(struct gv_thrift *t, int type);

int64_t gv_thrift_int(struct gv_thrift *t);
const char *gv_thrift_bytes(struct gv_thrift *t, size_t *n);
size_t gv_thrift_list(struct gv_thrift *t, int *type); /* its length */
uint64_t gv_varint(struct gv_thrift *t);

#endif
