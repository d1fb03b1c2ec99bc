/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/assemble.h"

#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "licence/licence.h"
#include "model/diff.h"
#include "model/identity.h"
#include "os/clock.h"

static char *dup_str(struct gs_str s)
{
	return gs_strndup(s.p, s.n);
}

/* The published text as UTF-8: of the whole file, or of the unit in it. In a
 * file that declares another encoding the unit is found again in the decoded
 * text (F061). */
static int published_text(const struct gs_source *source,
    const struct gs_unit *unit, char **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_source_decode(source->bytes, &text, err);
	if (rc)
		return rc;
	if (!unit) {
		*ret = dup_str(gs_buf_str(&text));
		return 0;
	}
	GS_CLEANUP(gs_source_release) struct gs_source decoded = {0};
	rc = gs_source_parse(gs_buf_str(&text), &decoded, err);
	if (rc)
		return rc;
	const struct gs_unit *found =
	    gs_source_unit(&decoded, unit->qualname, unit->ordinal);
	if (!found)
		return gs_fail(err, GS_E_CORRUPT,
		    "%.*s is not found in its own decoded file",
		    GS_STR_ARG(unit->qualname));
	*ret = dup_str(gs_str_sub(decoded.bytes, found->start, found->end));
	return 0;
}

static int put_sources(const struct gs_reduction *reduction,
    struct gs_record *record, struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_changed_file *file = reduction->file;
	int rc = published_text(
	    &file->before, reduction->unit_before, &record->source_before, err);
	if (rc == 0)
		rc = published_text(&file->after, reduction->unit_after,
		    &record->source_after, err);
	if (rc == GS_E_CORRUPT) {
		gs_refuse(verdict, "undecodable source", "%s", err->text);
		*err = (struct gs_err){0};
		return 0;
	}
	if (rc)
		return rc;
	if (!record->source_before[0] || !record->source_after[0])
		gs_refuse(verdict, "empty source", "One side of %.*s is empty.",
		    GS_STR_ARG(file->path));
	return 0;
}

/* K4: outer blank lines and the last line end cut. */
static struct gs_str without_outer_blanks(struct gs_str text)
{
	struct gs_str rest = text, line;
	while (rest.n && gs_str_cut(&rest, '\n', &line) &&
	       gs_str_trim(line).n == 0)
		text = rest;
	size_t n = text.n;
	for (size_t i = n; i > 0; i--) {
		char c = text.p[i - 1];
		if (c != '\n' && c != ' ' && c != '\t' && c != '\r')
			break;
		if (c == '\n')
			n = i - 1;
	}
	if (gs_str_trim(gs_str_sub(text, 0, n)).n == 0)
		n = 0;
	return gs_str_sub(text, 0, n);
}

static struct gs_str first_line(struct gs_str message)
{
	struct gs_str line;
	while (message.n && gs_str_cut(&message, '\n', &line))
		if (gs_str_trim(line).n > 0)
			return line;
	return GS_STR("");
}

static void put_spec(const struct gs_candidate *candidate,
    const struct gs_reduction *reduction, struct gs_record *record,
    struct gs_verdict *verdict)
{
	struct gs_str message = gs_buf_str(&candidate->commit.message);
	record->subject = dup_str(first_line(message));
	if (reduction->unit_after) {
		record->spec = dup_str(reduction->unit_after->docstring);
		record->spec_source = gs_strdup("docstring");
	} else {
		record->spec = dup_str(without_outer_blanks(message));
		record->spec_source = gs_strdup("commit_message");
	}
	if (!record->spec[0])
		gs_refuse(verdict, "no spec",
		    "Neither a docstring nor a commit message says what the "
		    "code was meant to do (K4).");
}

static void put_units(const struct gs_candidate *candidate,
    const struct gs_reduction *reduction, struct gs_record *record)
{
	const struct gs_changed_file *file = reduction->file;
	for (size_t i = 0; i < candidate->files.n; i++) {
		const struct gs_changed_file *f = &candidate->files.v[i];
		gs_file_change_names(&f->change, &f->before, &f->after,
		    f->module, &record->units_changed);
	}
	gs_strv_sort(&record->units_changed);
	gs_strv_uniq(&record->units_changed);
	record->module = gs_strdup(file->module);
	if (reduction->unit_after) {
		record->unit = dup_str(reduction->unit_after->qualname);
		return;
	}
	const struct gs_unit *smallest =
	    gs_file_change_smallest(&file->before, &file->after);
	record->unit =
	    smallest ? dup_str(smallest->qualname) : gs_strdup(file->module);
}

static char *printed(int64_t at)
{
	char text[GS_DATETIME_SIZE];
	gs_datetime_print(at, text);
	return gs_strdup(text);
}

static void put_provenance(
    const struct gs_candidate *candidate, struct gs_record *record)
{
	const struct gs_work *work = candidate->work;
	record->repo = gs_strdup(work->project_name);
	record->repo_url = gs_strdup(work->repo_url ? work->repo_url : "");
	record->commit = gs_strdup(work->id.hex);
	record->parent = gs_strdup(work->parent.hex);
	record->commit_url =
	    record->repo_url[0]
	        ? gs_format("%s/commit/%s", record->repo_url, work->id.hex)
	        : gs_strdup("");
	record->committed_at = printed(candidate->commit.committed_at);
	record->parent_at = printed(candidate->parent.committed_at);
	record->license = gs_strdup(work->licence);
	record->license_file = gs_strdup(work->licence_file);
	record->also_in = gs_strdup("");
	record->language = gs_strdup("python");
	record->validated_at = printed(gs_clock_wall());
	record->schema_version = GS_SCHEMA_VERSION;
}

static char *join_once(struct gs_strv *words)
{
	gs_strv_sort(words);
	gs_strv_uniq(words);
	return gs_strv_join(words, ",");
}

/* O6: the shims that some run really used, of those that were offered. */
static char *used_shims(const struct gs_observer *observer)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv used = {0};
	for (size_t i = 0; i < observer->seen.n; i++) {
		const struct gs_run *run = &observer->seen.v[i]->run;
		for (size_t k = 0; k < run->shims_used.n; k++)
			gs_strv_push(&used, run->shims_used.v[k]);
	}
	return join_once(&used);
}

/* S6: the plugins that some run was given. */
static char *used_plugins(const struct gs_observer *observer)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv used = {0};
	for (size_t i = 0; i < observer->seen.n; i++) {
		const struct gs_run *run = &observer->seen.v[i]->run;
		for (size_t k = 0; k < run->plugins.n; k++)
			gs_strv_push(&used, run->plugins.v[k]);
	}
	return join_once(&used);
}

static char *validator_text(const struct gs_observer *observer)
{
	GS_CLEANUP(gs_freep) char *shims = used_shims(observer);
	GS_CLEANUP(gs_freep)
	char *plugins = used_plugins(observer);
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_buf_addf(&text,
	    "goldset/%s python/%s pytest/%s TZ=UTC LC_ALL=C.UTF-8", GS_VERSION,
	    observer->env->python_version, observer->env->pytest_version);
	if (plugins[0])
		gs_buf_addf(&text, " plugins=%s", plugins);
	if (shims[0])
		gs_buf_addf(&text, " shims=%s", shims);
	return gs_buf_steal(&text);
}

static void put_identity(struct gs_record *record)
{
	char fingerprint[GS_SHA256_HEX], id[GS_ID_SIZE];
	gs_fingerprint(gs_str(record->source_before),
	    gs_str(record->source_after), fingerprint);
	record->fingerprint = gs_strdup(fingerprint);
	const struct gs_identity identity = {
	    .repo = record->repo,
	    .commit = record->commit,
	    .parent = record->parent,
	    .module = record->module,
	    .unit = record->unit,
	    .granularity = record->granularity,
	    .fingerprint = record->fingerprint,
	};
	gs_record_id(&identity, id);
	record->id = gs_strdup(id);
}

static void put_tests(
    const struct gs_findings *findings, struct gs_record *record)
{
	gs_strv_copy(&record->fail_to_pass, &findings->oracle->kept);
	record->test_file = gs_test_file_of(&record->fail_to_pass);
	record->n_tests = (int64_t)record->fail_to_pass.n;
	struct gs_diff diff = {0};
	gs_diff(
	    gs_str(record->source_before), gs_str(record->source_after), &diff);
	record->diff_lines = (int64_t)(diff.added + diff.removed);
	gs_diff_release(&diff);
}

/* Evidence. */

static int put_kind(const struct gs_findings *findings,
    const struct gs_record *record, struct gs_evidence *evidence,
    struct gs_err *err)
{
	GS_CLEANUP(gs_signals_release) struct gs_signals signals = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_gather_signals(
	    findings->observer, findings->oracle, &signals, err);
	if (rc)
		return rc;
	const char *rule = NULL;
	enum gs_change_kind kind = gs_change_kind(&signals, &rule);
	struct gs_json json = {.out = &text};
	gs_signals_write(&signals, &json);
	evidence->change_kind = gs_strdup(gs_change_kind_name(kind));
	evidence->kind_rule = gs_strdup(rule);
	evidence->signals = gs_buf_steal(&text);
	return gs_gather_unguessable(findings->observer, findings->reduction,
	    findings->oracle, gs_str(record->spec), &evidence->unguessable,
	    err);
}

static void put_span(
    const struct gs_reduction *reduction, struct gs_evidence *evidence)
{
	const struct gs_unit *before = reduction->unit_before;
	const struct gs_unit *after = reduction->unit_after;
	evidence->source_path = dup_str(reduction->file->path);
	evidence->unit_start = before ? (int64_t)before->start : 0;
	evidence->unit_end = before ? (int64_t)before->end
	                            : (int64_t)reduction->file->before_bytes.n;
	evidence->docstring_changed =
	    before && after && !gs_str_eq(before->docstring, after->docstring);
}

static void put_flips(
    const struct gs_findings *findings, struct gs_evidence *evidence)
{
	const struct gs_oracle *oracle = findings->oracle;
	gs_strv_copy(&evidence->pass_to_pass, &oracle->pass_to_pass);
	gs_strv_copy(&evidence->flaky, findings->flaky);
	for (size_t i = 0; i < oracle->flips.n; i++)
		if (oracle->flips.v[i].kind == GS_FLIP_MISSING_NAME ||
		    oracle->flips.v[i].kind == GS_FLIP_COLLECTION)
			gs_strv_push(
			    &evidence->missing_name_ids, oracle->flips.v[i].id);
}

static void put_environment(
    const struct gs_observer *observer, struct gs_evidence *evidence)
{
	const struct gs_env *env = observer->env;
	evidence->interpreter = gs_format("CPython %s", env->python_version);
	evidence->pytest = gs_strdup(env->pytest_version);
	evidence->distributions = gs_strdup(env->distributions);
	evidence->plugins = used_plugins(observer);
	evidence->shims = used_shims(observer);
	evidence->sandbox = gs_strdup(observer->worker->context->box.summary);
	gs_strv_copy(&evidence->test_files, &observer->candidate->test_files);
	gs_strv_copy(
	    &evidence->import_roots, &observer->candidate->import_roots);
}

static void put_trees(
    const struct gs_findings *findings, struct gs_evidence *evidence)
{
	for (size_t i = 0; i < findings->observer->seen.n; i++) {
		const struct gs_observation *seen =
		    findings->observer->seen.v[i];
		if (!evidence->tree_before &&
		    strcmp(seen->state, "before") == 0)
			evidence->tree_before = gs_strdup(seen->tree);
		/* Trials have names of states too, and other trees. */
		if (!evidence->tree_after && seen->ids_alone &&
		    strcmp(seen->label, "reduce") != 0 &&
		    strcmp(seen->state, findings->reduction->after.name) == 0)
			evidence->tree_after = gs_strdup(seen->tree);
	}
}

static int put_evidence(const struct gs_findings *findings,
    const struct gs_record *record, struct gs_evidence *evidence,
    struct gs_err *err)
{
	const struct gs_observer *observer = findings->observer;
	GS_CLEANUP(gs_buf_release) struct gs_buf seen = {0};
	evidence->id = gs_strdup(record->id);
	put_span(findings->reduction, evidence);
	put_flips(findings, evidence);
	put_environment(observer, evidence);
	put_trees(findings, evidence);
	gs_observer_write_evidence(observer, &record->fail_to_pass, &seen);
	evidence->observations = gs_buf_steal(&seen);
	evidence->cheats = dup_str(findings->cheats);
	evidence->reduction = dup_str(gs_buf_str(&findings->reduction->tried));
	evidence->licence_sha256s =
	    gs_strdup(observer->candidate->work->licence_texts);
	return put_kind(findings, record, evidence, err);
}

int gs_assemble(const struct gs_findings *findings, struct gs_verdict *verdict,
    struct gs_err *err)
{
	const struct gs_candidate *candidate = findings->observer->candidate;
	const struct gs_reduction *reduction = findings->reduction;
	struct gs_record *record = &verdict->record;
	record->granularity =
	    gs_strdup(reduction->unit_after ? "function" : "file");
	int rc = put_sources(reduction, record, verdict, err);
	if (rc || verdict->reason)
		return rc;
	put_spec(candidate, reduction, record, verdict);
	if (verdict->reason)
		return 0;
	put_units(candidate, reduction, record);
	put_provenance(candidate, record);
	put_tests(findings, record);
	record->validator = validator_text(findings->observer);
	put_identity(record);
	rc = put_evidence(findings, record, &verdict->evidence, err);
	if (rc)
		return rc;
	struct gs_err why = {0};
	if (gs_record_check(record, &why))
		gs_refuse(verdict, "not publishable", "%s", why.text);
	else
		verdict->is_record = true;
	return 0;
}
