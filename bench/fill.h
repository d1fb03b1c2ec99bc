/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs that fill a store have in common; included once in each. */
#ifndef BENCH_FILL_H
#define BENCH_FILL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "store/store.h"

static struct gs_err err;

static const char *const reasons[] = {"merge", "no test changed",
    "no source changed", "no semantic change", "licence: none"};

static int must(int rc)
{
	if (rc < 0) {
		(void)fprintf(stderr, "bench: %s\n", err.text);
		exit(3);
	}
	return rc;
}

static void oid_of(uint64_t number, struct gs_oid *ret)
{
	char hex[GS_SHA256_HEX];

	gs_sha256_hex(gs_str_n((const char *)&number, sizeof(number)), hex);
	memcpy(ret->hex, hex, 40);
	ret->hex[40] = '\0';
}

static int64_t add_project(struct gs_store *store, int number)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "owner/project-%d", number);
	struct gs_project project = {
	    .name = name, .repo_url = name, .source = name, .mirror = name};
	must(gs_store_add_project(store, &project, &err));
	return project.id;
}

#endif
