/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing over indexes into the entries; a slot
 * holds index + 1, and 0 is free. At most half of the slots are used, so a
 * probe always ends. Nothing is ever removed. */
#include "base/map.h"

#include <assert.h>

#include "base/hash.h"
#include "base/vec.h"

#define FIRST_SLOTS ((size_t)16)

void gs_map_release(struct gs_map *map)
{
	free(map->entries);
	free(map->slots);
	gs_arena_release(&map->keys);
	*map = (struct gs_map){0};
}

/* The slot that holds `key`, or the free one where it belongs. */
static uint32_t *slot_of(
    const struct gs_map *map, struct gs_str key, uint64_t hash)
{
	size_t mask = map->n_slots - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &map->slots[i];
		if (*slot == 0)
			return slot;
		const struct gs_map_entry *entry = &map->entries[*slot - 1];
		if (entry->hash == hash && gs_str_eq(entry->key, key))
			return slot;
	}
}

static const struct gs_map_entry *lookup(
    const struct gs_map *map, struct gs_str key)
{
	if (map->n == 0)
		return NULL;
	uint32_t slot = *slot_of(map, key, gs_hash64(key));
	return slot ? &map->entries[slot - 1] : NULL;
}

static void rehash(struct gs_map *map)
{
	size_t mask, n_slots = map->n_slots ? 2 * map->n_slots : FIRST_SLOTS;

	free(map->slots);
	map->slots = gs_alloc(n_slots * sizeof(*map->slots));
	map->n_slots = n_slots;
	mask = n_slots - 1;
	for (size_t n = 0; n < map->n; n++) {
		size_t i = map->entries[n].hash & mask;
		while (map->slots[i] != 0)
			i = (i + 1) & mask;
		map->slots[i] = (uint32_t)(n + 1);
	}
}

/* The entry for `key`; *ret_added when it was made. */
static struct gs_map_entry *entry_at(
    struct gs_map *map, struct gs_str key, bool *ret_added)
{
	uint64_t hash = gs_hash64(key);

	if (2 * (map->n + 1) > map->n_slots)
		rehash(map);
	uint32_t *slot = slot_of(map, key, hash);
	*ret_added = *slot == 0;
	if (*ret_added) {
		assert(map->n < UINT32_MAX);
		map->entries = gs_vec_grow(
		    map->entries, map->n, &map->cap, sizeof(*map->entries));
		map->entries[map->n].key = gs_arena_str(&map->keys, key);
		map->entries[map->n].hash = hash;
		*slot = (uint32_t)++map->n;
	}
	return &map->entries[*slot - 1];
}

void *gs_map_get(const struct gs_map *map, struct gs_str key)
{
	const struct gs_map_entry *entry = lookup(map, key);
	return entry ? entry->value : NULL;
}

bool gs_map_has(const struct gs_map *map, struct gs_str key)
{
	return lookup(map, key) != NULL;
}

void **gs_map_at(struct gs_map *map, struct gs_str key)
{
	bool added;
	return &entry_at(map, key, &added)->value;
}

size_t gs_map_index(struct gs_map *map, struct gs_str key)
{
	bool added;
	return (size_t)(entry_at(map, key, &added) - map->entries);
}

bool gs_map_add(struct gs_map *map, struct gs_str key, void *value)
{
	bool added;
	struct gs_map_entry *entry = entry_at(map, key, &added);
	if (added)
		entry->value = value;
	return added;
}
