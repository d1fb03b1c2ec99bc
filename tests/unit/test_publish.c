/* SPDX-License-Identifier: Apache-2.0 */
/* A release out of a real store (part P of the rules): what stands in it. */
#include "publish_fixture.h"
#include "store/also.h"
#include "table/table.h"

static void has(const char *text, const char *part)
{
	ck_assert_msg(
	    strstr(text, part) != NULL, "lacks \"%s\":\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	ck_assert_msg(
	    strstr(text, part) == NULL, "has \"%s\":\n%s", part, text);
}

static char *ask(const char *folder, const char *sql)
{
	struct gs_table *table = NULL;
	OK(gs_table_open(&table, &err));
	const struct gs_query query = {
	    .release = folder, .sql = sql, .format = GS_QUERY_CSV};
	struct gs_buf answer = {0};
	OK(gs_table_query(table, &query, &answer, &err));
	gs_table_close(table);
	return gs_buf_steal(&answer);
}

/* P1, P3: 29 columns in order, rows sorted, all files there, and every
 * number of the card equal to what a query over the files says. */
START_TEST(numbers_are_those_of_the_files)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {0};
		publish(store, &(struct gs_publish_options){.folder = folder},
		    &result);
		ck_assert_int_eq(result.records, 3);
		ck_assert_int_eq(result.projects, 2);
		ck_assert_int_eq(result.functions, 2);
		ck_assert_int_eq(result.files, 1);
		ck_assert_str_eq(result.version, "1.0.0");
		check_sums(folder);
		char *rows = ask(folder,
		    "SELECT repo, granularity, license, committed_at[1:10] FROM oracles");
		ck_assert_str_eq(rows,
		    "repo,granularity,license,committed_at[1:10]\n"
		    "a/a,file,BSD-3-Clause,2024-02-03\n"
		    "b/b,function,MIT,2024-01-21\n"
		    "b/b,function,MIT,2024-02-13\n");
		char *card = read_text(folder, "README.md");
		has(card, "\nsize_categories:\n- n<1K\n");
		has(card, "    num_examples: 3\n");
		has(card,
		    "3 records from 2 projects, all Python, with\nfixes committed "
		    "between 2024-01-21 and 2024-02-13.");
		has(card, "2 isolate a single changed function\n");
		has(card, "1 keeps the whole changed\nfile");
		has(card, "| MIT | 2 |\n| BSD-3-Clause | 1 |\n");
		has(card, "By `change_kind`: `bug` 3.");     /* K7 */
		has(card, "In 1 of 3 records (33.3 %)");     /* K8 */
		has(card, "left out: `feature` 1.");         /* K7 */
		has(card, "No set of records is held back"); /* P4 */
		char *size =
		    gs_format("  download_size: %llu\n  dataset_size: ",
		        (unsigned long long)result.parquet_bytes);
		has(card, size);
		free(size);
		/* Every column is described, and typed as the seed types it. */
		for (size_t i = 0; i < gs_n_record_columns; i++) {
			char *row =
			    gs_format("`%s`", gs_record_columns[i].name);
			has(card, row);
			free(row);
			bool is_list =
			    gs_record_columns[i].type == GS_COLUMN_LIST;
			bool is_int =
			    gs_record_columns[i].type == GS_COLUMN_INT;
			row = gs_format("\n  - name: %s\n    %s\n",
			    gs_record_columns[i].name,
			    is_list  ? "sequence: string"
			    : is_int ? "dtype: int64"
			             : "dtype: string");
			has(card, row);
			free(row);
		}
		free(rows);
		free(card);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* L4, F139: each record's license_file leads to the bytes of its commit. */
START_TEST(licence_texts_resolve)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {0};
		publish(store, &(struct gs_publish_options){.folder = folder},
		    &result);
		char *index = read_text(folder, "licenses/index.csv");
		has(index, "repo,commit,license_file,sha256,file\n");
		struct gs_str rest = gs_str(index), line, field[5];
		(void)gs_str_cut(&rest, '\n', &line);
		size_t n = 0;
		while (gs_str_cut(&rest, '\n', &line)) {
			for (size_t i = 0; i < 5; i++)
				ck_assert(gs_str_cut(&line, ',', &field[i]));
			char *name = gs_strndup(field[4].p, field[4].n);
			char *text = read_text(folder, name);
			ck_assert_str_eq(
			    text, gs_str_is(field[0], "b/b") ? MIT : BSD);
			free(text);
			free(name);
			n++;
		}
		ck_assert_uint_eq(n, 3);
		char *licence = read_text(folder, "LICENSE");
		has(licence, "Creative Commons Attribution 4.0 International");
		has(licence, "Section 8");
		char *credit = read_text(folder, "ATTRIBUTION.md");
		has(credit,
		    "## [b/b](https://example.org/b/b)\n\n2 records, under MIT.");
		has(credit, "2019 Ada");
		has_not(credit, "ada@"); /* no e-mail address */
		has_not(credit, "<b>");  /* F171 */
		has(credit, "\\| \\`pipe\\`");
		free(credit);
		free(licence);
		free(index);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* The data keeps the text of strangers, no rendering obeys it (F171). */
START_TEST(strangers_text_is_harmless)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {0};
		struct gs_publish_options options = {.folder = folder,
		    .publisher = {.name = "Set \x1b[2J|<b>`\"\u202e",
		        .author = "Doe, J{o}hn \"x\"",
		        .contact = "a@example.org <script>"}};
		publish(store, &options, &result);
		char *subject = ask(
		    folder, "SELECT subject FROM oracles WHERE repo = 'a/a'");
		has(subject, "\x1b]0;x\x07 \u202e| a | <script>");
		free(subject);
		static const char *const names[] = {"README.md", "DATASHEET.md",
		    "ATTRIBUTION.md", "CITATION.cff", "CHANGELOG.md",
		    "croissant.json", "schema.json", "eval.yaml",
		    "withdrawn.csv", "licenses/index.csv"};
		for (size_t i = 0; i < GS_COUNT(names); i++) {
			char *text = read_text(folder, names[i]);
			has_not(text, "\x1b");
			has_not(text, "\u202e");
			has_not(text, "<script>");
			has_not(text, "(javascript:");
			has_not(text, "[x](y");
			free(text);
		}
		char *cff = read_text(folder, "CITATION.cff");
		has(cff,
		    "- family-names: \"Doe\"\n  given-names: \"J{o}hn \\\"x\\\"\"\n");
		free(cff);
		char *json = read_text(folder, "croissant.json");
		json_t *parsed = gs_json_parse(gs_str(json), "croissant", &err);
		ck_assert_ptr_nonnull(parsed);
		ck_assert_str_eq(gs_json_get_cstr(parsed, "conformsTo"),
		    "http://mlcommons.org/croissant/1.0");
		json_decref(parsed);
		free(json);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* What a shell line or a link is made of is checked, not escaped. */
START_TEST(a_publisher_who_is_hostile)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		static const struct gs_publisher publishers[] = {
		    {.homepage = "javascript:alert(1)"},
		    {.homepage = "http://example.org"},
		    {.code_url = "https://example.org/x;rm -rf"},
		    {.code_url = "https://example.org/x) [y](z"},
		    {.dataset_id = "a/b\"); import os; (\""},
		};
		struct gs_publish_result result = {0};
		for (size_t i = 0; i < GS_COUNT(publishers); i++) {
			const struct gs_publish_options options = {
			    .folder = folder, .publisher = publishers[i]};
			check_fails(gs_publish(store, &options, &result, &err),
			    GS_E_USAGE, "[release]");
		}
		const struct gs_publish_options options = {.folder = folder,
		    .publisher = {.homepage = "https://goldset.example",
		        .code_url = "https://example.org/us/goldset",
		        .dataset_id = "us/goldset"}};
		publish(store, &options, &result);
		char *card = read_text(folder, "README.md");
		has(card,
		    "[Website](https://goldset.example) · [Code and verifier]"
		    "(https://example.org/us/goldset) · [Datasheet]");
		has(card, "load_dataset(\"us/goldset\", split=\"test\")");
		has(card,
		    "git clone https://example.org/us/goldset\ncd goldset && ");
		has(card, "  url = {https://goldset.example}\n");
		free(card);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* Croissant: the hash and size of the very file; one field a column. */
START_TEST(croissant_describes_the_files)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {0};
		publish(store, &(struct gs_publish_options){.folder = folder},
		    &result);
		char *text = read_text(folder, "croissant.json");
		json_t *json = gs_json_parse(gs_str(text), "croissant", &err);
		ck_assert_ptr_nonnull(json);
		static const char *const required[] = {"@type", "name",
		    "conformsTo", "description", "license", "url",
		    "datePublished", "version", "citeAs"};
		for (size_t i = 0; i < GS_COUNT(required); i++)
			ck_assert_ptr_nonnull(
			    gs_json_get_cstr(json, required[i]));
		const json_t *file =
		    json_array_get(json_object_get(json, "distribution"), 0);
		char *sums = read_text(folder, "SHA256SUMS");
		char *line = gs_format(
		    "%s  oracles.parquet\n", gs_json_get_cstr(file, "sha256"));
		has(sums, line);
		const json_t *fields = json_object_get(
		    json_array_get(json_object_get(json, "recordSet"), 0),
		    "field");
		ck_assert_uint_eq(json_array_size(fields), 29);
		ck_assert_str_eq(
		    gs_json_get_cstr(json_array_get(fields, 9), "@id"),
		    "oracles/fail_to_pass");
		ck_assert(gs_json_get_bool(
		    json_array_get(fields, 9), "repeated", false));
		json_decref(json);
		char *schema = read_text(folder, "schema.json");
		json = gs_json_parse(gs_str(schema), "schema", &err);
		ck_assert_uint_eq(
		    json_object_size(json_object_get(json, "properties")), 29);
		json_decref(json);
		free(schema);
		free(line);
		free(sums);
		free(text);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* All 59 questions are asked, and each is answered. */
START_TEST(the_datasheet_answers_every_question)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {0};
		publish(store, &(struct gs_publish_options){.folder = folder},
		    &result);
		char *sheet = read_text(folder, "DATASHEET.md");
		has_not(sheet, "{{");
		for (int i = 1; i <= 59; i++) {
			char *title = gs_format("\n### %d. ", i);
			char *at = strstr(sheet, title);
			ck_assert_msg(at != NULL, "question %d", i);
			char *answer = strstr(at + 1, "\n\n");
			ck_assert_msg(answer && answer[2] != '#' && answer[2],
			    "question %d has no answer", i);
			free(title);
		}
		has_not(sheet, "### 60.");
		free(sheet);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* Zero records make a valid release, with honest words. */
START_TEST(an_empty_release_is_valid)
	{
		char *workspace = make_workspace();
		struct gs_store *store = open_store(workspace, GS_STORE_WRITE);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {.records = 7};
		publish(store, &(struct gs_publish_options){.folder = folder},
		    &result);
		ck_assert_int_eq(result.records, 0);
		check_sums(folder);
		char *card = read_text(folder, "README.md");
		has(card, "This release holds no records.");
		has(card, "    num_examples: 0\n");
		free(card);
		char *rows = ask(folder, "SELECT count(*) AS n FROM oracles");
		ck_assert_str_eq(rows, "n\n0\n");
		free(rows);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* K7: other kinds only when asked for, and then the card says so. */
START_TEST(kinds_are_asked_for)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {0};
		struct gs_strv kinds = {0};
		gs_strv_push_all(&kinds, "bug", "feature", NULL);
		struct gs_publish_options options = {
		    .folder = folder, .kinds = &kinds};
		publish(store, &options, &result);
		ck_assert_int_eq(result.records, 4);
		char *card = read_text(folder, "README.md");
		has(card, "By `change_kind`: `bug` 3, `feature` 1.");
		has(card, "Not every one mends a bug");
		has_not(card, "Every record is a real bug");
		has_not(card, "left out");
		free(card);
		gs_strv_push(&kinds, "miracle");
		check_fails(gs_publish(store, &options, &result, &err),
		    GS_E_USAGE, "miracle");
		gs_strv_release(&kinds);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* P4: with a hold-out nothing that the store counts is printed. */
START_TEST(a_hold_out_is_not_counted)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {0};
		struct gs_publish_options options = {
		    .folder = folder, .has_hold_out = true};
		publish(store, &options, &result);
		char *card = read_text(folder, "README.md");
		has(card,
		    "A further set of records is held back and not published.");
		has_not(card, "left out");
		has_not(card, "candidate in");
		free(card);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* P1, F138: the same store gives the same bytes, in another zone, locale,
 * folder, and order of work. */
START_TEST(the_same_store_gives_the_same_bytes)
	{
		char *sums[2];
		for (size_t i = 0; i < 2; i++) {
			char *workspace = make_workspace();
			struct gs_store *store =
			    open_store(workspace, GS_STORE_WRITE);
			for (size_t k = 0; k < GS_COUNT(samples); k++)
				add_sample(store,
				    &samples[i ? GS_COUNT(samples) - 1 - k
				               : k]);
			setenv("TZ", i ? "Pacific/Kiritimati" : "UTC", 1);
			setenv("LC_ALL", i ? "tr_TR.UTF-8" : "C", 1);
			char *folder =
			    gs_path_join(workspace, i ? "x y" : "release");
			struct gs_publish_result result = {0};
			publish(store,
			    &(struct gs_publish_options){.folder = folder},
			    &result);
			sums[i] = read_text(folder, "SHA256SUMS");
			free(folder);
			end_samples(store, workspace);
		}
		ck_assert_str_eq(sums[0], sums[1]);
		free(sums[0]);
		free(sums[1]);
	}

END_TEST

/* I4: what another project holds by now is named, an excluded one is not. */
START_TEST(also_in_is_as_of_now)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		int64_t other = add_project(store, "c/c");
		char hash[GS_SHA256_HEX];
		gs_text_hash(
		    GS_STR("def f():\n    \"\"\"Gives the number.\"\"\"\n"
		           "    return 1\n"),
		    hash);
		struct gs_strv hashes = {0};
		gs_strv_push(&hashes, hash);
		struct gs_oid blob = oid_of(77);
		OK(gs_store_put_tip_blob(store, other, &blob, &hashes, &err));
		gs_strv_release(&hashes);
		struct gs_publish_result result = {0};
		publish(store, &(struct gs_publish_options){.folder = folder},
		    &result);
		char *rows = ask(
		    folder, "SELECT also_in FROM oracles WHERE also_in <> ''");
		ck_assert_str_eq(rows, "also_in\nc/c\n");
		free(rows);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

GS_TESTS(publish, GS_TEST(numbers_are_those_of_the_files),
    GS_TEST(licence_texts_resolve), GS_TEST(strangers_text_is_harmless),
    GS_TEST(a_publisher_who_is_hostile), GS_TEST(croissant_describes_the_files),
    GS_TEST(the_datasheet_answers_every_question),
    GS_TEST(an_empty_release_is_valid), GS_TEST(kinds_are_asked_for),
    GS_TEST(a_hold_out_is_not_counted),
    GS_TEST(the_same_store_gives_the_same_bytes), GS_TEST(also_in_is_as_of_now))
