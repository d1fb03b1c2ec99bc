/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A release out of the store (part P of the rules): made whole in a hidden
 * neighbour folder, read back and checked, flushed, then renamed into place.
 * The same store and options give the same bytes. A process that dies leaves
 * the old release or the new one; its hidden folder is swept by the next.
 */
#ifndef PUBLISH_PUBLISH_H
#define PUBLISH_PUBLISH_H

#include "base/err.h"
#include "base/strv.h"
#include "base/watch.h"
#include "store/store.h"

/* Who publishes: the section [release] of goldset.conf. NULL and "" mean
 * that nothing is said of it; the words then chosen are neutral. */
struct gs_publisher {
	const char *name;       /* of the data set; else "Goldset" */
	const char *dataset_id; /* "owner/name" where it can be loaded from */
	const char *homepage;   /* https URLs */
	const char *code_url;
	const char *author;  /* "Family, Given", or an organisation */
	const char *contact; /* an address or a page for questions */
	const char *funding; /* who paid: a sentence for the datasheet */
};

/* P4: a part of the projects stays at home, in a release of its own. */
struct gs_hold_out {
	const char
	    *folder;       /* of the withheld side; NULL: nothing is withheld */
	double fraction;   /* of the clusters, above 0 and below 1 */
	struct gs_str key; /* secret, at least 32 bytes */
};

struct gs_publish_options {
	const char *folder;
	const char *version;         /* "1.0.0"; NULL: the lowest that tells the
	                              * truth after `previous`, else 1.0.0 */
	const struct gs_strv *kinds; /* change kinds; NULL: bug (P1, K7) */
	bool replace;                /* an existing folder, if it is a release
	                              * and nothing else */
	const char *previous; /* a release to write the changelog against;
	                       * NULL: the one that is replaced, if any */
	bool has_hold_out;    /* some projects are withheld (P4): then nothing
	                       * that the store counts is printed */
	struct gs_hold_out hold_out; /* needs has_hold_out */
	struct gs_publisher publisher;
	struct gs_watch watch;
};

struct gs_publish_result {
	int64_t records, projects, functions, files, withdrawn;
	uint64_t parquet_bytes;
	char version[32];
	/* Of the withheld side, for whoever holds the key; and how many of its
	 * records were published once: they are known, and withheld no more. */
	int64_t withheld_records, withheld_projects, exposed;
};

/* With a hold-out both sides are made and checked before either is put in
 * place, the withheld one first; where the second cannot be, the first is
 * taken back. GS_E_USAGE where the release before holds a project that would
 * be withheld now. */
GS_MUST_CHECK int gs_publish(struct gs_store *store,
    const struct gs_publish_options *options, struct gs_publish_result *ret,
    struct gs_err *err);

/* true for a folder that holds what a gs_publish writes. */
bool gs_is_release(const char *folder);

#endif
