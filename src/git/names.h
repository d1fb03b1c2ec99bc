/* SPDX-License-Identifier: Apache-2.0 */
/* What a URL or a folder is called in the records (W1). Pure. */
#ifndef GIT_NAMES_H
#define GIT_NAMES_H

#include "base/str.h"
#include "git/mirror.h"

enum gs_url_kind {
	GS_URL_NONE,  /* a path */
	GS_URL_HTTPS, /* the only kind that is fetched */
	GS_URL_OTHER,
};

enum gs_url_kind gs_url_kind(struct gs_str source);
/* "owner/name" and the public URL of an origin; false when it says nothing
 * that may be published (a path, an unknown ssh host, this machine). */
bool gs_name_from_url(struct gs_str url, struct gs_source_name *ret);
/* For an https source, whatever its host; false when it has no usable path,
 * holds credentials or characters that no URL holds. */
bool gs_name_from_https(struct gs_str url, struct gs_source_name *ret);
/* Owner and name of "https://host/owner/name(.git)" or of "owner/name": the
 * last two parts, borrowed and unchecked. */
bool gs_name_split(
    struct gs_str source, struct gs_str *ret_owner, struct gs_str *ret_name);
/* "local/<folder>" from an absolute path. */
char *gs_name_from_folder(struct gs_str path);

#endif
