/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/places.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "os/file.h"

#define KEY_FILE "places.key"
/* In hex, with a line feed behind it. */
#define TEXT_SIZE (2 * sizeof(((struct gs_places *)0)->secret) + 1)

/* 1 there, 0 not there, negative error. */
static int read_key(const char *path, struct gs_places *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_file_read(path, TEXT_SIZE, &text, err);
	if (rc == GS_E_NOT_FOUND) {
		*err = (struct gs_err){0};
		return 0;
	}
	if (rc && rc != GS_E_LIMIT)
		return rc;
	if (rc == 0 && text.n == TEXT_SIZE &&
	    gs_unhex(gs_str_trim(gs_buf_str(&text)), ret->secret,
	        sizeof(ret->secret)))
		return 1;
	return gs_fail(err, GS_E_CORRUPT,
	    "%s is not the key that goldset wrote; remove it, and the next "
	    "score makes another and runs all answers again",
	    path);
}

/* Appears whole, and never takes the place of one that another process has
 * made meanwhile. */
static int make_key(const char *dir, const char *path, struct gs_err *err)
{
	struct gs_places new = {0};
	char text[TEXT_SIZE + 1];
	GS_CLEANUP(gs_freep)
	char *own =
	    gs_format("%s/" GS_FILE_BEGUN "key-%ld", dir, (long)getpid());
	if (getrandom(new.secret, sizeof(new.secret), 0) !=
	    (ssize_t)sizeof(new.secret))
		return gs_fail_sys(err, "get random bytes for %s", path);
	gs_hex(new.secret, sizeof(new.secret), text);
	text[TEXT_SIZE - 1] = '\n';
	int rc =
	    gs_file_write(own, (struct gs_str){text, TEXT_SIZE}, 0600, err);
	if (rc)
		return rc;
	if (link(own, path) < 0 && errno != EEXIST)
		rc = gs_fail_sys(err, "make %s", path);
	(void)unlink(own);
	return rc ? rc : gs_dir_sync(dir, err);
}

int gs_places_open(
    const char *dir, bool make, struct gs_places *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(dir, KEY_FILE);
	*ret = (struct gs_places){0};
	int rc = read_key(path, ret, err);
	if (rc == 0 && make) {
		rc = make_key(dir, path, err);
		if (rc == 0)
			rc = read_key(path, ret, err);
	}
	return rc < 0 ? rc : 0;
}

uint64_t gs_places_of(const struct gs_places *places, const char *record_id)
{
	unsigned char mac[GS_SHA256_SIZE];
	uint64_t seed = 0;
	gs_hmac_sha256((struct gs_str){(const char *)places->secret,
	                   sizeof(places->secret)},
	    gs_str(record_id), mac);
	memcpy(&seed, mac, sizeof(seed));
	return seed;
}
