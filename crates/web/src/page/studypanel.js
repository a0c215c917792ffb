// The panel next to the board in a study: the analysis, the moves, and tabs with details, such as the tags of the game.

import { box, button, enable, field, h, iconButton, put, reveal, select, textField } from "./dom.js";
import { annotate, canUndo, describe, mark, promote, remove, undo } from "./editor.js";
import { open, tags } from "./games.js";
import { openingOf, resultOf } from "./kept.js";
import { shownGlyphs } from "./marks.js";
import { gameMoves } from "./movelist.js";
import { steps } from "./navigate.js";
import { enterMove } from "./play.js";
import { moveForm } from "./playpanel.js";
import { prefer } from "./preferences.js";
import { wide } from "./shell.js";
import { state, subscribe, update } from "./state.js";
import { joined, text } from "./text.js";

const NAMES = ["Black", "White", "Event", "Site", "Date", "Round"];
/** The tags that are fields, or are shown by the board. */
const SHOWN = [...NAMES, "Result", "GameType", "FEN", "SetUp"];

const isMark = (glyph) => glyph in text.glyphs;

class EditTools {
  constructor() {
    this.promote = button(text.promote, promote, { title: text.promoteHelp });
    this.remove = button(text.remove, remove, { title: text.removeHelp });
    this.undo = button(text.undo, undo, { title: text.undoHelp });
    const marks = Object.entries(text.glyphs).map(([id, glyph]) => [id, `${glyph} ${text.glyphNames[id]}`]);
    this.glyphs = select([["", text.none], ...marks], "", (id) => mark(Number(id), isMark));
    // The board may change while a comment is typed. The comment belongs to the move shown when typing began.
    let commented = 0;
    this.comment = h("textarea", {
      rows: "2",
      onfocus: () => (commented = state.current),
      onchange: () => annotate({ comment: this.comment.value.trim() || undefined }, commented),
    });
    // Keep a comment that is being typed when the page is closed.
    addEventListener("pagehide", () => {
      if (document.activeElement === this.comment)
        state.game.tree.annotate(commented, { comment: this.comment.value.trim() || undefined });
    });
    // They take the room of the moves, on a phone with the buttons.
    const fields = [field(text.glyph, this.glyphs), field(text.comment, this.comment, { class: "field grow" })];
    this.notes = h("div", { class: "row notes", hidden: true }, fields);
    this.opener = iconButton("pencil", text.notes, () => this.open(), { "aria-expanded": "false" });
    this.element = box("edit", this.notes, box("row", moveForm(enterMove), this.remove, this.undo, this.promote));
    subscribe(["current", "game"], () => state.game.tree && this.refresh());
  }

  /** Opens the fields next to the moves, or closes them. */
  open() {
    const isShown = this.element.checkVisibility() && !this.notes.hidden;
    this.notes.hidden = isShown;
    this.opener.ariaExpanded = String(!isShown);
    if (!wide.matches) update({ tab: "moves" });
    this.element.scrollIntoView({ block: "nearest" });
  }

  refresh() {
    const { game, current } = state;
    const { tree } = game,
      node = tree.node(current);
    reveal(this.promote, !tree.isMain(current));
    enable(this.remove, current !== 0);
    enable(this.undo, canUndo());
    this.glyphs.disabled = current === 0;
    this.glyphs.value = shownGlyphs(node).find(isMark) ?? "";
    if (document.activeElement !== this.comment) this.comment.value = node.comment ?? "";
  }
}

/** The tags of the game on the board: players, event, date, round and result, which can be edited. */
class Tags {
  constructor() {
    this.inputs = Object.fromEntries(NAMES.map((name) => [name, textField({ onchange: () => this.change() })]));
    this.result = select(Object.entries(text.resultNames), "*", () => this.change());
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
    const others = Object.entries(known).filter(([name]) => !SHOWN.includes(name));
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

export class StudyPanel {
  /** `contents` has the elements of the tabs for the explorer and the review. */
  constructor({ analysis, contents }) {
    this.list = gameMoves({ scored: true });
    this.edit = new EditTools();
    this.contents = { ...contents, tags: new Tags().element };
    this.opening = h("p", { class: "soft opening" });
    const neighbour = (picture, name, which) =>
      iconButton(picture, name, () => open(String(state.around[which]), { mode: "study" }));
    this.games = [neighbour("back", text.previousGame, "previous"), neighbour("forward", text.nextGame, "next")];
    this.content = h("div", { class: "tab-content", role: "tabpanel", id: "tab-content", tabindex: "0" });
    const tab = { role: "tab", "aria-controls": "tab-content", onmousedown: (event) => event.preventDefault() };
    this.tabs = Object.entries(text.tabs).map(([id, name]) =>
      button(name, () => this.choose(id), { ...tab, id: `tab-${id}` }),
    );
    const list = { class: "tabs", role: "tablist", "aria-label": text.modes.study };
    this.tabList = h("div", { ...list, onkeydown: (event) => this.key(event) }, this.tabs);
    this.aside = h("section", { class: "aside", "aria-label": text.modes.study }, this.tabList, this.content);
    this.slot = box("slot");
    this.place = h("span", { class: "soft" });
    this.head = box("moves-head", this.opening, this.place, this.games);
    const moves = box("moves-box", this.head, this.list.element),
      row = steps();
    row.append(this.edit.opener);
    const parts = [analysis.element, analysis.list.element, this.slot, moves, this.edit.element];
    this.element = box("panel study-panel", box("scroller", parts), row);
    subscribe(["facts", "around", "game", "opening", "current"], () => {
      if (!state.game.tree) return;
      const { place, count, previous, next } = state.around;
      const { result, loaded } = state.game.tree;
      this.place.textContent = joined(
        [loaded && resultOf(result ?? ""), count > 1 && text.gamePlace(place + 1, count)],
        " · ",
      );
      this.games.forEach((button, at) => reveal(button, Boolean([previous, next][at])));
      const { Event: event } = state.game.tree.tags,
        opening = text.shortOpening(text.opening(state.opening));
      this.opening.textContent = this.opening.title = event ? joined([event, opening], " · ") : openingOf(state);
      this.head.hidden = !this.opening.textContent && this.games.every(({ hidden }) => hidden);
    });
    subscribe(["tab"], () => this.drawTabs());
    wide.addEventListener("change", () => this.drawTabs());
    this.drawTabs();
  }

  choose(tab) {
    prefer({ tab });
    update({ tab });
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.stopPropagation();
    event.preventDefault();
    const shown = this.tabs.filter(({ hidden }) => !hidden),
      at = shown.indexOf(document.activeElement);
    const next = shown[(at + by + shown.length) % shown.length];
    this.choose(next.id.slice("tab-".length));
    next.focus();
  }

  drawTabs() {
    const tab = wide.matches && state.tab === "moves" ? "explorer" : state.tab;
    this.tabs[0].hidden = wide.matches;
    for (const button of this.tabs) {
      const chosen = button.id === `tab-${tab}`;
      button.setAttribute("aria-selected", String(chosen));
      button.setAttribute("tabindex", chosen ? "0" : "-1");
    }
    this.element.dataset.tab = tab;
    this.content.setAttribute("aria-labelledby", `tab-${tab}`);
    this.content.hidden = tab === "moves";
    this.element.firstChild.scrollTop = 0;
    put(this.content, this.contents[tab]);
  }
}
