/* SPDX-License-Identifier: Apache-2.0 */
/* P1: the tables that name every column, once. */
#include <stddef.h>

#include "model/record.h"

#define TEXT(type, member, meaning)                                            \
	{                                                                      \
#member, GS_COLUMN_TEXT, offsetof(struct type, member),        \
		    meaning                                                    \
	}
#define LIST(type, member, meaning)                                            \
	{                                                                      \
#member, GS_COLUMN_LIST, offsetof(struct type, member),        \
		    meaning                                                    \
	}
#define INT(type, member, meaning)                                             \
	{                                                                      \
#member, GS_COLUMN_INT, offsetof(struct type, member), meaning \
	}
#define BOOL(type, member, meaning)                                            \
	{                                                                      \
#member, GS_COLUMN_BOOL, offsetof(struct type, member),        \
		    meaning                                                    \
	}

/* clang-format off */
const struct gs_column gs_record_columns[] = {
	TEXT(gs_record, repo, "the project the record came from, as owner/name"),
	TEXT(gs_record, unit, "the function or class under test, or the module of a whole file"),
	TEXT(gs_record, subject, "the first line of the author's commit message, unedited"),
	TEXT(gs_record, granularity, "function for one isolated function, file for a whole changed file"),
	TEXT(gs_record, spec_source, "docstring or commit_message: where spec was taken from"),
	TEXT(gs_record, spec, "what the code was meant to do"),
	TEXT(gs_record, source_before, "the code before the fix"),
	TEXT(gs_record, source_after, "the code after the fix"),
	TEXT(gs_record, test_file, "the test file that holds most of fail_to_pass"),
	LIST(gs_record, fail_to_pass, "the exact pytest node ids that fail before and pass after"),
	TEXT(gs_record, committed_at, "committer date of the fix, UTC"),
	TEXT(gs_record, parent_at, "committer date of the state that the fix repaired, UTC"),
	TEXT(gs_record, license, "SPDX identifier or expression of the code's licence at the commit"),
	TEXT(gs_record, license_file, "the file, in that commit, that the licence was read from"),
	TEXT(gs_record, also_in, "other projects that ship the identical code, comma-separated"),
	TEXT(gs_record, commit, "the fix"),
	TEXT(gs_record, parent, "the state that it was broken in"),
	TEXT(gs_record, commit_url, "a permanent link to the fix, empty for a project without a public address"),
	TEXT(gs_record, repo_url, "the project's public address, or empty"),
	TEXT(gs_record, module, "the dotted module that holds the code"),
	LIST(gs_record, units_changed, "every unit that the commit touched, as module:qualname"),
	INT(gs_record, diff_lines, "lines added and removed between source_before and source_after"),
	INT(gs_record, n_tests, "number of fail_to_pass ids"),
	TEXT(gs_record, fingerprint, "SHA-256 over the normalised code before and after"),
	TEXT(gs_record, id, "stable identity of the record, addressed by content"),
	TEXT(gs_record, language, "python"),
	TEXT(gs_record, validated_at, "when the proving run was made, UTC"),
	TEXT(gs_record, validator, "what proved it: program, interpreter, pytest, plugins and shims"),
	INT(gs_record, schema_version, "version of these columns"),
};
const size_t gs_n_record_columns = GS_COUNT(gs_record_columns);

const struct gs_column gs_evidence_columns[] = {
	TEXT(gs_evidence, id, "the record that this row is about"),
	TEXT(gs_evidence, source_path, "the changed file, in the tree of the commit"),
	INT(gs_evidence, unit_start, "first byte of source_before in that file at the parent"),
	INT(gs_evidence, unit_end, "the byte behind its last one"),
	TEXT(gs_evidence, change_kind, "bug, feature or unclear"),
	TEXT(gs_evidence, kind_rule, "the row of the table that said so"),
	TEXT(gs_evidence, signals, "every signal that the table looked at, as JSON"),
	LIST(gs_evidence, unguessable, "names and literals that the tests ask for and no answer can know"),
	LIST(gs_evidence, pass_to_pass, "node ids that pass before and after"),
	LIST(gs_evidence, flaky, "node ids that were dropped because observations disagreed"),
	LIST(gs_evidence, missing_name_ids, "node ids that failed before only because a name did not exist yet"),
	TEXT(gs_evidence, observations, "every run of both states, and what the failing tests said, as JSON"),
	TEXT(gs_evidence, cheats, "what became of answers that must not count, as JSON"),
	TEXT(gs_evidence, reduction, "the states tried to find the smallest one, as JSON"),
	BOOL(gs_evidence, docstring_changed, "whether the fix changed the docstring that is the spec"),
	TEXT(gs_evidence, interpreter, "implementation and version of Python"),
	TEXT(gs_evidence, pytest, "version of pytest"),
	TEXT(gs_evidence, distributions, "importable distributions with their versions, as JSON"),
	TEXT(gs_evidence, plugins, "pytest plugins that were loaded (S6), separated by commas"),
	TEXT(gs_evidence, shims, "removed names that were put back for old code, separated by commas"),
	TEXT(gs_evidence, sandbox, "what held the runs"),
	LIST(gs_evidence, test_files, "test files that were run whole"),
	LIST(gs_evidence, import_roots, "folders of the tree that imports were resolved in"),
	TEXT(gs_evidence, tree_before, "git tree id of the state before"),
	TEXT(gs_evidence, tree_after, "git tree id of the state after"),
	TEXT(gs_evidence, licence_sha256s, "SHA-256 of every licence text by its path, as JSON"),
};
const size_t gs_n_evidence_columns = GS_COUNT(gs_evidence_columns);
/* clang-format on */

/* P1: the card says 29, and the type of each. */
_Static_assert(GS_COUNT(gs_record_columns) == 29, "the card has 29 columns");
