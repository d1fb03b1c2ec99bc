/* SPDX-License-Identifier: Apache-2.0 */
/* The query page: hyparquet reads columns of the Parquet file as they are
 * asked for, fzstd unpacks them. */
"use strict";
(() => {
	const { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects, parquetSchema } = globalThis.hyparquet;
	const FIRST = ["id", "repo", "unit", "committed_at", "diff_lines", "n_tests"];
	const MAX_CELL = 400;
	const get = (id) => document.getElementById(id);
	const status = get("status"), form = get("query"), result = get("result");
	const compressors = { ZSTD: (input, n) => globalThis.fzstd.decompress(input, new Uint8Array(n)) };
	let file = null, metadata = null, names = [], last = null;

	const tell = (text) => { status.textContent = text; };
	const text = (value) => {
		if (value === null || value === undefined) return "";
		if (Array.isArray(value)) return value.map(text).join("\n");
		return String(value);
	};
	const isNumber = (value) => typeof value === "number" || typeof value === "bigint";

	const open = async (buffer) => {
		file = buffer;
		metadata = await parquetMetadataAsync(file);
		names = parquetSchema(metadata).children.map((child) => child.element.name);
		const columns = get("columns");
		for (const old of columns.querySelectorAll("label")) old.remove();
		for (const name of names) {
			const label = document.createElement("label"), box = document.createElement("input");
			box.type = "checkbox";
			box.value = name;
			box.checked = FIRST.includes(name);
			label.append(box, " " + name);
			columns.append(label);
		}
		for (const select of [get("where-column"), get("order")]) {
			while (select.options.length > (select.id === "order" ? 1 : 0)) select.remove(select.options.length - 1);
			for (const name of names) select.add(new Option(name, name));
		}
		get("run").disabled = false;
		tell(`${Number(metadata.num_rows).toLocaleString("en")} rows, ${names.length} columns.`);
	};

	const test = (op, wanted) => {
		const number = Number(wanted);
		const compare = (value) => isNumber(value) && wanted.trim() !== "" && !Number.isNaN(number)
			? Number(value) - number : text(value) < wanted ? -1 : text(value) > wanted ? 1 : 0;
		switch (op) {
		case "=": return (value) => compare(value) === 0;
		case "!=": return (value) => compare(value) !== 0;
		case "<": return (value) => compare(value) < 0;
		case ">=": return (value) => compare(value) >= 0;
		default: return (value) => text(value).toLowerCase().includes(wanted.toLowerCase());
		}
	};

	const draw = (columns, rows) => {
		const table = document.createElement("table");
		const head = table.createTHead().insertRow();
		for (const name of columns) {
			const th = document.createElement("th");
			th.scope = "col";
			th.textContent = name;
			if (rows.length > 0 && isNumber(rows[0][name])) th.className = "num";
			head.append(th);
		}
		const body = table.createTBody();
		for (const r of rows) {
			const tr = body.insertRow();
			for (const name of columns) {
				const cell = tr.insertCell(), whole = text(r[name]);
				const shown = whole.length > MAX_CELL ? whole.slice(0, MAX_CELL) + "…" : whole;
				if (isNumber(r[name])) cell.className = "num";
				if (name === "id") {
					const a = document.createElement("a");
					a.href = `record/${encodeURIComponent(whole)}.html`;
					a.textContent = shown;
					cell.append(a);
				} else {
					cell.textContent = shown;
					if (/^(source|spec)/.test(name)) cell.classList.add("code");
				}
			}
		}
		const region = document.createElement("div");
		region.className = "scroll";
		region.tabIndex = 0;
		region.setAttribute("role", "region");
		region.setAttribute("aria-label", "Result");
		region.append(table);
		result.replaceChildren(region);
	};

	const run = async () => {
		const columns = [...get("columns").querySelectorAll("input:checked")].map((box) => box.value);
		/* The id leads to the record's page: it stands first. */
		columns.sort((a, b) => (b === "id") - (a === "id"));
		if (columns.length === 0) {
			tell("Choose at least one column.");
			return;
		}
		const where = get("where-column").value, wanted = get("where-value").value;
		const order = get("order").value, sign = get("descending").checked ? -1 : 1;
		const needed = [...new Set([...columns, ...(wanted ? [where] : []), ...(order ? [order] : [])])];
		tell("Reading …");
		const start = performance.now();
		let rows = await parquetReadObjects({ file, metadata, columns: needed, compressors });
		if (wanted) {
			const fits = test(get("where-op").value, wanted);
			rows = rows.filter((r) => fits(r[where]));
		}
		if (order)
			rows.sort((a, b) => {
				const x = a[order], y = b[order];
				return sign * (isNumber(x) ? Number(x) - Number(y) : text(x) < text(y) ? -1 : text(x) > text(y) ? 1 : 0);
			});
		const found = rows.length;
		rows = rows.slice(0, Math.max(1, Number(get("limit").value) || 100));
		last = { columns, rows };
		draw(columns, rows);
		get("save").disabled = rows.length === 0;
		tell(`${found.toLocaleString("en")} rows match, ${rows.length.toLocaleString("en")} are shown; ` +
			`${Math.round(performance.now() - start)} ms.`);
	};

	const guarded = (work) => work().catch((error) => tell(`That did not work: ${error.message}`));
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		if (file) guarded(run);
	});
	get("save").addEventListener("click", () => {
		/* A leading sign would be a formula to a spreadsheet. */
		const field = (value) => {
			const plain = isNumber(value) ? String(value) : text(value).replace(/^(?=[=+@-])/, "'");
			return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
		};
		const lines = [last.columns, ...last.rows.map((r) => last.columns.map((name) => r[name]))];
		const csv = lines.map((line) => line.map(field).join(",") + "\r\n").join("");
		const a = document.createElement("a");
		a.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
		a.download = "records.csv";
		a.click();
		setTimeout(() => URL.revokeObjectURL(a.href), 1000);
	});
	get("source").addEventListener("change", (event) => {
		const chosen = event.target.files[0];
		if (!chosen) return;
		guarded(() => open({ byteLength: chosen.size, slice: (from, to) => chosen.slice(from, to).arrayBuffer() }));
	});

	form.hidden = false;
	if (location.protocol === "file:") {
		get("source-row").hidden = false;
		get("run").disabled = true;
		tell("Choose the file to begin.");
	} else {
		guarded(async () => {
			await open(await asyncBufferFromUrl({ url: "data/oracles.parquet" }));
			await run();
		});
	}
})();
