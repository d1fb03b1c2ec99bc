/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What somebody wrote about a licence in a field or a tag: SPDX expressions,
 * "BSD", "Apache 2.0", trove classifiers. Names only; texts are identify.c.
 */
#ifndef LICENCE_EXPRESSION_H
#define LICENCE_EXPRESSION_H

#include "base/str.h"
#include "licence/phrases.h"

#define GS_EXPRESSION_MAX 16

struct gs_expression {
	/* One family mask for each licence named; 0 is one that says nothing
	 * ("LICENSE.txt", "see README"). */
	unsigned families[GS_EXPRESSION_MAX];
	size_t n;
	bool is_choice; /* every operator is an OR */
};

/* What one word names: "GPLv3", "BSD-3-Clause"; 0: no licence. */
unsigned gs_licence_name_family(struct gs_str word);
void gs_expression_read(struct gs_str text, struct gs_expression *ret);
/* "License :: OSI Approved :: MIT License" */
unsigned gs_classifier_family(struct gs_str classifier);
/* true when what is named agrees with licences of the families `have`: an
 * alternative of a choice, or all that is named. Names that say nothing
 * agree with everything. */
bool gs_expression_agrees(const struct gs_expression *e, unsigned have);

#endif
