/* SPDX-License-Identifier: Apache-2.0 */
#include "licence/phrases.h"

#include <string.h>

#include "base/attr.h"
#include "base/vec.h"

/* A star at the end stands for any ending. */
static const char *const operative[] = {"acknowledg*", "advertis*", "agpl*",
    "agree", "agreed", "agrees", "ai", "allow*", "also", "alternat*",
    "attribut*", "beer", "both", "bundle*", "busl", "but", "buy", "cannot",
    "cc", "differ*", "cc0", "cddl*", "cecill*", "commerc*", "commons",
    "component*", "condition*", "confidential*", "copyleft", "creative",
    "derivative*", "derived", "disclaim*", "distribute", "distribution*",
    "dont", "dual*", "eclipse", "educat*", "either", "endorse*", "epl*",
    "eupl*", "evaluat*", "evil", "except*", "export*", "fee", "fees", "forbid*",
    "free", "gnu", "good", "gpl*", "grant*", "harm*", "however", "indemn*",
    "internal*", "lgpl*", "liab*", "licensor*", "links", "linking", "machine",
    "may", "militar*", "modif*", "mozilla", "mpl*", "must", "never", "no",
    "non", "noncommercial*", "nonprofit", "not", "notif*", "nuclear", "only",
    "or", "parts", "patent*", "pay*", "paid", "permi*", "personal*", "portion*",
    "private", "prohibit*", "promot*", "proprietary", "provided", "purchase*",
    "redistribut*", "research*", "restrict*", "requir*", "revok*", "royalt*",
    "sale*", "sell*", "separat*", "shall", "should", "sspl*", "sublicens*",
    "terminat*", "third", "trademark*", "train*", "trial*", "unless", "use",
    "used", "user*", "uses", "using", "vendor*", "warrant*", "weapon*", "will",
    "with", "without", "academic*", "wtfpl"};

static const char *const neutral[] = {"a", "above", "agreement", "all", "an",
    "and", "apache", "are", "as", "author", "authors", "below", "bsd", "by",
    "clause", "clauses", "code", "community", "complete", "contributor",
    "contributors", "copyright", "current", "details", "developers",
    "distributed", "email", "et", "al", "expat", "file", "following", "follows",
    "for", "found", "foundation", "from", "full", "github", "git", "here",
    "holder", "holders", "in", "information", "is", "isc", "january", "library",
    "license", "licensed", "licenses", "list", "lists", "maintained",
    "maintainer", "maintainers", "member", "members", "mit", "module", "more",
    "new", "notice", "of", "on", "org", "original", "others", "our", "package",
    "present", "program", "project", "psf", "python", "released", "reserved",
    "respective", "revised", "rights", "see", "simplified", "software", "some",
    "source", "spdx", "identifier", "style", "team", "terms", "text", "the",
    "these", "this", "three", "to", "two", "under", "unlicense", "version",
    "which", "work", "x11", "years", "zlib", "de", "van", "von", "der", "den",
    "la", "da", "di", "del", "e", "f", "s", "yyyy", "year", "name", "owner",
    "fullname", "txt", "rst", "md", "0bsd", "http", "https", "modified",
    "written", "created", "started", "initial", "previous", "past",
    "reproduced", "contributions", "com", "net", "at", "dot", "its", "was"};

/* Operative elsewhere, but not where a notice or an acknowledgment says who
 * wrote what ("uses parts of ... written by ..."). */
static const char *const credit[] = {"adapted", "adapts", "based", "borrowed",
    "contains", "derived", "implementation", "include", "includes", "inspired",
    "limited", "modification", "modifications", "or", "part", "parts",
    "portion", "portions", "taken", "thanks", "uses", "with"};

static const struct family_word {
	const char *word;
	unsigned family;
} families[] = {
    {"mit", FAMILY_MIT},
    {"expat", FAMILY_MIT},
    {"x11", FAMILY_MIT},
    {"apache", FAMILY_APACHE},
    {"asl", FAMILY_APACHE},
    {"bsd", FAMILY_BSD},
    {"isc", FAMILY_ISC},
    {"iscl", FAMILY_ISC},
    {"psf", FAMILY_PSF},
    {"0bsd", FAMILY_0BSD},
    {"zlib", FAMILY_ZLIB},
    {"unlicense", FAMILY_UNLICENSE},
};

/* At most GAP words for each star; "holder" is the slot when it is filled.
 * First match wins, so the longer pattern comes first. */
#define GAP 60

#define NO_ENDORSING                                                           \
	"neither the name of holder nor the names of its contributors may be " \
	"used to endorse or promote"

static const struct rewrite {
	const char *from, *to;
} rewrites[] = {
    {"licence", "license"},
    {"licences", "licenses"},
    {"licenced", "licensed"},
    {"sublicence", "sublicense"},
    {"sub license", "sublicense"},
    {"organisation", "organization"},
    {"organisations", "organizations"},
    {"acknowledgement", "acknowledgment"},
    {"merchantibility", "merchantability"},
    {"non infringement", "noninfringement"},
    {"noninfringment", "noninfringement"},
    {"noninfringing", "noninfringement"},
    {"non commercial", "noncommercial"},
    {"world wide", "worldwide"},
    {"non exclusive", "nonexclusive"},
    {"copyright owners", "copyright holder"},
    {"copyright owner", "copyright holder"},
    {"copyright holders", "copyright holder"},
    {"quot", ""},
    /* who holds it, and how it comes: no further conditions */
    {"mozilla foundation", "foundation"},
    {"mozilla corporation", "foundation"},
    {"is distributed with the", "is released under the"},
    {"is distributed under the", "is released under the"},
    {"including the next paragraph", ""},
    {"end of terms and conditions", ""},
    /* BSD: slots and well-known wordings of the same clauses */
    {"redistribution and use in source and binary forms of the software as "
     "well as documentation with or without modification",
        "redistribution and use in source and binary forms with or without "
        "modification"},
    {"provided by * as is and", "provided by holder as is and"},
    {"this software and documentation is provided by holder",
        "this software is provided by holder"},
    {"in no event shall * be liable", "in no event shall holder be liable"},
    {"in no event will * be liable", "in no event shall holder be liable"},
    {"use of this software and documentation even",
        "use of this software even"},
    {"neither the name * nor the names * may be used to endorse or promote",
        NO_ENDORSING},
    {"neither * nor the names * may be used to endorse or promote",
        NO_ENDORSING},
    {"neither the name * may be used to endorse or promote", NO_ENDORSING},
    {"neither the names * may be used to endorse or promote", NO_ENDORSING},
    {"the name * may not be used to endorse or promote", NO_ENDORSING},
    {"the names * may not be used to endorse or promote", NO_ENDORSING},
    {"as is and * disclaims all warranties with",
        "as is and holder disclaims all warranties with"},
    {"as is and * disclaim all warranties with",
        "as is and holder disclaims all warranties with"},
    /* ISC before 2007 and after, the same grant */
    {"to use copy modify and distribute this software for any purpose with "
     "or without fee",
        "to use copy modify and or distribute this software for any purpose "
        "with or without fee"},
    /* PSF: years of the notice, product names */
    {"using python * software in source",
        "using this software python in source"},
    {"notice of copyright * are retained in",
        "notice of copyright are retained in"},
};

/* What each licence must say, in normalised words. */
static const struct must {
	const char *id, *phrases[8];
} musts[] = {
    {"MIT", {"permission is hereby granted free of charge to any person",
                "without restriction including without limitation",
                "and or sell copies of the software",
                "subject to the following conditions",
                "notice shall be included in all copies",
                "without warranty of any kind",
                "in no event shall holder be liable"}},
    {"ISC",
        {"to use copy modify and or distribute this software for any purpose "
         "with or without fee is hereby granted",
            "provided that the above copyright notice and this permission "
            "notice appear in all copies",
            "disclaims all warranties", "in no event shall holder be liable"}},
    {"0BSD",
        {"for any purpose with or without fee is hereby granted the software",
            "disclaims all warranties", "in no event shall holder be liable"}},
    {"BSD-2-Clause",
        {"redistribution and use in source and binary forms with or without",
            "redistributions of source code must retain the above copyright",
            "redistributions in binary form must reproduce the above copyright",
            "in no event shall holder be liable"}},
    {"BSD-3-Clause",
        {"redistribution and use in source and binary forms with or without",
            "redistributions of source code must retain the above copyright",
            "redistributions in binary form must reproduce the above copyright",
            "nor the names of its contributors may be used to endorse",
            "in no event shall holder be liable"}},
    {"Apache-2.0", {"grant of copyright license", "grant of patent license",
                       "redistribution you may reproduce and distribute copies",
                       "submission of contributions", "disclaimer of warranty",
                       "limitation of liability",
                       "accepting warranty or additional liability"}},
    {"PSF-2.0",
        {"psf is making", "available to licensee on an as is basis",
            "nothing in this license agreement shall be deemed to create",
            "agrees to be bound by the terms and conditions"}},
    {"Zlib", {"including commercial applications",
                 "altered source versions must be plainly marked",
                 "this notice may not be removed or altered"}},
    {"Unlicense",
        {"free and unencumbered software released into the public domain",
            "commercial or noncommercial",
            "dedicate any and all copyright interest"}},
};

/* Never in any licence that we accept. */
static const char *const forbidden[] = {"good not evil", "commons clause",
    "noncommercial use", "noncommercial purposes", "for noncommercial",
    "all advertising materials", "mentioning features", "nuclear facility",
    "gnu general public", "gnu lesser general", "gnu affero",
    "gnu library general", "mozilla public license", "creative commons",
    "beopen", "cnri", "stichting mathematisch", "license condition",
    "no express or implied licenses", "military"};

static bool matches(struct gs_str word, const char *pattern)
{
	size_t n = strlen(pattern);
	if (n > 0 && pattern[n - 1] == '*')
		return word.n >= n - 1 && memcmp(word.p, pattern, n - 1) == 0;
	return gs_str_is(word, pattern);
}

static bool among(struct gs_str word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (matches(word, list[i]))
			return true;
	return false;
}

unsigned gs_licence_family_of(struct gs_str id)
{
	static const struct family_word ids[] = {{"MIT", FAMILY_MIT},
	    {"Apache-2.0", FAMILY_APACHE}, {"BSD-2-Clause", FAMILY_BSD2},
	    {"BSD-3-Clause", FAMILY_BSD3}, {"ISC", FAMILY_ISC},
	    {"PSF-2.0", FAMILY_PSF}, {"0BSD", FAMILY_0BSD},
	    {"Zlib", FAMILY_ZLIB}, {"Unlicense", FAMILY_UNLICENSE}};
	for (size_t i = 0; i < GS_COUNT(ids); i++)
		if (gs_str_is(id, ids[i].word))
			return ids[i].family;
	return FAMILY_OTHER;
}

bool gs_word_is_operative(struct gs_str word)
{
	/* A link is judged by what it points to. */
	static const char *const hosts[] = {"creativecommons", "gnu.org",
	    "commonsclause", "license", "licence"};
	if (gs_str_find_char(word, '.') >= 0 &&
	    !gs_str_starts(word, "opensource.org") &&
	    !gs_str_starts(word, "www.opensource.org") &&
	    gs_str_find(word, GS_STR("apache.org/licenses/license-2.0")) < 0)
		for (size_t i = 0; i < GS_COUNT(hosts); i++)
			if (gs_str_contains(word, gs_str(hosts[i])))
				return true;
	return among(word, operative, GS_COUNT(operative));
}

bool gs_word_is_neutral(struct gs_str word)
{
	return among(word, neutral, GS_COUNT(neutral));
}

bool gs_word_is_credit(struct gs_str word)
{
	return among(word, credit, GS_COUNT(credit));
}

unsigned gs_word_family(struct gs_str word)
{
	for (size_t i = 0; i < GS_COUNT(families); i++)
		if (gs_str_is(word, families[i].word))
			return families[i].family;
	return 0;
}

/* A name may stand in a slot, a condition may not. */
static bool fits_slot(const struct gs_word *word)
{
	static const char *const fine[] = {
	    "or", "its", "contributors", "disclaimed"};
	return among(word->s, fine, GS_COUNT(fine)) ||
	       !gs_word_is_operative(word->s);
}

/* How many words of the text the pattern takes from `i` on; 0: none. */
static size_t match_length(
    const struct gs_words *words, size_t i, const char *pattern)
{
	struct gs_str rest = gs_str(pattern), part;
	size_t at = i;
	while (gs_str_cut(&rest, ' ', &part)) {
		if (gs_str_is(part, "*")) {
			/* A star is never last: it runs up to the next words
			 * of the pattern. */
			for (size_t gap = 0; gap <= GAP && at + gap <= words->n;
			     gap++) {
				size_t n =
				    match_length(words, at + gap, rest.p);
				if (n > 0)
					return at + gap + n - i;
				if (at + gap == words->n ||
				    !fits_slot(&words->v[at + gap]))
					break;
			}
			return 0;
		}
		if (at >= words->n || !gs_str_eq(words->v[at].s, part))
			return 0;
		at++;
	}
	return at - i;
}

/* Two letters tell most words apart. */
static bool may_start(struct gs_str word, const char *pattern)
{
	return word.p[0] == pattern[0] &&
	       (word.n == 1 || pattern[1] == word.p[1]);
}

void gs_phrases_rewrite(struct gs_words *words)
{
	struct gs_words out = {.text = words->text,
	    .titles = words->titles,
	    .names = words->names};
	size_t i = 0;
	while (i < words->n) {
		size_t taken = 0, which = 0;
		for (; which < GS_COUNT(rewrites); which++) {
			if (!may_start(words->v[i].s, rewrites[which].from))
				continue;
			taken = match_length(words, i, rewrites[which].from);
			if (taken > 0)
				break;
		}
		if (taken == 0) {
			*GS_VEC_ADD(&out) = words->v[i++];
			continue;
		}
		gs_words_push(&out, rewrites[which].to, &words->v[i]);
		i += taken;
	}
	GS_VEC_FREE(words);
	*words = out;
}

const char *gs_phrases_missing(const char *id, const struct gs_words *words)
{
	for (size_t i = 0; i < GS_COUNT(musts); i++) {
		if (strcmp(musts[i].id, id) != 0)
			continue;
		for (size_t j = 0; j < 8 && musts[i].phrases[j]; j++)
			if (gs_words_find(words, 0, musts[i].phrases[j]) < 0)
				return musts[i].phrases[j];
	}
	return NULL;
}

const char *gs_phrases_forbidden(const struct gs_words *words)
{
	for (size_t i = 0; i < GS_COUNT(forbidden); i++)
		if (gs_words_find(words, 0, forbidden[i]) >= 0)
			return forbidden[i];
	return NULL;
}
