/* SPDX-License-Identifier: Apache-2.0 */
/*
 * browser.mjs DIR [FOLDER]: a site in a real browser, over loopback and from
 * the disk. Prints TAP; exit status 1 when a check does not hold. With FOLDER
 * the main pages are drawn there, at three widths, light and dark. Runs on
 * Node 18, which is Debian's.
 *
 * No check may lean on how fast this machine is: a page that a click asked for
 * is waited for (follow), and what a page comes to show is asked for until it
 * does (comesTo). With GS_TEST_SLOW=MS in the environment each answer of the
 * server waits so long and the pages compute six times slower; every check
 * holds there too.
 */
import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const source = resolve(fileURLToPath(import.meta.url), "../../..");
const { chromium } = await import(pathToFileURL(join(source, "node_modules/playwright-core/index.mjs")));
const axe = readFileSync(join(source, "node_modules/axe-core/axe.min.js"), "utf8");
const root = resolve(process.argv[2]);

const TYPES = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript",
	".svg": "image/svg+xml", ".json": "application/json" };
const slowness = Number(process.env.GS_TEST_SLOW || 0);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const server = createServer(async (request, response) => {
	if (slowness) await sleep(slowness);
	const path = join(root, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
	let size;
	try {
		size = statSync(path).size;
	} catch {
		response.writeHead(404).end();
		return;
	}
	const head = { "content-type": TYPES[extname(path)] || "application/octet-stream",
		"accept-ranges": "bytes" };
	const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range || "");
	let start = 0, end = size - 1;
	if (range) {
		start = range[1] ? Number(range[1]) : size - Number(range[2]);
		end = range[1] && range[2] ? Math.min(Number(range[2]), end) : end;
		head["content-range"] = `bytes ${start}-${end}/${size}`;
	}
	head["content-length"] = end - start + 1;
	response.writeHead(range ? 206 : 200, head);
	if (request.method === "HEAD") response.end();
	else createReadStream(path, { start, end }).pipe(response);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const base = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox",
	"--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync"] });
const problems = [];
let requests = [];
const newPage = async (options) => {
	const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
	context.setDefaultTimeout(20000);
	const page = await context.newPage();
	if (slowness)
		await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 6 });
	page.on("console", (m) => m.type() === "error" && problems.push(`${page.url()}: ${m.text()}`));
	page.on("pageerror", (e) => problems.push(`${page.url()}: ${e.message}`));
	page.on("dialog", (d) => { problems.push(`${page.url()}: a dialog: ${d.message()}`); d.dismiss(); });
	page.on("request", (r) => {
		requests.push(r.url());
		if (!r.url().startsWith(base) && !r.url().startsWith("file:") && !r.url().startsWith("blob:"))
			problems.push(`${page.url()} asked for ${r.url()}`);
	});
	return page;
};

const index = JSON.parse(readFileSync(join(root, "index.json"), "utf8"));
const record = index.records.find((r) => r.unit === "Basket.total") || index.records[0];
const pages = ["index.html", "browse.html", `record/${record.id}.html`, "statistics.html",
	"method.html", "query.html", "datasheet.html", "changes.html", "attribution.html",
	...["leaderboard.html", "compare/1-2.html", "verified.html"].filter((name) => existsSync(join(root, name)))];
let failures = 0, count = 0;
const check = async (title, body) => {
	try {
		await body();
		assert.deepEqual(problems, []);
		console.log(`ok ${++count} - ${title}`);
	} catch (error) {
		failures++;
		console.log(`not ok ${++count} - ${title}\n${error.message.replace(/^/gm, "# ")}`);
	}
	problems.length = 0;
	for (const context of browser.contexts()) await context.close();
};
/* A click returns before the page that it asked for has come. */
const follow = (page, link, address) => Promise.all([page.waitForURL(address), link.click()]);
/* The browser tells of an address, and a page shows a result, when it is ready to. */
const comesTo = async (assertion) => {
	for (const end = Date.now() + 20000; ; await sleep(20)) {
		try {
			return await assertion();
		} catch (error) {
			if (Date.now() > end) throw error;
		}
	}
};
const status = (page) => page.locator("#status").innerText();
const showsStatus = (page, pattern) => comesTo(async () => assert.match(await status(page), pattern));
const hasAddress = (page, pattern) => comesTo(() => assert.match(page.url(), pattern));

await check("search, facets and the address tell the same, forward and back", async () => {
	const page = await newPage();
	await page.goto(`${base}/browse.html`);
	await page.locator("#q").fill(record.id);
	await showsStatus(page, /^1 of/);
	await hasAddress(page, /#q=gs-/);
	await page.locator("#reset").click();
	const all = new RegExp(`^${index.records.length.toLocaleString("en")} of`);
	await showsStatus(page, all);
	const label = page.locator('#facets label:has(input[name="granularity"])').first();
	const n = await label.locator(".n").innerText();
	await label.locator("input").check();
	await hasAddress(page, /granularity=/);
	const some = new RegExp(`^${n} of`), address = page.url();
	await showsStatus(page, some);
	await page.goBack();
	await showsStatus(page, all);
	await page.goForward();
	await showsStatus(page, some);
	const other = await newPage();
	await other.goto(address);
	await showsStatus(other, some);
});

await check("a facet's count is what it then gives", async () => {
	const page = await newPage();
	await page.goto(`${base}/browse.html`);
	const label = page.locator("#facets label").first();
	const n = await label.locator(".n").innerText();
	await label.locator("input").check();
	await showsStatus(page, new RegExp(`^${n} of`));
});

await check("all of it by keyboard", async () => {
	const page = await newPage();
	await page.goto(`${base}/browse.html`);
	await page.keyboard.press("Tab");
	assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
	await page.keyboard.press("/");
	assert.equal(await page.evaluate(() => document.activeElement.id), "q");
	await page.keyboard.type(record.id);
	await showsStatus(page, /^1 of/);
	for (let i = 0; i < 80; i++) {
		await page.keyboard.press("Tab");
		if (await page.evaluate(() => document.activeElement.matches("#list th a"))) break;
	}
	await page.keyboard.press("Enter");
	await page.waitForURL(/record\/gs-/);
	assert.equal(await page.locator("h1").count(), 1);
});

await check("copy puts the command on the clipboard", async () => {
	const page = await newPage();
	await page.goto(`${base}/record/${record.id}.html`);
	const button = page.locator("[data-copy]").first();
	const said = await button.evaluateHandle((element) => ({
		copied: new Promise((done) => new MutationObserver(() => done(element.textContent))
			.observe(element, { childList: true, characterData: true, subtree: true })) }));
	await button.click();
	assert.equal(await said.evaluate((it) => it.copied), "Copied");
	assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`goldset checkout ${record.id}`));
});

await check("change, before and after are one listing", async () => {
	const page = await newPage();
	await page.goto(`${base}/record/${record.id}.html`);
	assert.ok(await page.locator("ins.l").first().isVisible());
	await page.locator("#v-before").check();
	assert.ok(!await page.locator("ins.l").first().isVisible());
	assert.ok(await page.locator("del.l").first().isVisible());
	await page.locator("#v-after").check();
	assert.ok(!await page.locator("del.l").first().isVisible());
});

await check("the query page reads the Parquet file", async () => {
	const page = await newPage();
	await page.goto(`${base}/query.html`);
	await page.locator("#result table").waitFor();
	assert.equal(await page.locator("#result tbody tr").count(), Math.min(100, index.records.length));
	await page.locator("#where-column").selectOption("id");
	await page.locator("#where-value").fill(record.id);
	await page.locator("#columns").getByLabel("source_after", { exact: true }).check();
	await page.locator("#run").click();
	await page.getByText(/^1 rows match/).waitFor();
	await comesTo(async () => assert.match(await page.locator("#result").innerText(), /source_after/));
});

/* Bytes of mark-up, style and script that a page takes, and how many files. */
const BUDGETS = { "index.html": [100e3, 6], "browse.html": [400e3, 9], "statistics.html": [150e3, 6],
	"method.html": [100e3, 6], "query.html": [300e3, 12], "datasheet.html": [150e3, 6] };
BUDGETS[`record/${record.id}.html`] = [150e3, 6];
await check("each page keeps to its budget of bytes and requests", async () => {
	const page = await newPage();
	let bytes = 0;
	page.on("response", async (response) => {
		if (!response.url().endsWith(".parquet")) bytes += Number(response.headers()["content-length"] || 0);
	});
	for (const [name, [most, files]] of Object.entries(BUDGETS)) {
		requests = [];
		bytes = 0;
		await page.goto(`${base}/${name}`, { waitUntil: "networkidle" });
		const asked = new Set(requests.map((url) => url.replace(/\?.*/, "")));
		assert.ok(asked.size <= files, `${name} asks for ${[...asked].join(" ")}`);
		assert.ok(bytes > 0 && bytes <= most, `${name} takes ${bytes} bytes`);
	}
});

/* F171: what a stranger wrote is text, however it is made. */
const hostile = index.records.find((r) => r.repo.startsWith("evil/") && r.unit === "double");
if (hostile)
	await check("a hostile record is shown harmless", async () => {
		const page = await newPage({ viewport: { width: 820, height: 900 } });
		for (const name of [`record/${hostile.id}.html`, "browse.html", "index.html"]) {
			await page.goto(`${base}/${name}`, { waitUntil: "networkidle" });
			const seen = await page.evaluate(() => ({
				images: document.querySelectorAll("img, iframe, object, embed, base, form[action]").length,
				scripts: [...document.scripts].filter((s) => !s.src && s.type !== "application/ld+json").length,
				handlers: [...document.querySelectorAll("*")].filter((e) =>
					[...e.attributes].some((a) => a.name.startsWith("on") || /^javascript:/i.test(a.value))).length,
				raw: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText),
				wide: document.documentElement.scrollWidth }));
			assert.deepEqual(seen, { images: 0, scripts: 0, handlers: 0, raw: false, wide: 820 });
		}
		await page.goto(`${base}/record/${hostile.id}.html`);
		assert.match(await page.locator(".diff").innerText(), /<script>alert\(1\)<\/script>/);
		assert.match(await page.locator(".diff").innerText(), /more bytes/);
	});

if (existsSync(join(root, "leaderboard.html")))
	await check("from the leaderboard to two entries and to a record", async () => {
		const page = await newPage();
		await page.goto(`${base}/leaderboard.html`);
		assert.ok(await page.locator("table.board tbody tr").count() >= 2);
		await follow(page, page.locator('a[href^="compare/"]').first(), /compare\/1-2/);
		await follow(page, page.locator('main a[href*="record/"]').first(), /\/record\/gs-/);
		assert.equal(await page.locator(".diff").count(), 1);
	});

await check("a theme that is chosen stays, and paper shows no menu", async () => {
	const page = await newPage({ colorScheme: "light" });
	const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	await page.goto(`${base}/index.html`);
	const light = await colour();
	await page.locator("#theme").click();
	await comesTo(async () => assert.notEqual(await colour(), light));
	const dark = await colour();
	await page.goto(`${base}/method.html`);
	assert.equal(await colour(), dark);
	await page.emulateMedia({ media: "print" });
	assert.ok(!await page.locator('nav[aria-label="Main"]').isVisible());
});

await check("from the disk too: search, and a file chosen for the query", async () => {
	const page = await newPage();
	await page.goto(pathToFileURL(join(root, "browse.html")).href);
	await page.locator("#q").fill(record.id);
	await showsStatus(page, /^1 of/);
	await page.goto(pathToFileURL(join(root, "query.html")).href);
	await page.locator("#source").setInputFiles(join(root, "data/oracles.parquet"));
	await page.locator("#run:enabled").click();
	await page.locator("#result table").waitFor();
});

await check("without JavaScript every page still says what it has to say", async () => {
	const page = await newPage({ javaScriptEnabled: false });
	await page.goto(`${base}/browse.html`);
	assert.equal(await page.locator("#list tbody tr").count(), Math.min(200, index.records.length));
	await follow(page, page.locator("#list th a").first(), /\/record\/gs-/);
	assert.ok(await page.locator(".diff").isVisible());
});

for (const colorScheme of ["light", "dark"])
	await check(`axe finds nothing, and nothing is too wide: ${colorScheme}`, async () => {
		const page = await newPage({ colorScheme, viewport: { width: 320, height: 700 }, bypassCSP: true });
		for (const name of pages) {
			await page.goto(`${base}/${name}`, { waitUntil: "networkidle" });
			const wide = await page.evaluate(() => document.documentElement.scrollWidth);
			assert.ok(wide <= 320, `${name} is ${wide} wide`);
			await page.evaluate(axe);
			const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
				runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
			assert.deepEqual(violations.map((v) => `${name}: ${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" ")}`), []);
		}
	});

const drawings = process.argv[3];
for (const colorScheme of drawings ? ["light", "dark"] : [])
	for (const width of [390, 820, 1440]) {
		const page = await newPage({ colorScheme, viewport: { width, height: 900 } });
		for (const name of pages) {
			await page.goto(`${base}/${name}`, { waitUntil: "networkidle" });
			await page.screenshot({ path: join(drawings, `${name.replace(/.*\/|\.html/g, "")}-${width}-${colorScheme}.png`),
				clip: { x: 0, y: 0, width, height: 2400 }, fullPage: true });
		}
		await page.context().close();
	}

console.log(`1..${count}`);
await browser.close();
server.close();
process.exit(failures ? 1 : 0);
