/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

const char *gv_verdict_name(enum gv_verdict verdict)
{
	static const char *const names[] = {
	    "confirmed", "refuted", "unavailable", "infra"};

	return names[verdict];
}

char *gv_short_value(const json_t *value)
{
	char *text =
	    value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

	if (text && strlen(text) > 160)
		memcpy(text + 157, "...", sizeof("..."));
	return text ? text : gv_dup("");
}

/* What the release or a repository says may be made for the terminal. */
static void print_plain(const char *text, const char *end)
{
	char *plain = gv_plain(text);

	printf("%s%s", plain, end);
	free(plain);
}

void gv_print_result(const struct gv_result *r, size_t number, size_t of)
{
	size_t i;
	json_t *claim;

	printf("[%zu/%zu] %-11s ", number, of, gv_verdict_name(r->verdict));
	print_plain(gv_get(r->row, "id"), "  ");
	print_plain(gv_get(r->row, "repo"), "  ");
	print_plain(gv_get(r->row, "unit"), "  ");
	printf("(%lld.%lld s)\n", (long long)(r->ms / 1000),
	    (long long)(r->ms % 1000 / 100));
	if (r->why) {
		printf("    ");
		print_plain(r->why, "\n");
	}
	json_array_foreach(r->claims, i, claim)
	{
		char *published =
		    gv_short_value(json_object_get(claim, "published"));

		if (json_is_false(json_object_get(claim, "ok"))) {
			printf("    %s: seen: ", gv_get(claim, "claim"));
			print_plain(gv_get(claim, "saw"),
			    *published ? "; published: " : "");
			print_plain(published, "\n");
		}
		free(published);
	}
	fflush(stdout);
}

void gv_print_json(const struct gv_result *r)
{
	json_t *line = json_pack("{s:s,s:s,s:O}", "id", gv_get(r->row, "id"),
	    "verdict", gv_verdict_name(r->verdict), "claims", r->claims);
	char *text;

	if (r->why)
		json_object_set_new(line, "why", json_string(r->why));
	text = json_dumps(line, JSON_COMPACT);
	puts(text);
	fflush(stdout);
	free(text);
	json_decref(line);
}

static void print_trouble(FILE *to, const char *what, const char *why)
{
	char *plain = gv_plain(why);

	fprintf(to, "%s: %s\n", what, plain);
	free(plain);
}

void gv_print_summary(const struct gv_summary *s, bool json)
{
	FILE *people = json ? stderr : stdout;

	if (json)
		printf("{\"summary\":{\"confirmed\":%zu,\"refuted\":%zu,"
		       "\"unavailable\":%zu,\"infra\":%zu}}\n",
		    s->counts[GV_CONFIRMED], s->counts[GV_REFUTED],
		    s->counts[GV_UNAVAILABLE], s->counts[GV_INFRA]);
	fprintf(people,
	    "%zu of %zu records checked (%s): %zu confirmed, %zu refuted, "
	    "%zu unavailable, %zu could not be checked\n",
	    s->n, json_array_size(s->release->rows), s->sample,
	    s->counts[GV_CONFIRMED], s->counts[GV_REFUTED],
	    s->counts[GV_UNAVAILABLE], s->counts[GV_INFRA]);
	if (!s->n && s->release->checksums)
		print_trouble(people, "checksums", s->release->checksums);
	if (!s->n && s->release->card)
		print_trouble(people, "card", s->release->card);
	if (!s->release->folder)
		fprintf(people, "only a table was given: checksums, card and "
		                "licence texts were not checked\n");
	fflush(people);
}
