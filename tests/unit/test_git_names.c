/* SPDX-License-Identifier: Apache-2.0 */
/* W1, F167: what a source is called, and which URLs are taken. */
#include "base/buf.h"
#include "git/names.h"
#include "gs_test.h"

static const struct {
	const char *url, *name, *repo_url; /* name NULL: says nothing */
} origins[] = {
    {"https://github.com/o/n", "o/n", "https://github.com/o/n"},
    {"https://github.com/o/n.git", "o/n", "https://github.com/o/n"},
    {"https://github.com/o/n.git/", "o/n", "https://github.com/o/n"},
    {"https://GitHub.com/o/n", "o/n", "https://github.com/o/n"},
    {"https://u:secret@github.com/o/n", "o/n", "https://github.com/o/n"},
    {"https://token@github.com/o/n", "o/n", "https://github.com/o/n"},
    {"https://a@b:c@d@github.com/o/n", "o/n", "https://github.com/o/n"},
    {"https://github.com/o/n?x=secret#f", "o/n", "https://github.com/o/n"},
    {"https://github.com:443/o/n", "o/n", "https://github.com/o/n"},
    {"https://git.example.org:8443/o/n", "o/n",
        "https://git.example.org:8443/o/n"},
    {"https://gitlab.com/group/sub/n.git", "sub/n",
        "https://gitlab.com/group/sub/n"},
    {"git@github.com:o/n.git", "o/n", "https://github.com/o/n"},
    {"github.com:o/n.git", "o/n", "https://github.com/o/n"},
    {"git@github.com:/o/n.git", "o/n", "https://github.com/o/n"},
    {"ssh://git@github.com/o/n.git", "o/n", "https://github.com/o/n"},
    {"ssh://git@github.com:22/o/n.git", "o/n", "https://github.com/o/n"},
    {"git+ssh://git@codeberg.org/o/n", "o/n", "https://codeberg.org/o/n"},
    {"git://github.com/o/n.git", "o/n", "https://github.com/o/n"},
    {"http://github.com/o/n", "o/n", "https://github.com/o/n"},
    {"ssh://git@git.firm.example.com/o/n", NULL, NULL},
    {"git@10.0.0.1:o/n", NULL, NULL},
    {"https://10.0.0.1/o/n", NULL, NULL},
    {"https://[::1]:80/o/n", NULL, NULL},
    {"https://localhost/o/n", NULL, NULL},
    {"https://git.firm.internal/o/n", NULL, NULL},
    {"https://github.com/", NULL, NULL},
    {"https://github.com", NULL, NULL},
    {"https://github.com/o/n o", NULL, NULL},
    {"https://github.com/o/<script>", NULL, NULL},
    {"file:///srv/o/n", NULL, NULL},
    {"file://github.com/o/n", NULL, NULL},
    {"/srv/git/n.git", NULL, NULL},
    {"../n", NULL, NULL},
    {"ext::sh -c x", NULL, NULL},
    {"", NULL, NULL},
    /* Dot segments lead elsewhere: no public origin. */
    {"https://github.com/../n", NULL, NULL},
    {"https://github.com/a/b/../../x", NULL, NULL},
    {"https://github.com/a/..", NULL, NULL},
    {"https://github.com/a/./b.git", NULL, NULL},
    {"https://github.com/a/%2e%2e/b", NULL, NULL},
    {"git@github.com:a/../b.git", NULL, NULL},
    {"https://github.com/o/.github", "o/_github",
        "https://github.com/o/.github"},
    {"https://github.com/-o/n", "_o/n", "https://github.com/-o/n"},
};

START_TEST(origin)
	{
		struct gs_source_name name = {0};
		bool said = gs_name_from_url(gs_str(origins[_i].url), &name);

		ck_assert_msg(
		    said == (origins[_i].name != NULL), "%s", origins[_i].url);
		if (said) {
			ck_assert_str_eq(name.name, origins[_i].name);
			ck_assert_str_eq(name.repo_url, origins[_i].repo_url);
		}
		gs_source_name_release(&name);
	}

END_TEST

static const struct {
	const char *path, *name;
} folders[] = {
    {"/srv/n", "local/n"},
    {"/srv/n/", "local/n"},
    {"/srv/n.git", "local/n"},
    {"/srv/n/.git", "local/n"},
    {"/srv/owner+name/repo", "local/owner+name"},
    {"/srv/n/repo.git", "local/n"},
    {"/srv/repo/.git/", "local/srv"},
    {"/srv/a b\n\"c", "local/a-b--c"},
    {"/srv/.hidden", "local/_hidden"},
    {"/", "local/unnamed"},
    {"/repo", "local/repo"},
};

START_TEST(folder)
	{
		char *name = gs_name_from_folder(gs_str(folders[_i].path));

		ck_assert_str_eq(name, folders[_i].name);
		free(name);
	}

END_TEST

static const struct {
	const char *source;
	enum gs_url_kind kind;
} kinds[] = {
    {"https://github.com/o/n", GS_URL_HTTPS},
    {"HTTPS://github.com/o/n", GS_URL_HTTPS},
    {"http://github.com/o/n", GS_URL_OTHER},
    {"ext::touch /tmp/x", GS_URL_OTHER},
    {"ext::sh -c 'x' https://", GS_URL_OTHER},
    {"fd::17", GS_URL_OTHER},
    {"file:///x", GS_URL_OTHER},
    {"git@github.com:o/n", GS_URL_OTHER},
    {"host:path", GS_URL_OTHER},
    {"/a/b", GS_URL_NONE},
    {"./a:b", GS_URL_NONE},
    {"name", GS_URL_NONE},
};

START_TEST(kind)
	{
		ck_assert_msg(
		    gs_url_kind(gs_str(kinds[_i].source)) == kinds[_i].kind,
		    "%s", kinds[_i].source);
	}

END_TEST

static const struct {
	const char *url, *name, *repo_url;
} sources[] = {
    {"https://github.com/o/n.git", "o/n", "https://github.com/o/n"},
    {"https://localhost:8443/o/n", "o/n", ""},
    {"https://github.com/n", "github.com/n", "https://github.com/n"},
    {"https://u:p@github.com/o/n", NULL, NULL},
    {"https://-oProxy/o/n", NULL, NULL},
    {"https:///o/n", NULL, NULL},
    {"https://github.com:x/o/n", NULL, NULL},
    {"https://github.com/o/n;x", NULL, NULL},
    {"https://github.com/a/../n", NULL, NULL},
};

START_TEST(https)
	{
		struct gs_source_name name = {0};
		bool said = gs_name_from_https(gs_str(sources[_i].url), &name);

		ck_assert_msg(
		    said == (sources[_i].name != NULL), "%s", sources[_i].url);
		if (said) {
			ck_assert_str_eq(name.name, sources[_i].name);
			ck_assert_str_eq(name.repo_url, sources[_i].repo_url);
		}
		gs_source_name_release(&name);
	}

END_TEST

static const struct {
	const char *source, *owner, *name; /* owner NULL: it has none */
} pairs[] = {
    {"https://github.com/pallets/click", "pallets", "click"},
    {"https://github.com/pallets/click.git", "pallets", "click"},
    {"https://github.com/pallets/click.git///", "pallets", "click"},
    {"pallets/click", "pallets", "click"},
    {"click", NULL, NULL},
    {"/click", NULL, NULL},
    {"a//", NULL, NULL},
    {"", NULL, NULL},
};

START_TEST(owner_and_name)
	{
		struct gs_str owner, name;
		bool has =
		    gs_name_split(gs_str(pairs[_i].source), &owner, &name);

		ck_assert(has == (pairs[_i].owner != NULL));
		if (has) {
			ck_assert(gs_str_is(owner, pairs[_i].owner));
			ck_assert(gs_str_is(name, pairs[_i].name));
		}
	}

END_TEST

GS_TESTS(git_names, GS_TEST_ROWS(owner_and_name, pairs),
    GS_TEST_ROWS(origin, origins), GS_TEST_ROWS(folder, folders),
    GS_TEST_ROWS(kind, kinds), GS_TEST_ROWS(https, sources))
