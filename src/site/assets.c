/* SPDX-License-Identifier: Apache-2.0 */
#include "site/pages.h"

/* Embedded at build time: ours from assets/, others' from npm packages. */
#define ASSET(stem)                                                            \
	extern const char gs_text_##stem[];                                    \
	extern const uint64_t gs_text_##stem##_size

ASSET(site_css);
ASSET(icon_svg);
ASSET(theme_js);
ASSET(site_js);
ASSET(browse_js);
ASSET(query_js);
ASSET(minisearch_js);
ASSET(hyparquet_js);
ASSET(fzstd_js);
ASSET(third_parties_txt);

int assets_write(struct site *site, struct gs_err *err)
{
#define FILE_OF(name, stem)                                                    \
	{                                                                      \
		"assets/" name, gs_text_##stem, &gs_text_##stem##_size         \
	}

	static const struct {
		const char *name, *text;
		const uint64_t *size;
	} files[] = {
	    FILE_OF("site.css", site_css),
	    FILE_OF("icon.svg", icon_svg),
	    FILE_OF("theme.js", theme_js),
	    FILE_OF("site.js", site_js),
	    FILE_OF("browse.js", browse_js),
	    FILE_OF("query.js", query_js),
	    FILE_OF("minisearch.js", minisearch_js),
	    FILE_OF("hyparquet.js", hyparquet_js),
	    FILE_OF("fzstd.js", fzstd_js),
	    FILE_OF("LICENCES.txt", third_parties_txt),
	};

#undef FILE_OF

	int rc = 0;
	for (size_t i = 0; rc == 0 && i < GS_COUNT(files); i++)
		rc = out_write(site->out, files[i].name,
		    gs_str_n(files[i].text, *files[i].size), err);
	return rc;
}
