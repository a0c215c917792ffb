// The status line, and the live region that screen readers read aloud.

import { h } from "./dom.js";

export const statusLine = h("p", { id: "status", class: "status", tabindex: "0" });
export const liveRegion = h("div", { class: "unseen", role: "status", "aria-live": "polite" });

/** Shows a text without reading it aloud. `help` is its tooltip, and `said` whether it is a message. */
export function setStatus(words, help = words, said = false) {
  statusLine.classList.toggle("said", said);
  if (statusLine.textContent === words) return;
  statusLine.textContent = words;
  statusLine.title = help;
}

/** Reads a text aloud. A new element makes screen readers repeat the same text. */
export function announce(words) {
  liveRegion.replaceChildren(h("p", { text: words }));
}

export function report(words, help) {
  setStatus(words, help, true);
  announce(words);
}
