// Dialogs, which are the browser's own: it keeps the focus inside, and Escape closes them.

import { button, h } from "./dom.js";
import { text } from "./text.js";

/** Opens a dialog with a title; returns it with its place for a fault. */
export function open(title, content, actions) {
  const fault = h("p", { class: "fault", role: "alert" });
  const head = h("h2", { text: title, id: "dialog-title" });
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, head, content, fault, h("div", { class: "actions" }, actions));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, fail: (words) => { fault.textContent = words; }, close: () => dialog.close() };
}

/** Asks for yes or no. */
export function confirm(question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const done = (value) => () => {
      answer = value;
      shown.close();
    };
    const shown = open(question, [], [button(yes, done(true), { class: "primary" }), button(text.cancel, done(false))]);
    shown.dialog.addEventListener("close", () => resolve(answer));
  });
}

/** Copies a text, and says on the button whether that worked. */
export async function copy(words, element) {
  let done = true;
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    done = false;
  }
  const before = element.textContent;
  element.textContent = done ? text.copied : text.notCopied;
  setTimeout(() => { element.textContent = before; }, 2000);
  return done;
}
