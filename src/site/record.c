/* SPDX-License-Identifier: Apache-2.0 */
#include "site/record.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "os/signals.h"
#include "site/code.h"
#include "site/proof.h"

#define MAX_SPEC 20000

static void put_title(struct html *html, const struct catalogue *c,
    const struct entry *entry, const struct gs_record *r)
{
	const struct group *project = &c->projects.v[entry->project];
	PUT(html,
	    "<nav aria-label=\"Where you are\" class=\"crumbs\"><ol>"
	    "<li><a href=\"../browse.html\">Records</a></li>"
	    "<li><a href=\"../project/%.html\">%</a></li>"
	    "<li aria-current=\"page\">%</li></ol></nav>\n<h1>",
	    Z(project->slug), Z(r->repo), Z(r->id));
	page_subject(html, *r->subject ? Z(r->subject) : Z(r->unit), 300);
	RAW(html, "</h1>\n<p class=\"lead\"><code>");
	html_clipped(html, Z(r->unit), 300);
	if (strcmp(r->unit, r->module) != 0) {
		RAW(html, "</code> in <code>");
		html_clipped(html, Z(r->module), 300);
	}
	RAW(html, "</code> ");
	page_verdict(html, entry->verdict);
	RAW(html, "</p>\n");
}

static void put_facts(struct html *html, const struct catalogue *c,
    const struct entry *entry, const struct gs_record *r)
{
	const struct group *licence = &c->licences.v[entry->licence];
	RAW(html, "<dl class=\"facts\">\n<dt>Project</dt><dd>");
	page_link(html, Z(r->repo), Z(r->repo_url));
	RAW(html, "</dd>\n<dt>Commit</dt><dd><code>");
	page_link(html, Z(r->commit), Z(r->commit_url));
	PUT(html,
	    "</code></dd>\n<dt>Parent</dt><dd><code>%</code></dd>\n"
	    "<dt>Fixed</dt><dd><time datetime=\"%\">%</time>, after a parent "
	    "of %</dd>\n<dt>Change</dt><dd>%, one %, ",
	    Z(r->parent), Z(r->committed_at), day_of(r->committed_at),
	    day_of(r->parent_at), Z(entry->change_kind), Z(r->granularity));
	html_count(html, r->diff_lines, HTML("changed line"));
	RAW(html, ", ");
	html_count(html, r->n_tests, HTML("flipping test"));
	PUT(html,
	    "</dd>\n<dt>Licence</dt><dd><a href=\"../licence/%.html\">%</a>",
	    Z(licence->slug), Z(r->license));
	const char *text = catalogue_licence_file(c, r);
	if (text)
		PUT(html, ", <a href=\"../data/licenses/%\">%</a> as it stood",
		    Z(text), Z(r->license_file));
	RAW(html, "</dd>\n");
	if (*r->also_in) {
		RAW(html, "<dt>Also in</dt><dd>");
		html_clipped(html, Z(r->also_in), 2000);
		RAW(html, "</dd>\n");
	}
	PUT(html,
	    "<dt>Identity</dt><dd><code>%</code></dd>\n"
	    "<dt>Fingerprint</dt><dd><code>%</code></dd>\n</dl>\n",
	    Z(r->id), Z(r->fingerprint));
}

static void put_spec(struct html *html, const struct gs_record *r)
{
	RAW(html, "<h2 id=\"spec\">What it was meant to do</h2>\n");
	PUT(html,
	    "<p class=\"from\">From the %.</p>\n<pre class=\"spec\" "
	    "tabindex=\"0\" aria-label=\"Specification\">",
	    strcmp(r->spec_source, "docstring") == 0 ? S("docstring")
	                                             : S("commit message"));
	struct gs_str spec = gs_str(r->spec);
	size_t n = spec.n < MAX_SPEC ? spec.n : MAX_SPEC;
	while (n < spec.n && n > 0 && (spec.p[n] & 0xc0) == 0x80)
		n--;
	html_lines(html, gs_str_sub(spec, 0, n));
	if (n < spec.n)
		RAW(html, "…");
	RAW(html, "</pre>\n");
}

static void put_verdict(struct html *html, const struct entry *entry)
{
	const struct verdict *verdict = entry->verdict;
	if (verdict && verdict->claims.n == 0 && verdict->why) {
		RAW(html, "<h3>What a verification saw</h3><p>");
		html_clipped(html, Z(verdict->why), 500);
		RAW(html, "</p>\n");
	}
	if (!verdict || verdict->claims.n == 0)
		return;
	RAW(html,
	    "<h3>What a verification saw</h3><table class=\"small loose\"><thead>"
	    "<tr><th scope=\"col\">Claim</th><th scope=\"col\">Seen instead"
	    "</th></tr></thead><tbody>\n");
	for (size_t i = 0; i + 1 < verdict->claims.n; i += 2) {
		PUT(html, "<tr><th scope=\"row\">%</th><td>",
		    Z(verdict->claims.v[i]));
		html_clipped(html, Z(verdict->claims.v[i + 1]), 500);
		RAW(html, "</td></tr>\n");
	}
	RAW(html, "</tbody></table>\n");
}

static void put_commands(struct html *html, const struct gs_record *r)
{
	RAW(html, "<h2 id=\"commands\">Try it</h2>\n");
	GS_CLEANUP(gs_freep)
	char *checkout =
	    gs_format("goldset checkout %s -d tree --before", r->id);
	GS_CLEANUP(gs_freep)
	char *verify = gs_format("goldset-verify RELEASE --id %s", r->id);
	RAW(html, "<p>The tree as it was when the tests failed:</p>\n");
	page_copy(html, S("Command for a checkout"), Z(checkout));
	RAW(html, "<p>The claim, checked by a program that shares no code with "
	          "the one that made it:</p>\n");
	page_copy(html, S("Command for a verification"), Z(verify));
	if (*r->repo_url && strncmp(r->repo_url, "https://", 8) == 0 &&
	    !strpbrk(r->repo_url, "'\\ \n")) {
		GS_CLEANUP(gs_freep)
		char *git = gs_format("git clone '%s' repository && "
		                      "git -C repository show %s",
		    r->repo_url, r->commit);
		RAW(html, "<p>Or the author's own commit:</p>\n");
		page_copy(html, S("Commands of git"), Z(git));
	}
}

static void put_linked_data(
    struct html *head, const struct catalogue *c, const struct gs_record *r)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "@context", "https://schema.org");
	gs_json_put_cstr(&json, "@type", "SoftwareSourceCode");
	gs_json_put_cstr(&json, "identifier", r->id);
	gs_json_put_cstr(&json, "name", r->unit);
	gs_json_put_cstr(&json, "programmingLanguage", "Python");
	gs_json_put_cstr(&json, "dateModified", r->committed_at);
	gs_json_put_cstr(&json, "codeRepository", r->repo_url);
	gs_json_put_cstr(&json, "license", r->license);
	gs_json_key(&json, "isPartOf");
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "@type", "Dataset");
	gs_json_put_cstr(&json, "name", c->name);
	gs_json_put_cstr(&json, "version", c->version);
	gs_json_end_object(&json);
	gs_json_end_object(&json);
	RAW(head, "<script type=\"application/ld+json\">");
	html_json(head, gs_buf_str(&text));
	RAW(head, "</script>\n");
}

static void put_body(struct html *html, const struct catalogue *c,
    const struct entry *entry, const struct gs_record *r,
    const struct gs_evidence *evidence)
{
	GS_CLEANUP(gs_json_free) json_t *runs = proof_observations(evidence);
	put_title(html, c, entry, r);
	put_facts(html, c, entry, r);
	put_spec(html, r);
	RAW(html, "<section id=\"change\"><h2>The change</h2>\n<p><code>");
	html_clipped(html, Z(evidence->source_path), 400);
	RAW(html, "</code>: what is published is what was seen to pass.</p>\n");
	code_change(html, S("The change, line by line"),
	    gs_str(r->source_before), gs_str(r->source_after));
	RAW(html, "</section>\n<h2 id=\"tests\">The tests that tell them apart"
	          "</h2>\n<p>In <code>");
	html_clipped(html, Z(r->test_file), 400);
	RAW(html, "</code>, as the commit has it.</p>\n");
	proof_tests(html, r, runs);
	put_commands(html, r);
	RAW(html, "<h2 id=\"evidence\">Evidence</h2>\n");
	put_verdict(html, entry);
	proof_runs(html, evidence, runs);
	proof_world(html, r, evidence);
	RAW(html, "<h2 id=\"attribution\">Attribution</h2>\n<p>Written by the "
	          "contributors of ");
	page_link(html, Z(r->repo), Z(r->repo_url));
	PUT(html,
	    " and published under %. The notice that must travel with it is "
	    "in the licence text above and in <a href=\"../attribution.html\">"
	    "the attribution</a>.</p>\n",
	    Z(r->license));
}

static int put_record(void *ctx, struct gs_record *r, struct gs_err *err)
{
	struct site *site = ctx;
	const struct catalogue *c = site->catalogue;
	const struct entry *entry = catalogue_entry(c, gs_str(r->id));
	if (gs_stop_requested())
		return gs_fail(err, GS_E_CANCELLED, "interrupted");
	if (!entry)
		return gs_fail(err, GS_E_CORRUPT,
		    "the release changed while it was read: %s", r->id);
	GS_CLEANUP(gs_evidence_release) struct gs_evidence evidence = {0};
	int rc = catalogue_evidence(c, r->id, &evidence, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_freep) char *name = gs_format("record/%s.html", r->id);
	struct gs_str about = gs_str(*r->subject ? r->subject : r->unit);
	GS_CLEANUP(gs_freep)
	char *title = gs_strndup(about.p, gs_utf8_prefix(gs_str_sub(about, 0,
	                                      about.n < 120 ? about.n : 120)));
	GS_CLEANUP(page_release)
	struct page page = {.name = name,
	    .title = title,
	    .about = "A real bug, its author's fix, and the tests that tell "
	             "one from the other.",
	    .section = SECTION_BROWSE};
	put_linked_data(&page.head, c, r);
	put_body(&page.body, c, entry, r, &evidence);
	gs_watch_tell(&c->options->watch, "write the pages", ++site->n_records,
	    (int64_t)c->entries.n);
	return page_write(site, &page, err);
}

int records_write(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	return gs_table_each_record(
	    c->table, c->oracles, NULL, NULL, put_record, site, err);
}
