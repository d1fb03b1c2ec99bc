/* SPDX-License-Identifier: Apache-2.0 */
/* What the card, the datasheet and their like say, against the rows. Line
 * breaks and the backslashes of Markdown are not looked at. */
#include <inttypes.h>
#include <string.h>

#include "audit/work.h"
#include "base/csv.h"
#include "base/mem.h"

struct words {
	struct audit *audit;
	const char *file;
	struct gs_buf text; /* squeezed */
};

static void squeeze(struct gs_str text, struct gs_buf *ret)
{
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		if (c == '\\')
			continue;
		if (c == '\n' || c == ' ') {
			if (ret->n > 0 && ret->p[ret->n - 1] != ' ')
				gs_buf_addc(ret, ' ');
			continue;
		}
		gs_buf_addc(ret, c);
	}
}

static bool open_words(struct audit *audit, const char *file, struct words *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	if (!read_file(audit, file, &text))
		return false;
	*ret = (struct words){.audit = audit, .file = file};
	squeeze(gs_buf_str(&text), &ret->text);
	return true;
}

static void close_words(struct words *words)
{
	gs_buf_release(&words->text);
}

static void must_say(
    struct words *words, const char *check, const struct gs_buf *sentence)
{
	if (!gs_str_contains(gs_buf_str(&words->text), gs_buf_str(sentence)))
		found(words->audit, GS_ERROR, check,
		    (struct place){.file = words->file},
		    "By the rows it should say: %s", gs_buf_cstr(sentence));
}

/* 1234567 → 1,234,567 */
static void add_number(struct gs_buf *out, int64_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRId64, n);
	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			gs_buf_addc(out, ',');
		gs_buf_addc(out, digits[i]);
	}
}

static void add_count(struct gs_buf *out, int64_t n, const char *noun)
{
	add_number(out, n);
	gs_buf_addf(out, " %s%s", noun, n == 1 ? "" : "s");
}

static void say_summary(struct words *words)
{
	const struct totals *totals = &words->audit->totals;
	GS_CLEANUP(gs_buf_release) struct gs_buf say = {0};
	if (totals->records == 0) {
		gs_buf_addz(&say, "This release holds no records.");
	} else {
		gs_buf_addc(&say, ' ');
		add_count(&say, totals->records, "record");
		gs_buf_addz(&say, " from ");
		add_count(&say, (int64_t)totals->repos.n, "project");
		gs_buf_addf(&say,
		    ", all Python, with fixes committed between %s and %s.",
		    totals->first_fix, totals->last_fix);
	}
	must_say(words, "card", &say);
	gs_buf_reset(&say);
	gs_buf_addz(&say, "One row per record. ");
	add_number(&say, totals->functions);
	gs_buf_addf(&say, " isolate%s a single changed function",
	    totals->functions == 1 ? "s" : "");
	must_say(words, "card", &say);
	gs_buf_reset(&say);
	gs_buf_addz(&say, "docstring, and ");
	add_number(&say, totals->files);
	gs_buf_addf(&say, " keep%s the whole changed file",
	    totals->files == 1 ? "s" : "");
	must_say(words, "card", &say);
	if (totals->records == 0)
		return;
	gs_buf_reset(&say);
	gs_buf_addz(&say, "In ");
	add_number(&say, totals->unguessable);
	gs_buf_addz(&say, " of ");
	add_count(&say, totals->records, "record");
	gs_buf_addz(&say, " (");
	must_say(words, "card", &say);
}

static void say_numbers(struct words *words)
{
	struct audit *audit = words->audit;
	const struct totals *totals = &audit->totals;
	uint64_t arrow = totals->arrow_bytes;
	for (size_t i = 0; i < gs_n_record_columns; i++)
		arrow += gs_record_columns[i].type == GS_COLUMN_TEXT   ? 4
		         : gs_record_columns[i].type == GS_COLUMN_LIST ? 8
		                                                       : 0;

	const struct {
		const char *name;
		uint64_t value;
	} numbers[] = {
	    {"num_examples", (uint64_t)totals->records},
	    {"num_bytes", arrow},
	    {"dataset_size", arrow},
	    {"download_size", audit->oracles_size},
	};

	for (size_t i = 0; i < GS_COUNT(numbers); i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf say = {0};
		gs_buf_addf(&say, " %s: %" PRIu64 " ", numbers[i].name,
		    numbers[i].value);
		must_say(words, "card", &say);
	}
}

static void say_columns(struct words *words)
{
	for (size_t i = 0; i < gs_n_record_columns; i++) {
		const struct gs_column *column = &gs_record_columns[i];
		GS_CLEANUP(gs_buf_release) struct gs_buf say = {0};
		gs_buf_addf(&say, "- name: %s %s", column->name,
		    column->type == GS_COLUMN_LIST  ? "sequence: string"
		    : column->type == GS_COLUMN_INT ? "dtype: int64"
		                                    : "dtype: string");
		must_say(words, "card", &say);
	}
}

static void say_licences(struct words *words)
{
	const struct gs_map *licences = &words->audit->totals.licences;
	for (size_t i = 0; i < licences->n; i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf say = {0};
		gs_buf_addf(&say, "| %s | ", licences->entries[i].key.p);
		add_number(&say, *(int64_t *)licences->entries[i].value);
		gs_buf_addz(&say, " |");
		must_say(words, "card", &say);
	}
}

static void check_card(struct audit *audit)
{
	GS_CLEANUP(close_words) struct words words = {0};
	if (!open_words(audit, "README.md", &words))
		return;
	say_numbers(&words);
	say_columns(&words);
	say_summary(&words);
	say_licences(&words);
}

static void check_datasheet(struct audit *audit)
{
	GS_CLEANUP(close_words) struct words words = {0};
	if (!open_words(audit, "DATASHEET.md", &words))
		return;
	say_summary(&words);
	GS_CLEANUP(gs_buf_release) struct gs_buf say = {0};
	gs_buf_addz(&say, "the ");
	add_count(&say, audit->totals.tests, "test");
	gs_buf_addz(&say, " that any fix has to make pass");
	must_say(&words, "card", &say);
	gs_buf_reset(&say);
	gs_buf_addz(&say, "identical code (");
	add_count(&say, audit->totals.shared, "record");
	gs_buf_addc(&say, ')');
	must_say(&words, "card", &say);
}

/* "## [owner/name](url) 3 records, under …", or without a link. */
static bool credits(struct gs_str text, const char *repo, int64_t n)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf plain = {0}, link = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf count = {0};
	gs_buf_addf(&link, " ## [%s](", repo);
	gs_buf_addf(&plain, " ## %s ", repo);
	add_count(&count, n, "record");
	gs_buf_addz(&count, ", under ");
	ptrdiff_t at = gs_str_find(text, gs_buf_str(&link));
	if (at < 0)
		at = gs_str_find(text, gs_buf_str(&plain));
	if (at < 0)
		return false;
	text = gs_str_from(text, (size_t)at + 4);
	ptrdiff_t end = gs_str_find(text, GS_STR(" ## "));
	ptrdiff_t said = gs_str_find(text, gs_buf_str(&count));
	return said >= 0 && (end < 0 || said < end);
}

static void check_attribution(struct audit *audit)
{
	GS_CLEANUP(close_words) struct words words = {0};
	if (!open_words(audit, "ATTRIBUTION.md", &words))
		return;
	const struct gs_map *repos = &audit->totals.repos;
	const struct place place = {.file = "ATTRIBUTION.md"};
	for (size_t i = 0; i < repos->n; i++)
		if (!credits(gs_buf_str(&words.text), repos->entries[i].key.p,
		        *(int64_t *)repos->entries[i].value))
			found(audit, GS_ERROR, "card", place,
			    "It does not credit %s with its %" PRId64
			    " records.",
			    repos->entries[i].key.p,
			    *(int64_t *)repos->entries[i].value);
	struct gs_str rest = gs_buf_str(&words.text);
	size_t headings = 0;
	for (ptrdiff_t at; (at = gs_str_find(rest, GS_STR(" ## "))) >= 0;) {
		rest = gs_str_from(rest, (size_t)at + 3);
		headings++;
	}
	if (headings > repos->n)
		found(audit, GS_ERROR, "card", place,
		    "It credits %zu projects, and records are of %zu.",
		    headings, repos->n);
}

static bool is_id(struct gs_str id)
{
	if (id.n != 19 || !gs_str_starts(id, "gs-"))
		return false;
	for (size_t i = 3; i < id.n; i++)
		if (!strchr("0123456789abcdef", id.p[i]))
			return false;
	return true;
}

/* P5 */
static void check_withdrawn(struct audit *audit)
{
	static const char file[] = "withdrawn.csv";
	const struct place place = {.file = file};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_map_release) struct gs_map seen = {0};
	if (!read_file(audit, file, &text))
		return;
	struct gs_str rest = gs_buf_str(&text), line;
	(void)gs_str_cut(&rest, '\n', &line);
	if (!gs_str_is(line, "id,date,reason"))
		found(audit, GS_ERROR, "withdrawn", place,
		    "Its first line is not id,date,reason.");
	for (size_t n = 2; gs_str_cut(&rest, '\n', &line); n++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf id = {0}, field = {0};
		size_t more = 0;
		bool holds = gs_csv_field(&line, &id) && is_id(gs_buf_str(&id));
		while (gs_csv_field(&line, &field))
			more++;
		if (!holds || more != 2 ||
		    !gs_map_add(&seen, gs_buf_str(&id), NULL))
			found(audit, GS_ERROR, "withdrawn", place,
			    "Line %zu is not an id with date and reason, or "
			    "its id is there twice.",
			    n);
		else if (gs_map_has(&audit->ids, gs_buf_str(&id)))
			found(audit, GS_ERROR, "withdrawn",
			    (struct place){
			        .file = file, .id = gs_buf_cstr(&id)},
			    "It was withdrawn, and is in the release.");
	}
}

void audit_words(struct audit *audit)
{
	if (audit->has_all_rows) {
		check_card(audit);
		check_datasheet(audit);
		check_attribution(audit);
	}
	check_withdrawn(audit);
}
