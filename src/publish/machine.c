/* SPDX-License-Identifier: Apache-2.0 */
/* The files that programs read: Croissant 1.0, JSON Schema, CITATION.cff,
 * eval.yaml. */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "publish/escape.h"
#include "publish/texts.h"

#define CC_BY "https://creativecommons.org/licenses/by/4.0/"
#define ABOUT                                                                  \
	"Verified bug-fix records for evaluating coding agents: each is a "    \
	"real bug in public Python software, the fix its author wrote, and "   \
	"the tests that fail before the fix and pass after it."

/* Visible escapes also in JSON: a reader may print what it read. */
static void put_clean(struct gs_json *json, const char *key, const char *text)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	gs_utf8_harmless(&clean, gs_str(text), false);
	gs_json_put_cstr(json, key, gs_buf_cstr(&clean));
}

static void write_context(struct gs_json *json)
{
	static const char *const terms[][2] = {
	    {"@language", "en"},
	    {"@vocab", "https://schema.org/"},
	    {"sc", "https://schema.org/"},
	    {"cr", "http://mlcommons.org/croissant/"},
	    {"rai", "http://mlcommons.org/croissant/RAI/"},
	    {"dct", "http://purl.org/dc/terms/"},
	    {"citeAs", "cr:citeAs"},
	    {"column", "cr:column"},
	    {"conformsTo", "dct:conformsTo"},
	    {"extract", "cr:extract"},
	    {"field", "cr:field"},
	    {"fileObject", "cr:fileObject"},
	    {"isLiveDataset", "cr:isLiveDataset"},
	    {"recordSet", "cr:recordSet"},
	    {"references", "cr:references"},
	    {"repeated", "cr:repeated"},
	    {"sha256", "cr:sha256"},
	    {"source", "cr:source"},
	};
	gs_json_key(json, "@context");
	gs_json_begin_object(json);
	for (size_t i = 0; i < GS_COUNT(terms); i++)
		gs_json_put_cstr(json, terms[i][0], terms[i][1]);
	gs_json_key(json, "dataType");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "@id", "cr:dataType");
	gs_json_put_cstr(json, "@type", "@vocab");
	gs_json_end_object(json);
	gs_json_end_object(json);
}

static void write_head(const struct release *release, struct gs_json *json)
{
	const struct gs_publisher *by = &release->options->publisher;
	const char *home = *said(by->homepage)   ? by->homepage
	                   : *said(by->code_url) ? by->code_url
	                                         : "urn:goldset:release";
	gs_json_put_cstr(json, "@type", "sc:Dataset");
	put_clean(json, "name", name_of(release));
	gs_json_put_cstr(
	    json, "conformsTo", "http://mlcommons.org/croissant/1.0");
	gs_json_put_cstr(json, "description", ABOUT);
	gs_json_put_cstr(json, "license", CC_BY);
	put_clean(json, "url", home);
	gs_json_put_cstr(json, "version", release->changes->version);
	gs_json_put_cstr(json, "datePublished", date_of(release));
	gs_json_put_cstr(json, "inLanguage", "en");
	gs_json_put_bool(json, "isLiveDataset", false);
	gs_json_key(json, "creator");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "@type", "sc:Organization");
	put_clean(json, "name", author_of(release));
	gs_json_end_object(json);
	GS_CLEANUP(gs_strv_release) struct gs_strv words = {0};
	gs_strv_push_all(&words, "code", "software-engineering",
	    "program-repair", "bug-fixing", "evaluation", "benchmark", "python",
	    NULL);
	gs_json_put_strv(json, "keywords", &words);
	GS_CLEANUP(gs_buf_release) struct gs_buf cite = {0};
	write_bibtex(release, &cite);
	gs_json_put_str(json, "citeAs", gs_buf_str(&cite));
}

static void write_responsible(struct gs_json *json)
{
	gs_json_put_cstr(json, "rai:dataCollection",
	    "Commits of public repositories that change source and tests "
	    "together, kept where the tests were seen to fail before and to "
	    "pass after, in a sandbox, at least three times each.");
	gs_json_put_cstr(json, "rai:dataLimitations",
	    "A passing test does not mean that a fix is correct; Python only; "
	    "public code may be in a model's training data.");
	gs_json_put_cstr(json, "rai:dataBiases",
	    "Not a random sample of defects: only fixes with a regression test "
	    "in the same commit, in permissively licensed projects, reducible "
	    "to one unit or one file.");
	gs_json_put_cstr(json, "rai:personalSensitiveInformation",
	    "No column describes a person; names may stand in source texts, "
	    "commit messages and licence notices.");
}

static void write_file(
    struct gs_json *json, const char *name, uint64_t size, const char *sha256)
{
	GS_CLEANUP(gs_freep) char *bytes = gs_format("%" PRIu64 " B", size);
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "@type", "cr:FileObject");
	gs_json_put_cstr(json, "@id", name);
	gs_json_put_cstr(json, "name", name);
	gs_json_put_cstr(json, "contentUrl", name);
	gs_json_put_cstr(json, "contentSize", bytes);
	gs_json_put_cstr(
	    json, "encodingFormat", "application/vnd.apache.parquet");
	gs_json_put_cstr(json, "sha256", sha256);
	gs_json_end_object(json);
}

static const char *data_type(const struct gs_column *column)
{
	size_t n = strlen(column->name);
	if (column->type == GS_COLUMN_INT)
		return "sc:Integer";
	if (column->type == GS_COLUMN_BOOL)
		return "sc:Boolean";
	if (n > 3 && strcmp(column->name + n - 3, "_at") == 0)
		return "sc:DateTime";
	if (n > 4 && strcmp(column->name + n - 4, "_url") == 0)
		return "sc:URL";
	return "sc:Text";
}

static void write_field(struct gs_json *json, const char *set, const char *file,
    const struct gs_column *column)
{
	GS_CLEANUP(gs_freep) char *id = gs_format("%s/%s", set, column->name);
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "@type", "cr:Field");
	gs_json_put_cstr(json, "@id", id);
	gs_json_put_cstr(json, "name", column->name);
	gs_json_put_cstr(json, "description", column->meaning);
	gs_json_put_cstr(json, "dataType", data_type(column));
	if (column->type == GS_COLUMN_LIST)
		gs_json_put_bool(json, "repeated", true);
	gs_json_key(json, "source");
	gs_json_begin_object(json);
	gs_json_key(json, "fileObject");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "@id", file);
	gs_json_end_object(json);
	gs_json_key(json, "extract");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "column", column->name);
	gs_json_end_object(json);
	gs_json_end_object(json);
	gs_json_end_object(json);
}

static void write_set(struct gs_json *json, const char *set, const char *file,
    const struct gs_column *columns, size_t n)
{
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "@type", "cr:RecordSet");
	gs_json_put_cstr(json, "@id", set);
	gs_json_put_cstr(json, "name", set);
	gs_json_key(json, "field");
	gs_json_begin_array(json);
	for (size_t i = 0; i < n; i++)
		write_field(json, set, file, &columns[i]);
	gs_json_end_array(json);
	gs_json_end_object(json);
}

void write_croissant(const struct release *release, struct gs_buf *out)
{
	const struct facts *facts = release->facts;
	struct gs_json json = {.out = out, .pretty = true};
	gs_json_begin_object(&json);
	write_context(&json);
	write_head(release, &json);
	write_responsible(&json);
	gs_json_key(&json, "distribution");
	gs_json_begin_array(&json);
	write_file(&json, ORACLES, facts->oracles_bytes, facts->oracles_sha256);
	write_file(
	    &json, EVIDENCE, facts->evidence_bytes, facts->evidence_sha256);
	gs_json_end_array(&json);
	gs_json_key(&json, "recordSet");
	gs_json_begin_array(&json);
	write_set(
	    &json, "oracles", ORACLES, gs_record_columns, gs_n_record_columns);
	write_set(&json, "evidence", EVIDENCE, gs_evidence_columns,
	    gs_n_evidence_columns);
	gs_json_end_array(&json);
	gs_json_end_object(&json);
	gs_buf_addc(out, '\n');
}

static void write_property(struct gs_json *json, const struct gs_column *column)
{
	gs_json_key(json, column->name);
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "description", column->meaning);
	switch (column->type) {
	case GS_COLUMN_TEXT:
		gs_json_put_cstr(json, "type", "string");
		if (strcmp(data_type(column), "sc:DateTime") == 0)
			gs_json_put_cstr(json, "pattern",
			    "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:"
			    "[0-9]{2}Z$");
		break;
	case GS_COLUMN_LIST:
		gs_json_put_cstr(json, "type", "array");
		gs_json_put_int(json, "minItems", 1);
		gs_json_key(json, "items");
		gs_json_begin_object(json);
		gs_json_put_cstr(json, "type", "string");
		gs_json_end_object(json);
		break;
	case GS_COLUMN_INT:
		gs_json_put_cstr(json, "type", "integer");
		gs_json_put_int(json, "minimum", 1);
		break;
	case GS_COLUMN_BOOL:
		gs_json_put_cstr(json, "type", "boolean");
		break;
	}
	gs_json_end_object(json);
}

void write_schema(const struct release *release, struct gs_buf *out)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	struct gs_json json = {.out = out, .pretty = true};
	gs_json_begin_object(&json);
	gs_json_put_cstr(
	    &json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	put_clean(&json, "title", name_of(release));
	gs_json_put_cstr(&json, "description", "One row of oracles.parquet.");
	gs_json_put_cstr(&json, "type", "object");
	gs_json_key(&json, "properties");
	gs_json_begin_object(&json);
	for (size_t i = 0; i < gs_n_record_columns; i++) {
		write_property(&json, &gs_record_columns[i]);
		gs_strv_push(&names, gs_record_columns[i].name);
	}
	gs_json_end_object(&json);
	gs_json_put_strv(&json, "required", &names);
	gs_json_put_bool(&json, "additionalProperties", false);
	gs_json_end_object(&json);
	gs_buf_addc(out, '\n');
}

static void yaml_line(struct gs_buf *out, const char *key, const char *text)
{
	gs_buf_addf(out, "%s: ", key);
	escape_yaml(out, gs_str(text));
	gs_buf_addc(out, '\n');
}

void write_citation(const struct release *release, struct gs_buf *out)
{
	const struct gs_publisher *by = &release->options->publisher;
	gs_buf_addz(out, "cff-version: 1.2.0\ntype: dataset\n");
	yaml_line(out, "message",
	    "If you use this data set, please cite it as below.");
	yaml_line(out, "title", name_of(release));
	yaml_line(out, "abstract", ABOUT);
	/* "Family, Given" is a person, anything else an organisation. */
	struct gs_str author = gs_str(author_of(release)), family;
	gs_buf_addz(out, "authors:\n");
	if (gs_str_find_char(author, ',') > 0) {
		(void)gs_str_cut(&author, ',', &family);
		gs_buf_addz(out, "- family-names: ");
		escape_yaml(out, gs_str_trim(family));
		gs_buf_addz(out, "\n  given-names: ");
		escape_yaml(out, gs_str_trim(author));
	} else {
		gs_buf_addz(out, "- name: ");
		escape_yaml(out, author);
	}
	gs_buf_addc(out, '\n');
	yaml_line(out, "version", release->changes->version);
	yaml_line(out, "date-released", date_of(release));
	gs_buf_addz(out, "license: CC-BY-4.0\n");
	if (*said(by->homepage))
		yaml_line(out, "url", by->homepage);
	if (*said(by->code_url))
		yaml_line(out, "repository-code", by->code_url);
	gs_buf_addz(out, "keywords:\n- program-repair\n- bug-fixing\n"
	                 "- benchmark\n- python\n");
}

void write_bibtex(const struct release *release, struct gs_buf *out)
{
	const char *home = said(release->options->publisher.homepage);
	gs_buf_addf(out, "@misc{goldset%.4s,\n  title = {", date_of(release));
	escape_bibtex(out, gs_str(name_of(release)));
	gs_buf_addz(out, ": verified bug-fix records for evaluating coding "
	                 "agents},\n  author = {");
	escape_bibtex(out, gs_str(author_of(release)));
	gs_buf_addf(out, "},\n  year = {%.4s},\n  version = {%s}",
	    date_of(release), release->changes->version);
	if (*home) {
		gs_buf_addz(out, ",\n  url = {");
		escape_bibtex(out, gs_str(home));
		gs_buf_addc(out, '}');
	}
	gs_buf_addz(out, "\n}");
}

void write_eval(const struct release *release, struct gs_buf *out)
{
	yaml_line(out, "name", name_of(release));
	yaml_line(out, "description", ABOUT);
	gs_buf_addz(out, "evaluation_framework: goldset\n"
	                 "tasks:\n"
	                 "- id: repair\n"
	                 "  config: default\n"
	                 "  split: test\n"
	                 "- id: detect\n"
	                 "  config: default\n"
	                 "  split: test\n");
}
