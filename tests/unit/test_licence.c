/* SPDX-License-Identifier: Apache-2.0 */
/* Every text of licences/ (made from the SPDX texts, none from a project):
 * what it is, and, where it must not be taken, why. */
#include <stdio.h>
#include <string.h>

#include "gs_test.h"
#include "licence/licence.h"

/* clang-format off */
static const struct text {
	const char *file, *id;
	const char *problem; /* in it, when there must be one; "" for none */
} texts[] = {
    {"mit.txt", "MIT", ""},
    {"mit-holders.txt", "MIT", ""},
    {"mit-crlf-bom.txt", "MIT", ""},
    {"mit-latin1.txt", "MIT", ""},
    {"mit-cp1252.txt", "MIT", ""},
    {"mit-utf16le.txt", "MIT", ""},
    {"mit-utf16be.txt", "MIT", ""},
    {"mit-comment.txt", "MIT", ""},
    {"mit-cstyle.txt", "MIT", ""},
    {"mit-markdown.md", "MIT", ""},
    {"mit-rst.rst", "MIT", ""},
    {"mit-html.html", "MIT", ""},
    {"mit-one-line.txt", "MIT", ""},
    {"mit-next-paragraph.txt", "MIT", ""},
    {"mit-typo.txt", "MIT", ""},
    {"mit-authors.txt", "MIT", ""},
    {"mit-credits.txt", "MIT", ""},
    {"mit-first-name.txt", "MIT", ""},
    {"mit-first-verb.txt", "MIT", "adds"},
    {"mit-sentence.txt", "MIT", ""},
    {"mit-front.txt", "MIT", ""},
    {"mit-noncommercial.txt", "MIT", "adds"},
    {"mit-evil.txt", "JSON", ""},
    {"mit-evil-short.txt", "JSON", ""},
    {"mit-copyright-trick.txt", "MIT", "adds"},
    {"mit-research.txt", "MIT", "lacks"},
    {"mit-commons-clause.txt", "", "holds"},
    {"mit-and-gpl.txt", "", "several"},
    {"mit-0.txt", "MIT-0", ""},
    {"mit-title-gpl.txt", "MIT", "adds"},
    {"mit-title-bsd.txt", "MIT", "title"},
    {"mit-x11.txt", "X11", ""},
    {"mit-half.txt", "", "The text"},
    {"bsd2.txt", "BSD-2-Clause", ""},
    {"bsd2-corp.txt", "BSD-2-Clause", ""},
    {"bsd2-author.txt", "BSD-2-Clause", ""},
    {"bsd2-netbsd.txt", "BSD-2-Clause", ""},
    {"bsd2-views.txt", "BSD-2-Clause-Views", ""},
    {"bsd2-patent.txt", "BSD-2-Clause-Patent", ""},
    {"bsd3.txt", "BSD-3-Clause", ""},
    {"bsd3-regents.txt", "BSD-3-Clause", ""},
    {"bsd3-org.rst", "BSD-3-Clause", ""},
    {"bsd3-front.txt", "BSD-3-Clause", ""},
    {"bsd3-mozilla.txt", "BSD-3-Clause", ""},
    {"bsd3-names.txt", "BSD-3-Clause", ""},
    {"bsd3-author.txt", "BSD-3-Clause", ""},
    {"bsd3-letters.txt", "BSD-3-Clause", ""},
    {"bsd3-credit.txt", "BSD-3-Clause", ""},
    {"bsd3-credit-behind.txt", "BSD-3-Clause", ""},
    {"bsd3-credit-licence.txt", "", "The text"},
    {"mit-notice-words.txt", "MIT", ""},
    {"mit-reproduced.txt", "MIT", ""},
    {"bsd4.txt", "BSD-4-Clause", ""},
    {"bsd4-uc.txt", "BSD-4-Clause-UC", ""},
    {"bsd3-clear.txt", "BSD-3-Clause-Clear", ""},
    {"bsd-3-clause-no-nuclear-license.txt", "BSD-3-Clause-No-Nuclear-License", ""},
    {"bsd-3-clause-no-nuclear-warranty.txt", "BSD-3-Clause-No-Nuclear-Warranty", ""},
    {"bsd-3-clause-no-military-license.txt", "BSD-3-Clause-No-Military-License", ""},
    {"bsd-3-clause-lbnl.txt", "BSD-3-Clause-LBNL", ""},
    {"bsd-3-clause-attribution.txt", "BSD-3-Clause-Attribution", ""},
    {"bsd-source-code.txt", "BSD-Source-Code", ""},
    {"bsd-1-clause.txt", "BSD-1-Clause", ""},
    {"ecl-2.0.txt", "ECL-2.0", ""},
    {"pixar.txt", "Pixar", ""},
    {"cc0-1.0.txt", "CC0-1.0", ""},
    {"gpl-3.0-only.txt", "GPL-3.0-only", ""},
    {"lgpl-2.1-only.txt", "LGPL-2.1-only", ""},
    {"mpl-2.0.txt", "MPL-2.0", ""},
    {"python-2.0.txt", "Python-2.0", ""},
    {"mit-cmu.txt", "MIT-CMU", ""},
    {"ncsa.txt", "NCSA", ""},
    {"wtfpl.txt", "WTFPL", ""},
    {"beerware.txt", "Beerware", ""},
    {"postgresql.txt", "PostgreSQL", ""},
    {"apache-1.1.txt", "Apache-1.1", ""},
    {"bsd3-no-disclaimer.txt", "", "The text"},
    {"apache.txt", "Apache-2.0", ""},
    {"apache-filled.txt", "Apache-2.0", ""},
    {"apache-short.txt", "Apache-2.0", ""},
    {"apache-shorter.txt", "Apache-2.0", ""},
    {"apache-notice.txt", "Apache-2.0", ""},
    {"apache-notice-first.txt", "Apache-2.0", ""},
    {"apache-notice-only.txt", "", "The text"},
    {"apache-llvm.txt", "Apache-2.0", "adds"},
    {"isc.txt", "ISC", ""},
    {"isc-old.txt", "ISC", ""},
    {"isc-spdx.txt", "ISC", ""},
    {"isc-no-fee.txt", "ISC", "lacks"},
    {"0bsd.txt", "0BSD", ""},
    {"zlib.txt", "Zlib", ""},
    {"unlicense.txt", "Unlicense", ""},
    {"psf.txt", "PSF-2.0", ""},
    {"psf-section.txt", "PSF-2.0", ""},
    {"psf-341.txt", "PSF-2.0", ""},
    {"pointer-dual.txt", "", "where"},
    {"pointer-see.txt", "", "where"},
    {"pointer-gpl.txt", "", "The text"},
    {"spdx-head.txt", "", "where"},
    {"prose.txt", "", "The text"},
    {"nul.txt", "", "The text"},
};

/* clang-format on */

static char buffer[1 << 18];

static struct gs_str read_text(const char *file)
{
	char path[200];
	(void)snprintf(path, sizeof(path), "licences/%s", file);
	FILE *in = fopen(path, "rb");
	ck_assert_msg(in != NULL, "%s is missing", path);
	size_t n = fread(buffer, 1, sizeof(buffer), in);
	fclose(in);
	return gs_str_n(buffer, n);
}

/* L2, L3, F033, F035, F036, F044 */
START_TEST(text_is_what_it_is)
	{
		const struct text *row = &texts[_i];
		struct gs_licence found;
		gs_licence_identify(read_text(row->file), &found);
		ck_assert_msg(strcmp(found.id, row->id) == 0,
		    "%s: %s not %s (%s)", row->file, found.id, row->id,
		    found.problem);
		if (row->problem[0] == '\0')
			ck_assert_msg(found.problem[0] == '\0', "%s: %s",
			    row->file, found.problem);
		else
			ck_assert_msg(
			    strstr(found.problem, row->problem) != NULL,
			    "%s: %s", row->file, found.problem);
		if (row->id[0] != '\0' && row->problem[0] == '\0')
			ck_assert_double_ge(found.score, 0.95);
	}

END_TEST

/* One condition after an accepted text, however it is put (L3). */
static const char *const conditions[] = {
    "You may not use this software for commercial purposes.",
    "For non-commercial use only.",
    "Non commercial use only!",
    "Free for personal use",
    "THIS SOFTWARE IS FOR EVALUATION ONLY",
    "Not for military use",
    "Anyone who uses this must buy the author a beer.",
    "The names of all users shall be sent to the author.",
    "Except for the files under lib which are GPLv2.",
    "Portions of this software are under the GNU GPL version 3",
    "Some files are under a different license, see their headers.",
    "Commons Clause",
    "Licensor grants no right to sell",
    "Academic use requires citation of our paper.",
    "It is forbidden to train models with this code.",
    "The licence of the icons is CC-BY-SA 4.0",
    "Redistribution is prohibited.",
    "However, companies pay a fee of 100 euros a year.",
    "Distribution of modified versions requires permission.",
    "Attribution in the about box is required.",
    "The icons are licensed separately",
    "Parts of this software are by Foo Inc and may be used with permission.",
    "It contains code of Foo which is licensed otherwise.",
};

static const char *const bases[] = {"mit.txt", "bsd2.txt", "bsd3.txt",
    "isc.txt", "apache.txt", "apache-short.txt", "psf.txt"};

START_TEST(condition_is_never_passed_over)
	{
		for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++) {
			struct gs_str text = read_text(bases[i]);
			char *all = malloc(2 * sizeof(buffer));
			struct gs_licence found;
			for (int place = 0; place < 3; place++) {
				const char *extra = conditions[_i];
				const char *middle =
				    place == 1
				        ? strstr(buffer, "\n\n") + 2
				        : buffer + (place == 2 ? text.n : 0);
				size_t before = (size_t)(middle - buffer);
				int n = snprintf(all, 2 * sizeof(buffer),
				    "%.*s\n\n%s\n\n%.*s", (int)before, buffer,
				    extra, (int)(text.n - before), middle);
				gs_licence_identify(
				    gs_str_n(all, (size_t)n), &found);
				ck_assert_msg(found.problem[0] != '\0' ||
				                  strcmp(found.id, "JSON") == 0,
				    "%s is %s with: %s (place %d)", bases[i],
				    found.id, extra, place);
			}
			free(all);
		}
	}

END_TEST

/* L1, F043 */
static const struct name {
	const char *name;
	bool is_licence;
} names[] = {
    {"LICENSE", true},
    {"LICENCE", true},
    {"COPYING", true},
    {"UNLICENSE", true},
    {"license", true},
    {"LICENSE.txt", true},
    {"LICENCE.txt", true},
    {"License.TXT", true},
    {"license.rst", true},
    {"COPYING.md", true},
    {"COPYING.LESSER", true},
    {"COPYING3", true},
    {"COPYINGv2", true},
    {"LICENSE-MIT", true},
    {"LICENSE_APACHE", true},
    {"LICENSE.APACHE2", true},
    {"LICENSE-HEADER", true},
    {"LICENSES.txt", true},
    {"LICENSE (MIT).txt", true},
    {"UNLICENSE.md", true},
    {"license.py", false},
    {"licence.pyi", false},
    {"licenses.json", false},
    {"license.json", false},
    {"LICENSE.js", false},
    {"license-check.sh", false},
    {"license.svg", false},
    {"licensing.md", false},
    {"licensed.txt", false},
    {"copyings", true},
    {"copyright", false},
    {"MIT-LICENSE.txt", false},
    {"NOTICE", false},
    {"README.md", false},
    {"", false},
    {"LICENS", false},
};

START_TEST(name_of_a_licence_file)
	{
		ck_assert_msg(gs_licence_is_file_name(gs_str(names[_i].name)) ==
		                  names[_i].is_licence,
		    "%s", names[_i].name);
	}

END_TEST

START_TEST(name_of_the_reuse_folder)
	{
		ck_assert(gs_licence_is_folder_name(GS_STR("LICENSES")));
		ck_assert(!gs_licence_is_folder_name(GS_STR("licenses")));
		ck_assert(!gs_licence_is_folder_name(GS_STR("LICENSE")));
	}

END_TEST

GS_TESTS(licence, GS_TEST_ROWS(text_is_what_it_is, texts),
    GS_TEST_ROWS(condition_is_never_passed_over, conditions),
    GS_TEST_ROWS(name_of_a_licence_file, names),
    GS_TEST(name_of_the_reuse_folder))
