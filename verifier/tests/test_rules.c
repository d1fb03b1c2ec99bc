/* SPDX-License-Identifier: Apache-2.0 */
/* The rules against the vectors of the specification, which are copied to
 * vectors/ (tools/check-independence compares them): test_rules FOLDER. */
#include <jansson.h>
#include <string.h>

#include "licence.h"
#include "path.h"
#include "test.h"
#include "text.h"

static const char *get(const json_t *v, const char *key)
{
	const char *s = json_string_value(json_object_get(v, key));

	return s ? s : "";
}

/* The bytes of a column, or of its twin in hex. */
static struct gv_buf bytes(const json_t *v, const char *key)
{
	const json_t *text = json_object_get(v, key);
	char *hex_key = gv_format("%s_hex", key);
	const char *hex = get(v, hex_key);
	struct gv_buf buf = {0};

	gv_put(&buf, json_string_value(text), json_string_length(text));
	for (; *hex; hex += 2) {
		char two[3] = {hex[0], hex[1], '\0'};
		char c = (char)strtol(two, NULL, 16);

		gv_put(&buf, &c, 1);
	}
	free(hex_key);
	return buf;
}

static void normalise(const json_t *v) /* I1 */
{
	struct gv_buf text = bytes(v, "text"), normal = bytes(v, "normal");
	struct gv_buf is = {0};

	gv_normalise(text.s, text.n, &is);
	test(is.n == normal.n && memcmp(is.s, normal.s, is.n) == 0,
	    "I1 normalise: %s", get(v, "name"));
	gv_drop(&text);
	gv_drop(&normal);
	gv_drop(&is);
}

static void fingerprint(const json_t *v) /* I2, I4 */
{
	struct gv_buf a = bytes(v, "before"), b = bytes(v, "after"),
	              normal = {0};
	char hex[GV_HEX];

	gv_fingerprint(&a, &b, hex);
	test(strcmp(hex, get(v, "fingerprint")) == 0, "I2 fingerprint: %s",
	    get(v, "name"));
	gv_normalise(b.s, b.n, &normal);
	gv_sha256(normal.s, normal.n, hex);
	test(!*get(v, "after_hash") || strcmp(hex, get(v, "after_hash")) == 0,
	    "I4 hash of the text after: %s", get(v, "name"));
	gv_drop(&a);
	gv_drop(&b);
	gv_drop(&normal);
}

static void id(const json_t *v) /* I3 */
{
	const char *const seven[7] = {get(v, "repo"), get(v, "commit"),
	    get(v, "parent"), get(v, "module"), get(v, "unit"),
	    get(v, "granularity"), get(v, "fingerprint")};
	char is[20];

	gv_id(seven, is);
	test(strcmp(is, get(v, "id")) == 0, "I3 id: %s %s", get(v, "repo"), is);
}

static void diff_lines(const json_t *v) /* P2 */
{
	struct gv_buf a = bytes(v, "before"), b = bytes(v, "after");
	int64_t is = gv_diff_lines(a.s, a.n, b.s, b.n);

	test(is == json_integer_value(json_object_get(v, "diff_lines")),
	    "P2 diff_lines: %s (%lld)", get(v, "name"), (long long)is);
	gv_drop(&a);
	gv_drop(&b);
}

static void date(const json_t *v) /* W6 */
{
	int64_t epoch = json_integer_value(json_object_get(v, "epoch"));
	char is[24] = "";
	bool ok = gv_date(epoch, is);

	test(ok == json_is_string(json_object_get(v, "text")) &&
	         strcmp(is, get(v, "text")) == 0,
	    "W6 date: %lld", (long long)epoch);
}

static void path(const json_t *v) /* W4 */
{
	static const char *const names[] = {
	    "test", "other", "vendored", "generated", "auxiliary", "source"};
	struct gv_patterns own = {0};
	size_t i;
	json_t *one;

	json_array_foreach(json_object_get(v, "python_files"), i, one)
	    gv_add_pattern(&own, json_string_value(one));
	test(strcmp(names[gv_class_of(get(v, "path"), &own)],
	         get(v, "class")) == 0,
	    "W4 class of %s", get(v, "path"));
	test(gv_collected(get(v, "path"), &own) ==
	         json_is_true(json_object_get(v, "collected")),
	    "W3 collected: %s", get(v, "path"));
	gv_free_patterns(&own);
}

static void each(
    const char *folder, const char *name, void (*check)(const json_t *))
{
	char *file = gv_format("%s/%s.json", folder, name);
	json_error_t error;
	json_t *all = json_load_file(file, JSON_ALLOW_NUL, &error), *one;
	size_t i;

	test(all != NULL, "%s can be read %s", name, all ? "" : error.text);
	json_array_foreach(json_object_get(all, "vectors"), i, one) check(one);
	json_decref(all);
	free(file);
}

static void patterns(void) /* W4: where python_files stands */
{
	static const struct {
		const char *file, *text, *first;
	} rows[] = {
	    {"pytest.ini", "[pytest]\npython_files = check_*.py\n",
	        "check_*.py"},
	    {"tox.ini", "[testenv]\npython_files = a.py\n", NULL},
	    {"setup.cfg",
	        "[tool:pytest]\npython_files =\n    spec_*.py\n    b.py\n",
	        "spec_*.py"},
	    {"pyproject.toml",
	        "[tool.pytest.ini_options]\npython_files = [\n  'c_*.py',\n]\nx = 1\n",
	        "c_*.py"},
	    {"pytest.ini", "[pytest]\npython_files = *.py\n", NULL},
	};

	for (size_t i = 0; i < GV_COUNT(rows); i++) {
		struct gv_buf text = {0};
		struct gv_patterns own = {0};

		gv_puts(&text, rows[i].text);
		gv_read_patterns(rows[i].file, &text, &own);
		test(rows[i].first
		         ? own.n && strcmp(own.v[0], rows[i].first) == 0
		         : own.n == 0,
		    "W4 python_files in %s, row %zu", rows[i].file, i);
		gv_drop(&text);
		gv_free_patterns(&own);
	}
}

static void written(void) /* S3 */
{
	test(!gv_writable_path(".git/config"), "S3 .git");
	test(!gv_writable_path("a/.GIT/x"), "S3 .GIT");
	test(!gv_writable_path("a/.git. /x"), "S3 .git with dots and blanks");
	test(!gv_writable_path("git~1"), "S3 git~1");
	test(!gv_writable_path("a/../b"), "S3 ..");
	test(!gv_writable_path("a/__pycache__/b.py"), "S3 __pycache__");
	test(!gv_writable_path("a/b.pyc"), "S3 *.pyc");
	test(gv_writable_path(".gitignore"),
	    "S3 .gitignore is a file like others");
	test(gv_link_inside("a/b", "../c"), "S3 a link to the side");
	test(!gv_link_inside("a/b", "../../c"), "S3 a link out of the tree");
	test(!gv_link_inside("a", "/etc/passwd"), "S3 a link to the root");
}

static void messages(void) /* K4 */
{
	struct gv_buf message = {0}, text = {0};

	gv_puts(&message, "\n  \nFix it\n\nBecause.\n\n");
	gv_message_spec(&message, &text);
	test(strcmp(text.s, "Fix it\n\nBecause.") == 0,
	    "K4 outer blank lines go");
	gv_drop(&text);
	gv_subject(&message, &text);
	test(strcmp(text.s, "Fix it") == 0,
	    "K4 the first line that is not blank");
	gv_drop(&text);
	gv_drop(&message);
}

/* The same words in lines of another length, holders' lines aside. */
static void wrap(const struct gv_buf *from, size_t width, struct gv_buf *to)
{
	size_t column = 0;

	for (size_t i = 0; i < from->n; i++) {
		bool blank = from->s[i] == ' ' || from->s[i] == '\n';
		bool paragraph =
		    i && from->s[i] == '\n' && from->s[i - 1] == '\n';

		column = paragraph ? 0 : column + 1;
		if (paragraph)
			gv_puts(to, "\n\n");
		else if (blank && column > width)
			gv_puts(to, "\n");
		else
			gv_put(to, blank ? " " : from->s + i, 1);
		if (blank && column > width)
			column = 0;
	}
}

/* L2: how a text is broken into lines does not matter. */
static void wrapped(const struct gv_buf *text, const char *id)
{
	size_t wrong = 0;

	for (size_t width = 30; width < 110; width += 13) {
		struct gv_buf other = {0};
		const char *is;

		wrap(text, width, &other);
		is = gv_licence_of(&other);
		wrong += !is || strcmp(is, id) != 0;
		gv_drop(&other);
	}
	test(!wrong, "L2 %s in lines of any length (%zu are not)", id, wrong);
}

/* L2, L3: each model is itself, and none of them with a line below it. */
static void licences(const char *folder)
{
	static const char *const ids[] = {"MIT", "ISC", "BSD-2-Clause",
	    "BSD-3-Clause", "PSF-2.0", "Apache-2.0"};
	static const char *const additions[] = {
	    "\nThe Software may not be used for commercial purposes.\n",
	    "\n\"Commons Clause\" License Condition v1.0\n\nThe Software is provided "
	    "to you by the Licensor under the License, as defined below, subject "
	    "to the following condition.\n"};

	for (size_t i = 0; i < GV_COUNT(ids); i++) {
		char *file =
		    gv_format("%s/../../licences/%s.txt", folder, ids[i]);
		struct gv_buf text = {0};
		const char *is;
		size_t n;

		test(gv_read(file, &text), "%s is there", ids[i]);
		is = gv_licence_of(&text);
		test(is && strcmp(is, ids[i]) == 0, "L2 %s is %s", ids[i],
		    is ? is : "nothing");
		wrapped(&text, ids[i]);
		n = text.n;
		for (size_t k = 0; k < GV_COUNT(additions); k++) {
			text.n = n;
			gv_puts(&text, additions[k]);
			test(!gv_licence_of(&text), "L3 %s with addition %zu",
			    ids[i], k);
		}
		gv_drop(&text);
		free(file);
	}
}

/* L2: who wrote parts changes nothing; on what terms does. */
static void credits(const char *folder)
{
	static const char *const rows[] = {
	    "+It uses parts of optparse written by Jane Roe and maintained by the "
	    "Example Foundation. This is limited to code in parser.py.",
	    "-It uses parts of optparse written by Jane Roe and maintained by the "
	    "Example Foundation, which are licensed separately.",
	    "-It uses parts of optparse, written by Jane Roe, which must not be "
	    "sold by anybody who is not Jane Roe or Jane Roe's own brother or "
	    "sister, or a cousin of theirs."};
	char *file = gv_format("%s/../../licences/BSD-3-Clause.txt", folder);
	struct gv_buf text = {0};
	size_t n;

	test(gv_read(file, &text), "BSD-3-Clause is there");
	n = text.n;
	for (size_t i = 0; i < GV_COUNT(rows); i++) {
		text.n = n;
		gv_putf(&text,
		    "\n----\n\n%s\n\nCopyright (c) 2001-2006 Jane Roe. All "
		    "rights reserved.\n",
		    rows[i] + 1);
		test(!gv_licence_of(&text) == (rows[i][0] == '-'),
		    "L2 BSD-3-Clause with credits %zu", i);
	}
	gv_drop(&text);
	free(file);
}

/* L1: a file that only points elsewhere is no licence text. */
static void pointers(void)
{
	/* + points elsewhere, - does not */
	static const char *const rows[] = {"+ \n\t",
	    "+SPDX-License-Identifier: MIT\nSPDX-FileCopyrightText: 2021 A\n",
	    "+This is dual licensed, see LICENSE.MIT or LICENSE.APACHE.",
	    "-SPDX-License-Identifier: GPL-3.0-only\n",
	    "-See the license; no commercial use.",
	    "-You may not use it. See COPYING.",
	    "-Permission is hereby granted, see LICENSE.",
	    "-All rights reserved."};

	for (size_t i = 0; i < GV_COUNT(rows); i++) {
		struct gv_buf text = {0};

		gv_puts(&text, rows[i] + 1);
		test(gv_is_no_licence(&text) == (rows[i][0] == '+'),
		    "L1 pointer %zu", i);
		gv_drop(&text);
	}
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : "vectors";

	each(folder, "normalise", normalise);
	each(folder, "fingerprint", fingerprint);
	each(folder, "id", id);
	each(folder, "diff_lines", diff_lines);
	each(folder, "dates", date);
	each(folder, "paths", path);
	patterns();
	written();
	messages();
	pointers();
	licences(argc > 2 ? argv[2] : folder);
	credits(argc > 2 ? argv[2] : folder);
	return test_end();
}
