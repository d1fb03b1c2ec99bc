/* SPDX-License-Identifier: Apache-2.0 */
#include "site/chart.h"

#define WIDTH 600
#define HEIGHT 200
#define LABEL 24
#define ROW 28
/* What has room beside a row; the table has all of it. */
#define LABEL_BYTES 30

static int64_t most(const struct chart *chart)
{
	int64_t ret = 1;
	for (size_t i = 0; i < chart->n; i++)
		if (chart->bars[i].value > ret)
			ret = chart->bars[i].value;
	return ret;
}

static int64_t sum(const struct chart *chart)
{
	int64_t ret = 0;
	for (size_t i = 0; i < chart->n; i++)
		ret += chart->bars[i].value;
	return ret;
}

static void number(struct html *html, struct markup name, double value)
{
	RAW(html, " ");
	html_raw(html, name);
	PUT(html, "=\"%\"", Z(number_plain(value, 1).text));
}

static void rect(
    struct html *html, double x, double y, double width, double height)
{
	RAW(html, "<rect class=\"bar\"");
	number(html, HTML("x"), x);
	number(html, HTML("y"), y);
	number(html, HTML("width"), width);
	number(html, HTML("height"), height);
	RAW(html, "/>");
}

static void label(struct html *html, double x, double y, struct markup class,
    struct gs_str text)
{
	RAW(html, "<text class=\"");
	html_raw(html, class);
	RAW(html, "\"");
	number(html, HTML("x"), x);
	number(html, HTML("y"), y);
	RAW(html, ">");
	html_clipped(html, text, LABEL_BYTES);
	RAW(html, "</text>\n");
}

static void begin(struct html *html, const struct chart *chart,
    struct markup class, int height)
{
	PUT(html,
	    "<figure class=\"chart\"><figcaption>%</figcaption>"
	    "<div class=\"both\"><svg role=\"img\" class=\"",
	    Z(chart->title));
	html_raw(html, class);
	RAW(html, "\" viewBox=\"0 0 ");
	gs_buf_addf(&html->buf, "%d %d\" aria-label=\"", WIDTH, height);
	PUT(html, "%; the numbers are in the table beside it\">\n",
	    Z(chart->title));
}

static void table(struct html *html, const struct chart *chart)
{
	int64_t all = chart->total ? chart->total : sum(chart);
	PUT(html,
	    "</svg>\n<div class=\"scroll tall\" role=\"region\" tabindex=\"0\" "
	    "aria-label=\"%\"><table class=\"small\"><thead><tr>"
	    "<th scope=\"col\">%</th><th scope=\"col\" class=\"num\">%</th>"
	    "<th scope=\"col\" class=\"num\">Share</th></tr></thead><tbody>\n",
	    Z(chart->title), Z(chart->what), Z(chart->counts));
	for (size_t i = 0; i < chart->n; i++) {
		const struct bar *bar = &chart->bars[i];
		RAW(html, "<tr><th scope=\"row\">");
		if (bar->link)
			PUT(html, "<a href=\"%\">%</a>", Z(bar->link),
			    Z(bar->label));
		else
			html_text(html, Z(bar->label));
		double share = all > 0 ? (double)bar->value / (double)all : 0;
		PUT(html,
		    "</th><td class=\"num\">%</td><td class=\"num\">%</td>"
		    "</tr>\n",
		    N(bar->value), Z(number_share(share, 1).text));
	}
	RAW(html, "</tbody></table></div></div></figure>\n");
}

/* Labels under the bars, as many as there is room for. */
static void put_labels(
    struct html *html, const struct chart *chart, double step)
{
	size_t every = 1;
	while ((double)every * step < 56)
		every++;
	for (size_t i = 0; i < chart->n; i += every)
		label(html, ((double)i + 0.5) * step, HEIGHT + 18, HTML("mid"),
		    Z(chart->bars[i].label));
}

void chart_columns(struct html *html, const struct chart *chart)
{
	double top = (double)most(chart);
	double step = chart->n > 0 ? (double)WIDTH / (double)chart->n : WIDTH;
	double width = step > 80 ? 60 : step * 0.78;
	begin(html, chart, HTML("columns"), HEIGHT + LABEL);
	for (size_t i = 0; i < chart->n; i++) {
		double height =
		    (HEIGHT - 20) * (double)chart->bars[i].value / top;
		double x = (double)i * step + (step - width) / 2;
		if (chart->bars[i].value > 0 && height < 1)
			height = 1;
		rect(html, x, HEIGHT - height, width, height);
		if (step > 30 && chart->bars[i].value > 0)
			label(html, ((double)i + 0.5) * step,
			    HEIGHT - height - 5, HTML("mid value"),
			    N(chart->bars[i].value));
	}
	RAW(html, "<path class=\"axis\" d=\"M0 200.5H600\"/>\n");
	put_labels(html, chart, step);
	table(html, chart);
}

void chart_rows(struct html *html, const struct chart *chart)
{
	double top = (double)most(chart);
	begin(html, chart, HTML("rows"), ROW * (int)chart->n + 2);
	for (size_t i = 0; i < chart->n; i++) {
		double width = 290 * (double)chart->bars[i].value / top;
		double y = ROW * (double)i;
		rect(html, 250, y + 5, width < 1 ? 1 : width, ROW - 10);
		RAW(html, "<svg x=\"0\" width=\"240\" height=\"");
		html_text(html, Z(number_plain(y + ROW, 0).text));
		RAW(html, "\">");
		label(html, 240, y + 19, HTML("end"), Z(chart->bars[i].label));
		RAW(html, "</svg>");
		label(html, 256 + width, y + 19, HTML("value"),
		    N(chart->bars[i].value));
	}
	table(html, chart);
}

void chart_funnel(struct html *html, const struct chart *chart)
{
	double top = (double)most(chart);
	int row = 46;
	begin(html, chart, HTML("funnel"), row * (int)chart->n + 2);
	for (size_t i = 0; i < chart->n; i++) {
		double width = 300 * (double)chart->bars[i].value / top;
		double y = row * (double)i;
		if (width < 2)
			width = 2;
		rect(html, 240 + (300 - width) / 2, y + 6, width, 34);
		label(html, 220, y + 28, HTML("end"), Z(chart->bars[i].label));
		label(html, 390 + width / 2 + 8, y + 28, HTML("value"),
		    N(chart->bars[i].value));
	}
	table(html, chart);
}
