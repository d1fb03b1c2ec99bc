/* SPDX-License-Identifier: Apache-2.0 */
#include "mine/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PLACES 4096

struct gs_ahead {
	struct place {
		struct gs_oid id;
		void *value;
	} places[PLACES];
};

struct gs_ahead *gs_ahead_new(void)
{
	return gs_alloc(sizeof(struct gs_ahead));
}

void gs_ahead_free(struct gs_ahead *ahead)
{
	free(ahead);
}

bool gs_ahead_is_told(const struct gs_commit *commit)
{
	return commit->n_parents == 1 && !commit->changes_cut &&
	       !commit->parent_missing && !commit->trouble;
}

static size_t place_of(const struct gs_oid *id)
{
	char digits[9] = {0};

	memcpy(digits, id->hex, 8);
	return strtoul(digits, NULL, 16) % PLACES;
}

void gs_ahead_put(struct gs_ahead *ahead, const struct gs_oid *id, void *value)
{
	ahead->places[place_of(id)] = (struct place){.id = *id, .value = value};
}

void *gs_ahead_get(const struct gs_ahead *ahead, const struct gs_oid *id)
{
	const struct place *place = &ahead->places[place_of(id)];

	return gs_oid_eq(&place->id, id) ? place->value : NULL;
}
