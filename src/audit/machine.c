/* SPDX-License-Identifier: Apache-2.0 */
/* What programs read: croissant.json, and one version everywhere. */
#include <inttypes.h>
#include <string.h>

#include "audit/work.h"
#include "base/mem.h"

static const struct place croissant = {.file = "croissant.json"};

static void check_file(
    struct audit *audit, const json_t *list, const char *name, uint64_t size)
{
	const char *sum = gs_map_get(&audit->sums, gs_str(name));
	GS_CLEANUP(gs_freep) char *bytes = gs_format("%" PRIu64 " B", size);
	size_t i;
	json_t *file;
	json_array_foreach(list, i, file)
	{
		if (!gs_str_is(gs_json_get_str(file, "name"), name))
			continue;
		if (sum && !gs_str_is(gs_json_get_str(file, "sha256"), sum))
			found(audit, GS_ERROR, "croissant", croissant,
			    "The SHA-256 of %s is another than in " SUMS ".",
			    name);
		if (!gs_str_is(gs_json_get_str(file, "contentSize"), bytes))
			found(audit, GS_ERROR, "croissant", croissant,
			    "%s has a size of %s.", name, bytes);
		return;
	}
	found(audit, GS_ERROR, "croissant", croissant, "It does not list %s.",
	    name);
}

static void check_fields(struct audit *audit, const json_t *sets,
    const char *set, const struct gs_column *columns, size_t n)
{
	size_t i;
	json_t *entry;
	json_array_foreach(sets, i, entry)
	{
		const json_t *fields = json_object_get(entry, "field");
		if (!gs_str_is(gs_json_get_str(entry, "name"), set))
			continue;
		bool same = json_array_size(fields) == n;
		for (size_t k = 0; same && k < n; k++)
			same = gs_str_is(
			    gs_json_get_str(json_array_get(fields, k), "name"),
			    columns[k].name);
		if (!same)
			found(audit, GS_ERROR, "croissant", croissant,
			    "The fields of %s are not its columns.", set);
		return;
	}
	found(audit, GS_ERROR, "croissant", croissant,
	    "It does not describe %s.", set);
}

/* Where else the version stands, and how. */
static void check_version(struct audit *audit, const char *version)
{
	const struct {
		const char *file, *before, *after;
	} places[] = {
	    {"README.md", "This is version ", ";"},
	    {"DATASHEET.md", "Version ", " is dated"},
	    {"CITATION.cff", "\nversion: \"", "\"\n"},
	};

	for (size_t i = 0; i < GS_COUNT(places); i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		GS_CLEANUP(gs_freep)
		char *say = gs_format(
		    "%s%s%s", places[i].before, version, places[i].after);
		if (read_file(audit, places[i].file, &text) &&
		    !gs_str_contains(gs_buf_str(&text), gs_str(say)))
			found(audit, GS_ERROR, "version",
			    (struct place){.file = places[i].file},
			    "It does not say that this is version %s, as "
			    "croissant.json does.",
			    version);
	}
	GS_CLEANUP(gs_buf_release) struct gs_buf log = {0};
	GS_CLEANUP(gs_freep) char *entry = gs_format("\n## [%s] - ", version);
	if (!read_file(audit, "CHANGELOG.md", &log))
		return;
	ptrdiff_t first = gs_str_find(gs_buf_str(&log), GS_STR("\n## ["));
	if (first < 0 ||
	    !gs_str_starts(gs_str_from(gs_buf_str(&log), (size_t)first), entry))
		found(audit, GS_ERROR, "version",
		    (struct place){.file = "CHANGELOG.md"},
		    "Its first entry is not about version %s.", version);
}

void audit_machine(struct audit *audit)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	if (!read_file(audit, croissant.file, &text))
		return;
	struct gs_err err = {0};
	GS_CLEANUP(gs_json_free)
	json_t *json = gs_json_parse(gs_buf_str(&text), "croissant.json", &err);
	if (!json) {
		found(audit, GS_ERROR, "croissant", croissant, "%s.", err.text);
		return;
	}
	const json_t *files = json_object_get(json, "distribution");
	const json_t *sets = json_object_get(json, "recordSet");
	if (has_file(audit, ORACLES))
		check_file(audit, files, ORACLES, audit->oracles_size);
	if (has_file(audit, EVIDENCE))
		check_file(audit, files, EVIDENCE, audit->evidence_size);
	check_fields(
	    audit, sets, "oracles", gs_record_columns, gs_n_record_columns);
	check_fields(audit, sets, "evidence", gs_evidence_columns,
	    gs_n_evidence_columns);
	const char *version = gs_json_get_cstr(json, "version");
	if (version)
		check_version(audit, version);
	else
		found(audit, GS_ERROR, "version", croissant,
		    "It names no version.");
}
