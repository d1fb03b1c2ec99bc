/* SPDX-License-Identifier: Apache-2.0 */
/* Compiler attributes, spelled once. */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

#define GS_MUST_CHECK __attribute__((warn_unused_result))
#define GS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define GS_NORETURN __attribute__((noreturn))

/* `GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};` releases at scope
 * end. A function uses this or `goto`, never both. */
#define GS_CLEANUP(fn) __attribute__((cleanup(fn)))

/* A result that is deliberately not looked at: gs_ignore(gs_fd_write(…)). */
static inline void gs_ignore(int rc)
{
	(void)rc;
}

#define GS_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
