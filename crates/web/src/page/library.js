// The dialog for games: reads PDN from a text or a file, lists the games, and copies or saves the game on the board.

import { button, h, put } from "./dom.js";
import { copy, open, save } from "./dialog.js";
import { KeptGames, PDN_TYPE } from "./kept.js";
import { read, write } from "./pdn.js";
import { state, subscribe, update } from "./state.js";
import { text } from "./text.js";
import { readGames } from "./transport.js";

const LARGEST = 16 * 1024 * 1024;
const SHOWN = 200;
const SVG_TYPE = "image/svg+xml";

/**
 * The games read last, the trees of those that were on the board, and the filter. All are kept when the dialog is closed.
 */
const collection = { answer: null, filter: "", trees: new Map() };

/** Keeps the tree of the game on the board, with the user's edits. */
function keepTree() {
  const { tree } = state.game ?? {};
  if (tree?.origin) collection.trees.set(tree.origin, tree);
}

subscribe(["left"], keepTree);
/** Puts PDN into the open dialog. */
let receive = null;

/**
 * Opens the dialog, or uses the open one. `game` is {tree, tags, fen, link, picture, diagrams, print}, `load` receives a tree, `resume` a stored
 * game's name, and `study` a legal FEN that `check` returns. `input` is PDN or a FEN, as a text, or a list of files.
 */
export function library({ game, load, resume, study, check, own, input }) {
  if (receive) return receive(input);
  keepTree();
  const area = h("textarea", { rows: "4", "aria-label": text.pdn, placeholder: text.pasteHelp, spellcheck: "false" });
  const chooser = h("input", {
    type: "file",
    accept: ".pdn,.txt,text/plain",
    multiple: true,
    class: "unseen",
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: () => take([...chooser.files]),
  });
  const found = h("div", { class: "found" });
  const words = () => write(game.tree, game.tags);
  const copier = (name, words) => {
    const element = button(name, async () => copy(await words(), element, area));
    return element;
  };
  const earlier = new KeptGames({
    own,
    resume: (name) => {
      shown.close();
      resume(name);
    },
  });
  const content = h(
    "div",
    { class: "stack" },
    area,
    h(
      "div",
      { class: "row" },
      button(text.readPdn, () => readText(area.value), { class: "primary" }),
      button(text.openFile, () => chooser.click()),
      chooser,
    ),
    found,
    h("h3", { text: text.thisGame }),
    h(
      "div",
      { class: "buttons" },
      copier(text.copyPdn, words),
      game.fen && copier(text.copyFen, () => game.fen),
      copier(text.copyLink, game.link),
      button(text.savePdn, () => save(words(), PDN_TYPE, text.fileName)),
      game.fen && button(text.saveSvg, () => save(game.picture(), SVG_TYPE, text.svgName)),
      button(text.saveDiagrams, async () => save(await game.diagrams(), SVG_TYPE, text.diagramsName), {
        title: text.diagramsHelp,
      }),
      button(
        text.print,
        () => {
          shown.close();
          game.print();
        },
        { title: text.diagramsHelp },
      ),
    ),
    earlier.element,
  );
  const shown = open(text.gamesTitle, content, [button(text.close, () => shown.close())]);
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
    if (isFen(body)) return studyFen(body);
    put(found, h("p", { text: text.loading }));
    try {
      const answer = await readGames(body);
      if (!shown.dialog.open) return;
      Object.assign(collection, { answer, filter: "", trees: new Map() });
      update({ collection: answer.collection });
      if (answer.games.length === 1 && !answer.faults.length) return use(answer.games[0]);
      list();
    } catch (error) {
      put(found);
      shown.fail(text.unreadable(error.message));
    }
  }

  /** Studies the position of a FEN, if it is legal. */
  async function studyFen(fen) {
    try {
      const start = await check(fen);
      shown.close();
      study(start);
    } catch (error) {
      shown.fail(error.message);
    }
  }

  function list() {
    const { games, faults, more } = collection.answer;
    const tag = (game, name) => game.tags.find(([known]) => known === name)?.[1] ?? text.unknown;
    const rows = games.map((game) => ({
      game,
      cells: [
        String(game.number),
        tag(game, "Black"),
        tag(game, "White"),
        tag(game, "Event"),
        tag(game, "Date"),
        game.result,
        text.length(game.length, game.complete),
      ],
    }));
    const body = h("tbody");
    const draw = () => {
      const wanted = collection.filter.toLowerCase().split(/\s+/).filter(Boolean);
      const fitting = rows.filter(({ cells }) => wanted.every((word) => cells.join(" ").toLowerCase().includes(word)));
      count.textContent = text.found(fitting.length, faults.length);
      put(
        body,
        fitting.slice(0, SHOWN).map(({ game, cells }) =>
          h(
            "tr",
            { "aria-current": game === collection.current && "true" },
            h(
              "td",
              {},
              button(text.load, () => use(game), { "aria-label": `${text.load}: ${cells.join(", ")}` }),
            ),
            cells.map((cell) => h("td", { text: cell })),
          ),
        ),
      );
    };
    const filter = h("input", {
      type: "search",
      "aria-label": text.filter,
      placeholder: text.filter,
      value: collection.filter,
      oninput: () => {
        collection.filter = filter.value;
        draw();
      },
    });
    const count = h("p", { role: "status" });
    put(
      found,
      count,
      more && h("p", { text: text.manyMore }),
      faults.length > 0 &&
        h(
          "ul",
          { class: "faults", tabindex: "0" },
          faults.slice(0, SHOWN).map((fault) => h("li", { text: text.errorAt(fault) })),
        ),
      games.length > 1 &&
        h(
          "div",
          { class: "row" },
          h("div", { class: "grow" }, filter),
          button(text.saveList, () => saveList(games)),
        ),
      games.length > 0 &&
        h(
          "div",
          { class: "wide games", tabindex: "0" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("td"),
                text.columns.map((name) => h("th", { scope: "col", text: name })),
              ),
            ),
            body,
          ),
        ),
    );
    draw();
  }

  function use(game) {
    shown.close();
    load(choose(game));
  }

  if (input) take(input);
  else if (collection.answer) list();
}

/** Returns whether a text is a FEN rather than PDN. */
const isFen = (input) =>
  typeof input === "string" && /^\s*[BW]\s*:\s*[BW][\dK,\s-]*:\s*[BW][\dK,\s-]*\.?\s*$/i.test(input);

/** Returns the tree of a game of the list. */
function choose(game) {
  keepTree();
  collection.current = game;
  const tree = collection.trees.get(game) ?? read(game);
  tree.origin = game;
  return tree;
}

/** Saves the games of the list as one file, with the user's edits. */
function saveList(games) {
  const words = (game) => (collection.trees.has(game) ? write(collection.trees.get(game), {}) : game.source);
  save(games.map((game) => `${words(game).trim()}\n`).join("\n"), PDN_TYPE, text.collectionName);
}

/** Returns the number of the collection that was read last, for the explorer, or 0 if it does not have several games. */
export const loadedCollection = () => (collection.answer?.games.length > 1 ? collection.answer.collection : 0);

/** Returns a function that reads the game `by` places after the one loaded last, or null if there is none. */
export function neighbour(by) {
  const games = collection.answer?.games ?? [],
    at = games.indexOf(collection.current);
  const game = at < 0 ? undefined : games[at + by];
  return game ? () => choose(game) : null;
}
