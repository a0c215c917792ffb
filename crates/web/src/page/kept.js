// The games stored in the browser: a list that can be searched and sorted, and whose games can be pinned, deleted and saved.

import { confirm, save } from "./dialog.js";
import { box, button, field, h, iconButton, put, searchField, select } from "./dom.js";
import { write } from "./pdn.js";
import { nameOf } from "./players.js";
import { state } from "./state.js";
import { kept, pin } from "./store.js";
import { text } from "./text.js";
import { PLAYER_TAGS, START, Tree } from "./tree.js";

export const PDN_TYPE = "application/x-pdn";

/** Returns the tags of a game of this browser; `when` is its time in milliseconds if it was not played here. */
export function tagsOf({ players, opening, tree, played }, when = Date.now()) {
  const date = new Date(played || when).toISOString().slice(0, 10).replaceAll("-", ".");
  return {
    Event: opening || text.name,
    Date: date,
    Black: nameOf(players, "b"),
    White: nameOf(players, "w"),
    ...tree.tags,
  };
}

/** Returns a stored game as PDN. */
export function pdnOf(game, when) {
  const tree = Tree.revive(game.tree);
  return write(tree, tagsOf({ ...game, tree }, when));
}

/** Returns the names of the players of a stored game. */
export const namesOf = ({ players, tree }) =>
  ["b", "w"].map((side) => tree.tags?.[PLAYER_TAGS[side]] ?? nameOf(players, side, text.you));
const playersOf = (game) => namesOf(game).join(" – ");

/** Returns a result as it is shown; empty if there is none. */
export const resultOf = (result) => result.replace("1/2-1/2", "½-½").replace("*", "");

/** Returns a date such as "2026.11.28" in words. Its day and its month may be unknown. */
export function dateOf(tag) {
  const [, year, month, day] = /^(\d{4})(?:\D(\d\d))?(?:\D(\d\d))?/.exec(tag) ?? [],
    date = new Date(`${year}-${month ?? "01"}-${day ?? "01"}`);
  if (!year || Number.isNaN(Number(date))) return tag.replace(/^\D+$/, "");
  const shown = { year: "numeric", ...(month && { month: "short" }), ...(day && { day: "numeric" }), timeZone: "UTC" };
  return date.toLocaleDateString(text.language, /** @type {Intl.DateTimeFormatOptions} */ (shown));
}

/** Returns whether a game has something that was made here, rather than only read. Games of older versions do not say so. */
export const isMade = ({ tree: { nodes, source, start, edited = !source } }) =>
  edited && (nodes.length > 1 || Boolean(source) || start !== START);

/** Returns whether a game was read, rather than played here. */
export const isImported = ({ tree, played }) => tree.loaded && !played;

/** Returns the stored games that were changed after they were read, by the texts that they were read from; of two, the latest. */
export const edited = () => {
  const entries = kept().filter(({ game }) => isMade(game));
  return new Map(entries.reverse().map((entry) => [entry.game.tree.source, entry]));
};

/** Returns the first moves of the main line, and its length in plies. */
function mainLine({ tree }) {
  const moves = [];
  for (let at = 0; tree.nodes[at]?.[2]?.order?.length; moves.push(tree.nodes[at][1])) at = tree.nodes[at][2].order[0];
  return { opening: moves.slice(0, 3).join(" "), plies: moves.length };
}

/** Returns the time at which a stored game was played, or else at which it was last on the board. */
const timeOf = ({ when, game }) => game.played || when;
const isEnded = ({ game }) => /\d/.test(game.tree.result);

/** Describes a stored game: its players and result, and its date, length and first moves, of which the last two change on the board. */
function described(kept, own) {
  const { game, name } = kept,
    { opening, plies } = mainLine(game);
  const time = isImported(game) ? text.imported : dateOf(new Date(timeOf(kept)).toISOString().slice(0, 10));
  const result = isEnded(kept) ? resultOf(game.tree.result) : game.played ? text.inProgress : "";
  return [playersOf(game), result, time, ...(name === own && !isEnded(kept) ? [] : [text.inMoves(plies), opening])];
}

export const keptTitle = (kept) => described(kept).filter(Boolean).join(" · ");

/** The sort orders of the list, as comparison functions. */
const ORDERS = {
  latest: (a, b) => timeOf(b) - timeOf(a),
  players: (a, b) => playersOf(a.game).localeCompare(playersOf(b.game)),
  length: (a, b) => mainLine(b.game).plies - mainLine(a.game).plies,
};

/** Creates the button of a game in a list. Names are isolated, since they may be written in either direction. */
export const gameButton = (names, result, facts, onclick, title) =>
  button(
    [
      h("span", {}, ...names.flatMap((name, at) => [at > 0 && " – ", h("bdi", { text: name || text.unknown })])),
      h("span", { text: result }),
      h("span", { class: "soft" }, ...facts.filter(Boolean).map((fact) => h("span", {}, fact))),
    ],
    onclick,
    { class: "link grow", title },
  );

/** Creates the row of a game of a collection. `open` receives the game, and `remove`, if given, the name of the game to delete. */
export function gameRow(game, open, remove) {
  const [black, white, event, date, result, opening] = game.title.map((words) => words.replace(/^\?$/, "")),
    { number, length, complete = true, isShown } = game,
    moves = h("span", { class: !complete && "broken", text: text.length(length, complete) }),
    facts = [dateOf(date), moves, text.shortOpening(text.opening(opening)), event],
    players = `${black || text.unknown} – ${white || text.unknown}`,
    name = [players, dateOf(date), text.opening(opening), event].filter(Boolean).join(", ");
  return h(
    "li",
    { class: "kept", "aria-current": isShown && "true" },
    h("span", { class: "soft", text: String(number) }),
    gameButton([black, white], resultOf(result), facts, () => open(game), name),
    remove && iconButton("remove", text.deleteGame(name), () => remove(name)),
  );
}

export class KeptGames {
  /**
   * `resume` receives the name of a game that was chosen, and `remove` that of one to delete. Games that were only read are not
   * listed, nor are those that `isImported` finds.
   */
  constructor({ resume, remove, isImported }) {
    this.on = { resume, remove };
    this.games = kept().filter(({ game, name }) => isMade(game) && !isImported(game, name));
    this.list = h("ul", { class: "plain kept-list" });
    this.count = h("p", { class: "grow", role: "status" });
    this.search = searchField(text.keptFilter, () => this.draw());
    this.orders = select(Object.entries(text.keptOrders), "latest", () => this.draw());
    const saver = button(text.saveAll, () => this.saveAll(), { title: text.saveAllHelp });
    this.tools = box("row", field(text.order, this.orders), saver);
    this.element = box("stack kept-games", this.search, box("row facing", this.count, this.tools), this.list);
    this.draw();
  }

  /** Returns the games that match the search, pinned games first. */
  found() {
    const wanted = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (kept) => wanted.every((word) => keptTitle(kept).toLowerCase().includes(word));
    return this.games.filter(fits).sort((a, b) => b.pinned - a.pinned || ORDERS[this.orders.value](a, b));
  }

  draw() {
    const found = this.found(),
      all = this.games.length;
    this.count.textContent = all ? text.keptCount(found.length, all) : text.noGames;
    this.search.hidden = !all;
    this.tools.hidden = !found.length;
    const rows = found.map((kept) => this.row(kept));
    put(this.list, rows);
  }

  row(kept) {
    const { name, pinned } = kept,
      title = keptTitle(kept);
    const [, result, ...facts] = described(kept, state.name);
    return h(
      "li",
      { class: "kept", "aria-current": name === state.name && "true" },
      iconButton("pin", pinned ? text.unpin(title) : text.pinGame(title), () => this.pin(kept), {
        "aria-pressed": String(pinned),
      }),
      gameButton(namesOf(kept.game), result, facts, () => this.on.resume(name), title),
      iconButton("remove", text.deleteGame(title), () => this.remove(kept)),
    );
  }

  pin(kept) {
    kept.pinned = !kept.pinned;
    pin(kept.name, kept.pinned);
    this.draw();
    this.list.children[this.found().indexOf(kept)]?.querySelector("button").focus();
  }

  async remove(kept) {
    const details = `${keptTitle(kept)}${kept.name === state.name ? text.deletedShown : ""}`;
    if (!(await confirm(text.deleteAsk, text.remove, { kind: "danger", details }))) return;
    this.on.remove(kept.name);
    this.games = this.games.filter((other) => other !== kept);
    this.draw();
    this.search.focus();
  }

  /** Saves all games that match the search to one file. */
  saveAll() {
    const games = this.found();
    if (games.length) save(games.map(({ game, when }) => pdnOf(game, when)).join("\n"), PDN_TYPE, text.collectionName);
  }
}
