// The dialog for games: reads PDN from a text or a file, lists the games, and copies or saves the game on the board.

import { add, clear, collection, restore, withPosition } from "./collection.js";
import { box, button, chips, enable, h, iconButton, press, put, searchField, toggle } from "./dom.js";
import { confirm, open, save } from "./dialog.js";
import { openExports } from "./exports.js";
import { loadListed, resume, studyFen } from "./games.js";
import { KeptGames, PDN_TYPE, dateOf, edited, gameButton, pdnOf, resultOf } from "./kept.js";
import { problem } from "./notice.js";
import { rules } from "./program.js";
import { state, update } from "./state.js";
import { text } from "./text.js";

const LARGEST = 16 * 1024 * 1024;
/** The number of games on a page of the list; ten times as many errors are shown. */
const SHOWN = 10;

/** Puts PDN into the open dialog. */
let receive = null;

/** Opens the dialog, or uses the open one. `input` is PDN or a FEN, as a text, or a list of files. */
export function openLibrary(input) {
  if (receive) return receive(input);
  /** Makes the main button the one that reads the text, if there is a text. */
  const oninput = () => [opener, reader].forEach((one, at) => one.classList.toggle("primary", !area.value === !at));
  const props = { rows: "8", "aria-label": text.pdn, placeholder: text.pasteHelp, spellcheck: "false", oninput };
  const area = h("textarea", props);
  const chooser = h("input", {
    type: "file",
    accept: ".pdn,.txt,text/plain",
    multiple: true,
    class: "unseen",
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: () => take([...chooser.files]),
  });
  const found = box("stack imported"),
    played = box("contents");
  /** Returns a function that closes the dialog and shows the moves first. */
  const closing = (act) => (input) => {
    shown.close();
    update({ tab: "moves" });
    return act(input);
  };
  const opener = button(text.openFile, () => chooser.click(), { class: "primary" }),
    reader = button(text.readPdn, () => readText(area.value));
  const imports = h(
    "section",
    { class: "stack", "aria-label": text.importGames },
    h("p", { text: text.importHelp }),
    area,
    box("row", opener, reader, chooser),
  );
  const importer = button(text.importGames, () => show("import"), { class: "primary" });
  /** Shows the games played here, the imported ones, or the ways to import some. Without imported games, the last two are one. */
  let place = "";
  const show = (list) => {
    place = list;
    const isImport = list === "import" || (list === "imported" && !found.firstChild);
    lists.choose(list);
    played.hidden = list !== "kept";
    found.hidden = isImport || !played.hidden;
    imports.hidden = !isImport;
    importer.hidden = isImport;
    if (list === "import") opener.focus();
  };
  const lists = chips(text.games, Object.entries(text.lists), "", show);
  const shown = open(text.games, box("stack library", lists.element, imports, found, played), [
    importer,
    button(text.exportGame, () => openExports(() => shown.close())),
    button(text.close, () => shown.close()),
  ]);
  receive = take;
  shown.dialog.addEventListener("close", () => {
    receive = null;
  });

  /** Reads a text, or a list of files as one text. */
  async function take(input) {
    if (!input?.length) return;
    if (typeof input === "string") return readText(input);
    const files = input.flatMap((file) => [file, "\n\n"]);
    if (input.reduce((sum, { size }) => sum + size, 0) > LARGEST) return shown.fail(text.tooBig);
    await readText(new Blob(files));
  }

  async function readText(body) {
    shown.fail("");
    if (isFen(body)) return tryFen(body);
    put(found, h("p", { text: text.loading }));
    show("imported");
    try {
      const { game, isStored } = await add(body);
      if (!shown.dialog.open) return;
      if (game) await use(game);
      else {
        area.value = "";
        oninput();
        list();
        show("imported");
      }
      if (!isStored) (game ? problem : shown.fail)(text.notKept);
    } catch (error) {
      put(found);
      if (collection.isOwn) list();
      show("import");
      shown.fail(text.unreadable(error.message));
    }
  }

  /** Studies the position of a FEN, if it is legal. */
  async function tryFen(fen) {
    try {
      closing(studyFen)((await rules.check(fen.trim())).fen);
    } catch (error) {
      shown.fail(error.message);
    }
  }

  /** Lists the games that were played here, which are those that were not imported. */
  function listPlayed() {
    const sources = new Set(collection.isOwn ? collection.games.map(({ source }) => source) : []);
    const isImported = ({ tree }) => sources.has(tree.source);
    const { element, games } = new KeptGames({ own: state.name, resume: closing(resume), isImported });
    put(played, element);
    return games.length;
  }

  function list() {
    listPlayed();
    const { games, faults, more } = collection;
    const tag = (game, name) => game.tags.find(([known]) => known === name)?.[1].replace(/^\?$/, "") ?? "";
    const rows = games.map((game) => {
      const names = ["Black", "White"].map((name) => tag(game, name)),
        result = resultOf(game.result),
        date = dateOf(tag(game, "Date")),
        facts = [game.opening ? text.opening(game.opening) : "", tag(game, "Event")];
      return {
        game,
        names,
        result,
        date,
        facts,
        words: [...names, date, ...facts, game.result].join(" ").toLowerCase(),
      };
    });
    const body = h("ul", { class: "plain kept-list" });
    let page = 0,
      numbers = null;
    const row = ({ game, names, result, date, facts }) => {
      const length = h("span", { class: !game.complete && "broken", text: text.length(game.length, game.complete) }),
        title = [...names, date, ...facts].filter(Boolean).join(", ");
      return h(
        "li",
        { class: "kept", "aria-current": game.source === state.game.tree.source && "true" },
        h("span", { class: "soft", text: String(game.number) }),
        gameButton(names, result, [date, length, ...facts.map(text.shortOpening)], () => use(game), title),
      );
    };
    const draw = () => {
      const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fitting = rows.filter(
        ({ game, words }) => wanted.every((word) => words.includes(word)) && (!numbers || numbers.has(game.number)),
      );
      count.textContent = fitting.length || !games.length ? text.found(fitting.length) : text.noMatch;
      const start = page * SHOWN,
        end = Math.min(start + SHOWN, fitting.length);
      range.textContent = text.range(start + 1, end, fitting.length);
      pager.hidden = fitting.length <= SHOWN;
      enable(back, page > 0);
      enable(forward, end < fitting.length);
      put(body, fitting.slice(start, end).map(row));
    };
    const turn = (to) => {
      page = to;
      draw();
    };
    const filter = searchField(text.filter, () => turn(0));
    const here = toggle(text.withPosition, false, async () => {
      numbers = numbers ? null : await withPosition().catch(() => null);
      press(here, numbers);
      turn(0);
    });
    const remove = async () => {
      if (!(await confirm(text.removeAllAsk(games.length), text.remove, { kind: "danger" }))) return;
      await clear();
      put(found);
      listPlayed();
      show("imported");
    };
    const back = iconButton("back", text.previous, () => turn(page - 1)),
      forward = iconButton("forward", text.next, () => turn(page + 1)),
      range = h("p", { class: "soft" });
    const pager = box("row pager", back, range, forward);
    const count = h("p", { class: "grow", role: "status" }),
      errors = faults.slice(0, 10 * SHOWN).map((fault) => h("li", { text: text.errorAt(fault) }));
    const savers = [
      button(text.saveAll, () => saveList(games)),
      button(text.removeAll(games.length), remove, { class: "clear" }),
    ];
    put(
      found,
      games.length > 1 && box("row facing", filter, here),
      box("row facing", count, pager),
      more && h("p", { text: text.manyMore }),
      faults.length > 0 &&
        h(
          "details",
          { class: "faults", open: !games.length },
          h("summary", { text: text.faults(faults.length) }),
          h("ul", { tabindex: "0" }, errors),
        ),
      body,
      games.length > 0 && h("details", {}, h("summary", { text: text.more }), box("row", savers)),
    );
    draw();
  }

  const use = closing(loadListed);

  const before = listPlayed() ? "kept" : "imported";
  show(before);
  /** Lists the stored games; what the user has begun meanwhile stays. */
  const reopen = () => {
    if (!collection.isOwn || !shown.dialog.open || found.firstChild) return;
    list();
    if (place === before && !area.value) show("imported");
  };
  reopen();
  if (input) take(input);
  else restore().then(reopen);
}

/** Returns whether a text is a FEN rather than PDN. */
const isFen = (input) =>
  typeof input === "string" && /^\s*[BW]\s*:\s*[BW][\dK,\s-]*:\s*[BW][\dK,\s-]*\.?\s*$/i.test(input);

/** Saves the games of the list as one file, with the user's edits. */
function saveList(games) {
  const copies = edited();
  const words = ({ source }) => (copies.has(source) ? pdnOf(copies.get(source).game) : source);
  save(games.map((game) => `${words(game).trim()}\n`).join("\n"), PDN_TYPE, text.collectionName);
}
