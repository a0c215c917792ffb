// Says what happens, to those who see the page and those who hear it.

import { h } from "./dom.js";

/** The line under the board. */
export const status = h("p", { id: "status", class: "status" });
const live = h("div", { class: "unseen", role: "status", "aria-live": "polite" });

/** The region that screen readers read out. */
export const region = live;

/** Shows a state; it is read out only if it is worth an interruption. */
export function show(words) {
  status.textContent = words;
}

/** Reads something out. The same words twice are read twice. */
export function announce(words) {
  live.replaceChildren(h("p", { text: words }));
}

/** Shows and reads out. */
export function tell(words) {
  show(words);
  announce(words);
}
