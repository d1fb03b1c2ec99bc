/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Licences (part L of the rules). Texts are compared with all SPDX texts;
 * whatever is not clearly an accepted licence and nothing else is refused.
 */
#ifndef LICENCE_LICENCE_H
#define LICENCE_LICENCE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/strv.h"

enum gs_licence_method {
	GS_LICENCE_NONE,
	GS_LICENCE_EXACT,   /* normalised text equals a template */
	GS_LICENCE_SIMILAR, /* bigram Dice >= 0.95 and the required phrases */
};

/* What one text is. */
struct gs_licence {
	char id[64]; /* SPDX id, or "" when it is none that we know */
	enum gs_licence_method method;
	double score;      /* 1 for exact */
	bool is_pointer;   /* only says where the licences are (F033) */
	char problem[160]; /* why it is not taken: "", or a whole sentence */
};

/* Ids that L2 accepts by default, and those that a user may add. */
extern const char *const gs_licence_default_ids[];
extern const char *const gs_licence_extra_ids[];

/* Bytes in any encoding (BOM, UTF-16, Latin-1 handled). Never fails. */
void gs_licence_identify(struct gs_str bytes, struct gs_licence *ret);

/* true for LICENSE, LICENCE, COPYING, UNLICENSE in any case, with any
 * extension or suffix (L1); not for a source file such as license.py. */
bool gs_licence_is_file_name(struct gs_str name);
/* The REUSE folder "LICENSES". */
bool gs_licence_is_folder_name(struct gs_str name);

/* A licence file as found at the commit. */
struct gs_licence_file {
	struct gs_str path; /* in that commit */
	struct gs_str bytes;
};

struct gs_licence_question {
	const struct gs_licence_file
	    *files; /* of the deciding folder, sorted */
	size_t n_files;
	struct gs_str source; /* the changed source file (headers: L3), may be
	                       * empty when not read yet */
	/* pyproject.toml, setup.cfg, setup.py, PKG-INFO at the commit's root or
	 * the deciding folder; may be empty */
	const struct gs_licence_file *metadata;
	size_t n_metadata;
	const struct gs_strv *accepted; /* ids; NULL: the default ones */
};

struct gs_licence_verdict {
	bool accepted;
	char expression[128]; /* "MIT", "Apache-2.0 OR MIT" (L5) */
	size_t first;         /* index of the file that license_file names */
	/* Refused: a short stable reason for counting ("no licence text",
	 * "licence not accepted", "ambiguous licence", "licence conflict",
	 * "file licence conflict") and a sentence for a person. */
	char reason[40];
	char detail[240];
};

void gs_licence_decide(
    const struct gs_licence_question *question, struct gs_licence_verdict *ret);

/* L3 on one source file alone: false with a detail when its header names a
 * licence that is not accepted or gives a copyleft notice. */
bool gs_licence_header_ok(
    struct gs_str source, const struct gs_strv *accepted, char detail[240]);

#endif
