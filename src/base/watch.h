/* SPDX-License-Identifier: Apache-2.0 */
/* Where long work of a stage tells how far it is, for whoever shows it. A
 * watch without `fn` is none. */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#include <stdint.h>

struct gs_watch {
	/* `what` is a phrase that lasts, "write the pages"; another pointer is
	 * another phase. `total` 0: not known. Called often: it is to be quick.
	 */
	void (*fn)(void *ctx, const char *what, int64_t done, int64_t total);
	void *ctx;
};

static inline void gs_watch_tell(
    const struct gs_watch *watch, const char *what, int64_t done, int64_t total)
{
	if (watch->fn)
		watch->fn(watch->ctx, what, done, total);
}

#endif
