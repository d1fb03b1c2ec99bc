/* SPDX-License-Identifier: Apache-2.0 */
/* The sentences of card and datasheet that depend on the facts. */
#include <inttypes.h>
#include <string.h>

#include "publish/escape.h"
#include "publish/texts.h"

const char *said(const char *fact)
{
	return fact ? fact : "";
}

const char *name_of(const struct release *release)
{
	const char *name = said(release->options->publisher.name);
	return *name ? name : "Goldset";
}

const char *author_of(const struct release *release)
{
	const char *author = said(release->options->publisher.author);
	return *author ? author : "The publisher of this release";
}

const char *date_of(const struct release *release)
{
	const char *day = release->facts->validated;
	return *day ? day : "1970-01-01";
}

void add_number(struct gs_buf *out, int64_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRId64, n);
	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			gs_buf_addc(out, ',');
		gs_buf_addc(out, digits[i]);
	}
}

void add_count(struct gs_buf *out, int64_t n, const char *noun)
{
	add_number(out, n);
	gs_buf_addf(out, " %s%s", noun, n == 1 ? "" : "s");
}

static void set(struct values *values, const char *name, struct gs_buf *text)
{
	values_set(values, name, gs_buf_str(text));
	gs_buf_reset(text);
}

static void set_markdown(
    struct values *values, const char *name, const char *text)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	escape_markdown(&clean, gs_str(text));
	values_set(values, name, gs_buf_str(&clean));
}

static const char *size_category(int64_t n)
{
	return n < 1000       ? "n<1K"
	       : n < 10000    ? "1K<n<10K"
	       : n < 100000   ? "10K<n<100K"
	       : n < 1000000  ? "100K<n<1M"
	       : n < 10000000 ? "1M<n<10M"
	                      : "10M<n<100M";
}

static void features(struct gs_buf *out)
{
	for (size_t i = 0; i < gs_n_record_columns; i++) {
		const struct gs_column *column = &gs_record_columns[i];
		gs_buf_addf(
		    out, "%s  - name: %s\n", i ? "\n" : "", column->name);
		switch (column->type) {
		case GS_COLUMN_TEXT:
			gs_buf_addz(out, "    dtype: string");
			break;
		case GS_COLUMN_LIST:
			/* Every version of datasets reads this spelling. */
			gs_buf_addz(out, "    sequence: string");
			break;
		case GS_COLUMN_INT:
			gs_buf_addz(out, "    dtype: int64");
			break;
		case GS_COLUMN_BOOL:
			gs_buf_addz(out, "    dtype: bool");
			break;
		}
	}
}

static void summary(const struct release *release, struct gs_buf *out)
{
	const struct facts *facts = release->facts;
	if (facts->records == 0) {
		gs_buf_addz(out, "This release holds no records.");
		return;
	}
	add_count(out, facts->records, "record");
	gs_buf_addz(out, " from ");
	add_count(out, (int64_t)facts->projects.n, "project");
	gs_buf_addf(out,
	    ", all Python, with\nfixes committed between %s and %s.",
	    facts->first_fix, facts->last_fix);
}

static bool is_released(const struct release *release, const char *kind)
{
	const struct gs_strv *kinds = release->options->kinds;
	return kinds ? gs_strv_has(kinds, kind) : strcmp(kind, "bug") == 0;
}

/* "Every record is a bug" is said only where only bugs are released (K7). */
static void intro(const struct release *release, struct gs_buf *out)
{
	bool only_bugs = !is_released(release, "feature") &&
	                 !is_released(release, "unclear");
	gs_buf_addz(out,
	    only_bugs
	        ? "Every record is a real bug in public software, the fix its "
	          "author wrote, and the\ntest that fails before the fix and "
	          "passes after it."
	        : "Every record is a change to public software, as its author "
	          "wrote it, and the\ntest that fails before the change and "
	          "passes after it. Not every one mends a bug:\n`change_kind` "
	          "in `evidence.parquet` tells bugs from the other kinds that "
	          "this\nrelease was asked to hold.");
}

static void structure(const struct release *release, struct gs_buf *out)
{
	const struct facts *facts = release->facts;
	gs_buf_addz(out, "One row per record. ");
	add_number(out, facts->functions);
	gs_buf_addf(out,
	    " isolate%s a single changed function\ntogether with "
	    "its docstring, and ",
	    facts->functions == 1 ? "s" : "");
	add_number(out, facts->files);
	gs_buf_addf(out,
	    " keep%s the whole changed\nfile and use%s the commit message as "
	    "the specification.",
	    facts->files == 1 ? "s" : "", facts->files == 1 ? "s" : "");
}

static void links(const struct release *release, struct gs_buf *out)
{
	const struct gs_publisher *by = &release->options->publisher;
	if (*said(by->homepage)) {
		escape_link(out, GS_STR("Website"), gs_str(by->homepage));
		gs_buf_addz(out, " · ");
	}
	if (*said(by->code_url)) {
		escape_link(
		    out, GS_STR("Code and verifier"), gs_str(by->code_url));
		gs_buf_addz(out, " · ");
	}
	gs_buf_addz(out, "[Datasheet](DATASHEET.md)");
}

static void table(
    const struct gs_counts *counts, const char *title, struct gs_buf *out)
{
	gs_buf_addf(out, "| %s | records |\n|---|---|", title);
	for (size_t i = 0; i < counts->n; i++) {
		gs_buf_addz(out, "\n| ");
		escape_markdown(out, gs_str(counts->v[i].name));
		gs_buf_addz(out, " | ");
		add_number(out, counts->v[i].n);
		gs_buf_addz(out, " |");
	}
	if (counts->n == 0)
		gs_buf_addz(out, "\n| (none) | 0 |");
}

static void kinds(const struct release *release, struct gs_buf *out)
{
	const struct gs_counts *counts = &release->facts->kinds;
	gs_buf_addz(out, "By `change_kind`: ");
	for (size_t i = 0; i < counts->n; i++) {
		gs_buf_addf(out, "%s`%s` ", i ? ", " : "", counts->v[i].name);
		add_number(out, counts->v[i].n);
	}
	gs_buf_addz(out, counts->n ? "." : "no records.");
}

static void unguessable(const struct release *release, struct gs_buf *out)
{
	const struct facts *facts = release->facts;
	int64_t n = facts->unguessable;
	if (facts->records == 0) {
		gs_buf_addz(out, "There are no records to count here.");
		return;
	}
	int64_t tenths = (n * 1000 + facts->records / 2) / facts->records;
	gs_buf_addz(out, "In ");
	add_number(out, n);
	gs_buf_addz(out, " of ");
	add_count(out, facts->records, "record");
	gs_buf_addf(out,
	    " (%" PRId64 ".%" PRId64 " %%) the flipping\n  tests name "
	    "something that neither the code before nor the spec holds; "
	    "those\n  names stand in `unguessable` in `evidence.parquet`, to "
	    "filter by.",
	    tenths / 10, tenths % 10);
}

static void survival(const struct release *release, struct gs_buf *out)
{
	static const char *const words[] = {"", "", "two", "three", "four",
	    "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
	int64_t kept = release->facts->records, tried = release->candidates;
	/* With a hold-out the ratio would tell how much is withheld. */
	if (release->options->has_hold_out || kept == 0 || tried < kept) {
		gs_buf_addz(out, "Most candidates do not survive.");
		return;
	}
	int64_t ratio = (tried + kept / 2) / kept;
	if (ratio < 2)
		gs_buf_addz(out, "Nearly every candidate tried survives.");
	else if (ratio < (int64_t)GS_COUNT(words))
		gs_buf_addf(
		    out, "About one candidate in %s survives.", words[ratio]);
	else
		gs_buf_addf(
		    out, "About one candidate in %" PRId64 " survives.", ratio);
}

/* K7: what other kinds the store holds is counted, and can be asked for. */
static void left_out(const struct release *release, struct gs_buf *out)
{
	const struct gs_counts *all = release->all_kinds;
	bool first = true;
	for (size_t i = 0; i < all->n; i++) {
		if (is_released(release, all->v[i].name) || all->v[i].n == 0)
			continue;
		gs_buf_addz(out,
		    first ? "\n\nChanges that reproduce as well but are not "
		            "judged to be bugs were left out: "
		          : ", ");
		gs_buf_addf(out, "`%s` ", all->v[i].name);
		add_number(out, all->v[i].n);
		first = false;
	}
	if (!first)
		gs_buf_addc(out, '.');
}

static void held_back(const struct release *release, struct gs_buf *out)
{
	if (release->is_withheld) {
		gs_buf_addz(out,
		    "**This is the withheld side: it is not for publication.** "
		    "What it holds stands in no\npublic release, and is of use "
		    "only as long as that is so. `reveal.json` opens the\n"
		    "commitment that the public side carries; keep it with the "
		    "key.");
		return;
	}
	if (release->options->has_hold_out) {
		gs_buf_addz(out,
		    "A further set of records is held back and not published. "
		    "Projects are assigned\nwhole to one side or the other, so "
		    "nothing here can be used to work out what is\nwithheld. A "
		    "public evaluation set is contaminated the moment it is "
		    "public, which is\nthe reason for keeping a disjoint one.");
		if (release->has_commitment)
			gs_buf_addz(out,
			    "\n\n`COMMITMENT` holds the root of a Merkle tree "
			    "over salted ids of what is withheld. It\ntells "
			    "nothing now; once the ids are revealed, it shows "
			    "that they were chosen before\nand not after "
			    "(`goldset audit --reveal`).");
		return;
	}
	gs_buf_addz(out,
	    "No set of records is held back: all that the rules admit, of the "
	    "kinds released,\nis here. A public evaluation set is contaminated "
	    "the moment it is public; there is\nno disjoint one behind this "
	    "release to compare with.");
	left_out(release, out);
}

static void verify_commands(const struct release *release, struct gs_buf *out)
{
	const char *url = said(release->options->publisher.code_url);
	if (*url) {
		const char *slash = strrchr(url, '/');
		gs_buf_addf(out, "git clone %s\ncd %s && make\nbuild/", url,
		    slash && slash[1] ? slash + 1 : "goldset");
	}
	gs_buf_addz(out, "goldset-verify PATH/TO/THIS/FOLDER --sample 20");
}

static void apa(const struct release *release, struct gs_buf *out)
{
	escape_markdown(out, gs_str(author_of(release)));
	gs_buf_addf(out, " (%.4s). *", date_of(release));
	escape_markdown(out, gs_str(name_of(release)));
	gs_buf_addf(out,
	    ": verified bug-fix records for evaluating coding agents* "
	    "(version %s) [Data set].",
	    release->changes->version);
	const char *home = said(release->options->publisher.homepage);
	if (*home) {
		gs_buf_addc(out, ' ');
		escape_link(out, gs_str(home), gs_str(home));
	}
}

static void environment(const struct release *release, struct gs_buf *out)
{
	const struct gs_counts *lists[] = {
	    &release->facts->interpreters, &release->facts->pytests};
	static const char *const titles[] = {"Interpreters", "pytest"};
	for (size_t k = 0; k < GS_COUNT(lists); k++) {
		gs_buf_addf(out, "%s%s: ", k ? " " : "", titles[k]);
		for (size_t i = 0; i < lists[k]->n; i++) {
			gs_buf_addz(out, i ? ", " : "");
			escape_markdown(out, gs_str(lists[k]->v[i].name));
			gs_buf_addz(out, " (");
			add_count(out, lists[k]->v[i].n, "record");
			gs_buf_addc(out, ')');
		}
		gs_buf_addz(out, lists[k]->n ? "." : "none.");
	}
}

static void dates(const struct release *release, struct gs_buf *out)
{
	const struct facts *facts = release->facts;
	if (facts->records == 0)
		gs_buf_addz(out, "There are no records.");
	else
		gs_buf_addf(out,
		    "The fixes were committed between %s and %s; the last "
		    "proving run was on %s.",
		    facts->first_fix, facts->last_fix, facts->validated);
}

static void numbers(const struct release *release, struct values *values)
{
	const struct facts *facts = release->facts;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	values_setf(values, "n_records", "%" PRId64, facts->records);
	values_setf(values, "num_bytes", "%" PRIu64, facts->num_bytes);
	values_setf(values, "download_size", "%" PRIu64, facts->oracles_bytes);
	values_setf(values, "n_columns", "%zu", gs_n_record_columns);
	values_setf(
	    values, "size_category", "%s", size_category(facts->records));
	add_count(&text, facts->tests, "test");
	set(values, "n_tests", &text);
	add_count(&text, facts->shared, "record");
	set(values, "shared", &text);
}

static void publisher(const struct release *release, struct values *values)
{
	const struct gs_publisher *by = &release->options->publisher;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	set_markdown(values, "name", name_of(release));
	set_markdown(values, "author", author_of(release));
	escape_yaml(&text, gs_str(name_of(release)));
	bool plain = strspn(name_of(release), "abcdefghijklmnopqrstuvwxyz"
	                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
	             strlen(name_of(release));
	if (plain) /* as a person would write it */
		values_setf(values, "pretty_name", "%s", name_of(release));
	else
		values_set(values, "pretty_name", gs_buf_str(&text));
	gs_buf_reset(&text);
	set_markdown(values, "funding",
	    *said(by->funding) ? by->funding
	                       : "The publisher reports no funding.");
	set_markdown(values, "contact",
	    *said(by->contact)    ? by->contact
	    : *said(by->code_url) ? by->code_url
	                          : "Through the place where this release "
	                            "was obtained.");
	values_setf(values, "load_name", "%s",
	    *said(by->dataset_id) ? by->dataset_id : "PATH/TO/THIS/FOLDER");
}

static void places(const struct release *release, struct values *values)
{
	const struct gs_publisher *by = &release->options->publisher;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	bool has_code = *said(by->code_url);
	gs_buf_addz(&text, has_code ? "Yes: "
	                            : "Yes: goldset, the program that "
	                              "made this release, is free "
	                              "software (Apache-2.0).");
	if (has_code)
		escape_link(&text, gs_str(by->code_url), gs_str(by->code_url));
	set(values, "software", &text);
	if (has_code) {
		gs_buf_addz(&text, " at ");
		escape_link(&text, gs_str(by->code_url), gs_str(by->code_url));
	}
	gs_buf_addz(&text, " and");
	set(values, "issues_at", &text);
	const char *home = said(by->homepage);
	gs_buf_addz(&text, *home ? "It is found at "
	                         : "Where it is hosted is "
	                           "up to its publisher.");
	if (*home) {
		escape_link(&text, gs_str(home), gs_str(home));
		gs_buf_addc(&text, '.');
	}
	set(values, "where", &text);
	gs_buf_addz(&text, *home ? "Not known; results may be collected at "
	                         : "None is known.");
	if (*home) {
		escape_link(&text, gs_str(home), gs_str(home));
		gs_buf_addc(&text, '.');
	}
	set(values, "papers", &text);
	gs_buf_addz(&text, "Questions: ");
	escape_markdown(&text, *said(by->contact) ? gs_str(by->contact)
	                       : has_code
	                           ? gs_str(by->code_url)
	                           : GS_STR("ask where you obtained it"));
	gs_buf_addc(&text, '.');
	set(values, "contact_sentence", &text);
}

void fill_values(const struct release *release, struct values *values)
{
	static const struct {
		const char *name;
		void (*write)(
		    const struct release *release, struct gs_buf *out);
	} sentences[] = {
	    {"intro", intro},
	    {"summary", summary},
	    {"structure", structure},
	    {"links", links},
	    {"kinds", kinds},
	    {"unguessable", unguessable},
	    {"survival", survival},
	    {"held_back", held_back},
	    {"verify_commands", verify_commands},
	    {"bibtex", write_bibtex},
	    {"apa", apa},
	    {"environment", environment},
	    {"dates", dates},
	};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	for (size_t i = 0; i < GS_COUNT(sentences); i++) {
		sentences[i].write(release, &text);
		set(values, sentences[i].name, &text);
	}
	features(&text);
	set(values, "features", &text);
	table(&release->facts->licences, "licence", &text);
	set(values, "licence_table", &text);
	values_setf(values, "version", "%s", release->changes->version);
	values_setf(values, "date", "%s", date_of(release));
	numbers(release, values);
	publisher(release, values);
	places(release, values);
}
