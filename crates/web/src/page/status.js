// Messages: the status line, the live region that screen readers read aloud, and notices over the page.

import { box, button, h, put } from "./dom.js";
import { text } from "./text.js";

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

export const notices = box("notices");

/** Shows a text with actions, each given as [name, action], in place of the previous notice. Returns its element. */
export function notice(words, actions, props) {
  const act = (action) => () => {
    dismiss();
    action?.();
  };
  const buttons = actions
    .filter(Boolean)
    .map(([name, action], index) => button(name, act(action), { class: index === 0 && "primary" }));
  const parts = [h("p", { text: words }), ...buttons, button(text.close, act())];
  const element = h("div", { class: "notice", role: "group", "aria-label": words, ...props }, parts);
  put(notices, element);
  return element;
}

/** Reports a failure, with actions that may repair it. */
export function problem(words, actions = []) {
  notice(words, actions, { class: "notice problem", role: "alert" });
}

export const dismiss = () => put(notices);
