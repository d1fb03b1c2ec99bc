/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search and facets over the index in records.js. What is asked for stands
 * in the fragment of the URL, which also works from file://; the back button
 * goes through it. Text is only ever put in as text.
 */
"use strict";
(() => {
	const PER_PAGE = 100, MANY = 10;
	const data = globalThis.goldset;
	const form = document.getElementById("search");
	const status = document.getElementById("status");
	const list = document.getElementById("list");
	const facetBox = document.getElementById("facets");
	const field = document.getElementById("q"), order = document.getElementById("sort");
	const records = data.records.map((r, i) => ({
		i, id: r[0], subject: r[1], unit: r[2], module: r[3], project: r[4], licence: r[5],
		isFile: r[6], kind: r[7], day: r[8], lines: r[9], tests: r[10],
	}));
	const sizeOf = (n) => n <= 5 ? "1–5" : n <= 20 ? "6–20" : n <= 100 ? "21–100" : "over 100";
	const facets = [
		{ key: "project", title: "Project", of: (r) => data.projects[r.project] },
		{ key: "year", title: "Fixed in", of: (r) => r.day.slice(0, 4), sort: "down" },
		{ key: "granularity", title: "Granularity", of: (r) => r.isFile ? "file" : "function" },
		{ key: "kind", title: "Kind", of: (r) => r.kind },
		{ key: "size", title: "Changed lines", of: (r) => sizeOf(r.lines),
			fixed: ["1–5", "6–20", "21–100", "over 100"] },
		{ key: "licence", title: "Licence", of: (r) => data.licences[r.licence] },
	];
	const orders = {
		new: (a, b) => a.i - b.i,
		old: (a, b) => b.i - a.i,
		small: (a, b) => a.lines - b.lines || a.i - b.i,
		large: (a, b) => b.lines - a.lines || a.i - b.i,
		tests: (a, b) => b.tests - a.tests || a.i - b.i,
		project: (a, b) => a.project - b.project || a.i - b.i,
		best: (a, b) => b.score - a.score || a.i - b.i,
	};

	const search = new globalThis.MiniSearch({
		idField: "i", fields: ["subject", "unit", "module", "repo", "id"], storeFields: [],
		extractField: (r, name) => name === "repo" ? data.projects[r.project] : String(r[name]),
		tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean),
		searchOptions: { prefix: true, combineWith: "AND", boost: { subject: 2, unit: 2 } },
	});
	/* In slices, so that the page answers while 20,000 are read. */
	let isReady = false;
	search.addAllAsync(records, { chunkSize: 500 }).then(() => {
		isReady = true;
		if (state.q) show();
	});

	const element = (name, attributes, ...children) => {
		const ret = document.createElement(name);
		for (const [key, value] of Object.entries(attributes || {}))
			if (value === true) ret.setAttribute(key, "");
			else if (value !== false && value !== null) ret.setAttribute(key, value);
		ret.append(...children);
		return ret;
	};

	/* q, sort, page and a list for each facet. */
	let state;
	const read = () => {
		const params = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
		state = { q: params.get("q") || "", sort: params.get("sort") || "",
			page: Math.max(1, Number.parseInt(params.get("page") || "1", 10) || 1), chosen: {} };
		if (!Object.hasOwn(orders, state.sort)) state.sort = "";
		for (const facet of facets) state.chosen[facet.key] = new Set(params.getAll(facet.key));
	};
	const write = (isStep) => {
		const params = new URLSearchParams();
		if (state.q) params.set("q", state.q);
		if (state.sort) params.set("sort", state.sort);
		for (const facet of facets)
			for (const value of state.chosen[facet.key]) params.append(facet.key, value);
		if (state.page > 1) params.set("page", state.page);
		const hash = "#" + params;
		if (hash === (location.hash || "#")) return;
		if (isStep) history.pushState(null, "", hash);
		else history.replaceState(null, "", hash);
	};

	const matches = () => {
		const q = state.q.trim();
		if (!q) return records;
		if (isReady)
			return search.search(q).map((hit) => {
				const r = records[hit.id];
				r.score = hit.score;
				return r;
			});
		const words = q.toLowerCase().split(/\s+/);
		return records.filter((r) => {
			const text = `${r.id} ${r.subject} ${r.unit} ${r.module} ${data.projects[r.project]}`.toLowerCase();
			r.score = 0;
			return words.every((word) => text.includes(word));
		});
	};
	const passes = (r, but) => facets.every((facet) => facet === but ||
		state.chosen[facet.key].size === 0 || state.chosen[facet.key].has(facet.of(r)));

	/* Counts of a facet are under all others: what one would get. */
	const countsOf = (facet, found) => {
		const counts = new Map();
		for (const value of facet.fixed || []) counts.set(value, 0);
		for (const value of state.chosen[facet.key]) counts.set(value, 0);
		for (const r of found)
			if (passes(r, facet)) {
				const value = facet.of(r);
				counts.set(value, (counts.get(value) || 0) + 1);
			}
		let rows = [...counts];
		if (!facet.fixed)
			rows.sort(facet.sort ? (a, b) => b[0].localeCompare(a[0])
				: (a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
		return rows;
	};
	const opened = new Set();
	const drawFacet = (facet, found) => {
		const rows = countsOf(facet, found);
		const box = element("fieldset", {}, element("legend", {}, facet.title));
		const all = opened.has(facet.key);
		rows.forEach(([value, n], i) => {
			const isChosen = state.chosen[facet.key].has(value);
			if (!all && i >= MANY && !isChosen) return;
			const input = element("input", { type: "checkbox", name: facet.key, value });
			input.checked = isChosen;
			box.append(element("label", { class: n ? null : "none" }, input,
				element("span", {}, value), element("span", { class: "n" }, n.toLocaleString("en"))));
		});
		if (!all && rows.length > MANY) {
			const more = element("button", { type: "button", class: "more", "data-more": facet.key },
				`All ${rows.length.toLocaleString("en")}`);
			box.append(more);
		}
		return box;
	};

	/* Words between backticks are code. */
	const subject = (text) => text.split(/(`+[^`]+`+)/).map((part) => {
		const code = /^(`+)([^`]+)\1$/.exec(part);
		return code ? element("code", {}, code[2]) : part;
	});
	const row = (r) => element("tr", {},
		element("td", { class: "date" }, r.day),
		element("th", { scope: "row" },
			element("a", { href: `record/${r.id}.html` }, ...subject(r.subject || r.unit)),
			element("span", { class: "unit" }, r.unit)),
		element("td", {}, element("a", { href: `project/${data.slugs[r.project]}.html` },
			data.projects[r.project])),
		element("td", {}, r.isFile ? "file" : "function"),
		element("td", { class: "num" }, r.lines.toLocaleString("en")),
		element("td", { class: "num" }, r.tests.toLocaleString("en")));
	const head = () => element("thead", {}, element("tr", {},
		...["Fixed", "Record", "Project", "Granularity"].map((text) => element("th", { scope: "col" }, text)),
		...["Lines", "Tests"].map((text) => element("th", { scope: "col", class: "num" }, text))));
	const pager = (pages) => {
		const step = (text, page) => element("li", {},
			element("button", { type: "button", "data-page": page }, text));
		const items = [];
		if (state.page > 1) items.push(step("First", 1), step("Previous", state.page - 1));
		items.push(element("li", { "aria-current": "page" }, `Page ${state.page} of ${pages}`));
		if (state.page < pages) items.push(step("Next", state.page + 1), step("Last", pages));
		return element("nav", { class: "pager", "aria-label": "Pages of the list" }, element("ul", {}, ...items));
	};

	let shown = [];
	const drawList = () => {
		const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
		state.page = Math.min(state.page, pages);
		const part = shown.slice((state.page - 1) * PER_PAGE, state.page * PER_PAGE);
		const table = element("table", { class: "records" }, head(), element("tbody", {}, ...part.map(row)));
		const parts = [element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Records" }, table)];
		if (part.length === 0) parts[0] = element("p", {}, "Nothing matches. Fewer words or filters may help.");
		if (pages > 1) parts.push(pager(pages));
		list.replaceChildren(...parts);
	};
	const show = () => {
		const found = matches();
		const sort = state.sort || (state.q ? "best" : "new");
		shown = found.filter((r) => passes(r, null)).sort(orders[sort]);
		field.value = field === document.activeElement ? field.value : state.q;
		order.value = sort;
		/* The boxes are made anew: the one that had the focus gets it back. */
		const focused = document.activeElement;
		const key = focused && facetBox.contains(focused) ? [focused.name, focused.value] : null;
		facetBox.replaceChildren(...facets.map((facet) => drawFacet(facet, found)));
		if (key)
			for (const input of facetBox.querySelectorAll("input"))
				if (input.name === key[0] && input.value === key[1]) input.focus();
		drawList();
		status.replaceChildren(`${shown.length.toLocaleString("en")} of ${records.length.toLocaleString("en")} records `,
			element("button", { type: "button", id: "ids" }, "Save the ids"));
	};

	let waiting = 0;
	field.addEventListener("input", () => {
		clearTimeout(waiting);
		waiting = setTimeout(() => {
			const isFirst = !state.q;
			state.q = field.value;
			state.page = 1;
			write(isFirst);
			show();
		}, 80);
	});
	form.addEventListener("submit", (event) => event.preventDefault());
	form.addEventListener("reset", (event) => {
		event.preventDefault();
		field.value = "";
		state = { q: "", sort: "", page: 1, chosen: Object.fromEntries(facets.map((f) => [f.key, new Set()])) };
		write(true);
		show();
		field.focus();
	});
	order.addEventListener("change", () => {
		state.sort = order.value;
		state.page = 1;
		write(true);
		show();
	});
	facetBox.addEventListener("change", (event) => {
		const { name, value, checked } = event.target;
		if (checked) state.chosen[name].add(value);
		else state.chosen[name].delete(value);
		state.page = 1;
		write(true);
		show();
	});
	facetBox.addEventListener("click", (event) => {
		const key = event.target.dataset.more;
		if (!key) return;
		opened.add(key);
		show();
		const next = facetBox.querySelectorAll(`input[name="${key}"]`)[MANY];
		if (next) next.focus();
	});
	list.addEventListener("click", (event) => {
		const page = event.target.dataset.page;
		if (!page) return;
		state.page = Number(page);
		write(true);
		drawList();
		list.querySelector(".scroll").focus();
		form.scrollIntoView();
	});
	status.addEventListener("click", (event) => {
		if (event.target.id !== "ids") return;
		const text = shown.map((r) => r.id + "\n").join("");
		const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
		element("a", { href: url, download: "ids.txt" }).click();
		setTimeout(() => URL.revokeObjectURL(url), 1000);
	});
	addEventListener("popstate", () => {
		read();
		field.value = state.q;
		show();
	});
	addEventListener("keydown", (event) => {
		if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey ||
			/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
		event.preventDefault();
		field.focus();
	});

	form.hidden = false;
	status.hidden = false;
	document.body.classList.add("searching");
	read();
	field.value = state.q;
	/* On a narrow screen the list comes before the filters, unless some are set. */
	document.getElementById("filters").open = innerWidth > 640 ||
		facets.some((facet) => state.chosen[facet.key].size > 0);
	show();
})();
