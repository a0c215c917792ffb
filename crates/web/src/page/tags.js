// The tags of the game on the board: players, event, date, round and result, which can be edited.

import { box, field, h, select, textField } from "./dom.js";
import { describe } from "./editor.js";
import { tags } from "./games.js";
import { state, subscribe } from "./state.js";
import { text } from "./text.js";

const RESULTS = ["*", "1-0", "0-1", "1/2-1/2"];
const NAMES = ["Black", "White", "Event", "Site", "Date", "Round"];

export class Tags {
  constructor() {
    this.inputs = Object.fromEntries(NAMES.map((name) => [name, textField({ onchange: () => this.change() })]));
    const results = RESULTS.map((result) => [result, text.resultNames[result]]);
    this.result = select(results, "*", () => this.change());
    this.others = h("p", { class: "soft" });
    const fields = NAMES.map((name) => field(text.tagName(name), this.inputs[name]));
    this.element = box("tag-fields", fields, field(text.tagName("Result"), this.result), this.others);
    subscribe(["game", "current", "tab"], () => state.game.tree && this.draw());
  }

  /** Returns the tags to edit, of a loaded game or of a game that was played here. */
  known() {
    return state.game.tree.loaded ? state.game.tree.tags : tags();
  }

  draw() {
    const known = this.known();
    for (const name of NAMES)
      if (document.activeElement !== this.inputs[name])
        this.inputs[name].value = known[name] === text.person ? "" : (known[name] ?? "");
    this.result.value = state.game.tree.result ?? "*";
    const others = Object.entries(known).filter(
      ([name]) => !NAMES.includes(name) && !["Result", "GameType", "FEN", "SetUp"].includes(name),
    );
    this.others.textContent = others.map(([name, value]) => `${name}: ${value}`).join(" · ");
  }

  change() {
    const edited = Object.fromEntries(
      NAMES.map((name) => [name, this.inputs[name].value.trim()]).filter(([, value]) => value),
    );
    const rest = Object.entries(this.known()).filter(([name]) => !NAMES.includes(name));
    describe({ ...edited, ...Object.fromEntries(rest) }, this.result.value);
  }
}
