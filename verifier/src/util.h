/* SPDX-License-Identifier: Apache-2.0 */
/* What every file needs: growing bytes, files, and two ways to give up. */
#ifndef GV_UTIL_H
#define GV_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_PRINTF(a, b) __attribute__((format(printf, a, b)))
#define GV_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define GV_HEX 65 /* of a SHA-256, with its NUL */

/* bytes that end with a NUL which n does not count; zero is empty */
struct gv_buf {
	char *s;
	size_t n, cap;
};

/* takes a worker's last words ('I' infra, 'U' unavailable) and ends it; NULL
 * in the main process, which prints them and exits */
extern void (*gv_last_words)(char verdict, const char *text);

/* the verifier cannot do its work: `infra`, or exit status 3 */
_Noreturn void gv_die(const char *format, ...) GV_PRINTF(1, 2);
/* the repository or a commit cannot be had: `unavailable` */
_Noreturn void gv_gone(const char *format, ...) GV_PRINTF(1, 2);

void *gv_alloc(size_t n); /* zeroed, never NULL */
void *gv_grow(void *old, size_t n);
char *gv_dup(const char *s);
/* for interfaces that take a char * and change nothing */
char *gv_loose(const char *s);
/* the decimal number at the start, 0 where there is none */
int64_t gv_number(const char *s);
char *gv_format(const char *format, ...) GV_PRINTF(1, 2);

void gv_put(struct gv_buf *buf, const void *bytes, size_t n);
void gv_puts(struct gv_buf *buf, const char *s);
void gv_putf(struct gv_buf *buf, const char *format, ...) GV_PRINTF(2, 3);
void gv_drop(struct gv_buf *buf);
const char *gv_text(const struct gv_buf *buf); /* "" when empty */

/* false when no regular file is there; other trouble dies */
bool gv_read(const char *path, struct gv_buf *to);
/* the same for what the user names: a pipe will do */
bool gv_read_named(const char *path, struct gv_buf *to);
/* the same for what a test may have written: a plain file, no link, no pipe */
bool gv_read_result(const char *path, struct gv_buf *to);
void gv_write(const char *path, const void *bytes, size_t n, int mode);
void gv_mkdir(const char *path);
void gv_rmtree(const char *path);
/* dies when the file system of `path` has little space left */
void gv_need_space(const char *path);
int64_t gv_now_ms(void);

bool gv_starts(const char *s, const char *with);
bool gv_ends(const char *s, const char *with);
const char *gv_basename(const char *path);

#endif
