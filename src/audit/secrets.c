/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/secrets.h"

#include <string.h>

#include "base/attr.h"

#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"
#define ALNUM UPPER LOWER DIGITS
#define LEAST_RANDOM 20 /* characters of a value that may be one */

static const struct form {
	const char *what, *prefix, *alphabet;
	size_t least, most; /* characters behind the prefix */
} forms[] = {
    {"an AWS access key", "AKIA", UPPER DIGITS, 16, 16},
    {"an AWS access key", "ASIA", UPPER DIGITS, 16, 16},
    {"a GitHub token", "ghp_", ALNUM, 36, 255},
    {"a GitHub token", "gho_", ALNUM, 36, 255},
    {"a GitHub token", "ghu_", ALNUM, 36, 255},
    {"a GitHub token", "ghs_", ALNUM, 36, 255},
    {"a GitHub token", "ghr_", ALNUM, 36, 255},
    {"a GitHub token", "github_pat_", ALNUM "_", 59, 255},
    {"a GitLab token", "glpat-", ALNUM "_-", 20, 64},
    {"a Slack token", "xoxb-", ALNUM "-", 24, 255},
    {"a Slack token", "xoxp-", ALNUM "-", 24, 255},
    {"a Stripe key", "sk_live_", ALNUM, 24, 255},
    {"a Google API key", "AIza", ALNUM "_-", 35, 35},
    {"an npm token", "npm_", ALNUM, 36, 36},
    {"a PyPI token", "pypi-AgEIcHlwaS5vcmc", ALNUM "_-", 50, 255},
    {"a Hugging Face token", "hf_", ALNUM, 34, 40},
    {"a SendGrid key", "SG.", ALNUM "_-.", 66, 66},
};

/* Names whose values are secret, where no longer word goes on. */
static const char *const names[] = {"password", "passwd", "secret",
    "secret_key", "api_key", "apikey", "access_key", "access_token",
    "auth_token", "private_key", "client_secret", "token"};

static const char *const placeholders[] = {"example", "xxxx", "changeme",
    "placeholder", "dummy", "sample", "your", "test", "fake", "redacted",
    "1234567", "abcdef", "<", "{", "%s", "..."};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool holds(struct gs_str text, const char *word)
{
	size_t n = strlen(word);
	for (size_t i = 0; i + n <= text.n; i++) {
		size_t k = 0;
		while (k < n && lower(text.p[i + k]) == word[k])
			k++;
		if (k == n)
			return true;
	}
	return false;
}

/* As if so many characters were equally frequent: n² / Σ count². */
static size_t spread(struct gs_str text)
{
	size_t counts[256] = {0}, squares = 0;
	for (size_t i = 0; i < text.n; i++)
		counts[(unsigned char)text.p[i]]++;
	for (size_t i = 0; i < 256; i++)
		squares += counts[i] * counts[i];
	return squares ? text.n * text.n / squares : 0;
}

static int class_of(char c)
{
	return c >= '0' && c <= '9'   ? 1
	       : c >= 'a' && c <= 'z' ? 2
	       : c >= 'A' && c <= 'Z' ? 3
	                              : 0;
}

/* How often capitals, small letters and digits take turns: random values do
 * so at every second character, words that somebody wrote seldom. */
static size_t turns(struct gs_str text)
{
	size_t n = 0;
	for (size_t i = 1; i < text.n; i++) {
		int a = class_of(text.p[i - 1]), b = class_of(text.p[i]);
		n += a && b && a != b;
	}
	return n;
}

static bool is_placeholder(struct gs_str value)
{
	for (size_t i = 0; i < GS_COUNT(placeholders); i++)
		if (holds(value, placeholders[i]))
			return true;
	return false;
}

static size_t span(struct gs_str text, const char *alphabet)
{
	size_t n = 0;
	while (n < text.n && text.p[n] && strchr(alphabet, text.p[n]))
		n++;
	return n;
}

static bool starts_word(struct gs_str line, size_t at)
{
	return at == 0 || !strchr(ALNUM "_-", line.p[at - 1]);
}

/* A token of a known form. Real ones are random; a documented one repeats
 * itself or says that it is an example. */
static bool token_at(struct gs_str line, size_t at, struct secret *ret)
{
	struct gs_str rest = gs_str_from(line, at);
	for (size_t i = 0; i < GS_COUNT(forms); i++) {
		if (!gs_str_starts(rest, forms[i].prefix))
			continue;
		size_t head = strlen(forms[i].prefix);
		struct gs_str tail = gs_str_from(rest, head);
		size_t n = span(tail, forms[i].alphabet);
		if (n < forms[i].least || n > forms[i].most)
			continue;
		tail = gs_str_sub(tail, 0, n);
		if (spread(tail) < 7 || is_placeholder(tail))
			continue;
		ret->what = forms[i].what;
		ret->is_certain = true;
		ret->value = gs_str_sub(rest, 0, head + n);
		return true;
	}
	return false;
}

/* "-----BEGIN … PRIVATE KEY-----" with a body; a lone marker is the code of
 * a parser. */
static bool key_at(struct gs_str line, struct gs_str below, struct secret *ret)
{
	ptrdiff_t begin = gs_str_find(line, GS_STR("-----BEGIN "));
	if (begin < 0)
		return false;
	struct gs_str rest = gs_str_from(line, (size_t)begin);
	ptrdiff_t end = gs_str_find(rest, GS_STR("PRIVATE KEY-----"));
	if (end < 0)
		return false;
	/* The body begins on this line (as an escape) or on the next. */
	struct gs_str body =
	    gs_str_from(rest, (size_t)end + strlen("PRIVATE KEY-----"));
	if (gs_str_starts(body, "\\n"))
		body = gs_str_from(body, 2);
	if (span(body, ALNUM "+/=") < 40) {
		struct gs_str next = {0};
		(void)gs_str_cut(&below, '\n', &next);
		body = gs_str_trim(next);
		while (body.n > 0 && strchr("\"'", body.p[0]))
			body = gs_str_from(body, 1);
	}
	if (span(body, ALNUM "+/=") < 40)
		return false;
	ret->what = "a private key";
	ret->is_certain = true;
	ret->value = gs_str_sub(rest, 0, (size_t)end);
	return true;
}

/* https://user:password@host, where the password is no example. */
static bool url_at(struct gs_str line, size_t at, struct secret *ret)
{
	struct gs_str rest = gs_str_from(line, at);
	if (!gs_str_starts(rest, "://"))
		return false;
	rest = gs_str_from(rest, 3);
	size_t user = span(rest, ALNUM "._-");
	if (user == 0 || user >= rest.n || rest.p[user] != ':')
		return false;
	struct gs_str password = gs_str_from(rest, user + 1);
	size_t n = span(password, ALNUM "._-!$&*+,;=~");
	if (n < 12 || n >= password.n || password.p[n] != '@')
		return false;
	password = gs_str_sub(password, 0, n);
	if (is_placeholder(password) || turns(password) * 4 < n)
		return false;
	ret->what = "a password in a URL";
	ret->is_certain = false;
	ret->value = password;
	return true;
}

static bool is_random(struct gs_str value)
{
	if (value.n < LEAST_RANDOM || is_placeholder(value))
		return false;
	return spread(value) >= 8 && turns(value) * 4 >= value.n;
}

/* A name, = or :, and a long random value in quotes. */
static bool assignment_at(struct gs_str line, size_t at, struct secret *ret)
{
	for (size_t i = 0; i < GS_COUNT(names); i++) {
		size_t n = strlen(names[i]);
		struct gs_str rest = gs_str_from(line, at);
		if (rest.n < n ||
		    !gs_str_ieq(gs_str_sub(rest, 0, n), gs_str(names[i])))
			continue;
		rest = gs_str_from(rest, n);
		size_t gap = span(rest, "\"'] \t:=");
		struct gs_str sign = gs_str_sub(rest, 0, gap);
		if (gap < 2 || (gs_str_find_char(sign, '=') < 0 &&
		                   gs_str_find_char(sign, ':') < 0))
			continue;
		char quote = rest.p[gap - 1];
		if (quote != '"' && quote != '\'')
			continue;
		rest = gs_str_from(rest, gap);
		size_t length = span(rest, ALNUM "+/=_-.");
		if (length >= rest.n || rest.p[length] != quote ||
		    !is_random(gs_str_sub(rest, 0, length)))
			continue;
		ret->what = "a long random value";
		ret->is_certain = false;
		ret->value = gs_str_sub(rest, 0, length);
		return true;
	}
	return false;
}

static bool in_line(struct gs_str line, struct gs_str below, struct secret *ret)
{
	if (key_at(line, below, ret))
		return true;
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] == ':' && url_at(line, i, ret))
			return true;
		if (!strchr(ALNUM, line.p[i]))
			continue;
		if (starts_word(line, i) && token_at(line, i, ret))
			return true;
		bool part = i == 0 || !strchr(ALNUM, line.p[i - 1]);
		if (part && assignment_at(line, i, ret))
			return true;
	}
	return false;
}

bool secret_next(struct gs_str *rest, size_t *line, struct secret *ret)
{
	struct gs_str text;
	while (gs_str_cut(rest, '\n', &text)) {
		size_t here = (*line)++;
		if (text.n < LEAST_RANDOM || !in_line(text, *rest, ret))
			continue;
		ret->line = here;
		return true;
	}
	return false;
}
