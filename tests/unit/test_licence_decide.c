/* SPDX-License-Identifier: Apache-2.0 */
/* From files, metadata and the head of the source to one verdict. */
#include <stdio.h>
#include <string.h>

#include "gs_test.h"
#include "licence/licence.h"

#define MAX 4

static char buffers[MAX][1 << 16];

/* A file of licences/, or "" for an empty one, or the text itself after a
 * '=' sign. */
static struct gs_str read_text(const char *file, size_t slot)
{
	char path[200];
	if (file[0] == '\0')
		return (struct gs_str){0};
	if (file[0] == '=')
		return gs_str(file + 1);
	(void)snprintf(path, sizeof(path), "licences/%s", file);
	FILE *in = fopen(path, "rb");
	ck_assert_msg(in != NULL, "%s is missing", path);
	size_t n = fread(buffers[slot], 1, sizeof(buffers[slot]), in);
	fclose(in);
	return gs_str_n(buffers[slot], n);
}

struct pair {
	const char *path, *text;
};

static const struct decision {
	const char *what;
	struct pair files[MAX];
	const char *expression; /* or "" */
	const char *reason;
	size_t first;
	const char *accepted; /* one id more, or NULL */
} decisions[] = {
    {"one text", {{"LICENSE", "mit.txt"}}, "MIT", "", 0, NULL},
    {"none", {{0}}, "", "no licence text", 0, NULL},
    /* F032 */
    {"choice", {{"LICENSE-APACHE", "apache.txt"}, {"LICENSE-MIT", "mit.txt"}},
        "Apache-2.0 OR MIT", "", 0, NULL},
    {"choice is sorted by id",
        {{"LICENSE.a", "mit.txt"}, {"LICENSE.b", "bsd3.txt"}},
        "BSD-3-Clause OR MIT", "", 0, NULL},
    {"copyleft beside it",
        {{"COPYING", "lgpl-2.1-only.txt"}, {"LICENSE", "mit.txt"}}, "",
        "ambiguous licence", 0, NULL},
    {"same text twice",
        {{"LICENSE", "mit.txt"}, {"LICENSE.rst", "mit-rst.rst"}}, "MIT", "", 0,
        NULL},
    /* F033 */
    {"several in one file", {{"LICENSE", "mit-and-gpl.txt"}}, "",
        "ambiguous licence", 0, NULL},
    {"pointer and both texts",
        {{"LICENSE", "pointer-dual.txt"}, {"LICENSE.APACHE", "apache.txt"},
            {"LICENSE.BSD", "bsd2.txt"}},
        "Apache-2.0 OR BSD-2-Clause", "", 1, NULL},
    {"pointer to a text that is not there",
        {{"LICENSE", "pointer-see.txt"}, {"LICENSE-MIT", "mit.txt"}}, "",
        "ambiguous licence", 0, NULL},
    {"pointer alone", {{"LICENSE", "pointer-dual.txt"}}, "",
        "licence not accepted", 0, NULL},
    {"head for files beside the text",
        {{"LICENSE", "mit.txt"}, {"LICENSE-HEADER", "spdx-head.txt"}}, "MIT",
        "", 0, NULL},
    {"head that names another licence",
        {{"LICENSE", "mit.txt"},
            {"LICENSE-HEADER", "=SPDX-License-Identifier: Apache-2.0\n"}},
        "", "ambiguous licence", 0, NULL},
    {"head that names copyleft",
        {{"LICENSE", "mit.txt"},
            {"LICENSE-HEADER", "=SPDX-License-Identifier: GPL-3.0-only\n"}},
        "", "ambiguous licence", 0, NULL},
    /* F039 */
    {"empty file beside it", {{"COPYING", ""}, {"LICENSE", "mit.txt"}}, "MIT",
        "", 1, NULL},
    {"white space beside it",
        {{"COPYING", "= \r\n\t\n"}, {"LICENSE", "mit.txt"}}, "MIT", "", 1,
        NULL},
    {"only an empty file", {{"COPYING", ""}}, "", "no licence text", 0, NULL},
    /* L2 */
    {"0BSD is not taken unasked", {{"LICENSE", "0bsd.txt"}}, "",
        "licence not accepted", 0, NULL},
    {"0BSD when asked", {{"LICENSE", "0bsd.txt"}}, "0BSD", "", 0, "0BSD"},
    {"Zlib when asked", {{"LICENSE", "zlib.txt"}}, "Zlib", "", 0, "Zlib"},
    {"Unlicense when asked", {{"LICENSE", "unlicense.txt"}}, "Unlicense", "", 0,
        "Unlicense"},
    {"asking for one does not open others", {{"LICENSE", "0bsd.txt"}}, "",
        "licence not accepted", 0, "Zlib"},
    {"GPL", {{"COPYING", "gpl-3.0-only.txt"}}, "", "licence not accepted", 0,
        NULL},
    {"one more condition", {{"LICENSE", "mit-noncommercial.txt"}}, "",
        "licence not accepted", 0, NULL},
    {"JSON", {{"LICENSE", "mit-evil.txt"}}, "", "licence not accepted", 0,
        NULL},
};

static struct gs_licence_verdict decide(const struct pair *files,
    const struct pair *metadata, const char *source, const char *accepted)
{
	struct gs_licence_file texts[MAX] = {0};
	struct gs_licence_file meta = {0};
	struct gs_licence_verdict verdict;
	struct gs_strv ids = {0};
	struct gs_licence_question question = {
	    .files = texts, .metadata = &meta, .source = gs_str(source)};
	for (size_t i = 0; i < MAX && files[i].path; i++) {
		texts[i].path = gs_str(files[i].path);
		texts[i].bytes = read_text(files[i].text, i);
		question.n_files++;
	}
	if (metadata) {
		meta.path = gs_str(metadata->path);
		meta.bytes = gs_str(metadata->text);
		question.n_metadata = 1;
	}
	if (accepted) {
		gs_strv_push(&ids, "MIT");
		gs_strv_push(&ids, accepted);
		question.accepted = &ids;
	}
	gs_licence_decide(&question, &verdict);
	gs_strv_release(&ids);
	return verdict;
}

static void check(const struct gs_licence_verdict *verdict,
    const char *expression, const char *reason, const char *what)
{
	ck_assert_msg(strcmp(verdict->expression, expression) == 0,
	    "%s: %s (%s: %s)", what, verdict->expression, verdict->reason,
	    verdict->detail);
	ck_assert_msg(strcmp(verdict->reason, reason) == 0, "%s: %s: %s", what,
	    verdict->reason, verdict->detail);
	ck_assert(verdict->accepted == (reason[0] == '\0'));
	ck_assert((verdict->detail[0] != '\0') == (reason[0] != '\0'));
}

/* L3, L5 */
START_TEST(folder_gives_one_verdict)
	{
		const struct decision *row = &decisions[_i];
		struct gs_licence_verdict verdict =
		    decide(row->files, NULL, "", row->accepted);
		check(&verdict, row->expression, row->reason, row->what);
		if (verdict.accepted)
			ck_assert_uint_eq(verdict.first, row->first);
	}

END_TEST

static const struct metadata {
	struct pair file;
	const char *licence; /* the text beside it */
	bool agrees;
} metadata[] = {
    /* F041 */
    {{"setup.py", "setup(classifiers=[\n  'License :: OSI Approved :: MIT "
                  "License',\n])"},
        "mit.txt", true},
    {{"setup.py", "setup(classifiers=[\n  'License :: OSI Approved :: Apache "
                  "Software License',\n])"},
        "mit.txt", false},
    {{"setup.py", "setup(license='LICENSE.txt')"}, "mit.txt", true},
    {{"setup.py", "    license='MIT',\n"}, "mit.txt", true},
    {{"setup.py", "setup(name='x', license='GPLv3', zip_safe=True)"}, "mit.txt",
        false},
    {{"setup.py", "    license=open('LICENSE').read(),\n"}, "mit.txt", true},
    {{"setup.py", "    license=__license__,\n"}, "mit.txt", true},
    {{"setup.py", "    # license='GPL',\n"}, "mit.txt", true},
    {{"setup.py", "    license='BSD',\n"}, "bsd2.txt", true},
    {{"setup.py", "    license='BSD',\n"}, "bsd3.txt", true},
    {{"setup.py", "    license='BSD',\n"}, "mit.txt", false},
    {{"setup.py", "    license='BSD 3-Clause',\n"}, "bsd2.txt", false},
    {{"setup.py", "    license='new BSD',\n"}, "bsd3.txt", true},
    {{"setup.py", "    license='Apache 2.0',\n"}, "apache.txt", true},
    {{"setup.py", "    license='Apache License, Version 2.0',\n"}, "apache.txt",
        true},
    {{"setup.py", "    license='PSF',\n"}, "psf.txt", true},
    {{"setup.cfg", "[metadata]\nlicense = MIT\nlicense_file = LICENSE\n"},
        "mit.txt", true},
    {{"setup.cfg", "[metadata]\nlicense = MIT License\r\n"}, "mit.txt", true},
    {{"setup.cfg", "[metadata]\nlicense = LGPL\n"}, "mit.txt", false},
    {{"setup.cfg", "[metadata]\nlicense_files = COPYING.GPL\n"}, "mit.txt",
        true},
    {{"setup.cfg", "[metadata]\nclassifiers =\n    License :: OSI Approved :: "
                   "BSD License\n"},
        "bsd3.txt", true},
    {{"setup.cfg", "[metadata]\nclassifiers =\n    License :: OSI Approved :: "
                   "GNU General Public License v3 (GPLv3)\n"},
        "bsd3.txt", false},
    /* F042 */
    {{"pyproject.toml", "[project]\nlicense = \"MIT\"\n"}, "mit.txt", true},
    {{"pyproject.toml", "[project]\nlicense = \"MIT AND LGPL-3.0-or-later\"\n"},
        "mit.txt", false},
    {{"pyproject.toml", "[project]\nlicense = \"MIT AND LGPL-3.0-or-later AND "
                        "PSF-2.0\"\n"},
        "mit.txt", false},
    {{"pyproject.toml", "[project]\nlicense = \"MIT OR GPL-2.0-only\"\n"},
        "mit.txt", true},
    {{"pyproject.toml", "[project]\nlicense = \"Apache-2.0/MIT\"\n"}, "mit.txt",
        true},
    {{"pyproject.toml",
         "[project]\nlicense = \"Apache-2.0 OR BSD-2-Clause\"\n"},
        "mit.txt", false},
    {{"pyproject.toml", "[project]\nlicense = {text = \"MIT\"}\n"}, "mit.txt",
        true},
    {{"pyproject.toml", "[project]\nlicense = {text = \"GPL-3.0\"}\n"},
        "mit.txt", false},
    {{"pyproject.toml", "[project]\nlicense = {file = \"LICENSE\"}\n"},
        "mit.txt", true},
    {{"pyproject.toml", "[project]\nlicense = { file = \"GPL.txt\" }\n"},
        "mit.txt", true},
    {{"pyproject.toml", "[project.license]\ntext = \"LGPL-2.1\"\n"}, "mit.txt",
        false},
    {{"pyproject.toml", "[project]\nlicense-files = [\"GPL\"]\n"}, "mit.txt",
        true},
    {{"pyproject.toml", "[project]\nclassifiers = [\n  \"License :: OSI "
                        "Approved :: ISC License (ISCL)\",\n]\n"},
        "isc.txt", true},
    {{"pyproject.toml", "[project]\nclassifiers = [\n  \"License :: OSI "
                        "Approved\",\n]\n"},
        "isc.txt", true},
    {{"pyproject.toml", "[project]\nclassifiers = [\n  \"License :: Other/"
                        "Proprietary License\",\n]\n"},
        "isc.txt", false},
    {{"pyproject.toml", "[project]\nclassifiers = [\n  \"License :: Free for "
                        "non-commercial use\",\n]\n"},
        "isc.txt", false},
    {{"pyproject.toml", "[project]\nclassifiers = [\n  \"License :: OSI "
                        "Approved :: Python Software Foundation License\"]\n"},
        "psf.txt", true},
    {{"pyproject.toml", "[tool.poetry]\nlicense = \"BSD-3-Clause\"\n"},
        "bsd3.txt", true},
    {{"pyproject.toml", "[tool.poetry]\nlicense = \"BSD-4-Clause\"\n"},
        "bsd3.txt", false},
    {{"pyproject.toml", "[tool.poetry]\nlicense = \"Proprietary\"\n"},
        "mit.txt", false},
    {{"PKG-INFO", "Metadata-Version: 2.1\nLicense: MIT\n\nLicense: GPL\n"},
        "mit.txt", true},
    {{"PKG-INFO", "Metadata-Version: 2.4\nLicense-Expression: GPL-3.0-only\n"},
        "mit.txt", false},
    {{"PKG-INFO", "Metadata-Version: 2.1\nLicense: UNKNOWN\n"}, "mit.txt",
        true},
};

START_TEST(metadata_may_contradict)
	{
		const struct metadata *row = &metadata[_i];
		struct pair files[MAX] = {{"LICENSE", row->licence}};
		struct gs_licence_verdict verdict =
		    decide(files, &row->file, "", NULL);
		ck_assert_msg(verdict.accepted == row->agrees, "%s: %s",
		    row->file.text, verdict.detail);
		if (!row->agrees)
			ck_assert_str_eq(verdict.reason, "licence conflict");
	}

END_TEST

/* F041: metadata alone never suffices. */
START_TEST(metadata_is_no_text)
	{
		struct pair none[MAX] = {{0}};
		struct pair meta = {"setup.py", "setup(license='MIT')"};
		struct gs_licence_verdict verdict =
		    decide(none, &meta, "", NULL);
		check(&verdict, "", "no licence text", "metadata");
	}

END_TEST

/* F045, L3, L5 */
static const struct header {
	const char *source;
	bool ok;
} headers[] = {
    {"", true},
    {"import os\n", true},
    {"# SPDX-License-Identifier: MIT\n", true},
    {"# SPDX-License-Identifier: Apache-2.0\n", true},
    {"# SPDX-License-Identifier: MIT OR GPL-2.0-only\n", true},
    {"# SPDX-License-Identifier: MIT AND GPL-2.0-only\n", false},
    {"# SPDX-License-Identifier: GPL-3.0-only\n", false},
    {"#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n"
     "# SPDX-License-Identifier: LGPL-2.1-or-later\nimport os\n",
        false},
    {"# SPDX-License-Identifier: LicenseRef-Ours\n", false},
    {"# SPDX-License-Identifier: Sleepycat\n", false},
    {"# SPDX-License-Identifier: 0BSD\n", false},
    {"# This program is free software: you can redistribute it and/or modify\n"
     "# it under the terms of the GNU General\n# Public License as published\n",
        false},
    {"\"\"\"Tools.\n\nLicensed under the GPL, see COPYING.\n\"\"\"\n", false},
    {"'''Tools.'''\n# GNU Lesser General Public License\n", false},
    {"r\"\"\"Tools under the Mozilla Public License\"\"\"\n", false},
    {"x = 'GNU General Public License'\n", true},
    {"LICENSES = [\n  'GNU General Public License',\n]\n", true},
    {"\"\"\"Tools.\"\"\"\n\"\"\"under the gpl\"\"\"\n", true},
    {"__license__ = 'GPL'\n", false},
    {"__license__ = \"MIT\"\n", true},
    {"# Copyright Foo. Proprietary and confidential.\n", false},
    {"# Licensed under the MIT license\r\n", true},
    {"# License: BSD 3 clause\n", true},
    {"# For non-commercial use only\n", false},
    {"\xEF\xBB\xBF# SPDX-License-Identifier: GPL-3.0-only\n", false},
};

START_TEST(head_of_the_source)
	{
		const struct header *row = &headers[_i];
		char detail[240];
		ck_assert_msg(gs_licence_header_ok(
		                  gs_str(row->source), NULL, detail) == row->ok,
		    "%s: %s", row->source, detail);
		ck_assert((detail[0] == '\0') == row->ok);
		struct pair files[MAX] = {{"LICENSE", "mit.txt"}};
		struct gs_licence_verdict verdict =
		    decide(files, NULL, row->source, NULL);
		ck_assert_str_eq(
		    verdict.reason, row->ok ? "" : "file licence conflict");
	}

END_TEST

/* What the 101st line says is code, not a head. */
START_TEST(head_ends_after_100_lines)
	{
		char source[4096] = "", detail[240];
		size_t n = 0;
		for (int i = 0; i < 100; i++)
			n += (size_t)snprintf(
			    source + n, sizeof(source) - n, "#\n");
		(void)snprintf(
		    source + n, sizeof(source) - n, "# under the GPL\n");
		ck_assert(gs_licence_header_ok(gs_str(source), NULL, detail));
		ck_assert(
		    !gs_licence_header_ok(gs_str(source + 2), NULL, detail));
	}

END_TEST

GS_TESTS(licence_decide, GS_TEST_ROWS(folder_gives_one_verdict, decisions),
    GS_TEST_ROWS(metadata_may_contradict, metadata),
    GS_TEST(metadata_is_no_text), GS_TEST_ROWS(head_of_the_source, headers),
    GS_TEST(head_ends_after_100_lines))
