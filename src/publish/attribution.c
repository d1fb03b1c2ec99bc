/* SPDX-License-Identifier: Apache-2.0 */
/* ATTRIBUTION.md: credit for each project, with its licence texts and the
 * holders that they name. */
#include <string.h>

#include "publish/escape.h"
#include "publish/texts.h"

/* The texts of one project; rows are sorted by repo. */
static void project_texts(const struct licences *licences, size_t from,
    size_t to, struct gs_strv *files, struct gs_strv *holders)
{
	for (size_t i = from; i < to; i++) {
		const struct licence_text *text = licences->rows.v[i].text;
		gs_strv_push(files, text->name);
		for (size_t k = 0; k < text->holders.n; k++)
			gs_strv_push(holders, text->holders.v[k]);
	}
	gs_strv_sort(files);
	gs_strv_uniq(files);
	gs_strv_sort(holders);
	gs_strv_uniq(holders);
}

static void write_project(const struct project_facts *project,
    const struct gs_strv *files, const struct gs_strv *holders,
    struct gs_buf *out)
{
	gs_buf_addz(out, "\n## ");
	escape_link(out, gs_str(project->repo), gs_str(project->url));
	gs_buf_addz(out, "\n\n");
	add_count(out, project->records, "record");
	gs_buf_addz(out, ", under ");
	for (size_t i = 0; i < project->licences.n; i++) {
		gs_buf_addz(out, i ? ", " : "");
		escape_markdown(out, gs_str(project->licences.v[i]));
	}
	gs_buf_addz(out, ". Licence text");
	gs_buf_addz(out, files->n == 1 ? ":" : "s:");
	for (size_t i = 0; i < files->n; i++) {
		gs_buf_addz(out, i ? ", [" : " [");
		escape_markdown(out, gs_str(files->v[i]));
		gs_buf_addf(out, "](licenses/%s)", files->v[i]);
	}
	gs_buf_addz(out, ".\n");
	if (holders->n > 0)
		gs_buf_addc(out, '\n');
	for (size_t i = 0; i < holders->n; i++) {
		gs_buf_addz(out, "- ");
		escape_markdown(out, gs_str(holders->v[i]));
		gs_buf_addc(out, '\n');
	}
}

void write_attribution(const struct release *release, struct gs_buf *out)
{
	const struct facts *facts = release->facts;
	const struct licences *licences = release->licences;
	gs_buf_addz(out,
	    "# Attribution\n\n"
	    "The code, the fixes and the commit messages in this release were "
	    "written by the\ncontributors of the projects below, and stay under "
	    "their licences. The texts ship in\n`licenses/` as they stood at "
	    "the commits cited. Copyright lines are taken from those\ntexts, "
	    "e-mail addresses left out.\n");
	if (facts->projects.n == 0)
		gs_buf_addz(out, "\nThis release holds no records.\n");
	size_t row = 0;
	for (size_t i = 0; i < facts->projects.n; i++) {
		const struct project_facts *project = &facts->projects.v[i];
		GS_CLEANUP(gs_strv_release) struct gs_strv files = {0};
		GS_CLEANUP(gs_strv_release) struct gs_strv holders = {0};
		size_t end = row;
		while (end < licences->rows.n &&
		       strcmp(licences->rows.v[end].repo, project->repo) == 0)
			end++;
		project_texts(licences, row, end, &files, &holders);
		write_project(project, &files, &holders, out);
		row = end;
	}
}
