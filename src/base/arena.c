/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BLOCK_SIZE ((size_t)64 << 10)
/* From here an allocation gets a block of its own, so that it does not
 * close a half-empty one. */
#define LARGE (BLOCK_SIZE / 4)

#if defined(__SANITIZE_ADDRESS__)
#define FREE_ON_RESET 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FREE_ON_RESET 1
#endif
#endif
#ifndef FREE_ON_RESET
#define FREE_ON_RESET 0
#endif

struct gs_arena_block {
	struct gs_arena_block *next;
	size_t size, used;
	alignas(max_align_t) char bytes[];
};

static struct gs_arena_block *new_block(size_t size)
{
	struct gs_arena_block *block = gs_alloc(sizeof(*block) + size);
	block->size = size;
	return block;
}

/* The block that has `size` bytes free. Large ones go behind the head. */
static struct gs_arena_block *block_for(struct gs_arena *arena, size_t size)
{
	struct gs_arena_block *head = arena->head;

	if (head && size <= head->size - head->used)
		return head;
	if (size >= LARGE && head) {
		struct gs_arena_block *block = new_block(size);
		block->next = head->next;
		head->next = block;
		return block;
	}
	arena->head = new_block(size > BLOCK_SIZE ? size : BLOCK_SIZE);
	arena->head->next = head;
	return arena->head;
}

void *gs_arena_alloc(struct gs_arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);
	size_t rounded = (size + align - 1) & ~(align - 1);

	/* Near SIZE_MAX rounding wraps: no such memory either way. */
	if (rounded < size)
		return gs_alloc(size);
	struct gs_arena_block *block = block_for(arena, rounded);
	void *p = block->bytes + block->used;
	block->used += rounded;
	return p;
}

char *gs_arena_cstr(struct gs_arena *arena, struct gs_str s)
{
	char *copy = gs_arena_alloc(arena, s.n + 1);
	if (s.n > 0)
		memcpy(copy, s.p, s.n);
	return copy;
}

struct gs_str gs_arena_str(struct gs_arena *arena, struct gs_str s)
{
	return gs_str_n(gs_arena_cstr(arena, s), s.n);
}

void gs_arena_reset(struct gs_arena *arena)
{
	struct gs_arena_block *kept = arena->head;

	if (!kept)
		return;
	/* Under AddressSanitizer the memory goes, so that a pointer which
	 * outlives the reset is found. */
	if (FREE_ON_RESET || kept->size > BLOCK_SIZE) {
		gs_arena_release(arena);
		return;
	}
	struct gs_arena rest = {.head = kept->next};
	gs_arena_release(&rest);
	memset(kept->bytes, 0, kept->used);
	kept->next = NULL;
	kept->used = 0;
}

void gs_arena_release(struct gs_arena *arena)
{
	struct gs_arena_block *block = arena->head;

	while (block) {
		struct gs_arena_block *next = block->next;
		free(block);
		block = next;
	}
	arena->head = NULL;
}
