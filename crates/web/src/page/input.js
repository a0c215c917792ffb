// Input to the page as a whole: keys, and games that are pasted or dropped.

import { preferences } from "./preferences.js";

const dialogOpen = () => document.querySelector("dialog[open]");
const typing = (event) => event.target.closest?.("input, select, textarea");

/** Handles input: `keys` returns actions by the names of keys, and `receive` takes a pasted or dropped text or list of files. */
export function onInput(keys, receive) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event) || dialogOpen())
      return;
    const action = keys()[event.key];
    if (!action || (event.key.length === 1 && !preferences.shortcuts)) return;
    event.preventDefault();
    action();
  });
  const take = (event, data) => {
    const input = data?.files.length ? [...data.files] : data?.getData("text/plain");
    if (!input || event.defaultPrevented || (dialogOpen() && !dialogOpen().querySelector("textarea"))) return;
    event.preventDefault();
    receive(input);
  };
  document.addEventListener("paste", (event) => typing(event) || take(event, event.clipboardData));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    take(event, event.dataTransfer);
    event.preventDefault();
  });
}
