/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of queries.sql by name; for this module only. */
#ifndef STORE_QUERIES_H
#define STORE_QUERIES_H

#define GS_QUERIES(X)                                                          \
	X(BEGIN, "begin")                                                      \
	X(BEGIN_READ, "begin_read")                                            \
	X(COMMIT, "commit")                                                    \
	X(ROLLBACK, "rollback")                                                \
	X(SETTLE, "settle")                                                    \
	X(ADD_PROJECT, "add_project")                                          \
	X(PROJECT, "project")                                                  \
	X(PROJECT_NAMES, "project_names")                                      \
	X(SET_MINED, "set_mined")                                              \
	X(SET_SOURCE, "set_source")                                            \
	X(EXCLUDE, "exclude")                                                  \
	X(ADD_REASON, "add_reason")                                            \
	X(REASON, "reason")                                                    \
	X(PUT_COMMIT, "put_commit")                                            \
	X(PUT_CANDIDATE, "put_candidate")                                      \
	X(JUDGE_AGAIN, "judge_again")                                          \
	X(INCOMPLETE, "incomplete")                                            \
	X(PUT_TEXT, "put_text")                                                \
	X(TEXT, "text")                                                        \
	X(TURNS, "turns")                                                      \
	X(FLOOR, "floor")                                                      \
	X(NEWEST, "newest")                                                    \
	X(COUNT_STATE, "count_state")                                          \
	X(CLAIM, "claim")                                                      \
	X(WORK, "work")                                                        \
	X(FINISH, "finish")                                                    \
	X(PUT_RECORD, "put_record")                                            \
	X(PUT_RUNS, "put_runs")                                                \
	X(PUT_TIP_BLOB, "put_tip_blob")                                        \
	X(PUT_TIP_TEXT, "put_tip_text")                                        \
	X(HAS_TIP_BLOB, "has_tip_blob")                                        \
	X(ALSO_IN, "also_in")                                                  \
	X(FUNNEL_PROJECTS, "funnel_projects")                                  \
	X(FUNNEL_WALKED, "funnel_walked")                                      \
	X(FUNNEL_CANDIDATES, "funnel_candidates")                              \
	X(FUNNEL_RECORDS, "funnel_records")                                    \
	X(FUNNEL_LACKING, "funnel_lacking")                                    \
	X(FIND_RECORD, "find_record")                                          \
	X(RECORD_IDS, "record_ids")                                            \
	X(FIND_COMMIT, "find_commit")                                          \
	X(STORY, "story")                                                      \
	X(RECORD, "record")                                                    \
	X(STANDS, "stands")                                                    \
	X(RUNS, "runs")                                                        \
	X(RELEASE, "release")                                                  \
	X(WITHDRAWN, "withdrawn")                                              \
	X(PUT_PUBLISHED, "put_published")                                      \
	X(WAS_PUBLISHED, "was_published")                                      \
	X(FINGERPRINTS, "fingerprints")                                        \
	X(PUT_INSTANCE, "put_instance")                                        \
	X(INSTANCES, "instances")                                              \
	X(IS_SURVEYED, "is_surveyed")                                          \
	X(SET_SURVEYED, "set_surveyed")                                        \
	X(PROJECT_BY_SOURCE, "project_by_source")

enum gs_db_query {
#define GS_QUERY_ENUM(id, name) GS_Q_##id,
	GS_QUERIES(GS_QUERY_ENUM)
#undef GS_QUERY_ENUM
	GS_N_QUERIES
};

#endif
