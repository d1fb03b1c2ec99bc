/* SPDX-License-Identifier: Apache-2.0 */
#include "git/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

/* Hosts whose repositories are at the same path over https, whatever
 * protocol a clone used. */
static const char *const forges[] = {"bitbucket.org", "codeberg.org",
    "foss.heptapod.net", "framagit.org", "gitee.com", "github.com",
    "gitlab.com", "gitlab.freedesktop.org", "gitlab.gnome.org",
    "invent.kde.org", "opendev.org", "salsa.debian.org"};

/* Name endings that mean "inside this house" (RFC 6761, RFC 8375 and use). */
static const char *const private_ends[] = {".local", ".localhost",
    ".localdomain", ".internal", ".intranet", ".lan", ".corp", ".home",
    ".home.arpa", ".test", ".invalid", ".example"};

struct url {
	struct gs_str scheme, user, host, path; /* path without its first '/' */
	bool has_port;
	struct gs_str port;
};

static bool is_scheme(struct gs_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!isalnum((unsigned char)s.p[i]) && !strchr("+-.", s.p[i]))
			return false;
	return s.n > 0;
}

/* Bytes that may stand in a URL; anything else is somebody's trick. */
static bool is_plain(struct gs_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] <= ' ' || s.p[i] >= 127 ||
		    strchr("\"'`\\<>{}|^$;", s.p[i]))
			return false;
	return true;
}

/* A path that a server would read as another one. */
static bool has_dots(struct gs_str path)
{
	static const char *const escaped[] = {"%2e", "%2E", "%2f", "%2F"};
	struct gs_str part;

	for (size_t i = 0; i < GS_COUNT(escaped); i++)
		if (gs_str_find(path, gs_str(escaped[i])) >= 0)
			return true;
	while (gs_str_cut(&path, '/', &part))
		if (gs_str_is(part, ".") || gs_str_is(part, ".."))
			return true;
	return false;
}

static struct gs_str cut_ends(struct gs_str path)
{
	ptrdiff_t end = gs_str_find_char(path, '?');

	if (end >= 0)
		path = gs_str_sub(path, 0, (size_t)end);
	end = gs_str_find_char(path, '#');
	if (end >= 0)
		path = gs_str_sub(path, 0, (size_t)end);
	while (path.n > 0 && path.p[0] == '/')
		path = gs_str_from(path, 1);
	while (path.n > 0 && path.p[path.n - 1] == '/')
		path.n--;
	if (gs_str_ends(path, ".git") && path.n > 4)
		path.n -= 4;
	return path;
}

static void split_authority(struct gs_str authority, struct url *ret)
{
	ptrdiff_t at = gs_str_rfind_char(authority, '@'), colon;

	if (at >= 0) {
		ret->user = gs_str_sub(authority, 0, (size_t)at);
		authority = gs_str_from(authority, (size_t)at + 1);
	}
	colon = gs_str_rfind_char(authority, ':');
	/* "[::1]" holds colons; it is no public host anyway. */
	if (colon >= 0 && gs_str_find_char(authority, ']') < colon) {
		ret->has_port = true;
		ret->port = gs_str_from(authority, (size_t)colon + 1);
		authority = gs_str_sub(authority, 0, (size_t)colon);
	}
	ret->host = authority;
}

static bool split_url(struct gs_str text, struct url *ret)
{
	ptrdiff_t sep = gs_str_find(text, GS_STR("://")), slash, colon;

	*ret = (struct url){0};
	if (!is_plain(text))
		return false;
	if (sep > 0) {
		ret->scheme = gs_str_sub(text, 0, (size_t)sep);
		text = gs_str_from(text, (size_t)sep + 3);
		slash = gs_str_find_char(text, '/');
		if (slash < 0)
			return false;
		split_authority(gs_str_sub(text, 0, (size_t)slash), ret);
		ret->path = cut_ends(gs_str_from(text, (size_t)slash));
		return is_scheme(ret->scheme) && !has_dots(ret->path);
	}
	/* scp's "user@host:path": a colon before any slash. */
	colon = gs_str_find_char(text, ':');
	slash = gs_str_find_char(text, '/');
	if (colon <= 0 || (slash >= 0 && slash < colon))
		return false;
	ret->scheme = GS_STR("ssh");
	split_authority(gs_str_sub(text, 0, (size_t)colon), ret);
	ret->path = cut_ends(gs_str_from(text, (size_t)colon + 1));
	return !has_dots(ret->path);
}

enum gs_url_kind gs_url_kind(struct gs_str source)
{
	ptrdiff_t sep = gs_str_find(source, GS_STR("://"));
	ptrdiff_t helper = gs_str_find(source, GS_STR("::"));
	ptrdiff_t colon = gs_str_find_char(source, ':');
	ptrdiff_t slash = gs_str_find_char(source, '/');

	if (sep > 0 && is_scheme(gs_str_sub(source, 0, (size_t)sep)))
		return gs_str_ieq(
		           gs_str_sub(source, 0, (size_t)sep), GS_STR("https"))
		           ? GS_URL_HTTPS
		           : GS_URL_OTHER;
	if (helper > 0 && is_scheme(gs_str_sub(source, 0, (size_t)helper)))
		return GS_URL_OTHER;
	if (colon > 0 && (slash < 0 || colon < slash))
		return GS_URL_OTHER;
	return GS_URL_NONE;
}

static bool is_forge(struct gs_str host)
{
	for (size_t i = 0; i < GS_COUNT(forges); i++)
		if (gs_str_ieq(host, gs_str(forges[i])))
			return true;
	return false;
}

/* A name with a dot whose last label is not a number, outside this house. */
static bool is_public(struct gs_str host)
{
	ptrdiff_t dot = gs_str_rfind_char(host, '.');

	if (dot <= 0 || (size_t)dot + 1 >= host.n ||
	    !isalpha((unsigned char)host.p[dot + 1]))
		return false;
	for (size_t i = 0; i < host.n; i++)
		if (!isalnum((unsigned char)host.p[i]) &&
		    !strchr("-.", host.p[i]))
			return false;
	for (size_t i = 0; i < GS_COUNT(private_ends); i++)
		if (gs_str_iends(host, private_ends[i]))
			return false;
	return true;
}

static bool is_number(struct gs_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!isdigit((unsigned char)s.p[i]))
			return false;
	return s.n > 0 && s.n <= 5;
}

/* Appends one component of a name; never empty, never one that begins with a
 * dot or looks like an option. */
static void add_component(struct gs_buf *out, struct gs_str s)
{
	size_t start = out->n;

	for (size_t i = 0; i < s.n; i++)
		gs_buf_addc(out,
		    isalnum((unsigned char)s.p[i]) || strchr("-_.+", s.p[i])
		        ? s.p[i]
		        : '-');
	if (out->n > start && strchr(".-", out->p[start]))
		out->p[start] = '_';
	if (out->n == start)
		gs_buf_addz(out, "unnamed");
}

/* The last two components: GitLab nests groups, "owner" is the inner one. */
static char *owner_and_name(const struct url *url)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	struct gs_str owner = url->host, name = url->path;
	ptrdiff_t slash = gs_str_rfind_char(name, '/');

	if (slash >= 0) {
		owner = gs_str_sub(name, 0, (size_t)slash);
		name = gs_str_from(name, (size_t)slash + 1);
		slash = gs_str_rfind_char(owner, '/');
		if (slash >= 0)
			owner = gs_str_from(owner, (size_t)slash + 1);
	}
	add_component(&out, owner);
	gs_buf_addc(&out, '/');
	add_component(&out, name);
	return gs_buf_steal(&out);
}

static char *public_url(const struct url *url, bool with_port)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};

	gs_buf_addz(&out, "https://");
	for (size_t i = 0; i < url->host.n; i++)
		gs_buf_addc(&out, (char)tolower((unsigned char)url->host.p[i]));
	if (with_port && url->has_port && !gs_str_is(url->port, "443"))
		gs_buf_addf(&out, ":%.*s", GS_STR_ARG(url->port));
	gs_buf_addf(&out, "/%.*s", GS_STR_ARG(url->path));
	return gs_buf_steal(&out);
}

static bool is_https(const struct url *url)
{
	return gs_str_ieq(url->scheme, GS_STR("https")) &&
	       (!url->has_port || is_number(url->port));
}

bool gs_name_from_url(struct gs_str text, struct gs_source_name *ret)
{
	struct url url;
	bool https;

	if (!split_url(text, &url) || url.path.n == 0 ||
	    gs_str_ieq(url.scheme, GS_STR("file")))
		return false;
	https = is_https(&url) && is_public(url.host);
	if (!https && !is_forge(url.host))
		return false;
	ret->name = owner_and_name(&url);
	ret->repo_url = public_url(&url, https);
	return true;
}

bool gs_name_from_https(struct gs_str text, struct gs_source_name *ret)
{
	struct url url;

	if (!split_url(text, &url) || !is_https(&url) || url.path.n == 0 ||
	    url.host.n == 0 || url.host.p[0] == '-' || url.user.p)
		return false;
	ret->name = owner_and_name(&url);
	ret->repo_url =
	    is_public(url.host) ? public_url(&url, true) : gs_strdup("");
	return true;
}

char *gs_name_from_folder(struct gs_str path)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	struct gs_str name = {0};

	while (path.n > 0) {
		ptrdiff_t slash;

		while (path.n > 0 && path.p[path.n - 1] == '/')
			path.n--;
		slash = gs_str_rfind_char(path, '/');
		name = gs_str_from(path, (size_t)(slash + 1));
		path = gs_str_sub(path, 0, slash < 0 ? 0 : (size_t)slash);
		/* Not a name but a habit: the folder around it says more. */
		if (!gs_str_is(name, ".git") && !gs_str_is(name, "repo") &&
		    !gs_str_is(name, "repo.git"))
			break;
	}
	if (gs_str_ends(name, ".git") && name.n > 4)
		name.n -= 4;
	gs_buf_addz(&out, "local/");
	add_component(&out, name);
	return gs_buf_steal(&out);
}

bool gs_name_split(
    struct gs_str source, struct gs_str *ret_owner, struct gs_str *ret_name)
{
	while (gs_str_ends(source, "/"))
		source = gs_str_sub(source, 0, source.n - 1);
	if (gs_str_ends(source, ".git"))
		source = gs_str_sub(source, 0, source.n - 4);
	ptrdiff_t slash = gs_str_rfind_char(source, '/');
	if (slash <= 0)
		return false;
	*ret_name = gs_str_from(source, (size_t)slash + 1);
	*ret_owner = gs_str_sub(source, 0, (size_t)slash);
	slash = gs_str_rfind_char(*ret_owner, '/');
	if (slash >= 0)
		*ret_owner = gs_str_from(*ret_owner, (size_t)slash + 1);
	return ret_name->n > 0 && ret_owner->n > 0;
}

void gs_source_name_release(struct gs_source_name *name)
{
	free(name->name);
	free(name->repo_url);
	*name = (struct gs_source_name){0};
}
