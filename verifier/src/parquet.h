/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of Parquet files, for tables of text, numbers, booleans and lists
 * of them. It knows pages of both versions, plain, dictionary and delta
 * encodings, and snappy, gzip and zstd. Columns of another shape are left out.
 *
 * Nothing in a file can make it read out of bounds; what does not hold
 * together gives NULL and a sentence. */
#ifndef GV_PARQUET_H
#define GV_PARQUET_H

#include <jansson.h>
#include <stddef.h>

/* An array with an object for each row, or NULL and in `why` the reason. With
 * `columns`, their names in the order of the file go there, as an array. */
json_t *gv_parquet(
    const void *bytes, size_t n, json_t **columns, const char **why);

#endif
