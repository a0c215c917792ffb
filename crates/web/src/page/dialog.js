// Dialogs. They are the browser's own dialogs, which keep the focus inside and close with Escape.

import { box, button, h, put } from "./dom.js";
import { state } from "./state.js";
import { text } from "./text.js";

const dialogs = [];

/** Gives the page an entry in the browser's history that Back leaves. An entry that a closed dialog has left is used again. */
function addEntry() {
  if (history.state?.dialog) return;
  history.replaceState({ beneath: true }, "");
  history.pushState({ dialog: true }, "");
}

/** Whether the page was last at the entry beneath that of a dialog. */
let beneath = false;

// The browser's Back closes the dialog that is open, or else passes, like Forward, over the entry that a closed dialog has left.
addEventListener("popstate", ({ state: entry }) => {
  if (!dialogs.length && entry?.beneath && location.hash === `#${state.mode}`) history.back();
  if (!dialogs.length && entry?.dialog && beneath) history.forward();
  beneath = entry?.beneath;
  dialogs.at(-1)?.close();
  if (dialogs.length > 1) addEntry();
});

/** Opens a dialog, whose last action `leave` closes it. `fail` shows an error in it. */
export function open(title, content, actions, leave = text.cancel) {
  const fault = h("p", { class: "fault", role: "alert" });
  const id = `dialog-title-${dialogs.length}`;
  const head = h("h2", { text: title, id, tabindex: "-1" });
  const closer = button(leave, () => dialog.close(), { class: leave === text.done && "primary" }),
    parts = [head, box("dialog-content", content), box("actions", fault, actions, closer)],
    dialog = h("dialog", { "aria-labelledby": id }, parts);
  dialog.addEventListener("close", () => {
    dialog.remove();
    dialogs.splice(dialogs.indexOf(dialog), 1);
  });
  document.body.append(dialog);
  dialog.showModal();
  // The heading has the focus at first, so that no keyboard opens on a phone.
  head.focus();
  dialogs.push(dialog);
  addEntry();
  return { dialog, fail: (words) => put(fault, words), close: () => dialog.close() };
}

export function save(words, type, name) {
  const address = URL.createObjectURL(new Blob([words], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Copies a text, and says so on the button. Without access to the clipboard, the text is selected in a field. */
export async function copy(words, button, field) {
  let done = true;
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    Object.assign(field, { hidden: false, value: words });
    field.focus();
    field.select();
    done = document.execCommand("copy");
  }
  button.dataset.name ??= button.textContent;
  button.textContent = done ? text.copied : text.notCopied;
  setTimeout(() => (button.textContent = button.dataset.name), 2000);
}
