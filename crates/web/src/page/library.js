// The dialog for games: reads PDN from a text or a file, lists the games, and copies or saves the game on the board.

import { add, clear, collection, lastReport, numbered, remove, restore, withPosition } from "./collection.js";
import { box, button, chips, h, iconButton, press, put, searchField, toggle } from "./dom.js";
import { confirm, open, save } from "./dialog.js";
import { openExports } from "./exports.js";
import { load, remove as discard, resume, studyFen } from "./games.js";
import { KeptGames, PDN_TYPE, dateOf, edited, gameRow, pdnOf } from "./kept.js";
import { problem } from "./notice.js";
import { rules } from "./program.js";
import { state, update } from "./state.js";
import { hasLibrary } from "./store.js";
import { text } from "./text.js";

const LARGEST = 16 * 1024 * 1024;
/** The number of errors that are shown, and of games that are added to the list when it is scrolled to its end. */
const SHOWN = 100;

/** The words that were searched last. */
let searched = "";

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
  const exporter = button(text.exportGame, () => openExports(() => shown.close())),
    content = box("stack library", lists.element, imports, found, played),
    shown = open(text.games, content, [importer, exporter], text.close);
  receive = take;
  shown.dialog.addEventListener("close", () => {
    receive = null;
  });

  /** Reads a text, or a list of files as one text. */
  async function take(input) {
    if (!input?.length) return;
    if (typeof input === "string") return readText(input);
    const files = input.flatMap((file) => [file, "\n\n"]);
    if (!hasLibrary() && input.reduce((sum, { size }) => sum + size, 0) > LARGEST) return shown.fail(text.tooBig);
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
        filter.value = searched = "";
        press(here, (numbers = null));
        list(report);
        // A text with errors stays, to be corrected.
        const isWrong = report.faults.length > 0 && (typeof body === "string" || !(report.added + report.known));
        show(isWrong ? "import" : "imported");
        if (isWrong) put(wrong, reported(report, true, use));
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
    const { element, games } = new KeptGames({ resume: closing(resume), remove: discard, isImported });
    put(played, element);
    return games.length;
  }

  let draw = null,
    numbers = null;
  const filter = searchField(text.filter, () => {
    searched = filter.value;
    draw();
  });
  filter.value = searched;
  /** Lists only the games with the position on the board. */
  const here = toggle(text.withPosition, false, async () => {
    numbers = numbers ? null : await withPosition().catch(() => null);
    press(here, numbers);
    draw();
  });

  /** Lists the collection's games, after an import with its errors and the number of its games; at least `length` of them. */
  function list(report = null, length = 0) {
    listPlayed();
    if (!collection.isOwn) return put(found);
    const { games, more } = collection;
    const rows = games.map((game) => {
      const draw = game.title[4] === "1/2-1/2" ? text.drawWords : "",
        words = [...game.title, dateOf(game.title[3]), draw].join(" ").toLowerCase();
      return { game, words };
    });
    const onscroll = () => body.scrollHeight - body.scrollTop < 2 * body.clientHeight && grow();
    const body = h("ul", { class: "plain kept-list", onscroll });
    let fitting = [];
    const row = ({ game }) => {
      const isShown = game.source === state.game.tree.source;
      const walk = (game) => {
        collection.walk = fitting.length < games.length ? fitting.map(({ game }) => game) : null;
        return use(game);
      };
      return gameRow({ ...game, isShown }, walk, (name) => removeSome(name, () => remove(game), 1));
    };
    /** Adds rows at the end of the list. */
    const grow = (most = SHOWN) => body.append(...fitting.slice(body.children.length).slice(0, most).map(row));
    draw = () => {
      const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      fitting = rows.filter(
        ({ game, words }) => wanted.every((word) => words.includes(word)) && (!numbers || numbers.has(game.number)),
      );
      count.textContent = fitting.length || !games.length ? text.found(fitting.length) : text.noMatch;
      put(body);
      grow();
    };
    /** Deletes a game or all games, after a question. What is shown of the others stays. */
    const removeSome = async (details, act, many = games.length) => {
      if (!(await confirm(text.removeAllAsk(many), text.remove, { kind: "danger", details }))) return;
      const { scrollTop } = body,
        all = [...body.children],
        at = all.findIndex((row) => row.contains(document.activeElement));
      await (many < games.length ? act() : clear());
      numbers &&= await withPosition().catch(() => null);
      list(null, all.length);
      show("imported");
      found.querySelector(".kept-list")?.scrollTo(0, scrollTop);
      found.querySelector(`li:nth-child(${at + 1}) > :last-child`)?.focus({ preventScroll: true });
    };
    const count = h("p", { class: "grow", role: "status" }),
      [added, faults] = report ? reported(report, false, use) : [];
    const saver = button(text.saveAll, () => saveList(fitting.map(({ game }) => game)), { title: text.saveAllHelp }),
      remover = button(text.removeAll(games.length), () => removeSome("", clear), { class: "clear" });
    put(
      found,
      (games.length > 1 || filter.value) && box("row facing", filter, here),
      box("row facing", count, added, games.length > 0 && saver),
      faults,
      more && h("p", { text: text.manyMore }),
      body,
      games.length > 0 && h("details", {}, h("summary", { text: text.more }), box("row", remover)),
    );
    draw();
    grow(length);
  }

  const use = closing(load);

  const before = listPlayed() ? "kept" : "imported";
  show(before);
  /** The report of the latest import, whose errors stay in reach. */
  let kept = null;
  /** Lists the stored games; what the user has begun meanwhile stays. */
  const reopen = () => {
    if (!collection.isOwn || !shown.dialog.open || found.firstChild) return;
    list(kept);
    if (place === before && !area.value) show("imported");
  };
  reopen();
  if (input) take(input);
  else
    restore()
      .then(lastReport)
      .then((report) => {
        if (report) kept = report;
        if (report && place !== "import") put(found);
        reopen();
      });
}

/**
 * Says how many games an import has added, if the count of all does not, and lists its errors. `open` shows the list, and `use`
 * receives the game of an error.
 */
function reported({ added, known, faults }, open, use) {
  const words = (fault) =>
    fault.id
      ? button(text.errorAt(fault), async () => use(await numbered(fault.id)), { class: "link" })
      : text.errorAt(fault);
  const errors = faults.slice(0, SHOWN).map((fault) => h("li", {}, words(fault))),
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
