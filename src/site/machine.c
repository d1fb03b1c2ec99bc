/* SPDX-License-Identifier: Apache-2.0 */
#include "site/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "os/file.h"

#define FEED_ENTRIES 50
/* A sitemap may hold 50,000 addresses. */
#define SITEMAP_ENTRIES 50000

static void put_clean(struct gs_json *json, const char *text, size_t max)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	struct gs_str all = gs_str(text);
	struct gs_str part = gs_str_sub(all, 0, all.n < max ? all.n : max);
	part = gs_str_sub(part, 0, gs_utf8_prefix(part));
	gs_utf8_harmless(&clean, part, false);
	if (part.n < all.n)
		gs_buf_addz(&clean, "…");
	gs_json_string(json, gs_buf_str(&clean));
}

/* The machine index says all that is known in short, as it is. */
static int write_index(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "schema_version", 1);
	gs_json_put_cstr(&json, "name", c->name);
	gs_json_put_cstr(&json, "version", c->version);
	gs_json_put_cstr(&json, "date", c->date);
	gs_json_key(&json, "records");
	gs_json_begin_array(&json);
	for (size_t i = 0; i < c->entries.n; i++) {
		const struct entry *e = &c->entries.v[i];
		gs_buf_addc(&text, '\n');
		gs_json_begin_object(&json);
		gs_json_put_cstr(&json, "id", e->id);
		gs_json_put_cstr(&json, "repo", e->repo);
		gs_json_put_cstr(&json, "unit", e->unit);
		gs_json_put_cstr(&json, "module", e->module);
		gs_json_put_cstr(&json, "subject", e->subject);
		gs_json_put_cstr(
		    &json, "granularity", e->is_file ? "file" : "function");
		gs_json_put_cstr(&json, "change_kind", e->change_kind);
		gs_json_put_cstr(&json, "committed_at", e->committed_at);
		gs_json_put_cstr(
		    &json, "license", c->licences.v[e->licence].name);
		gs_json_put_int(&json, "diff_lines", e->diff_lines);
		gs_json_put_int(&json, "n_tests", e->n_tests);
		gs_json_end_object(&json);
	}
	gs_json_end_array(&json);
	gs_json_end_object(&json);
	gs_buf_addc(&text, '\n');
	return out_write(site->out, "index.json", gs_buf_str(&text), err);
}

static void put_names(struct gs_json *json, const struct groups *groups)
{
	gs_json_begin_array(json);
	for (size_t i = 0; i < groups->n; i++)
		put_clean(json, groups->v[i].name, 200);
	gs_json_end_array(json);
}

/* A script, since a page from file:// may load one but may not fetch. */
static int write_search(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};
	gs_buf_addz(&text, "\"use strict\";\nglobalThis.goldset = ");
	gs_json_begin_object(&json);
	gs_json_key(&json, "projects");
	put_names(&json, &c->projects);
	gs_json_key(&json, "slugs");
	gs_json_begin_array(&json);
	for (size_t i = 0; i < c->projects.n; i++)
		gs_json_cstr(&json, c->projects.v[i].slug);
	gs_json_end_array(&json);
	gs_json_key(&json, "licences");
	put_names(&json, &c->licences);
	gs_json_key(&json, "records");
	gs_json_begin_array(&json);
	for (size_t i = 0; i < c->entries.n; i++) {
		const struct entry *e = &c->entries.v[i];
		gs_buf_addc(&text, '\n');
		gs_json_begin_array(&json);
		gs_json_cstr(&json, e->id);
		put_clean(&json, e->subject, 200);
		put_clean(&json, e->unit, 120);
		put_clean(&json, e->module, 120);
		gs_json_int(&json, (int64_t)e->project);
		gs_json_int(&json, (int64_t)e->licence);
		gs_json_int(&json, e->is_file);
		gs_json_cstr(&json, e->change_kind);
		gs_json_string(&json, day_of(e->committed_at));
		gs_json_int(&json, e->diff_lines);
		gs_json_int(&json, e->n_tests);
		gs_json_end_array(&json);
	}
	gs_json_end_array(&json);
	gs_json_end_object(&json);
	gs_buf_addz(&text, ";\n");
	return out_write(
	    site->out, "assets/records.js", gs_buf_str(&text), err);
}

static struct gs_str base_url(const struct catalogue *c)
{
	return c->options->url ? gs_str(c->options->url) : GS_STR(".");
}

/* The newest proof first, then the newest fix. */
static int by_proof(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(y->validated_at, x->validated_at);
	if (order == 0)
		order = strcmp(y->committed_at, x->committed_at);
	return order ? order : strcmp(x->id, y->id);
}

static void put_feed_head(
    struct html *xml, const struct catalogue *c, const char *updated)
{
	/* A feed's id is for good, its version is not. */
	PUT(xml,
	    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	    "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n"
	    "<title>%: new records</title>\n<id>%%</id>\n"
	    "<updated>%</updated>\n<author><name>%</name></author>\n"
	    "<link rel=\"self\" href=\"%/feed.atom\"/>\n"
	    "<link href=\"%/index.html\"/>\n",
	    Z(c->name), c->options->url ? base_url(c) : S("urn:goldset:feed"),
	    c->options->url ? S("/feed.atom") : S(""), Z(updated), Z(c->name),
	    base_url(c), base_url(c));
}

static void put_feed_entry(
    struct html *xml, const struct catalogue *c, const struct entry *e)
{
	PUT(xml, "<entry><id>urn:goldset:%</id>\n<title>%: ", Z(e->id),
	    Z(e->repo));
	html_clipped(xml, *e->subject ? Z(e->subject) : Z(e->unit), 200);
	PUT(xml,
	    "</title>\n<link href=\"%/record/%.html\"/>\n"
	    "<published>%</published><updated>%</updated>\n"
	    "<summary>A % of %, told apart by ",
	    base_url(c), Z(e->id), Z(e->validated_at), Z(e->validated_at),
	    Z(e->change_kind), Z(e->unit));
	html_count(xml, e->n_tests, HTML("test"));
	RAW(xml, "</summary></entry>\n");
}

/* Atom is XML: the same five escapes, and controls are visible already. */
static int write_feed(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	size_t n = c->entries.n;
	GS_CLEANUP(html_release) struct html xml = {0};
	GS_CLEANUP(gs_freep)
	struct entry *newest = gs_alloc((n + 1) * sizeof(*newest));
	if (n > 0)
		memcpy(newest, c->entries.v, n * sizeof(*newest));
	qsort(newest, n, sizeof(*newest), by_proof);
	put_feed_head(
	    &xml, c, n > 0 ? newest[0].validated_at : "1970-01-01T00:00:00Z");
	for (size_t i = 0; i < n && i < FEED_ENTRIES; i++)
		put_feed_entry(&xml, c, &newest[i]);
	RAW(&xml, "</feed>\n");
	return out_write(site->out, "feed.atom", gs_buf_str(&xml.buf), err);
}

/* Addresses in a sitemap must be whole: there is one where it is known where
 * the site will stand. */
static int write_sitemap(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	if (!c->options->url)
		return 0;
	GS_CLEANUP(html_release) struct html xml = {0};
	RAW(&xml,
	    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
	for (size_t i = 0; i < site->pages.n && i < SITEMAP_ENTRIES; i++)
		PUT(&xml, "<url><loc>%/%</loc></url>\n", base_url(c),
		    Z(site->pages.v[i]));
	RAW(&xml, "</urlset>\n");
	return out_write(site->out, "sitemap.xml", gs_buf_str(&xml.buf), err);
}

/* The texts of licences, to data/licenses/: only what the index names. */
static int copy_licences(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	for (size_t i = 0; i < c->licence_files.n; i++)
		gs_strv_push(&names, c->licence_files.entries[i].value);
	gs_strv_push(&names, "index.csv");
	gs_strv_sort(&names);
	gs_strv_uniq(&names);
	int rc = out_folder(site->out, "data/licenses", err);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		GS_CLEANUP(gs_freep)
		char *from = gs_format(
		    "%s/licenses/%s", c->options->release, names.v[i]);
		GS_CLEANUP(gs_freep)
		char *to = gs_format("data/licenses/%s", names.v[i]);
		rc = out_copy(site->out, from, to, err);
	}
	return rc;
}

/* Everything of the release stands in data/, so that the pages and what they
 * speak of travel together. */
static int copy_release(struct site *site, struct gs_err *err)
{
	static const char *const names[] = {"oracles.parquet",
	    "evidence.parquet", "README.md", "DATASHEET.md", "ATTRIBUTION.md",
	    "LICENSE", "CITATION.cff", "CHANGELOG.md", "croissant.json",
	    "schema.json", "eval.yaml", "withdrawn.csv", "SHA256SUMS"};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < GS_COUNT(names); i++) {
		GS_CLEANUP(gs_freep)
		char *from =
		    gs_path_join(site->catalogue->options->release, names[i]);
		GS_CLEANUP(gs_freep) char *to = gs_path_join("data", names[i]);
		rc = out_copy(site->out, from, to, err);
	}
	return rc ? rc : copy_licences(site, err);
}

void machine_dataset(struct html *head, const struct catalogue *c)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "@context", "https://schema.org");
	gs_json_put_cstr(&json, "@type", "Dataset");
	gs_json_put_cstr(&json, "name", c->name);
	gs_json_put_cstr(&json, "version", c->version);
	gs_json_put_cstr(&json, "datePublished", c->date);
	gs_json_put_cstr(&json, "description",
	    "Verified bug-fix records for evaluating coding agents: each is "
	    "a real bug in public Python software, the fix its author wrote, "
	    "and the tests that fail before the fix and pass after it.");
	gs_json_put_cstr(
	    &json, "license", "https://creativecommons.org/licenses/by/4.0/");
	gs_json_put_bool(&json, "isAccessibleForFree", true);
	gs_json_key(&json, "distribution");
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "@type", "DataDownload");
	gs_json_put_cstr(
	    &json, "encodingFormat", "application/vnd.apache.parquet");
	gs_json_put_cstr(&json, "contentUrl", "data/oracles.parquet");
	gs_json_end_object(&json);
	gs_json_end_object(&json);
	RAW(head, "<script type=\"application/ld+json\">");
	html_json(head, gs_buf_str(&text));
	RAW(head, "</script>\n");
	/* Croissant, whole, as the release has it. */
	RAW(head, "<link rel=\"alternate\" type=\"application/ld+json\" "
	          "title=\"Croissant\" href=\"data/croissant.json\">\n"
	          "<script type=\"application/ld+json\">");
	html_json(head, gs_buf_str(&c->croissant));
	RAW(head, "</script>\n");
}

int machine_write(struct site *site, struct gs_err *err)
{
	int rc = write_index(site, err);
	if (rc == 0)
		rc = write_search(site, err);
	if (rc == 0)
		rc = write_feed(site, err);
	if (rc == 0)
		rc = write_sitemap(site, err);
	return rc ? rc : copy_release(site, err);
}
