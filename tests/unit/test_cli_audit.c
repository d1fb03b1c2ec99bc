/* SPDX-License-Identifier: Apache-2.0 */
/* Planted defects: each gives exactly one finding, the clean release none. */
#include <sys/stat.h>

#include "audit_plants.h"

struct release_of {
	char *workspace, *folder;
	struct gs_store *store;
};

static struct release_of begin(void)
{
	struct release_of is = {0};
	is.store = honest_store(&is.workspace);
	is.folder = gs_path_join(is.workspace, "release");
	struct gs_publish_result result = {0};
	const struct gs_publish_options options = {.folder = is.folder};
	publish(is.store, &options, &result);
	return is;
}

static void end(struct release_of *is)
{
	free(is->folder);
	end_samples(is->store, is->workspace);
}

static void check_one(const struct gs_audit_options *options, const char *name,
    const char *check, enum gs_severity severity)
{
	struct findings findings = {0};
	audit(options, &findings);
	ck_assert_msg(findings.n == 1 && strcmp(findings.check, check) == 0 &&
	                  findings.severity == severity,
	    "%s:\n%s", name, gs_buf_cstr(&findings.all));
	gs_buf_release(&findings.all);
}

/* Without a new seal the sum is wrong too. */
static void check_two(const struct gs_audit_options *options, const char *first,
    const char *second)
{
	struct findings findings = {0};
	audit(options, &findings);
	ck_assert_uint_eq(findings.n, 2);
	ck_assert_ptr_nonnull(strstr(gs_buf_cstr(&findings.all), first));
	ck_assert_str_eq(findings.check, second);
	gs_buf_release(&findings.all);
}

static void check_none(const struct gs_audit_options *options)
{
	struct findings findings = {0};
	audit(options, &findings);
	ck_assert_msg(findings.n == 0, "%s", gs_buf_cstr(&findings.all));
	gs_buf_release(&findings.all);
}

START_TEST(a_clean_release_has_no_finding)
	{
		struct release_of is = begin();
		const struct gs_audit_options options = {.release = is.folder};
		check_none(&options);
		plant_rows(is.folder, nothing, gs_n_record_columns);
		check_none(&options);
		end(&is);
	}

END_TEST

START_TEST(a_planted_row_is_one_finding)
	{
		struct release_of is = begin();
		const struct gs_audit_options options = {.release = is.folder};
		plant_rows(is.folder, rows_planted[_i].change,
		    gs_n_record_columns - rows_planted[_i].lacking);
		check_one(&options, rows_planted[_i].name,
		    rows_planted[_i].check, rows_planted[_i].severity);
		end(&is);
	}

END_TEST

/* I4: the datasheet counts them too, so that this plant has two sides. */
START_TEST(also_in_is_a_list_of_others)
	{
		struct release_of is = begin();
		const struct gs_audit_options options = {.release = is.folder};
		plant_rows(is.folder, in_itself, gs_n_record_columns);
		replace_in(is.folder, "DATASHEET.md",
		    "identical code (0 records)", "identical code (1 record)");
		seal(is.folder);
		check_one(&options, "in itself", "also_in", GS_ERROR);
		end(&is);
	}

END_TEST

static const struct {
	const char *name, *file, *from, *to, *check;
	enum gs_severity severity;
} texts_planted[] = {
    {"records", "README.md", "4 records from", "5 records from", "card",
        GS_ERROR},
    {"num_examples", "README.md", "num_examples: 4", "num_examples: 5", "card",
        GS_ERROR},
    {"a type", "README.md", "diff_lines\n    dtype: int64",
        "diff_lines\n    dtype: int32", "card", GS_ERROR},
    {"licences", "README.md", "| MIT | 4 |", "| MIT | 3 |", "card", GS_ERROR},
    {"tests", "DATASHEET.md", "8 tests", "9 tests", "card", GS_ERROR},
    {"a credit", "ATTRIBUTION.md", "[c/c]", "[d/d]", "card", GS_ERROR},
    {"a number of credits", "ATTRIBUTION.md", "2 records, under",
        "1 record, under", "card", GS_ERROR},
    {"one credit more", "ATTRIBUTION.md", "\n## [c/c]",
        "\n## d/d\n\n1 record.\n\n## [c/c]", "card", GS_ERROR},
    {"a version", "CITATION.cff", "version: \"1.0.0\"", "version: \"1.0.1\"",
        "version", GS_ERROR},
    {"a log of another version", "CHANGELOG.md", "[1.0.0] -", "[0.9.0] -",
        "version", GS_ERROR},
    {"a field", "croissant.json", "\"name\": \"n_tests\"",
        "\"name\": \"tests\"", "croissant", GS_ERROR},
    {"no JSON", "croissant.json", "\"@context\"", "@context", "croissant",
        GS_ERROR},
    {"an escape", "ATTRIBUTION.md", "# Attribution", "# \x1b[2JAttribution",
        "control", GS_ERROR}, /* F171 */
    {"turned text", "CHANGELOG.md", "# Changelog", "# Changelog \xe2\x81\xa6",
        "control", GS_ERROR}, /* F171 */
    {"a key", "DATASHEET.md", "## Motivation",
        "api_key = \"q8Zr4Tn1Xv7Lk3Wd9Yb5\"\n## Motivation", "secrets",
        GS_WARNING},
    {"an odd line", "withdrawn.csv", "reason\n", "reason\ngs-1,x,y\n",
        "withdrawn", GS_ERROR},
    {"an odd header", "withdrawn.csv", "id,date", "ids,date", "withdrawn",
        GS_ERROR},
};

START_TEST(a_planted_text_is_one_finding)
	{
		struct release_of is = begin();
		const struct gs_audit_options options = {.release = is.folder};
		replace_in(is.folder, texts_planted[_i].file,
		    texts_planted[_i].from, texts_planted[_i].to);
		seal(is.folder);
		check_one(&options, texts_planted[_i].name,
		    texts_planted[_i].check, texts_planted[_i].severity);
		end(&is);
	}

END_TEST

/* P5: an id cannot be withdrawn and be there. */
START_TEST(a_withdrawn_id_is_not_in_the_release)
	{
		struct release_of is = begin();
		const struct gs_audit_options options = {.release = is.folder};
		char *index = read_text(is.folder, "croissant.json");
		free(index);
		struct gs_buf ids = {0};
		struct gs_table *table = NULL;
		OK(gs_table_open(&table, &err));
		const struct gs_query query = {.release = is.folder,
		    .sql = "select id || ',2026-01-01,asked' from oracles "
		           "limit 1",
		    .format = GS_QUERY_CSV};
		OK(gs_table_query(table, &query, &ids, &err));
		gs_table_close(table);
		/* The last line of the answer, without the quotes of CSV. */
		char *line = strstr(gs_buf_cstr(&ids), "gs-");
		ck_assert_ptr_nonnull(line);
		char *csv = gs_format("id,date,reason\n%.*s\n",
		    (int)strcspn(line, "\"\n\r"), line);
		write_text(is.folder, "withdrawn.csv", csv);
		seal(is.folder);
		check_one(&options, "both", "withdrawn", GS_ERROR);
		free(csv);
		gs_buf_release(&ids);
		end(&is);
	}

END_TEST

/* The one licence text of the release. */
static char *text_name(const char *folder)
{
	char *index = read_text(folder, "licenses/index.csv");
	char *at = strstr(index, "licenses/");
	char *name = gs_format("%.*s", (int)strcspn(at, "\n"), at);
	free(index);
	return name;
}

START_TEST(files_are_those_that_a_release_has)
	{
		struct release_of is = begin();
		const struct gs_audit_options options = {.release = is.folder};
		char *text = text_name(is.folder);
		char *path = gs_path_join(is.folder, text);
		char *card = gs_path_join(is.folder, "README.md");
		char *other = gs_path_join(is.folder, "notes.txt");
		char *git = gs_path_join(is.folder, ".gitattributes");

		write_text(is.folder, ".gitattributes", "* text\n");
		check_none(&options);
		write_text(is.folder, "notes.txt", "x\n");
		check_one(&options, "no sum", "checksums", GS_ERROR);
		ck_assert_int_eq(unlink(other), 0);

		/* P4: a line about a project of which there is no record. */
		char *index = read_text(is.folder, "licenses/index.csv");
		char *line = strchr(index, '\n') + 1;
		char *more = gs_format("%sd/d%.*s\n", index,
		    (int)strcspn(strchr(line, ','), "\n"), strchr(line, ','));
		write_text(is.folder, "licenses/index.csv", more);
		check_two(&options, "checksums", "licences");
		seal(is.folder);
		check_one(&options, "a stranger", "licences", GS_ERROR);
		write_text(is.folder, "licenses/index.csv", index);
		seal(is.folder);
		free(more);
		free(index);

		char *bytes = read_text(is.folder, text);
		write_text(is.folder, text, "something else\n");
		seal(is.folder);
		check_one(&options, "a text", "licences", GS_ERROR);
		ck_assert_int_eq(unlink(path), 0);
		seal(is.folder);
		check_one(&options, "no text", "licences", GS_ERROR);
		write_text(is.folder, text, bytes);
		free(bytes);

		struct release_of fresh = begin();
		const struct gs_audit_options there = {.release = fresh.folder};
		free(card);
		card = gs_path_join(fresh.folder, "README.md");
		ck_assert_int_eq(unlink(card), 0);
		check_one(&there, "no card", "files", GS_ERROR);
		ck_assert_int_eq(symlink("/etc/passwd", card), 0);
		check_one(&there, "a link", "files", GS_ERROR);
		end(&fresh);

		free(text);
		free(path);
		free(card);
		free(other);
		free(git);
		end(&is);
	}

END_TEST

START_TEST(what_is_no_folder_is_an_error)
	{
		struct findings findings = {0};
		struct gs_audit_result result = {0};
		const struct gs_audit_options options = {
		    .release = "/tmp/no-such-release"};
		check_fails(
		    gs_audit(&options, take_finding, &findings, &result, &err),
		    GS_E_NOT_FOUND, "no folder");
	}

END_TEST

/* P4: a word of the other side in what goldset wrote, and in what others
 * wrote of it. */
START_TEST(nothing_of_the_withheld_side_may_stand_here)
	{
		static const struct sample far = {"far/away", "bug", "Fix",
		    "MIT", "LICENSE", 77, 10, false, false};
		struct release_of is = begin();
		char *workspace = quick_workspace();
		char *folder = gs_path_join(workspace, "release");
		struct gs_store *store = open_store(workspace, GS_STORE_WRITE);
		add_honest(store, &far);
		struct gs_publish_result result = {0};
		const struct gs_publish_options publishing = {.folder = folder};
		publish(store, &publishing, &result);
		const struct gs_audit_options options = {
		    .release = is.folder, .withheld = folder};
		check_none(&options);
		replace_in(is.folder, "CHANGELOG.md", "# Changelog",
		    "# Changelog\n\nhttps://example.org/Far/Away.git");
		seal(is.folder);
		check_one(&options, "a name", "withheld", GS_ERROR);
		replace_in(is.folder, "CHANGELOG.md", "Far/Away.git",
		    "0000004d0000000000000000000000000000004d");
		seal(is.folder);
		check_one(&options, "a commit", "withheld", GS_ERROR);
		free(folder);
		end_samples(store, workspace);
		end(&is);
	}

END_TEST

GS_TESTS(cli_audit, GS_TEST(a_clean_release_has_no_finding),
    GS_TEST_ROWS(a_planted_row_is_one_finding, rows_planted),
    GS_TEST(also_in_is_a_list_of_others),
    GS_TEST_ROWS(a_planted_text_is_one_finding, texts_planted),
    GS_TEST(a_withdrawn_id_is_not_in_the_release),
    GS_TEST(files_are_those_that_a_release_has),
    GS_TEST(what_is_no_folder_is_an_error),
    GS_TEST(nothing_of_the_withheld_side_may_stand_here))
