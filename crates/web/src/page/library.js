// The dialog for games: reads PDN from a text or a file, lists the games, and copies or saves the game on the board.

import { button, h, put } from "./dom.js";
import { confirm, copy, open } from "./dialog.js";
import { read, write } from "./pdn.js";
import { update } from "./state.js";
import { discard, kept } from "./store.js";
import { text } from "./text.js";
import { readGames } from "./transport.js";

const LARGEST = 16 * 1024 * 1024;
const SHOWN = 200;

/** The games that were read last, and the filter. They stay when the dialog is closed. */
const collection = { answer: null, filter: "" };
/** Puts PDN into the open dialog. */
let receive = null;

/**
 * Opens the dialog, or uses the open one. `game` is {tree, tags, fen, link, picture}, `load` receives a tree, `resume` a stored
 * game's name, and `input` is PDN, as a text or a file.
 */
export function library({ game, load, resume, own, input }) {
  if (receive) return receive(input);
  const area = h("textarea", { rows: "4", "aria-label": text.pdn, placeholder: text.pasteHelp, spellcheck: "false" });
  const chooser = h("input", { type: "file", accept: ".pdn,.txt,text/plain", class: "unseen", tabindex: "-1", "aria-hidden": "true", onchange: () => take(chooser.files[0]) });
  const found = h("div", { class: "found" });
  const words = () => write(game.tree, game.tags);
  const save = (words, type, name) => {
    const address = URL.createObjectURL(new Blob([words], { type }));
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
  const copier = (name, words) => {
    const element = button(name, () => copy(words(), element, area));
    return element;
  };
  const earlier = kept().filter(({ name, game }) => name !== own && game.tree?.nodes.length > 1);
  const content = h("div", { class: "stack" },
    area, h("div", { class: "row" }, button(text.readPdn, () => readText(area.value), { class: "primary" }), button(text.openFile, () => chooser.click()), chooser),
    found,
    h("h3", { text: text.thisGame }), h("div", { class: "row" }, copier(text.copyPdn, words), button(text.savePdn, () => save(words(), "application/x-pdn", text.fileName)), game.fen && copier(text.copyFen, () => game.fen), copier(text.copyLink, () => game.link), game.fen && button(text.saveSvg, () => save(game.picture(), "image/svg+xml", text.svgName))),
    earlier.length > 0 && h("h3", { text: text.kept }),
    earlier.length > 0 && h("ul", { class: "plain" }, earlier.map((kept) => keptGame(kept))));
  const shown = open(text.gamesTitle, content, [button(text.close, () => shown.close())]);
  receive = take;
  shown.dialog.addEventListener("close", () => { receive = null; });

  /** Creates a line for a kept game, with a button that deletes it. */
  function keptGame({ name, when, game }) {
    const title = described(when, game);
    const line = h("li", { class: "kept" }, button(title, () => {
      shown.close();
      resume(name);
    }, { class: "link" }), button("×", async () => {
      if (!await confirm(text.deleteAsk(title), text.remove)) return;
      discard(name);
      line.remove();
    }, { "aria-label": text.deleteGame(title), title: text.remove }));
    return line;
  }

  async function take(input) {
    if (!input) return;
    if (typeof input !== "string" && input.size > LARGEST) return shown.fail(text.tooBig);
    await readText(typeof input === "string" ? input : await input.arrayBuffer());
  }

  async function readText(body) {
    shown.fail("");
    put(found, h("p", { text: text.loading }));
    try {
      const answer = await readGames(body);
      if (!shown.dialog.open) return;
      Object.assign(collection, { answer, filter: "" });
      update({ collection: answer.collection });
      if (answer.games.length === 1 && !answer.faults.length) return use(answer.games[0]);
      list();
    } catch (error) {
      put(found);
      shown.fail(text.unreadable(error.message));
    }
  }

  function list() {
    const { games, faults, more } = collection.answer;
    const tag = (game, name) => game.tags.find(([known]) => known === name)?.[1] ?? text.unknown;
    const rows = games.map((game) => ({ game, cells: [String(game.number), tag(game, "Black"), tag(game, "White"), tag(game, "Event"), tag(game, "Date"), game.result, text.length(game.plies.length, game.complete)] }));
    const body = h("tbody");
    const draw = () => {
      const wanted = collection.filter.toLowerCase().split(/\s+/).filter(Boolean);
      const fitting = rows.filter(({ cells }) => wanted.every((word) => cells.join(" ").toLowerCase().includes(word)));
      count.textContent = text.found(fitting.length, faults.length);
      put(body, fitting.slice(0, SHOWN).map(({ game, cells }) => h("tr", { "aria-current": game === collection.current && "true" }, h("td", {}, button(text.load, () => use(game), { "aria-label": `${text.load}: ${cells.join(", ")}` })), cells.map((cell) => h("td", { text: cell })))));
    };
    const filter = h("input", { type: "search", "aria-label": text.filter, placeholder: text.filter, value: collection.filter, oninput: () => {
      collection.filter = filter.value;
      draw();
    } });
    const count = h("p", { role: "status" });
    put(found, count, more && h("p", { text: text.manyMore }),
      faults.length > 0 && h("ul", { class: "faults", tabindex: "0" }, faults.slice(0, SHOWN).map((fault) => h("li", { text: text.errorAt(fault) }))),
      games.length > 1 && filter,
      games.length > 0 && h("div", { class: "wide", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, h("td"), text.columns.map((name) => h("th", { scope: "col", text: name })))), body)));
    draw();
  }

  function use(game) {
    shown.close();
    load(choose(game));
  }

  if (input) take(input);
  else if (collection.answer) list();
}

function choose(game) {
  collection.current = game;
  return read(game);
}

/** Returns the number of the collection that was read last, for the explorer; 0 if there is none with several games. */
export const loadedCollection = () => collection.answer?.games.length > 1 ? collection.answer.collection : 0;

/** Returns a function that reads the game some places after the one loaded last; null if there is none. */
export function neighbour(by) {
  const games = collection.answer?.games ?? [], at = games.indexOf(collection.current);
  const game = at < 0 ? undefined : games[at + by];
  return game ? () => choose(game) : null;
}

/** Describes a stored game by its time, players, length and first moves. */
function described(when, { players, tree }) {
  const name = (side) => tree.tags?.[text.sides[side]] ?? text.playerName(players?.[side] ?? {});
  const line = [];
  for (let at = 0; tree.nodes[at]?.[2].order?.length && line.length < 4; line.push(tree.nodes[at][1])) at = tree.nodes[at][2].order[0];
  return text.keptGame(new Date(when).toLocaleString(), `${name("b")} – ${name("w")}`, tree.nodes.length - 1, line.join(" "));
}
