/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a killed child of ours leaves behind: programs that it had started and
 * that die with it. Nobody waits for them but the machine's first process, and
 * in a container that is often one that never does; so they are taken over
 * here and reaped.
 *
 *	bool ours = gs_orphans_adopt();
 *	…	gs_orphans_reap(is_known, ctx); at any time
 *	gs_orphans_release(ours);
 *
 * Only for a process that has no children when it begins: another's must not
 * be reaped behind its back.
 */
#ifndef OS_ORPHANS_H
#define OS_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* False, and nothing changed, where children are there already or the kernel
 * does not allow it. */
bool gs_orphans_adopt(void);
/* Reaps what has ended, up to the first that `is_known`: that one is for its
 * owner to reap. Never waits. */
void gs_orphans_reap(
    bool (*is_known)(const void *ctx, pid_t pid), const void *ctx);
/* Once the owner has reaped its own: waits for the rest, up to a second (what
 * was not made to die with its parent goes on), and adopts no more. Nothing
 * when `ours` is false. */
void gs_orphans_release(bool ours);

#endif
