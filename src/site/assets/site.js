/* SPDX-License-Identifier: Apache-2.0 */
/* Theme switch and copy buttons; every page works without them. */
"use strict";
(() => {
	const root = document.documentElement;
	const isDark = () => root.dataset.theme ? root.dataset.theme === "dark"
		: matchMedia("(prefers-color-scheme: dark)").matches;
	const button = document.getElementById("theme");
	const name = () => {
		button.textContent = isDark() ? "Light" : "Dark";
		button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
	};
	button.hidden = false;
	name();
	button.addEventListener("click", () => {
		root.dataset.theme = isDark() ? "light" : "dark";
		try {
			localStorage.setItem("goldset-theme", root.dataset.theme);
		} catch { /* then it lasts for this page */ }
		name();
	});

	/* Where there is no clipboard to write to, the text is selected. */
	const copy = async (code, copyButton) => {
		let done = false;
		try {
			await navigator.clipboard.writeText(code.textContent);
			done = true;
		} catch {
			const range = document.createRange();
			range.selectNodeContents(code);
			getSelection().removeAllRanges();
			getSelection().addRange(range);
		}
		copyButton.textContent = done ? "Copied" : "Selected";
		setTimeout(() => { copyButton.textContent = "Copy"; }, 2000);
	};
	for (const copyButton of document.querySelectorAll("[data-copy]")) {
		copyButton.hidden = false;
		const code = copyButton.parentElement.querySelector("code");
		copyButton.addEventListener("click", () => copy(code, copyButton));
	}
})();
