/* SPDX-License-Identifier: Apache-2.0 */
#include "site/verified.h"

#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "os/file.h"

#define MAX_FILE ((size_t)1 << 30)
#define MAX_SHOWN 1000

static const char *const verdicts[] = {
    "confirmed", "refuted", "unavailable", "infra"};

static struct gs_str base_name(const char *path)
{
	struct gs_str text = gs_str(path);
	return gs_str_from(text, (size_t)(gs_str_rfind_char(text, '/') + 1));
}

static void note_claims(const json_t *object, struct gs_strv *ret)
{
	size_t i;
	json_t *claim;
	json_array_foreach(json_object_get(object, "claims"), i, claim)
	{
		if (gs_json_get_bool(claim, "ok", true))
			continue;
		gs_strv_push_str(ret, gs_json_get_str(claim, "claim"));
		gs_strv_push_str(ret, gs_json_get_str(claim, "saw"));
	}
}

static bool are_claims(const json_t *claims)
{
	for (size_t i = 0; i < json_array_size(claims); i++) {
		const json_t *claim = json_array_get(claims, i);
		if (!gs_json_get_cstr(claim, "claim") ||
		    !json_is_boolean(json_object_get(claim, "ok")))
			return false;
	}
	return json_is_array(claims);
}

/* A later file speaks over an earlier one. */
static int note_line(struct catalogue *c, struct verification *v,
    struct gs_str line, size_t number, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(line, v->name, err);
	if (!object)
		return err ? err->code : GS_E_CORRUPT;
	struct gs_str id = gs_json_get_str(object, "id");
	struct gs_str said = gs_json_get_str(object, "verdict");
	if (json_is_object(json_object_get(object, "summary")))
		return 0; /* counted here anyway */
	if (id.n == 0 || !are_claims(json_object_get(object, "claims")))
		return gs_fail(err, GS_E_CORRUPT,
		    "line %zu of %s is not what goldset-verify --json prints: "
		    "it has no %s",
		    number, v->name,
		    id.n == 0 ? "\"id\""
		              : "\"claims\" that are a list of them");
	int64_t *counts[] = {
	    &v->confirmed, &v->refuted, &v->unavailable, &v->infra};
	for (size_t i = 0; i < GS_COUNT(verdicts); i++) {
		if (!gs_str_is(said, verdicts[i]))
			continue;
		++*counts[i];
		void **at = gs_map_at(&c->verdicts, id);
		if (!*at)
			*at = gs_arena_alloc(&c->arena, sizeof(struct verdict));
		struct verdict *verdict = *at;
		verdict->verdict = verdicts[i];
		gs_strv_reset(&verdict->claims);
		note_claims(object, &verdict->claims);
		struct gs_str why = gs_json_get_str(object, "why");
		verdict->why = why.n > 0 ? gs_arena_cstr(&c->arena, why) : NULL;
		return 0;
	}
	return gs_fail(err, GS_E_CORRUPT,
	    "line %zu of %s has no \"verdict\" that is one, but \"%.40s\"",
	    number, v->name, said.n ? said.p : "");
}

int verified_read(struct catalogue *c, struct gs_err *err)
{
	const struct gs_strv *files = c->options->verified;
	for (size_t i = 0; files && i < files->n; i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		int rc = gs_file_read(files->v[i], MAX_FILE, &text, err);
		struct verification *v = GS_VEC_ADD(&c->verifications);
		struct gs_str name = base_name(files->v[i]);
		v->name = gs_strndup(name.p, name.n);
		struct gs_str rest = gs_buf_str(&text), line;
		if (rc == 0 && gs_str_trim(rest).n == 0)
			rc = gs_fail(err, GS_E_CORRUPT,
			    "%s is empty: what goldset-verify --json printed is "
			    "wanted",
			    v->name);
		for (size_t k = 1; rc == 0 && gs_str_cut(&rest, '\n', &line);
		     k++)
			if (gs_str_trim(line).n > 0)
				rc = note_line(c, v, line, k, err);
		if (rc)
			return rc;
	}
	return 0;
}

static void put_over_time(struct html *html, const struct catalogue *c)
{
	RAW(html,
	    "<h2>Over time</h2><div class=\"scroll\" role=\"region\" "
	    "tabindex=\"0\" aria-label=\"Verifications\"><table><thead><tr>"
	    "<th scope=\"col\">Verification</th>"
	    "<th scope=\"col\" class=\"num\">Confirmed</th>"
	    "<th scope=\"col\" class=\"num\">Refuted</th>"
	    "<th scope=\"col\" class=\"num\">Unavailable</th>"
	    "<th scope=\"col\" class=\"num\">Not checked</th>"
	    "<th scope=\"col\" class=\"num\">Confirmed of decided</th></tr>"
	    "</thead><tbody>\n");
	for (size_t i = 0; i < c->verifications.n; i++) {
		const struct verification *v = &c->verifications.v[i];
		int64_t decided = v->confirmed + v->refuted;
		double share =
		    decided ? (double)v->confirmed / (double)decided : 0;
		PUT(html,
		    "<tr><th scope=\"row\">%</th><td class=\"num\">%</td>"
		    "<td class=\"num\">%</td><td class=\"num\">%</td>"
		    "<td class=\"num\">%</td><td class=\"num\">%</td></tr>\n",
		    Z(v->name), N(v->confirmed), N(v->refuted),
		    N(v->unavailable), N(v->infra),
		    decided ? Z(number_share(share, 1).text) : S("none"));
	}
	RAW(html, "</tbody></table></div>\n");
}

static void put_row(
    struct html *html, const struct catalogue *c, const struct entry *e)
{
	PUT(html, "<tr><th scope=\"row\"><a href=\"record/%.html\">%</a>",
	    Z(e->id), Z(e->id));
	PUT(html, "</th><td>%</td><td>", Z(c->projects.v[e->project].name));
	page_verdict(html, e->verdict);
	RAW(html, "</td><td>");
	const struct gs_strv *claims = &e->verdict->claims;
	for (size_t i = 0; i + 1 < claims->n && i < 12; i += 2) {
		PUT(html, "%<strong>%</strong>: ", i ? S("; ") : S(""),
		    Z(claims->v[i]));
		html_clipped(html, Z(claims->v[i + 1]), 300);
	}
	if (claims->n == 0 && e->verdict->why)
		html_clipped(html, Z(e->verdict->why), 300);
	else if (claims->n == 0)
		RAW(html, "<span class=\"from\">it said no more</span>");
	RAW(html, "</td></tr>\n");
}

/* What was refuted comes before what could not be looked at. */
static void put_doubts(struct html *html, const struct catalogue *c)
{
	size_t n = 0;
	RAW(html,
	    "<h2>Not confirmed</h2><div class=\"scroll\" role=\"region\" "
	    "tabindex=\"0\" aria-label=\"Not confirmed\"><table "
	    "class=\"doubts\"><thead><tr>"
	    "<th scope=\"col\">Record</th><th scope=\"col\">Project</th>"
	    "<th scope=\"col\">Verdict</th><th scope=\"col\">Seen</th></tr>"
	    "</thead><tbody>\n");
	for (size_t k = 1; k < GS_COUNT(verdicts); k++)
		for (size_t i = 0; i < c->entries.n && n < MAX_SHOWN; i++) {
			const struct entry *e = &c->entries.v[i];
			if (!e->verdict || e->verdict->verdict != verdicts[k])
				continue;
			put_row(html, c, e);
			n++;
		}
	if (n == 0)
		RAW(html, "<tr><td colspan=\"4\">None.</td></tr>\n");
	RAW(html, "</tbody></table></div>\n");
}

int verified_write(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	if (c->verifications.n == 0)
		return 0;
	int64_t seen = 0, good = 0;
	for (size_t i = 0; i < c->entries.n; i++) {
		const struct verdict *verdict = c->entries.v[i].verdict;
		seen += verdict != NULL;
		good += verdict && strcmp(verdict->verdict, "confirmed") == 0;
	}
	GS_CLEANUP(page_release)
	struct page page = {.name = "verified.html",
	    .title = "Reproducibility",
	    .about = "What an independent verifier said of the records.",
	    .section = SECTION_VERIFIED};
	struct html *html = &page.body;
	RAW(html, "<h1>Reproducibility</h1>\n<p class=\"lead\">");
	html_count(html, seen, HTML("record"));
	PUT(html,
	    " of % were checked by goldset-verify, % of them confirmed when "
	    "last looked at.</p>\n<p>The verifier shares no code with the "
	    "pipeline: it clones each project again, lays out both states, "
	    "and runs the tests through another channel.</p>\n",
	    N((int64_t)c->entries.n), N(good));
	put_over_time(html, c);
	put_doubts(html, c);
	return page_write(site, &page, err);
}
