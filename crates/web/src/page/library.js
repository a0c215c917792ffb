// The mode Library: a table of all games, which is searched, sorted and selected from; and the import of games.

import { collections, order, place, places, query, search, sortBy, withPosition } from "./collection.js";
import { boardMarkup, readFen } from "./diagram.js";
import { open, save } from "./dialog.js";
import { box, button, check, details, field, h, iconButton, link, offer, put, s, select, textField } from "./dom.js";
import * as games from "./games.js";
import { PDN_TYPE, dateOf, endingOf, namesIn, playersOf, resultOf, titleOf } from "./kept.js";
import { asSides } from "./players.js";
import { preferences } from "./preferences.js";
import { rules } from "./program.js";
import { narrow, showMode } from "./shell.js";
import { state, subscribe, update } from "./state.js";
import { notice, problem } from "./status.js";
import { keyOf, latest } from "./store.js";
import { joined, text } from "./text.js";
import * as transport from "./transport.js";

/** The number of rows that are added when the list is scrolled to its end, and of errors that are shown of an import. */
const ROWS = 100,
  ERRORS = 100;
/** Milliseconds after the last key before the list is searched. */
const PAUSE = 150;
/** A year, with a month and a day or without. */
const DATE = "\\s*\\d{4}([.\\-\\/]\\d{0,2}){0,2}\\s*";
/** The columns, and what each shows of a game. */
const COLUMNS = {
  black: (game) => h("bdi", { text: namesIn(game)[0] }),
  white: (game) => h("bdi", { text: namesIn(game)[1] }),
  result: ({ result }) => resultOf(result) || "*",
  date: ({ date }) => dateOf(date),
  // On a phone, the opening is next to the event.
  event: ({ event, opening, date }) => {
    const named = text.shortOpening(text.opening(opening)),
      dated = h("span", { class: "on-phone dated", text: /^\d{4}/.test(date) && `${date.slice(0, 4)} · ` });
    return [dated, event, h("span", { class: "on-phone", text: named && event ? ` · ${named}` : named })];
  },
  opening: ({ opening }) => text.shortOpening(text.opening(opening)),
  length: ({ length }) => {
    const [count, word] = text.inMoves(length).split(" ");
    return [count, h("span", { class: "on-phone", text: ` ${word}` })];
  },
  reviewed: ({ reviewed }) => reviewed && h("span", { role: "img", "aria-label": text.fields.reviewed, text: "✓" }),
  collection: ({ collection }) => collection || text.ownCollection,
  added: ({ added }) => dateOf(new Date(added).toISOString().slice(0, 10)),
};
/** The columns that begin with the greatest value when the list is sorted by them. */
const DESCENDING = ["length", "reviewed", "added", "date"];

/** Whether games have been imported since the list was drawn. */
let isNew = false;

export class Library {
  constructor() {
    /** The numbers of the chosen games, and the number of all games in the list. */
    this.chosen = new Set();
    this.rows = this.count = 0;
    /** Why the games are not known. */
    this.fault = "";
    this.status = h("p", { class: "grow", role: "status" });
    this.actions = box("row");
    const preview = (event) => this.preview(event.target.closest("tr"));
    this.body = h("tbody", { role: "rowgroup", onpointerover: preview, onfocusin: preview });
    this.all = h("input", { type: "checkbox", "aria-label": text.chooseAll, onchange: () => this.chooseAll() });
    const heading = (kind, content) => h("th", { scope: "col", role: "columnheader", class: kind }, content),
      sorter = (column) => button(text.fields[column], () => this.sort(column));
    this.heads = Object.fromEntries(Object.keys(COLUMNS).map((column) => [column, heading(column, sorter(column))]));
    // On a phone, the order is chosen from a list instead of the heads.
    const columns = Object.keys(COLUMNS).map((column) => [column, text.fields[column]]);
    this.sorter = select(columns, order.sort, (column) => this.sort(column), { "aria-label": text.sort });
    this.turner = button("", () => this.sort(order.sort), { title: text.reverse, "aria-label": text.reverse });
    const sorting = heading("sorting", [h("span", { class: "soft", text: text.sort }), this.sorter, this.turner]),
      heads = h("tr", { role: "row" }, heading("choice", this.all), Object.values(this.heads), sorting);
    // Roles, since rows of two lines on a phone are no table for some browsers.
    this.table = h("table", { role: "table" }, h("thead", { role: "rowgroup" }, heads), this.body);
    const onscroll = () =>
      this.list.scrollHeight - this.list.scrollTop < 2 * this.list.clientHeight &&
      this.rows < this.count &&
      this.grow();
    const props = { class: "game-list", tabindex: "0", role: "group", "aria-label": text.games, onscroll };
    /** What is shown instead of the list if no game meets the conditions. */
    this.nothing = box("nothing");
    this.list = h("div", props, this.table);
    this.board = s("svg", { viewBox: "0 0 320 320", class: "board", "aria-hidden": "true" });
    this.caption = h("p", { class: "soft", "aria-hidden": "true" });
    this.latest = box("contents");
    this.imports = box("contents");
    this.conditions = box("row conditions-met");
    const head = box("row facing", this.status, this.conditions, this.actions);
    this.element = box("shelf", this.filters(), box("games", this.latest, head, this.nothing, this.list));
    const isSeen = () => state.mode === "library" || this.form.closest("dialog");
    subscribe(["mode", "filter"], ({ filter }) => isSeen() && this.refresh(!filter && this.rows > 0));
    // The offer to undo a deletion does not cover another mode.
    subscribe(["mode"], () => this.undoNotice?.remove());
  }

  /** Creates the conditions on the games, and below them the board of the game under the pointer, and the imports. */
  filters() {
    const words = (name, props) =>
      field(text.fields[name], textField({ name, placeholder: text.examples[name], ...props }));
    // The library suggests names while they are typed. Without `autocomplete`, some browsers do not show them.
    const suggested = (name) => {
      const list = h("datalist", { id: `known-${name}` });
      const offerNames = async ({ target: { value } }) => {
        const found = await transport.library({ do: "suggest", field: name, words: value }).catch(() => []),
          names = found.map((known) => (name === "opening" ? text.shortOpening(text.opening(known)) : known));
        const options = [...new Set(names)].map((value) => h("option", { value }));
        put(list, options);
      };
      const props = { list: list.id, autocomplete: "on", onfocus: offerNames, oninput: offerNames };
      return box("contents", words(name, props), list);
    };
    const date = (name) => words(name, { title: text.dateForm, pattern: DATE });
    const choice = (name, options) => field(text.fields[name], select(options, "", null, { name }));
    const flag = (name) => check(text.fields[name], false, null, undefined, { name });
    const searched = { type: "search", name: "words", "aria-label": text.fields.words, placeholder: text.filterHelp };
    this.collection = select([], "", null, { name: "collection" });
    const columns = box(
        "columns",
        suggested("player"),
        choice("color", asSides(text.outcomes[""])),
        choice("result", Object.entries(text.outcomes)),
        field(text.fields.collection, this.collection),
        suggested("event"),
        suggested("opening"),
        date("from"),
        date("until"),
      ),
      row = box("row", ["fen", "reversed", "annotated", "reviewed"].map(flag));
    // On a phone, the games are below the conditions.
    this.closer = button("", () => (this.form.open = false), { class: "primary" });
    const clearer = button(text.clearFilters, () => update({ filter: {} })),
      ends = box("row on-phone", this.closer, clearer);
    this.form = details(text.conditions, { class: "conditions", open: !narrow.matches }, columns, row, ends);
    narrow.addEventListener("change", () => (this.form.open = !narrow.matches || this.form.closest("dialog") !== null));
    const searcher = h("input", searched);
    this.inputs = [searcher, ...this.form.querySelectorAll("[name]")];
    let timer = null,
      waiting = {};
    const send = () => {
      clearTimeout(timer);
      const change = waiting;
      waiting = {};
      if (Object.keys(change).length) search(change);
    };
    const typed = ({ target }) => {
      clearTimeout(timer);
      if (target.checkValidity()) Object.assign(waiting, changeOf(target));
      timer = setTimeout(send, PAUSE);
    };
    // What was typed last is not lost when the user goes on to another field.
    const left = ({ target }) => {
      target.ariaInvalid = target.checkValidity() ? null : "true";
      send();
    };
    for (const part of [searcher, this.form]) {
      part.addEventListener("input", typed);
      part.addEventListener("change", left);
    }
    return box("filters", searcher, this.form, this.board, this.caption, this.imports);
  }

  /** Shows the conditions in a dialog. */
  openConditions() {
    const { form } = this;
    form.open = true;
    open(text.conditions, form, [], text.done).dialog.addEventListener("close", () => {
      this.inputs[0].after(form);
      form.open = !narrow.matches;
    });
    this.refresh();
  }

  /** Shows the conditions in their fields, as far as the user is not typing there. */
  drawFilter() {
    const { filter } = state;
    for (const input of this.inputs)
      if (input.type === "checkbox") input.checked = Boolean(filter[input.name]);
      else if (input !== document.activeElement && input !== this.collection)
        input.value = filter[input.name] === text.person ? text.you : (filter[input.name] ?? "");
    this.form.querySelector(".check:has([name=reversed])").hidden = !filter.fen;
    put(this.conditions, conditions());
  }

  /** Draws everything anew, after the games or the conditions have changed. If they are the same, the rows in view stay. */
  async refresh(isSame = false) {
    const { scrollTop } = this.list,
      rows = isSame ? this.rows : ROWS;
    this.drawFilter();
    this.chosen.clear();
    put(this.body);
    this.rows = this.count = 0;
    do await this.grow();
    while (this.rows < rows);
    this.list.scrollTop = isSame ? scrollTop : 0;
    this.preview(this.body.rows[0]);
    const { names, count, deleted } = await collections().catch(() => ({ names: [], count: 0, deleted: 0 }));
    /** The names of the collections that games can be moved to, and the number of all games. */
    this.names = names;
    this.total = count;
    this.list.classList.toggle("collected", names.length > 1);
    this.drawActions();
    const options = [...places(names), ...(deleted ? [["deleted", text.deletedGames(deleted)]] : [])];
    offer(this.collection, options, state.filter.deleted ? "deleted" : place());
    const imports = await transport.library({ do: "imports" }).catch(() => []);
    put(this.latest, isNew && report(imports[0], true));
    for (const row of this.body.rows)
      row.classList.toggle("new", isNew && Number(row.dataset.added) >= imports[0].time);
    const reports = imports.map((one) => report(one));
    put(this.imports, reports.length > 0 && details(text.imports, {}, reports));
    isNew = false;
    this.offerMore();
  }

  /** If no game meets the conditions, offers to drop each one without which there are games. */
  async offerMore() {
    const { filter } = state,
      names = this.count || this.fault ? [] : conditionNames();
    put(this.nothing);
    const offers = names.length > 1 ? await offersOf(filter) : [];
    if (filter === state.filter && names.length) put(this.nothing, offers);
  }

  async grow() {
    const asked = (this.asked = query()),
      offset = this.rows;
    this.rows += ROWS;
    try {
      const { count, games } = await transport.library({ do: "list", ...asked, offset, limit: ROWS });
      if (asked !== this.asked) return;
      this.count = count;
      this.fault = "";
      this.body.append(...games.map((game) => this.row(game)));
    } catch (error) {
      this.fault = error.message;
    }
    // The columns that a narrow window leaves out are shown if the games are in their order.
    this.list.dataset.sort = order.sort;
    const direction = order.descending ? "descending" : "ascending";
    for (const [column, head] of Object.entries(this.heads)) head.ariaSort = column === order.sort ? direction : null;
    this.sorter.value = order.sort;
    this.turner.textContent = order.descending ? "▾" : "▴";
    this.drawActions();
  }

  row(game) {
    const key = keyOf(game),
      isOpen = key === state.name;
    const chooser = h("input", {
      type: "checkbox",
      "aria-label": text.choose(titleOf(game)),
      value: game.id,
      checked: this.chosen.has(game.id),
      onclick: ({ target, shiftKey }) => this.choose(target, shiftKey),
    });
    const cells = Object.entries(COLUMNS).map(([column, show]) => {
      const content = show(game) || null,
        opener = column === "black" && link(content, () => games.open(key), { title: titleOf(game) });
      return h("td", { role: "cell", class: column }, opener || content);
    });
    const chosen = h("td", { role: "cell", class: "choice" }, h("label", {}, chooser)),
      data = { "data-added": game.added, "data-end": game.end, "data-result": game.result };
    return h("tr", { role: "row", "aria-current": isOpen && "true", ...data }, chosen, cells);
  }

  /** Shows the last position of the game in a row on the small board. */
  preview(row) {
    const fen = row?.dataset.end;
    this.board.parentNode.classList.toggle("unlisted", !this.count);
    if (!fen || row === this.previewed) return;
    this.previewed?.classList.remove("previewed");
    row.classList.add("previewed");
    this.previewed = row;
    const names = [...row.querySelectorAll("bdi")].map(({ textContent }) => textContent);
    this.caption.textContent = text.lastPosition(names.join(" – "));
    this.board.innerHTML = boardMarkup(readFen(fen), { flipped: state.flipped });
  }

  sort(column) {
    const isSame = order.sort === column;
    sortBy(column, isSame ? !order.descending : DESCENDING.includes(column));
    update({ filter: { ...state.filter } });
  }

  /** Chooses the game of a box or not; with Shift, also those up to the box that was clicked before. */
  choose(box, isRange) {
    const boxes = [...this.body.querySelectorAll("input")],
      ends = [box, isRange && boxes.includes(this.clicked) ? this.clicked : box].map((end) => boxes.indexOf(end));
    for (const one of boxes.slice(Math.min(...ends), Math.max(...ends) + 1)) {
      one.checked = box.checked;
      this.chosen[box.checked ? "add" : "delete"](Number(one.value));
    }
    this.clicked = box;
    this.drawActions();
  }

  async chooseAll() {
    const { ids } = this.all.checked ? await transport.library({ do: "change", ...query() }) : { ids: [] };
    this.chosen = new Set(ids);
    for (const input of this.body.querySelectorAll("input")) input.checked = this.all.checked;
    this.drawActions();
  }

  /** Shows the number of games, and what can be done with those that are chosen. */
  drawActions() {
    const { size } = this.chosen,
      { deleted } = state.filter;
    this.all.checked = size > 0 && size === this.count;
    this.all.indeterminate = size > 0 && size < this.count;
    const isSearched = Object.keys(state.filter).length > 0,
      none = isSearched ? text.noMatch : text.noGames;
    const found = this.count ? text.found(this.count, deleted ? this.count : this.total) : none;
    this.status.textContent = this.fault || (size ? text.chosen(size, this.count) : found);
    this.closer.textContent = text.showFound(this.count);
    const [, ...others] = places(this.names ?? []),
      choices = [["", text.moveTo], ...others, ["+", text.newCollection]],
      mover = select(choices, "", (value) => this.move(value), { "aria-label": text.moveTo });
    const saved = size ? text.exportGame : isSearched ? text.saveFound(this.count) : text.saveAll,
      saver = button(saved, () => this.save(), { title: text.saveHelp }),
      [name, kind] = deleted ? [text.restore, ""] : [text.removeGames, "warn"],
      remover = button(name, () => this.change({ deleted: !deleted }), { class: kind });
    put(this.actions, this.count > 0 && saver, size > 0 && [!deleted && mover, remover]);
  }

  save() {
    const selection = this.chosen.size ? { ids: [...this.chosen] } : query(),
      saved = (pdn) => save(pdn, PDN_TYPE, text.collectionName);
    return transport.exportGames(selection).then(saved, (error) => problem(error.message));
  }

  /** Moves the chosen games to a collection; "+" asks for the name of a new one. */
  move(value) {
    if (value !== "+") return value && this.change({ to: value.slice(1) });
    const name = textField({ maxlength: "60", onkeydown: (event) => event.key === "Enter" && move() }),
      move = () => {
        if (!name.value.trim()) return name.focus();
        asked.close();
        this.change({ to: name.value.trim() });
      },
      action = button(text.move, move, { class: "primary" }),
      asked = open(text.newCollection, field(text.fields.collection, name), action);
    name.focus();
  }

  async change(change) {
    const ids = [...this.chosen];
    try {
      await transport.library({ do: "change", ids, ...change });
      if (change.deleted) games.removed(ids);
      await this.refresh();
      const undo = async () => {
        await transport.library({ do: "change", ids, deleted: false });
        this.refresh();
      };
      if (change.deleted) this.undoNotice = notice(text.deleted(ids.length), [[text.undo, undo]]);
      this.list.focus({ preventScroll: true });
    } catch (error) {
      problem(error.message);
    }
  }
}

/** Returns the change of the conditions that the value of a field makes. */
function changeOf({ name, type, checked, value }) {
  if (name === "fen") return checked ? withPosition() : { fen: "", moves: "" };
  if (type === "checkbox") return { [name]: checked };
  const isDeleted = value === "deleted";
  if (name === "collection")
    return { collection: value && !isDeleted ? value.slice(1) : undefined, deleted: isDeleted };
  // A player has a side, and wins or loses: without a name, the user.
  const sided = { color: ["b", "w"], result: ["won", "lost"] }[name],
    isPlayers = sided?.includes(value) && !state.filter.player;
  const wanted = name === "player" && value.trim() === text.you ? text.person : value.trim();
  return { [name]: wanted, ...(isPlayers && { player: preferences.player || text.person }) };
}

/** Conditions that are parts of another one, and end with it. */
const PARTS = { color: "player", moves: "fen", reversed: "fen" };

const conditionNames = (others = []) =>
  Object.keys(state.filter).filter((name) => !state.filter[PARTS[name] ?? ""] && !others.includes(name));

/** Returns the change of the filter that ends a condition with its parts. */
const without = (name) =>
  Object.fromEntries(
    [name, ...Object.keys(PARTS).filter((part) => PARTS[part] === name)].map((one) => [one, undefined]),
  );

/** Returns a button for each condition without which there are games, which ends it, except for `others`. */
export function offersOf(filter, others = []) {
  const offer = async (name) => {
    const request = { do: "list", filter: { ...filter, ...without(name) }, limit: 0 },
      { count } = await transport.library(request).catch(() => ({ count: 0 })),
      words = text.dropCondition(text.condition(name, filter), count);
    return count > 0 && button(words, () => search(without(name)));
  };
  return Promise.all(conditionNames(others).map(offer));
}

/** Returns a button for each condition on the games, which ends it, except for `others`; and one that ends them all. */
export function conditions(others = []) {
  const shown = conditionNames(others);
  const end = (name) =>
    button(text.condition(name, state.filter), () => search(without(name)), {
      class: "condition",
      title: text.endCondition,
    });
  const name = String(shown) === "words" ? text.clearSearch : text.clearFilters;
  return shown.length ? [...shown.map(end), link(name, () => update({ filter: {} }))] : [];
}

const errorOf = ({ number, line, text: reason }) => text.errorAt({ game: number, line, text: reason });

/** Describes an import; its errors lead to their games. */
function report({ name, time, added, known, faults, errors, error }, open) {
  const words = (fault) => {
    const { game } = fault,
      words = joined([errorOf(fault), game && text.keptBefore], ". ");
    return h("li", {}, game ? link(words, () => games.open(String(game))) : words);
  };
  const date = dateOf(new Date(time).toISOString()),
    result = h("p", { text: joined([name || text.pasted, date, text.added(added, known), error], " · ") });
  const list = h("ul", { tabindex: "0" }, faults.slice(0, ERRORS).map(words));
  const closer = iconButton("remove", text.close, () => closer.parentElement.remove()),
    found = errors > 0 && details(text.faults(errors), { class: "faults", open }, list);
  return box("import", result, open && closer, found);
}

export async function recentGames(element) {
  const rows = await latest().catch(() => []),
    words = JSON.stringify([rows, state.name]);
  if (element.dataset.shown === words) return;
  element.dataset.shown = words;
  const items = rows.map((game) => gameItem(game, { mode: "play" })),
    list = [h("ul", { class: "plain game-items" }, items), button(text.allGames, () => showMode("library"))],
    empty = h("p", { class: "soft", text: text.noPlayed });
  put(element, h("h3", { text: text.kept }), rows.length ? list : empty);
}

/** Returns a game as an item of a list. `how` says how a click opens it. */
export function gameItem(game, how) {
  const { name, end } = endingOf(game),
    result = game.result === "*" && how.mode ? text.inProgress : name,
    // Games of one day differ in their time.
    time = how.mode && new Date(game.added).toLocaleTimeString(text.language, { timeStyle: "short", hour12: false }),
    opening = text.shortOpening(text.opening(game.opening)),
    facts = joined([joined([dateOf(game.date), time]), opening, how.mode && text.inMoves(game.length)], " · "),
    parts = [playersOf(game), h("b", { "data-end": end, text: result }), h("span", { class: "soft", text: facts })];
  const opener = link(parts, () => games.open(keyOf(game), how));
  return h("li", { "aria-current": keyOf(game) === state.name && "true" }, opener);
}

const FEN = /^\s*[BW]\s*:\s*[BW][\dK,\s-]*:\s*[BW][\dK,\s-]*\.?\s*$/i;

/** Puts PDN into the open dialog. */
let receive = null;

/** Opens the dialog for imports, or uses the open one. `input` is PDN or a FEN, as a text, or a list of files. */
export function openImport(input) {
  if (receive) return receive(input);
  /** Makes the main button the one that reads the text, if there is a text. */
  const oninput = () => [opener, reader].forEach((one, at) => one.classList.toggle("primary", !area.value === !at));
  const props = { rows: "8", "aria-label": text.pdn, placeholder: text.pasteHelp, spellcheck: "false", oninput };
  const area = h("textarea", props);
  const onchange = () => take([...chooser.files]);
  const chooser = h("input", { type: "file", accept: ".pdn,.txt,text/plain", multiple: true, hidden: true, onchange });
  const opener = button(text.openFile, () => chooser.click(), { class: "primary" }),
    reader = button(text.readPdn, () => readText(area.value)),
    help = h("p", {}, text.importHelp, h("span", { class: "mouse", text: text.dropHelp }));
  const dialog = open(text.importGames, box("stack importing", help, area, box("row", opener, reader, chooser)), []);
  receive = take;
  dialog.dialog.addEventListener("close", () => (receive = null));

  /** Reads a text, or a list of files as one text. */
  async function take(input) {
    if (!input?.length) return;
    if (typeof input === "string") return readText(input);
    const files = input.flatMap((file) => [file, "\n\n"]);
    await readText(new Blob(files), input.map(({ name }) => name).join(", "));
  }

  async function readText(body, name = "") {
    dialog.fail("");
    if (FEN.test(body)) {
      const studied = (facts) => {
        dialog.close();
        games.studyFen(facts.fen);
      };
      return rules.check(body.trim()).then(studied, (error) => dialog.fail(error.message));
    }
    dialog.fail(text.loading);
    try {
      const { added, known, only, errors, faults } = await transport.importGames(body, name);
      // What cannot be read at all stays in its field, to be corrected.
      if (!added && !known) return dialog.fail(errors ? errorOf(faults[0]) : text.noMoves);
      dialog.close();
      if (only && !errors) return games.open(String(only), { mode: "study" });
      isNew = true;
      sortBy("added", true);
      update({ filter: {} });
      showMode("library");
    } catch (error) {
      dialog.fail(text.unreadable(error.message));
    }
  }

  if (input) take(input);
}
