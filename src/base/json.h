/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON. Writing is ours, straight into a buffer, so that bytes are the same
 * everywhere; reading is jansson's, through the accessors below.
 *
 *	gs_json_begin_object(&json);
 *	gs_json_key(&json, "id");
 *	gs_json_string(&json, id);
 *	gs_json_end_object(&json);
 *
 * Commas are kept by the writer. Strings must be bytes of UTF-8; an invalid
 * byte is written as U+FFFD, never raw.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strv.h"

struct gs_json {
	struct gs_buf *out;
	bool pretty;      /* two spaces a level and a space after ':' */
	unsigned depth;   /* open objects and arrays */
	bool needs_comma; /* kept by the writer */
	bool after_key;
};

void gs_json_begin_object(struct gs_json *json);
void gs_json_end_object(struct gs_json *json);
void gs_json_begin_array(struct gs_json *json);
void gs_json_end_array(struct gs_json *json);
void gs_json_key(struct gs_json *json, const char *key);
void gs_json_string(struct gs_json *json, struct gs_str s);
void gs_json_cstr(struct gs_json *json, const char *s); /* NULL gives null */
void gs_json_int(struct gs_json *json, int64_t value);
/* The shortest digits that read back, as a real: 1.0, not 1. */
void gs_json_real(struct gs_json *json, double value);
void gs_json_bool(struct gs_json *json, bool value);
void gs_json_null(struct gs_json *json);
/* Text that is JSON already. */
void gs_json_raw(struct gs_json *json, struct gs_str text);
void gs_json_strv(struct gs_json *json, const struct gs_strv *strv);

/* "key": value in one call. */
void gs_json_put_cstr(struct gs_json *json, const char *key, const char *s);
void gs_json_put_str(struct gs_json *json, const char *key, struct gs_str s);
void gs_json_put_int(struct gs_json *json, const char *key, int64_t value);
void gs_json_put_bool(struct gs_json *json, const char *key, bool value);
void gs_json_put_strv(
    struct gs_json *json, const char *key, const struct gs_strv *strv);

/* Parses one document (NUL allowed in strings, duplicate keys refused,
 * depth capped by jansson at 2048); `what` names it in the error sentence.
 * The caller calls json_decref. */
json_t *gs_json_parse(struct gs_str text, const char *what, struct gs_err *err);
void gs_json_free(json_t **json); /* for GS_CLEANUP */
/* Member accessors; a missing or mistyped member gives the fallback. */
struct gs_str gs_json_get_str(const json_t *object, const char *key);
const char *gs_json_get_cstr(
    const json_t *object, const char *key); /* or NULL */
/* A copy, which the caller frees, or NULL. */
char *gs_json_get_dup(const json_t *object, const char *key);
int64_t gs_json_get_int(
    const json_t *object, const char *key, int64_t fallback);
double gs_json_get_real(const json_t *object, const char *key, double fallback);
bool gs_json_get_bool(const json_t *object, const char *key, bool fallback);
/* Appends the strings of an array member; others are passed over. */
void gs_json_get_strv(
    const json_t *object, const char *key, struct gs_strv *strv);

#endif
