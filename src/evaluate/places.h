/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where tests are planted (E2): drawn once a record, from a secret of the
 * workspace, so that every answer to a record meets the same lines. Their
 * names are another matter, and new for each run.
 */
#ifndef EVALUATE_PLACES_H
#define EVALUATE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct gs_places {
	unsigned char secret[32];
};

/* Reads `dir`/places.key; where there is none, it is made for nobody but its
 * owner to read, or with `make` false left away: then no place is that of a
 * stored run. GS_E_CORRUPT for a file that is something else. */
GS_MUST_CHECK int gs_places_open(
    const char *dir, bool make, struct gs_places *ret, struct gs_err *err);
/* The seed of a record's places. */
uint64_t gs_places_of(const struct gs_places *places, const char *record_id);

#endif
