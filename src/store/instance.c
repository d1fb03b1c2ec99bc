/* SPDX-License-Identifier: Apache-2.0 */
#include "store/instance.h"

#include "base/fault.h"
#include "store/db.h"

void gs_instance_release(struct gs_instance *instance)
{
	free(instance->system);
	free(instance->name);
	free(instance->project);
	free(instance->problem);
	gs_strv_release(&instance->tests);
	*instance = (struct gs_instance){0};
}

static int put(struct gs_store *store, const struct gs_instance *instance,
    struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf tests = {0};
	struct gs_json json = {.out = &tests};
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_INSTANCE, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_json_strv(&json, &instance->tests);
	gs_db_bind_text(query, 1, instance->system);
	gs_db_bind_text(query, 2, instance->name);
	gs_db_bind_text(query, 3, instance->project);
	gs_db_bind_hex(query, 4, instance->commit.hex);
	gs_db_bind_text(query, 5, instance->problem);
	gs_db_bind_hex(query, 6, instance->base.hex);
	gs_db_bind_text(query, 7, gs_buf_cstr(&tests));
	return gs_db_next(store, query, err);
}

int gs_store_put_instance(struct gs_store *store,
    const struct gs_instance *instance, struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	rc = put(store, instance, err);
	gs_fault("store.put_instance");
	return gs_db_leave(store, rc, err);
}

static int read_one(
    sqlite3_stmt *query, struct gs_instance *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *tests = gs_db_column_dup(query, 6);
	GS_CLEANUP(gs_json_free)
	json_t *list = gs_json_parse(gs_str(tests), "an instance's tests", err);

	if (!list)
		return GS_E_CORRUPT;
	*ret = (struct gs_instance){
	    .system = gs_db_column_dup(query, 0),
	    .name = gs_db_column_dup(query, 1),
	    .project = gs_db_column_dup(query, 2),
	    .problem = gs_db_column_dup(query, 4),
	};
	gs_db_column_oid(query, 3, &ret->commit);
	gs_db_column_oid(query, 5, &ret->base);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *test = json_string_value(json_array_get(list, i));
		if (test)
			gs_strv_push(&ret->tests, test);
	}
	return 0;
}

int gs_store_each_instance(struct gs_store *store, const char *project,
    gs_instance_fn fn, void *ctx, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_INSTANCES, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, project);
	while ((rc = gs_db_next(store, query, err)) > 0) {
		struct gs_instance instance = {0};
		rc = read_one(query, &instance, err);
		if (rc == 0)
			rc = fn(ctx, &instance, err);
		gs_instance_release(&instance);
		if (rc != 0)
			break;
	}
	return rc;
}
