/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map from byte strings to pointers. Keys are copied; values are the
 * caller's. A zeroed struct is empty. Iteration is in insertion order, so
 * that nothing that is printed ever depends on a hash. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct gs_map_entry {
	struct gs_str key; /* NUL-terminated too */
	uint64_t hash;
	void *value;
};

struct gs_map {
	struct gs_map_entry *entries; /* n of them, insertion order */
	size_t n, cap;
	uint32_t *slots;
	size_t n_slots;
	struct gs_arena keys;
};

void gs_map_release(struct gs_map *map);
void *gs_map_get(const struct gs_map *map, struct gs_str key); /* or NULL */
bool gs_map_has(const struct gs_map *map, struct gs_str key);
/* The place of the value for `key`, made (NULL) when it is new. Borrowed
 * until the next call that adds. */
void **gs_map_at(struct gs_map *map, struct gs_str key);
/* The position of `key` among the entries, made (value NULL) when it is new:
 * names become small numbers in the order in which they come. */
size_t gs_map_index(struct gs_map *map, struct gs_str key);
/* true when the key was not there before. */
bool gs_map_add(struct gs_map *map, struct gs_str key, void *value);

#endif
