// The frame of the page: the tabs of the four modes, the actions of each, and the view of the mode that is shown.

import { box, h, labelButton, put } from "./dom.js";
import { isLink } from "./link.js";
import { MODES, state, subscribe, update } from "./state.js";
import { liveRegion, notices } from "./status.js";
import { text } from "./text.js";

/** Returns the mode that the address names, or "". */
export function addressed() {
  const name = location.hash.slice(1);
  return MODES.includes(name) ? name : "";
}

/** Matches pages with three columns, and pages with one. */
export const wide = matchMedia("(min-width: 1600px)");
export const narrow = matchMedia("(max-width: 799px)");

export class Shell {
  /**
   * `views` has the elements of each mode: the `table` with the board, the `side` next to it, and the `aside` on its other side,
   * which on a page with two columns is in the `slot` or not shown. `actions` has the mode's buttons in the header, and
   * `settings` opens the settings. `again` receives a mode whose tab is clicked.
   */
  constructor({ views, actions, settings, again }) {
    this.views = views;
    this.actions = actions;
    this.tools = box("tools");
    this.settings = labelButton("gear", text.settings.title, settings, { "aria-label": text.settings.title });
    const tab = (mode) => h("a", { href: `#${mode}`, text: text.modes[mode], onclick: () => again(mode) });
    this.tabs = Object.fromEntries(MODES.map((mode) => [mode, tab(mode)]));
    this.main = h("main", {});
    // A click leaves the focus where it is, so that the arrow keys step through the moves.
    const onmousedown = (event) => event.preventDefault(),
      tabs = h("nav", { class: "modes", "aria-label": text.menu, onmousedown }, Object.values(this.tabs)),
      header = h("header", {}, h("h1", { text: text.name }), tabs, this.tools);
    put(document.getElementById("page"), header, this.main, liveRegion);
    document.documentElement.classList.remove("kept");
    subscribe(["mode"], () => this.draw());
    wide.addEventListener("change", () => state.mode && this.draw());
  }

  /** Shows the current mode, and names it in the page's address. */
  draw() {
    const { mode } = state,
      // The mistakes of a game are a part of its study.
      shown = mode === "puzzles" && state.retrying ? "study" : mode;
    // Back returns to the previous mode, which is that of the entry beneath a dialog's.
    const { state: entry } = history,
      isNew = addressed() && !entry?.dialog;
    // The address of a position or a game stays while it is studied.
    if (addressed() !== shown && !(shown === "study" && isLink()))
      history[isNew ? "pushState" : "replaceState"](isNew ? null : entry, "", `#${shown}`);
    for (const [name, tab] of Object.entries(this.tabs)) tab.ariaCurrent = name === shown ? "page" : null;
    put(this.tools, this.actions[mode], this.settings);
    const { table, side, slot, ...view } = this.views[mode],
      { aside } = this.views[shown];
    const [first, ...rest] = table ? side : [null, ...side];
    if (slot) put(slot, !wide.matches && view.aside);
    const panel = h("section", { class: "side", "aria-label": text.controls }, first, notices, rest);
    put(this.main, wide.matches && aside, table, panel);
    this.main.className = mode;
    document.title = `${text.modes[shown]} – ${text.name}`;
  }
}

export function showMode(mode) {
  if (state.mode !== mode) update({ mode });
}
