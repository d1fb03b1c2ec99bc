/* SPDX-License-Identifier: Apache-2.0 */
#include "util.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

#define LEAST_SPACE (48u << 20)
#define MOST_RESULT (256 << 20)

void (*gv_last_words)(char verdict, const char *text);

_Noreturn static GV_PRINTF(2, 0) void leave(
    char verdict, const char *format, va_list args)
{
	char text[2000];

	(void)vsnprintf(text, sizeof(text), format, args); /* NOLINT: begun */
	for (size_t n = strlen(text); n && text[n - 1] == '\n'; n--)
		text[n - 1] = '\0';
	if (gv_last_words)
		gv_last_words(verdict, text);
	fprintf(stderr, "goldset-verify: %s\n", gv_plain(text));
	exit(3);
}

void gv_die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	leave('I', format, args);
}

void gv_gone(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	leave('U', format, args);
}

void *gv_alloc(size_t n)
{
	void *p = calloc(1, n ? n : 1);

	if (!p)
		gv_die("out of memory");
	return p;
}

void *gv_grow(void *old, size_t n)
{
	void *p = realloc(old, n ? n : 1);

	if (!p)
		gv_die("out of memory");
	return p;
}

char *gv_dup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(gv_alloc(n), s, n);
}

char *gv_loose(const char *s)
{
	union {
		const char *in;
		char *out;
	} u = {s};

	return u.out;
}

int64_t gv_number(const char *s)
{
	int64_t value = 0;

	for (; *s >= '0' && *s <= '9' && value < INT64_MAX / 100; s++)
		value = value * 10 + (*s - '0');
	return value;
}

char *gv_format(const char *format, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		gv_die("out of memory");
	va_end(args);
	return text;
}

void gv_put(struct gv_buf *buf, const void *bytes, size_t n)
{
	if (buf->n + n + 1 > buf->cap) {
		buf->cap = (buf->n + n + 1) * 3 / 2 + 64;
		buf->s = gv_grow(buf->s, buf->cap);
	}
	if (n)
		memcpy(buf->s + buf->n, bytes, n);
	buf->n += n;
	buf->s[buf->n] = '\0';
}

void gv_puts(struct gv_buf *buf, const char *s)
{
	gv_put(buf, s, strlen(s));
}

void gv_putf(struct gv_buf *buf, const char *format, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		gv_die("out of memory");
	va_end(args);
	gv_puts(buf, text);
	free(text);
}

void gv_drop(struct gv_buf *buf)
{
	free(buf->s);
	*buf = (struct gv_buf){0};
}

const char *gv_text(const struct gv_buf *buf)
{
	return buf->s ? buf->s : "";
}

static void read_all(int fd, const char *path, struct gv_buf *to)
{
	char chunk[1 << 16];
	ssize_t n;

	gv_put(to, "", 0);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		gv_put(to, chunk, (size_t)n);
	if (n < 0)
		gv_die("cannot read %s: %s", path, strerror(errno));
	close(fd);
}

bool gv_read(const char *path, struct gv_buf *to)
{
	struct stat st;

	/* not opened: that would wait for who writes to a pipe */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return false;
	return gv_read_named(path, to);
}

bool gv_read_named(const char *path, struct gv_buf *to)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return false;
	if (fd < 0)
		gv_die("cannot open %s: %s", path, strerror(errno));
	read_all(fd, path, to);
	return true;
}

bool gv_read_result(const char *path, struct gv_buf *to)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return false;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > MOST_RESULT) {
		close(fd);
		return false;
	}
	read_all(fd, path, to);
	return true;
}

void gv_write(const char *path, const void *bytes, size_t n, int mode)
{
	const char *at = bytes;
	int fd =
	    open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
	        (mode_t)mode);

	if (fd < 0)
		gv_die("cannot write %s: %s", path, strerror(errno));
	while (n) {
		ssize_t done = write(fd, at, n);

		if (done < 0)
			gv_die("cannot write %s: %s", path, strerror(errno));
		at += done;
		n -= (size_t)done;
	}
	if (close(fd) < 0)
		gv_die("cannot write %s: %s", path, strerror(errno));
}

void gv_mkdir(const char *path)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		gv_die("cannot make the folder %s: %s", path, strerror(errno));
}

static int remove_one(
    const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	(void)remove(path);
	return 0;
}

static int open_up(
    const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	if (type == FTW_D || type == FTW_DNR)
		(void)chmod(path, st->st_mode | S_IRWXU);
	return 0;
}

void gv_rmtree(const char *path)
{
	(void)nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS);
	if (access(path, F_OK) < 0)
		return;
	/* a test may have closed a folder against its owner */
	(void)nftw(path, open_up, 32, FTW_PHYS);
	(void)nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS);
}

void gv_need_space(const char *path)
{
	struct statvfs fs;

	if (statvfs(path, &fs) < 0)
		gv_die("cannot look at %s: %s", path, strerror(errno));
	if ((uint64_t)fs.f_bavail * fs.f_frsize < LEAST_SPACE)
		gv_die(
		    "less than %u MiB of space are left in %s; set TMPDIR to a "
		    "folder with more",
		    LEAST_SPACE >> 20, path);
}

int64_t gv_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool gv_starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

bool gv_ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && strcmp(s + n - m, with) == 0;
}

const char *gv_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
