/* SPDX-License-Identifier: Apache-2.0 */
#include "site/site.h"

#include <string.h>

#include "site/lists.h"
#include "site/machine.h"
#include "site/pages.h"
#include "site/record.h"
#include "site/verified.h"

/* Where the site will stand is put before "/name" in addresses. */
static int check_url(const char *url, struct gs_err *err)
{
	static const char allowed[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "-._~:/";
	if (!url)
		return 0;
	size_t n = strlen(url);
	if (strncmp(url, "https://", 8) != 0 || n < 9 ||
	    strspn(url, allowed) != n || url[n - 1] == '/')
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\" is no https address of a folder: write it as "
		    "https://example.org/goldset, without a slash at its end",
		    url);
	return 0;
}

static int write_all(struct site *site, struct gs_err *err)
{
	static int (*const parts[])(struct site * site, struct gs_err * err) = {
	    front_write, lists_write, statistics_write, documents_write,
	    verified_write, board_write, records_write, assets_write,
	    machine_write, /* names all pages */
	};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < GS_COUNT(parts); i++)
		rc = parts[i](site, err);
	return rc;
}

int gs_site_build(const struct gs_site_options *options,
    struct gs_site_result *ret, struct gs_err *err)
{
	int rc = check_url(options->url, err);
	if (rc)
		return rc;
	GS_CLEANUP(out_release) struct out out = {.staging.lock = -1};
	GS_CLEANUP(catalogue_release)
	struct catalogue catalogue = {.spill = -1};
	struct site site = {.catalogue = &catalogue,
	    .out = &out,
	    .has_board = options->reports && options->reports->n > 0};
	rc = out_open(&out, options->folder, options->replace, err);
	if (rc == 0)
		rc = catalogue_read(&catalogue, options, err);
	if (rc == 0)
		rc = write_all(&site, err);
	int64_t pages = (int64_t)site.pages.n;
	gs_strv_release(&site.pages);
	if (rc == 0)
		rc = out_place(&out, err);
	if (rc)
		return rc;
	*ret = (struct gs_site_result){.records = (int64_t)catalogue.entries.n,
	    .pages = pages,
	    .bytes = out.bytes};
	return 0;
}
