/* SPDX-License-Identifier: Apache-2.0 */
/* Before the first paint: the theme that was chosen, if one was. */
"use strict";
(() => {
	let chosen = null;
	try {
		chosen = localStorage.getItem("goldset-theme");
	} catch {
		/* Storage may be closed to pages from the disk. */
	}
	if (chosen === "dark" || chosen === "light")
		document.documentElement.dataset.theme = chosen;
})();
