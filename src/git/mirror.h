/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mirrors: every repository we read is a bare one of our own, in the
 * workspace. A user's repository is only ever a source of objects: nothing
 * of its configuration, hooks, filters, attributes, replace refs or grafts
 * is read or run (W1).
 *
 * A mirror of a local repository shares its objects through an alternates
 * file; one of an https URL is fetched (branches and tags; no prompts, no
 * credential helpers, no redirects to other protocols). No other kind of
 * URL is taken.
 */
#ifndef GIT_MIRROR_H
#define GIT_MIRROR_H

#include "base/err.h"
#include "base/strv.h"

/* What a source is called in the records (W1). */
struct gs_source_name {
	char *name;     /* "owner/name", or "local/<folder>" */
	char *repo_url; /* public https origin without credentials, or "" */
};

void gs_source_name_release(struct gs_source_name *name);

/* Checks that `source` is an https URL or a folder that holds a repository
 * (bare or not, with or without a config file, whoever owns it) and finds its
 * name. Errors: GS_E_USAGE for other kinds of URL, GS_E_NOT_FOUND, and
 * GS_E_CORRUPT for a folder that is no repository. */
GS_MUST_CHECK int gs_source_identify(
    const char *source, struct gs_source_name *ret, struct gs_err *err);
/* It was a folder, and no repository is there any more. */
bool gs_source_is_gone(const char *source);

/* Where a workspace keeps the mirror whose folder is `mirror`; the caller
 * frees. */
char *gs_mirror_path(const char *workspace, const char *mirror);

/* Creates or refreshes the mirror at `path` from `source`: afterwards its
 * refs/heads, refs/tags and refs/remotes are those of the source, pruned.
 * An interrupted call leaves the mirror as it was or is completed by the
 * next. */
GS_MUST_CHECK int gs_mirror_update(
    const char *path, const char *source, struct gs_err *err);

/* Object ids of all walked tips (commits, tags peeled), sorted, once each. */
GS_MUST_CHECK int gs_mirror_tips(
    const char *path, struct gs_strv *ret, struct gs_err *err);
/* Does it hold a commit of these ids? */
GS_MUST_CHECK int gs_mirror_holds_any(
    const char *path, const struct gs_strv *ids, bool *ret, struct gs_err *err);
/* Ids of the root commits reachable from the tips, sorted (P4). */
GS_MUST_CHECK int gs_mirror_roots(
    const char *path, struct gs_strv *ret, struct gs_err *err);

/* The entries of a file in git-config syntax, as git reads them: keys
 * "section.sub.name" (section and name in lower case) and values, in order.
 * Includes are not followed. */
struct gs_config_entry {
	char *key;
	char *value;
};

struct gs_config {
	struct gs_config_entry *v;
	size_t n, cap;
};

GS_MUST_CHECK int gs_config_read(
    const char *path, struct gs_config *ret, struct gs_err *err);
void gs_config_release(struct gs_config *config);

/* "2.39.5", or an error that says how to install git. */
GS_MUST_CHECK int gs_git_version(char **ret, struct gs_err *err);
/* GS_E_ENVIRONMENT when it is missing, none, or too old. */
GS_MUST_CHECK int gs_git_check(struct gs_err *err);

#endif
