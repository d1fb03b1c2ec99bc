/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A release as a static website: plain HTML that works without JavaScript,
 * from any host and from file://. The folder appears whole or not at all; the
 * same release and options give the same bytes; one record at a time is in
 * memory beside a line for each.
 *
 * Nothing of a record reaches a page unescaped (F171): site/html.h has one
 * type for mark-up of ours and another for text.
 */
#ifndef SITE_SITE_H
#define SITE_SITE_H

#include <stdint.h>

#include "base/err.h"
#include "base/strv.h"
#include "base/watch.h"

struct gs_site_options {
	const char *release;           /* folder */
	const char *folder;            /* to be made */
	const struct gs_strv *reports; /* of `goldset score`, or NULL */
	/* JSON Lines of goldset-verify, the oldest first, or NULL. */
	const struct gs_strv *verified;
	const char *status; /* `goldset status --json`: the funnel; or NULL */
	const char *url;    /* https, where it will stand; or NULL */
	bool replace;       /* an existing site of ours */
	struct gs_watch watch;
};

struct gs_site_result {
	int64_t records, pages, bytes;
};

GS_MUST_CHECK int gs_site_build(const struct gs_site_options *options,
    struct gs_site_result *ret, struct gs_err *err);

#endif
