/* SPDX-License-Identifier: Apache-2.0 */
#include "model/shard.h"

#include "base/hash.h"

/* Digits alone: what is left after them begins at *text. */
static bool take_number(struct gs_str *text, uint32_t *ret)
{
	uint32_t number = 0;
	size_t i = 0;
	for (; i < text->n && text->p[i] >= '0' && text->p[i] <= '9'; i++) {
		number = number * 10 + (uint32_t)(text->p[i] - '0');
		if (number > GS_SHARDS_MAX)
			return false;
	}
	*text = gs_str_from(*text, i);
	*ret = number;
	return i > 0;
}

int gs_shard_parse(const char *text, struct gs_shard *ret, struct gs_err *err)
{
	struct gs_str rest = gs_str(text);
	struct gs_shard shard = {0};
	bool is_sound =
	    take_number(&rest, &shard.at) && rest.n > 0 && rest.p[0] == '/';
	if (is_sound)
		rest = gs_str_from(rest, 1);
	if (!is_sound || !take_number(&rest, &shard.n) || rest.n > 0 ||
	    shard.n == 0)
		return gs_fail(err, GS_E_USAGE,
		    "--shard takes I/N such as 0/4, with N from 1 to %d, not "
		    "\"%.40s\"",
		    GS_SHARDS_MAX, text);
	if (shard.at >= shard.n)
		return gs_fail(err, GS_E_USAGE,
		    "there is no shard %s: shards are counted from 0, so the "
		    "last of %u is %u/%u",
		    text, shard.n, shard.n - 1, shard.n);
	*ret = shard;
	return 0;
}

uint32_t gs_shard_of(struct gs_str project, uint32_t n)
{
	unsigned char hash[GS_SHA256_SIZE];
	struct gs_sha256 sha;
	uint64_t number = 0;

	if (n < 2)
		return 0;
	gs_sha256_init(&sha);
	gs_sha256_add(&sha, project);
	gs_sha256_end(&sha, hash);
	for (size_t i = 0; i < sizeof(number); i++)
		number = number << 8 | hash[i];
	return (uint32_t)(number % n);
}

bool gs_shard_has(const struct gs_shard *shard, const char *project)
{
	return gs_shard_of(gs_str(project), shard->n) == shard->at;
}
