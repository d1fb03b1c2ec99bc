/* SPDX-License-Identifier: Apache-2.0 */
/* Where else a text ships (I4). */
#ifndef STORE_ALSO_H
#define STORE_ALSO_H

#include "store/store.h"

/* also_in (I4): hashes of the units and files at a project's walked tips. */
GS_MUST_CHECK int gs_store_put_tip_blob(struct gs_store *store, int64_t project,
    const struct gs_oid *blob, const struct gs_strv *text_hashes,
    struct gs_err *err);
GS_MUST_CHECK int gs_store_has_tip_blob(struct gs_store *store, int64_t project,
    const struct gs_oid *blob, bool *ret, struct gs_err *err);
/* Whether the files at all mined tips of a project were put, and that they
 * were. */
GS_MUST_CHECK int gs_store_is_surveyed(
    struct gs_store *store, int64_t project, bool *ret, struct gs_err *err);
GS_MUST_CHECK int gs_store_set_surveyed(
    struct gs_store *store, int64_t project, struct gs_err *err);
/* Names of other projects that hold this text at a tip or this fingerprint
 * in their history, sorted. */
GS_MUST_CHECK int gs_store_also_in(struct gs_store *store, const char *repo,
    const char *fingerprint, const char *after_text_hash, struct gs_strv *ret,
    struct gs_err *err);

#endif
