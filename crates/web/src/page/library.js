// The dialog for games: reads PDN from a text or a file, lists the games, and copies or saves the game on the board.

import { add, clear, collection, remove, restore, withPosition } from "./collection.js";
import { box, button, chips, h, iconButton, press, put, searchField, toggle } from "./dom.js";
import { confirm, open, save } from "./dialog.js";
import { openExports } from "./exports.js";
import { load, resume, studyFen } from "./games.js";
import { KeptGames, PDN_TYPE, dateOf, edited, gameButton, pdnOf, resultOf } from "./kept.js";
import { problem } from "./notice.js";
import { rules } from "./program.js";
import { state, update } from "./state.js";
import { text } from "./text.js";

const LARGEST = 16 * 1024 * 1024;
/** The number of errors that are shown, and of games that are added to the list when it is scrolled to its end. */
const SHOWN = 100;

/** Puts PDN into the open dialog. */
let receive = null;

/** Opens the dialog, or uses the open one. `input` is PDN or a FEN, as a text, or a list of files. */
export function openLibrary(input) {
  if (receive) return receive(input);
  /** Makes the main button the one that reads the text, if there is a text. */
  const oninput = () => [opener, reader].forEach((one, at) => one.classList.toggle("primary", !area.value === !at));
  const props = { rows: "8", "aria-label": text.pdn, placeholder: text.pasteHelp, spellcheck: "false", oninput };
  const area = h("textarea", props);
  const onchange = () => take([...chooser.files]);
  const chooser = h("input", { type: "file", accept: ".pdn,.txt,text/plain", multiple: true, hidden: true, onchange });
  const found = box("stack imported"),
    played = box("contents"),
    wrong = box("contents");
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
    h("p", {}, text.importHelp, h("span", { class: "mouse", text: text.dropHelp })),
    area,
    wrong,
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
    put(wrong);
    show("imported");
    try {
      const { game, isStored, ...report } = await add(body);
      if (!shown.dialog.open) return;
      if (game) await use(game);
      else {
        list(report);
        // A text with errors stays, to be corrected.
        const isWrong = report.faults.length > 0 && (typeof body === "string" || !(report.added + report.known));
        show(isWrong ? "import" : "imported");
        if (isWrong) put(wrong, reported(report, true));
        else area.value = "";
        oninput();
      }
      if (!isStored) (game ? problem : shown.fail)(text.notKept);
    } catch (error) {
      list();
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

  /** Lists the games that were played here. Of two copies of an imported game, the one that the list does not open is among them. */
  function listPlayed() {
    const sources = new Set(collection.isOwn ? collection.games.map(({ source }) => source) : []);
    const copies = edited();
    const isImported = ({ tree }, name) => sources.has(tree.source) && copies.get(tree.source).name === name;
    const { element, games } = new KeptGames({ own: state.name, resume: closing(resume), isImported });
    put(played, element);
    return games.length;
  }

  /** Lists the collection's games, after an import with its errors and the number of its games. */
  function list(report = null) {
    listPlayed();
    if (!collection.isOwn) return put(found);
    const { games, more } = collection;
    const tag = (game, name) => game.tags.find(([known]) => known === name)?.[1].replace(/^\?$/, "") ?? "";
    const rows = games.map((game, at) => {
      const names = ["Black", "White"].map((name) => tag(game, name)),
        result = resultOf(game.result),
        date = dateOf(tag(game, "Date")),
        facts = [game.opening ? text.opening(game.opening) : "", tag(game, "Event")];
      const words = [...names, date, ...facts, game.result].join(" ").toLowerCase();
      return { game, number: String(at + 1), names, result, date, facts, words };
    });
    const onscroll = () => body.scrollHeight - body.scrollTop < 2 * body.clientHeight && grow();
    const body = h("ul", { class: "plain kept-list", onscroll });
    let fitting = [],
      numbers = null;
    const row = ({ game, names, result, date, facts, number }) => {
      const length = h("span", { class: !game.complete && "broken", text: text.length(game.length, game.complete) }),
        title = [names.map((name) => name || text.unknown).join(" – "), date, ...facts].filter(Boolean).join(", ");
      return h(
        "li",
        { class: "kept", "aria-current": game.source === state.game.tree.source && "true" },
        h("span", { class: "soft", text: number }),
        gameButton(names, result, [date, length, ...facts.map(text.shortOpening)], () => use(game), title),
        iconButton("remove", text.deleteGame(title), () => removeSome(title, () => remove(game), 1)),
      );
    };
    /** Adds rows at the end of the list. */
    const grow = () => body.append(...fitting.slice(body.children.length).slice(0, SHOWN).map(row));
    const draw = () => {
      const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      fitting = rows.filter(
        ({ game, words }) => wanted.every((word) => words.includes(word)) && (!numbers || numbers.has(game.number)),
      );
      count.textContent = fitting.length || !games.length ? text.found(fitting.length) : text.noMatch;
      put(body);
      grow();
    };
    const filter = searchField(text.filter, draw);
    const here = toggle(text.withPosition, false, async () => {
      numbers = numbers ? null : await withPosition().catch(() => null);
      press(here, numbers);
      draw();
    });
    /** Deletes a game or all games, after a question. */
    const removeSome = async (details, act, many = games.length) => {
      if (!(await confirm(text.removeAllAsk(many), text.remove, { kind: "danger", details }))) return;
      const { scrollTop } = body;
      await (many < games.length ? act() : clear());
      list();
      show("imported");
      found.querySelector(".kept-list")?.scrollTo(0, scrollTop);
    };
    const count = h("p", { role: "status" }),
      [added, faults] = report ? reported(report, false) : [];
    const savers = [
      button(text.saveAll, () => saveList(games)),
      button(text.removeAll(games.length), () => removeSome("", clear), { class: "clear" }),
    ];
    put(
      found,
      games.length > 1 && box("row facing", filter, here),
      box("row", count, added),
      faults,
      more && h("p", { text: text.manyMore }),
      body,
      games.length > 0 && h("details", {}, h("summary", { text: text.more }), box("row", savers)),
    );
    draw();
  }

  const use = closing(load);

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

/** Says how many games an import has added, if the count of all does not, and lists its errors. `open` shows the list. */
function reported({ added, known, faults }, open) {
  const errors = faults.slice(0, SHOWN).map((fault) => h("li", { text: text.errorAt(fault) })),
    details = [h("summary", { text: text.faults(faults.length) }), h("ul", { tabindex: "0" }, errors)];
  return [
    (open || known > 0 || added < collection.games.length) && h("p", { class: "soft", text: text.added(added, known) }),
    faults.length > 0 && h("details", { class: "faults", open }, details),
  ];
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
