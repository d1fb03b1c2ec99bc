/* SPDX-License-Identifier: Apache-2.0 */
#include "thrift.h"

#define DEEPEST 32

static uint8_t byte(struct gv_thrift *t)
{
	if (t->bad || t->at >= t->end) {
		t->bad = true;
		return 0;
	}
	return *t->at++;
}

uint64_t gv_varint(struct gv_thrift *t)
{
	uint64_t value = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		uint8_t b = byte(t);

		value |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return value;
	}
	t->bad = true;
	return 0;
}

int64_t gv_thrift_int(struct gv_thrift *t)
{
	uint64_t z = gv_varint(t);

	return (int64_t)(z >> 1) ^ -(int64_t)(z & 1);
}

const char *gv_thrift_bytes(struct gv_thrift *t, size_t *n)
{
	uint64_t size = gv_varint(t);
	const char *bytes = (const char *)t->at;

	*n = 0;
	if (t->bad || size > (uint64_t)(t->end - t->at)) {
		t->bad = true;
		return "";
	}
	t->at += size;
	*n = (size_t)size;
	return bytes;
}

size_t gv_thrift_list(struct gv_thrift *t, int *type)
{
	uint8_t head = byte(t);
	uint64_t n = head >> 4;

	*type = head & 0x0f;
	if (n == 15)
		n = gv_varint(t);
	/* every element takes a byte at least */
	if (t->bad || n > (uint64_t)(t->end - t->at)) {
		t->bad = true;
		return 0;
	}
	return (size_t)n;
}

bool gv_thrift_next(struct gv_thrift *t, struct gv_field *field)
{
	uint8_t head = byte(t);

	if (t->bad || head == GV_THRIFT_STOP)
		return false;
	field->type = head & 0x0f;
	if (head >> 4)
		field->id += head >> 4;
	else
		field->id = (int)(int16_t)gv_thrift_int(t);
	return !t->bad;
}

static void skip(struct gv_thrift *t, int type, int depth);

static void skip_list(struct gv_thrift *t, int depth)
{
	int type;
	size_t n = gv_thrift_list(t, &type);

	for (size_t i = 0; i < n && !t->bad; i++) {
		if (type == GV_THRIFT_TRUE || type == GV_THRIFT_FALSE)
			(void)byte(t);
		else
			skip(t, type, depth);
	}
}

static void skip_struct(struct gv_thrift *t, int depth)
{
	struct gv_field field = {0};

	while (gv_thrift_next(t, &field))
		skip(t, field.type, depth);
}

static void skip(struct gv_thrift *t, int type, int depth)
{
	size_t n;

	if (depth > DEEPEST) {
		t->bad = true;
		return;
	}
	switch (type) {
	case GV_THRIFT_TRUE:
	case GV_THRIFT_FALSE:
		break;
	case GV_THRIFT_BYTE:
		(void)byte(t);
		break;
	case GV_THRIFT_I16:
	case GV_THRIFT_I32:
	case GV_THRIFT_I64:
		(void)gv_varint(t);
		break;
	case GV_THRIFT_DOUBLE:
		for (int i = 0; i < 8; i++)
			(void)byte(t);
		break;
	case GV_THRIFT_BINARY:
		(void)gv_thrift_bytes(t, &n);
		break;
	case GV_THRIFT_LIST:
	case GV_THRIFT_SET:
		skip_list(t, depth + 1);
		break;
	case GV_THRIFT_STRUCT:
		skip_struct(t, depth + 1);
		break;
	default: /* a map: nothing that Parquet uses */
		t->bad = true;
	}
}

void gv_thrift_skip(struct gv_thrift *t, int type)
{
	skip(t, type, 0);
}
