/* SPDX-License-Identifier: Apache-2.0 */
#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "parquet_file.h"

static bool inflate_all(const uint8_t *from, size_t n, char *to, size_t want)
{
	z_stream z = {0};
	int rc;

	if (inflateInit2(&z, 15 + 32) != Z_OK)
		return false;
	z.next_in = (Bytef *)gv_loose((const char *)from);
	z.avail_in = (uInt)n;
	z.next_out = (Bytef *)to;
	z.avail_out = (uInt)want;
	rc = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	return rc == Z_STREAM_END && z.total_out == want;
}

const char *pq_unpack(
    int codec, const uint8_t *from, size_t n, struct gv_buf *to, size_t want)
{
	size_t got = want;

	to->n = 0;
	if (want > 256u + n * 4096u)
		return "a page promises more than it can hold";
	if (to->cap < want + 1) {
		to->cap = want + 1;
		to->s = gv_grow(to->s, to->cap);
	}
	switch (codec) {
	case 0:
		if (n != want)
			return "a page has another size than it says";
		memcpy(to->s, from, n);
		break;
	case 1:
		if (snappy_uncompressed_length((const char *)from, n, &got) !=
		        SNAPPY_OK ||
		    got != want ||
		    snappy_uncompress((const char *)from, n, to->s, &got) !=
		        SNAPPY_OK)
			return "a page of snappy does not unpack";
		break;
	case 2:
		if (!inflate_all(from, n, to->s, want))
			return "a page of gzip does not unpack";
		break;
	case 6:
		got = ZSTD_decompress(to->s, want, from, n);
		if (ZSTD_isError(got) || got != want)
			return "a page of zstd does not unpack";
		break;
	default:
		return "it is compressed with something else than snappy, gzip or "
		       "zstd";
	}
	to->n = want;
	return NULL;
}

/* Groups of eight numbers, each `width` bits, the low bits first. */
static size_t bit_packed(
    struct gv_thrift *t, int width, uint64_t groups, uint32_t *to, size_t room)
{
	uint64_t acc = 0;
	int held = 0;
	size_t done = 0;

	if (groups >
	    (uint64_t)(t->end - t->at) / (uint64_t)(width ? width : 1) + 1)
		groups = (uint64_t)(t->end - t->at) + 1;
	for (uint64_t i = 0; i < groups * 8; i++) {
		while (held < width && t->at < t->end) {
			acc |= (uint64_t)*t->at++ << held;
			held += 8;
		}
		if (held < width)
			break;
		if (done < room)
			to[done++] =
			    (uint32_t)(acc & (((uint64_t)1 << width) - 1));
		acc >>= width;
		held -= width;
	}
	return done;
}

bool pq_hybrid(struct gv_thrift *t, int width, uint32_t *to, size_t n)
{
	size_t done = 0;

	if (width > 32)
		return false;
	while (done < n) {
		uint64_t head = gv_varint(t);
		uint64_t run = head >> 1;
		uint32_t value = 0;

		if (t->bad || !run)
			return false;
		if (head & 1) {
			size_t got =
			    bit_packed(t, width, run, to + done, n - done);

			if (!got)
				return false;
			done += got;
			continue;
		}
		if (t->end - t->at < (width + 7) / 8)
			return false;
		for (int i = 0; i < (width + 7) / 8; i++)
			value |= (uint32_t)*t->at++ << (8 * i);
		for (; run && done < n; run--)
			to[done++] = value;
	}
	return true;
}

static uint64_t little(const uint8_t *at, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

static const char *plain_bytes(
    struct gv_thrift *t, int fixed, size_t n, struct pq_values *to)
{
	for (size_t i = 0; i < n; i++) {
		size_t left = (size_t)(t->end - t->at), size = (size_t)fixed;

		if (fixed < 0) {
			if (left < 4)
				return "a text is cut off";
			size = (size_t)little(t->at, 4);
			t->at += 4;
			left -= 4;
		}
		if (size > left)
			return "a text is cut off";
		to->v[i].text.s = (const char *)t->at;
		to->v[i].text.n = size;
		t->at += size;
	}
	return NULL;
}

static const char *plain(struct gv_thrift *t, const struct pq_column *column,
    size_t n, struct pq_values *to)
{
	static const int widths[] = {
	    [PQ_INT32] = 4, [PQ_INT64] = 8, [PQ_FLOAT] = 4, [PQ_DOUBLE] = 8};
	size_t left = (size_t)(t->end - t->at);
	int width;

	if (column->type == PQ_BYTES)
		return plain_bytes(t, -1, n, to);
	if (column->type == PQ_FIXED)
		return column->fixed > 0 ? plain_bytes(t, column->fixed, n, to)
		                         : "a column has no width";
	if (column->type == PQ_BOOL) {
		if (left < (n + 7) / 8)
			return "booleans are cut off";
		for (size_t i = 0; i < n; i++)
			to->v[i].i = t->at[i / 8] >> (i % 8) & 1;
		return NULL;
	}
	width = column->type < 0 || column->type > PQ_DOUBLE
	            ? 0
	            : widths[column->type];
	if (!width)
		return "a column has a type that is not known";
	if (left / (size_t)width < n)
		return "numbers are cut off";
	for (size_t i = 0; i < n; i++, t->at += width) {
		uint64_t raw = little(t->at, width);
		float f;

		if (column->type == PQ_INT32) {
			to->v[i].i = (int32_t)(uint32_t)raw;
		} else if (column->type == PQ_FLOAT) {
			memcpy(&f, t->at, sizeof(f));
			to->v[i].d = (double)f;
		} else {
			memcpy(&to->v[i], &raw, sizeof(raw));
		}
	}
	return NULL;
}

/* a block of deltas on its way: where it is, and what was added up */
struct deltas {
	struct gv_thrift *t;
	struct pq_values *to;
	size_t done, n;
	uint64_t least, last;
};

static bool miniblock(struct deltas *d, int width, size_t size)
{
	size_t bytes = size / 8 * (size_t)width;
	const uint8_t *at = d->t->at;

	if (width > 64 || (size_t)(d->t->end - at) < bytes)
		return false;
	for (size_t i = 0; i < size && d->done < d->n; i++) {
		uint64_t delta = 0;

		for (int b = 0; b < width; b++) {
			size_t bit = i * (size_t)width + (size_t)b;

			delta |= (uint64_t)(at[bit / 8] >> (bit % 8) & 1) << b;
		}
		d->last += d->least + delta;
		d->to->v[d->done++].i = (int64_t)d->last;
	}
	d->t->at += bytes;
	return true;
}

static const char *delta_ints(
    struct gv_thrift *t, size_t n, struct pq_values *to)
{
	struct deltas d = {.t = t, .to = to, .n = n};
	uint64_t block = gv_varint(t), minis = gv_varint(t);
	uint64_t total = gv_varint(t);

	d.last = (uint64_t)gv_thrift_int(t);
	if (t->bad || total != n || !minis || minis > 512 || block > 1 << 20 ||
	    block % (minis * 8))
		return "a delta block is not as it should be";
	if (n)
		to->v[d.done++].i = (int64_t)d.last;
	while (d.done < n) {
		const uint8_t *widths;

		d.least = (uint64_t)gv_thrift_int(t);
		widths = t->at;
		if (t->bad || (uint64_t)(t->end - t->at) < minis)
			return "a delta block is cut off";
		t->at += minis;
		for (uint64_t m = 0; m < minis && d.done < n; m++)
			if (!miniblock(&d, widths[m], (size_t)(block / minis)))
				return "a delta block is cut off";
	}
	return NULL;
}

static const char *delta_lengths(
    struct gv_thrift *t, size_t n, struct pq_values *to)
{
	const char *why = delta_ints(t, n, to);

	for (size_t i = 0; i < n && !why; i++) {
		int64_t size = to->v[i].i;

		if (size < 0 || size > t->end - t->at)
			return "a text is cut off";
		to->v[i].text.s = (const char *)t->at;
		to->v[i].text.n = (size_t)size;
		t->at += size;
	}
	return why;
}

/* Each text begins with the first bytes of the one before it. */
static const char *delta_texts(
    struct gv_thrift *t, size_t n, struct pq_values *to)
{
	struct pq_values prefix = {.v = gv_alloc(n * sizeof(*prefix.v))};
	const char *why = delta_ints(t, n, &prefix);
	size_t before = 0, total = 0;

	if (!why)
		why = delta_lengths(t, n, to);
	for (size_t i = 0; i < n && !why; i++) {
		int64_t keep = prefix.v[i].i;

		if (keep < 0 || (uint64_t)keep > before)
			why = "a text has a prefix that is too long";
		before = (size_t)keep + to->v[i].text.n;
		total += before;
		if (total > 1u << 30)
			why = "its texts are too long";
	}
	to->own.n = 0;
	/* offsets first: the buffer moves while it grows */
	for (size_t i = 0, last = 0; i < n && !why; i++) {
		size_t at = to->own.n, keep = (size_t)prefix.v[i].i;
		char *copy = gv_alloc(keep + 1);

		if (keep)
			memcpy(copy, to->own.s + last, keep);
		gv_put(&to->own, copy, keep);
		gv_put(&to->own, to->v[i].text.s, to->v[i].text.n);
		free(copy);
		to->v[i].text.n += keep;
		last = at;
	}
	for (size_t i = 0, at = 0; i < n && !why; i++) {
		to->v[i].text.s = to->own.s + at;
		at += to->v[i].text.n;
	}
	free(prefix.v);
	return why;
}

/* All first bytes of the numbers, then all second ones, and so on. */
static const char *split_numbers(
    struct gv_thrift *t, bool wide, size_t n, struct pq_values *to)
{
	size_t width = wide ? 8 : 4;

	if ((size_t)(t->end - t->at) / width < n)
		return "numbers are cut off";
	for (size_t i = 0; i < n; i++) {
		uint8_t raw[8];
		float f;

		for (size_t b = 0; b < width; b++)
			raw[b] = t->at[b * n + i];
		memcpy(&f, raw, sizeof(f));
		if (wide)
			memcpy(&to->v[i].d, raw, sizeof(raw));
		else
			to->v[i].d = (double)f;
	}
	return NULL;
}

static const char *run_length_booleans(
    struct gv_thrift *t, size_t n, struct pq_values *to)
{
	uint32_t *bits = gv_alloc(n * sizeof(*bits));
	const char *why = NULL;

	if (t->end - t->at < 4)
		why = "booleans are cut off";
	else
		t->at += 4;
	if (!why && n && !pq_hybrid(t, 1, bits, n))
		why = "booleans are cut off";
	for (size_t i = 0; i < n && !why; i++)
		to->v[i].i = bits[i];
	free(bits);
	return why;
}

const char *pq_decode(struct gv_thrift *t, const struct pq_column *column,
    int64_t encoding, size_t n, struct pq_values *to)
{
	bool whole = column->type == PQ_INT32 || column->type == PQ_INT64;

	free(to->v);
	to->v = gv_alloc(n * sizeof(*to->v));
	to->n = n;
	if (encoding == PQ_PLAIN)
		return plain(t, column, n, to);
	if (encoding == PQ_RLE && column->type == PQ_BOOL)
		return run_length_booleans(t, n, to);
	if (encoding == PQ_DELTA_INT && whole)
		return delta_ints(t, n, to);
	if (encoding == PQ_DELTA_LENGTH && column->type == PQ_BYTES)
		return delta_lengths(t, n, to);
	if (encoding == PQ_DELTA_BYTES && column->type == PQ_BYTES)
		return delta_texts(t, n, to);
	if (encoding == PQ_SPLIT &&
	    (column->type == PQ_FLOAT || column->type == PQ_DOUBLE))
		return split_numbers(t, column->type == PQ_DOUBLE, n, to);
	return "it has an encoding that is not known";
}
