/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/hold_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/split.h"
#include "os/fd.h"

#define MAX_KEY 65536

static int read_fraction(const char *text, double *ret, struct gs_err *err)
{
	char *end = NULL;
	double value = strtod(text, &end);
	bool is_plain = strspn(text, "0123456789.") == strlen(text);
	if (!is_plain || end == text || *end || !(value > 0 && value < 1))
		return gs_fail(err, GS_E_USAGE,
		    "--hold-out takes a fraction above 0 and below 1, such as "
		    "0.2, not \"%s\"",
		    text);
	*ret = value;
	return 0;
}

/* Judged and read through one descriptor: what was looked at is what is
 * taken. A key that others can read keeps nothing. */
static int read_key(const char *path, struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_closep)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0)
		return errno == ENOENT
		           ? gs_fail(err, GS_E_NOT_FOUND,
		                 "there is no key %s; make one: "
		                 "(umask 077; head -c 32 /dev/urandom >%s)",
		                 path, path)
		           : gs_fail_sys(err, "open the key %s", path);
	if (fstat(fd, &st) < 0)
		return gs_fail_sys(err, "stat the key %s", path);
	if (!S_ISREG(st.st_mode))
		return gs_fail(
		    err, GS_E_USAGE, "the key %s is no regular file", path);
	if (st.st_mode & (S_IRWXG | S_IRWXO))
		return gs_fail(err, GS_E_USAGE,
		    "others may read or write the key %s: chmod 600 it, or "
		    "better make a new one",
		    path);
	if (st.st_size < GS_SPLIT_KEY_MIN || st.st_size > MAX_KEY)
		return gs_fail(err, GS_E_USAGE,
		    "the key %s has %lld bytes; it needs at least %d, and at "
		    "most %d are taken",
		    path, (long long)st.st_size, GS_SPLIT_KEY_MIN, MAX_KEY);
	ret->max = MAX_KEY;
	return gs_fd_read(fd, ret, err);
}

int gs_step_hold_out(const struct gs_step_options *options,
    struct gs_publish_options *publish, struct gs_buf *ret_key,
    struct gs_err *err)
{
	int n = (options->hold_out != NULL) + (options->key != NULL) +
	        (options->withheld != NULL);
	if (n == 0)
		return 0;
	if (n < 3)
		return gs_fail(err, GS_E_USAGE,
		    "--hold-out FRACTION, --key FILE and --withheld DIR go "
		    "together");
	int rc =
	    read_fraction(options->hold_out, &publish->hold_out.fraction, err);
	if (rc == 0)
		rc = read_key(options->key, ret_key, err);
	if (rc)
		return rc;
	publish->has_hold_out = true;
	publish->hold_out.key = gs_buf_str(ret_key);
	publish->hold_out.folder = options->withheld;
	return 0;
}

void gs_step_say_hold_out(struct gs_cli *cli,
    const struct gs_publish_options *publish,
    const struct gs_publish_result *result)
{
	if (!publish->has_hold_out)
		return;
	gs_cli_say(cli,
	    "%s: %lld record%s from %lld project%s withheld; keep it and "
	    "the key to yourself",
	    publish->hold_out.folder, (long long)result->withheld_records,
	    GS_S(result->withheld_records),
	    (long long)result->withheld_projects,
	    GS_S(result->withheld_projects));
	if (result->exposed > 0)
		gs_cli_warn(cli,
		    "%lld of the withheld records stood in a release of this "
		    "workspace before: if that was made public, they are known",
		    (long long)result->exposed);
}
