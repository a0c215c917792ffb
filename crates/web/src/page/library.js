// The dialog for games: reads PDN from a text or a file, lists the games, and copies or saves the game on the board.

import { add, clear, collection, restore, withPosition } from "./collection.js";
import { button, chips, enable, h, hideEmpty, iconButton, press, put, searchField, tableHead, toggle } from "./dom.js";
import { confirm, open, save } from "./dialog.js";
import { openExports } from "./exports.js";
import { loadListed, resume, studyFen } from "./games.js";
import { KeptGames, PDN_TYPE, edited, pdnOf } from "./kept.js";
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
  const props = { rows: "3", "aria-label": text.pdn, placeholder: text.pasteHelp, spellcheck: "false", oninput };
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
  const found = h("div", { class: "found" }),
    choice = h("div"),
    played = h("div");
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
    { class: "stack imports", "aria-label": text.importGames },
    area,
    h("div", { class: "row" }, opener, reader, chooser),
  );
  const importer = button(text.importGames, () => {
    showImports(true);
    opener.focus();
  });
  const showImports = (on) => {
    imports.hidden = !on;
    importer.hidden = on;
  };
  const shown = open(text.games, h("div", { class: "stack library" }, imports, choice, found, played), [
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
    found.hidden = false;
    try {
      const { game, isStored } = await add(body);
      if (!shown.dialog.open) return;
      if (game) await use(game);
      else {
        area.value = "";
        oninput();
        list();
      }
      if (!isStored) (game ? problem : shown.fail)(text.notKept);
    } catch (error) {
      put(found);
      if (collection.isOwn) list();
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

  /** Shows the imported games if there are any, and lets the user choose between them and the games played here. */
  function offer(hasImports) {
    const show = (list) => {
      found.hidden = list === "kept";
      played.hidden = list !== "kept";
    };
    const elsewhere = new Set(hasImports ? collection.games.map(({ source }) => source) : []);
    const { element, games } = new KeptGames({ own: state.name, resume: closing(resume), elsewhere });
    put(played, element);
    showImports(!hasImports && !games.length);
    const lists = chips(text.games, Object.entries(text.lists), "imported", show);
    put(choice, hasImports && lists.element);
    element.firstChild.hidden = hasImports;
    show(hasImports ? "imported" : "kept");
  }

  function list() {
    offer(true);
    const { games, faults, more } = collection;
    const tag = (game, name) => game.tags.find(([known]) => known === name)?.[1].replace(/^\?$/, "") ?? "";
    const rows = games.map((game) => {
      const names = ["Black", "White"].map((name) => tag(game, name));
      const cells = [
        tag(game, "Event"),
        tag(game, "Date").replace(/^\D+$/, ""),
        game.opening ? text.opening(game.opening) : "",
      ];
      const { result } = game,
        words = [...names, ...cells, result].join(" ").toLowerCase();
      return { game, names, cells, result: result.replace("1/2-1/2", "½-½"), words };
    });
    const body = h("tbody");
    let page = 0,
      numbers = null;
    const link = (game, words) => {
      const name = text.loadGame(game.number, words.join(", "));
      return button(String(game.number), () => use(game), { class: "link", "aria-label": name });
    };
    const draw = () => {
      const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fitting = rows.filter(
        ({ game, words }) => wanted.every((word) => words.includes(word)) && (!numbers || numbers.has(game.number)),
      );
      count.textContent = fitting.length || !games.length ? text.found(fitting.length) : text.noMatch;
      table.hidden = !fitting.length;
      const start = page * SHOWN,
        end = Math.min(start + SHOWN, fitting.length);
      range.textContent = text.range(start + 1, end, fitting.length);
      pager.hidden = fitting.length <= SHOWN;
      enable(back, page > 0);
      enable(forward, end < fitting.length);
      put(
        body,
        fitting.slice(start, end).map(({ game, names, cells, result }) =>
          h(
            "tr",
            { "aria-current": game.source === state.game.tree.source && "true", class: !game.complete && "broken" },
            h("td", {}, link(game, [...names, ...cells, result])),
            names.map((name) => h("td", {}, h("bdi", { text: name || text.unknown }))),
            [result, text.length(game.length, game.complete), ...cells].map((cell) =>
              h("td", { text: text.shortOpening(cell), title: cell }),
            ),
          ),
        ),
      );
      hideEmpty(table.firstChild);
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
      offer(false);
    };
    const back = iconButton("back", text.previous, () => turn(page - 1)),
      forward = iconButton("forward", text.next, () => turn(page + 1)),
      range = h("p", { class: "soft" });
    const pager = h("div", { class: "row pager" }, back, range, forward);
    const count = h("p", { class: "grow", role: "status" }),
      table = h("div", { class: "games", tabindex: "0" }, h("table", {}, tableHead(text.columns), body)),
      errors = faults.slice(0, 10 * SHOWN).map((fault) => h("li", { text: text.errorAt(fault) }));
    put(
      found,
      games.length > 1 && h("div", { class: "row facing" }, filter, here),
      h("div", { class: "row facing" }, count, pager),
      more && h("p", { text: text.manyMore }),
      faults.length > 0 &&
        h(
          "details",
          { class: "faults", open: !games.length },
          h("summary", { text: text.faults(faults.length) }),
          h("ul", { tabindex: "0" }, errors),
        ),
      table,
      games.length > 0 &&
        h(
          "div",
          { class: "row facing" },
          button(text.saveList, () => saveList(games)),
          button(text.removeAll(games.length), remove, { class: "clear" }),
        ),
    );
    draw();
  }

  const use = closing(loadListed);

  offer(false);
  if (input) take(input);
  else if (collection.isOwn) list();
  else restore().then(() => collection.isOwn && shown.dialog.open && !found.firstChild && list());
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
