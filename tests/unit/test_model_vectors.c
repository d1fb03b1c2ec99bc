/* SPDX-License-Identifier: Apache-2.0 */
/* The test vectors of spec/vectors, which another implementation is written
 * against, hold of this one. */
#include <stdio.h>
#include <string.h>

#include "base/datetime.h"
#include "base/json.h"
#include "gs_test.h"
#include "model/diff.h"
#include "model/identity.h"
#include "model/paths.h"

static json_t *load(const char *name)
{
	char path[200];
	(void)snprintf(path, sizeof(path), "../../spec/vectors/%s", name);
	json_t *file = json_load_file(path, JSON_ALLOW_NUL, NULL);
	ck_assert_msg(file, "%s cannot be read", path);
	json_t *vectors = json_incref(json_object_get(file, "vectors"));
	json_decref(file);
	ck_assert_uint_gt(json_array_size(vectors), 0);
	return vectors;
}

static void put_hex(struct gs_str hex, struct gs_buf *ret)
{
	char *room = gs_buf_room(ret, hex.n / 2);
	ck_assert(gs_unhex(hex, (unsigned char *)room, hex.n / 2));
	gs_buf_grew(ret, hex.n / 2);
}

static void get_bytes(
    const json_t *row, const char *key, const char *key_hex, struct gs_buf *ret)
{
	if (json_object_get(row, key_hex))
		put_hex(gs_json_get_str(row, key_hex), ret);
	else
		gs_buf_adds(ret, gs_json_get_str(row, key));
}

/* I1 */
START_TEST(normalise)
	{
		json_t *vectors = load("normalise.json");
		size_t i;
		json_t *row;
		json_array_foreach(vectors, i, row)
		{
			struct gs_buf text = {0}, want = {0}, got = {0};
			get_bytes(row, "text", "text_hex", &text);
			get_bytes(row, "normal", "normal_hex", &want);
			gs_normalise(gs_buf_str(&text), &got);
			ck_assert_msg(
			    gs_str_eq(gs_buf_str(&got), gs_buf_str(&want)),
			    "%s: got \"%s\", want \"%s\"",
			    gs_json_get_cstr(row, "name"), gs_buf_cstr(&got),
			    gs_buf_cstr(&want));
			gs_buf_release(&text);
			gs_buf_release(&want);
			gs_buf_release(&got);
		}
		json_decref(vectors);
	}

END_TEST

/* I2, and the hash that I4 looks up */
START_TEST(fingerprint)
	{
		json_t *vectors = load("fingerprint.json");
		size_t i;
		json_t *row;
		json_array_foreach(vectors, i, row)
		{
			char hex[GS_SHA256_HEX];
			gs_fingerprint(gs_json_get_str(row, "before"),
			    gs_json_get_str(row, "after"), hex);
			ck_assert_str_eq(
			    hex, gs_json_get_cstr(row, "fingerprint"));
			gs_text_hash(gs_json_get_str(row, "after"), hex);
			ck_assert_str_eq(
			    hex, gs_json_get_cstr(row, "after_hash"));
		}
		json_decref(vectors);
	}

END_TEST

/* I3 */
START_TEST(record_id)
	{
		json_t *vectors = load("id.json");
		size_t i;
		json_t *row;
		json_array_foreach(vectors, i, row)
		{
			struct gs_identity identity = {
			    gs_json_get_cstr(row, "repo"),
			    gs_json_get_cstr(row, "commit"),
			    gs_json_get_cstr(row, "parent"),
			    gs_json_get_cstr(row, "module"),
			    gs_json_get_cstr(row, "unit"),
			    gs_json_get_cstr(row, "granularity"),
			    gs_json_get_cstr(row, "fingerprint")};
			char id[GS_ID_SIZE];
			gs_record_id(&identity, id);
			ck_assert_str_eq(id, gs_json_get_cstr(row, "id"));
		}
		json_decref(vectors);
	}

END_TEST

static const char *class_name(enum gs_path_class class)
{
	static const char *const names[] = {
	    [GS_PATH_OTHER] = "other",
	    [GS_PATH_SOURCE] = "source",
	    [GS_PATH_TEST] = "test",
	    [GS_PATH_VENDORED] = "vendored",
	    [GS_PATH_GENERATED] = "generated",
	    [GS_PATH_AUXILIARY] = "auxiliary",
	};
	return names[class];
}

/* W4, W3; F016, F017, F018, F019, F065 */
START_TEST(paths)
	{
		json_t *vectors = load("paths.json");
		size_t i;
		json_t *row;
		json_array_foreach(vectors, i, row)
		{
			struct gs_strv patterns = {0};
			gs_json_get_strv(row, "python_files", &patterns);
			struct gs_str path = gs_json_get_str(row, "path");
			const struct gs_strv *given =
			    patterns.n ? &patterns : NULL;
			const char *got =
			    class_name(gs_path_classify(path, given));
			ck_assert_msg(
			    strcmp(got, gs_json_get_cstr(row, "class")) == 0,
			    "%.*s is %s", GS_STR_ARG(path), got);
			ck_assert_msg(
			    gs_path_is_collected(path, given) ==
			        gs_json_get_bool(row, "collected", false),
			    "%.*s: collected?", GS_STR_ARG(path));
			gs_strv_release(&patterns);
		}
		json_decref(vectors);
	}

END_TEST

/* W6: seconds of 1970 to 9999; git itself knows no earlier ones. */
START_TEST(dates)
	{
		json_t *vectors = load("dates.json");
		size_t i;
		json_t *row;
		json_array_foreach(vectors, i, row)
		{
			int64_t at = gs_json_get_int(row, "epoch", -1);
			const char *want = gs_json_get_cstr(row, "text");
			char text[GS_DATETIME_SIZE];
			ck_assert_int_eq(
			    at >= 0 && at <= GS_DATETIME_MAX, !!want);
			if (!want)
				continue;
			gs_datetime_print(at, text);
			ck_assert_str_eq(text, want);
		}
		json_decref(vectors);
	}

END_TEST

/* P2 */
START_TEST(diff_lines)
	{
		json_t *vectors = load("diff_lines.json");
		size_t i;
		json_t *row;
		json_array_foreach(vectors, i, row)
		{
			struct gs_diff diff = {0};
			gs_diff(gs_json_get_str(row, "before"),
			    gs_json_get_str(row, "after"), &diff);
			ck_assert_msg(
			    (int64_t)(diff.added + diff.removed) ==
			        gs_json_get_int(row, "diff_lines", -1),
			    "%s: %zu", gs_json_get_cstr(row, "name"),
			    diff.added + diff.removed);
			gs_diff_release(&diff);
		}
		json_decref(vectors);
	}

END_TEST

GS_TESTS(vectors, GS_TEST(normalise), GS_TEST(fingerprint), GS_TEST(record_id),
    GS_TEST(paths), GS_TEST(dates), GS_TEST(diff_lines))
