/* SPDX-License-Identifier: Apache-2.0 */
/* The page of verdicts: what strangers wrote is text, doubts come first. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"
#include "test.h"
#include "util.h"

static const char claims[] =
    "[{\"claim\":\"id\",\"ok\":true,\"saw\":\"\"},"
    "{\"claim\":\"license\",\"ok\":false,\"saw\":\"<script>alert(1)</script>\","
    "\"published\":\"MIT & \\\"more\\\"\"}]";

static struct gv_buf written(const struct gv_summary *s,
    void (*write_page)(const struct gv_summary *s, const char *path))
{
	char path[] = "/tmp/goldset-page-XXXXXX";
	int fd = mkstemp(path);
	struct gv_buf page = {0};

	if (fd < 0)
		gv_die("cannot make a file in /tmp");
	close(fd);
	write_page(s, path);
	if (!gv_read(path, &page))
		gv_die("%s is not there", path);
	unlink(path);
	return page;
}

static void look(const struct gv_summary *s)
{
	struct gv_buf html = written(s, gv_write_html);
	struct gv_buf text = written(s, gv_write_markdown);
	const char *refuted = strstr(html.s, "gs-refuted"),
	           *infra = strstr(html.s, "gs-infra"),
	           *confirmed = strstr(html.s, "gs-confirmed");

	test(refuted && infra && confirmed && refuted < infra &&
	         infra < confirmed,
	    "refuted, then what could not be checked, then confirmed");
	test(!strstr(html.s, "<script") && strstr(html.s, "&lt;script"),
	    "mark-up is text");
	test(strstr(html.s, "published: &quot;MIT &amp; ") != NULL,
	    "what was published stands beside what was seen");
	test(!strpbrk(html.s, "\x1b\x7f") && !strstr(html.s, "\u202e") &&
	         strstr(html.s, "a  unit") && !strpbrk(text.s, "\x1b\x7f") &&
	         !strstr(text.s, "\u202e"),
	    "controls and what turns a line are blanks");
	test(strstr(html.s, "5 naïve “words”") != NULL, "other text stays");
	test(strstr(html.s, "3 of 3 records were checked on ") &&
	         strstr(text.s, "3 of 3 records were checked on "),
	    "how many of how many");
	gv_drop(&html);
	gv_drop(&text);
}

int main(void)
{
	struct gv_python python = {0};
	json_t *rows =
	    json_loads("[{\"id\":\"gs-confirmed\",\"repo\":\"a/b\","
	               "\"unit\":\"a\\u202e\\u001bunit\\u007f\"},"
	               "{\"id\":\"gs-infra\"},{\"id\":\"gs-refuted\"}]",
	        0, NULL);
	json_t *said = json_loads(claims, 0, NULL), *none = json_array();
	struct gv_release release = {.folder = true, .rows = rows};
	const struct gv_result results[] = {
	    {.row = json_array_get(rows, 0), .claims = none},
	    {.row = json_array_get(rows, 1),
	        .verdict = GV_INFRA,
	        .why = gv_loose("5 naïve “words”"),
	        .claims = none},
	    {.row = json_array_get(rows, 2),
	        .verdict = GV_REFUTED,
	        .claims = said},
	};
	const struct gv_summary s = {.release = &release,
	    .python = &python,
	    .results = results,
	    .n = 3,
	    .counts = {1, 1, 0, 1},
	    .sample = "all"};

	look(&s);
	json_decref(rows);
	json_decref(said);
	json_decref(none);
	return test_end();
}
