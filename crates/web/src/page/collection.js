// The searched list of games in the library, whose figures the explorer shows; and the games that come with the page.

import { prefer, preferences } from "./preferences.js";
import { file } from "./program.js";
import { state, subscribe, update } from "./state.js";
import { keepInTab, read } from "./store.js";
import { text } from "./text.js";
import * as transport from "./transport.js";

export const order = { ...preferences.order };

/** Sorts the list. The order is kept. */
export function sortBy(sort, descending) {
  Object.assign(order, { sort, descending });
  prefer({ order: { ...order } });
}

/** Returns the request for the list, without its limits. */
export const query = () => ({ filter: state.filter, ...order });

/** Searches the list for other games. Empty conditions are left out. */
export function search(change) {
  const conditions = { ...state.filter, ...change };
  if (!conditions.player && ["won", "lost"].includes(conditions.result)) delete conditions.result;
  const isGiven = ([name, value]) => (name === "collection" ? value !== undefined : Boolean(value));
  update({ filter: Object.fromEntries(Object.entries(conditions).filter(isGiven)) });
}

/** Returns the conditions that games have the position on the board. */
export function withPosition() {
  const { tree } = state.game;
  return { fen: tree.start, moves: tree.moves(state.current).join(",") };
}

/** Returns the conditions on the games of the explorer: not the words and the position, which only find games. */
export function explored() {
  const { words, fen, moves, reversed, ...conditions } = state.filter;
  return conditions;
}

/** The name under which a tab keeps the conditions, for when the page is loaded again. */
const FILTER = "kelso.filter";

state.filter = read(FILTER, "sessionStorage") ?? {};
subscribe(["filter"], () => keepInTab(FILTER, state.filter));

/** Looks for the game on the board in the list. */
subscribe(["name", "filter"], async () => {
  const { name } = state;
  const around = name ? await transport.library({ do: "neighbours", ...query(), game: name }).catch(() => ({})) : {};
  if (name === state.name) update({ around });
});

/** Returns the names of the collections of imported games, and the numbers of all games and of the deleted ones. */
export async function collections() {
  const { collections, deleted } = await transport.library({ do: "collections" }),
    count = Object.values(collections).reduce((sum, count) => sum + count, 0);
  return { names: Object.keys(collections).filter(Boolean), count, deleted };
}

/** Returns the choices of a collection: all games, those that were played here, and the collections of these names. */
export const places = (names) => [
  ["", text.outcomes[""]],
  ["=", text.ownCollection],
  ...names.map((name) => [`=${name}`, name]),
];

/** Returns the choice that the conditions on the games have made. */
export const place = () => (state.filter.collection === undefined ? "" : `=${state.filter.collection}`);

/** Gives the library the imported games that earlier versions kept in a database of the browser. */
export async function takeOver() {
  const done = (asked) =>
    new Promise((resolve, reject) => Object.assign(asked, { onsuccess: () => resolve(asked.result), onerror: reject }));
  const opening = indexedDB.open("kelso", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("games");
  const database = await done(opening).catch(() => null),
    games = (mode) => database.transaction("games", mode).objectStore("games");
  const pdn = database && (await done(games("readonly").get("pdn")));
  if (!pdn) return;
  await transport.importGames(pdn);
  await done(games("readwrite").delete("pdn"));
}

let levels = null;

/** Reads the games that come with the page, once or `again`; resolves to the number of their collection, 0 if that fails. */
export async function builtIn(again = false) {
  if (again || !levels) levels = file("./games.pdn").then(transport.readGames);
  const { collection } = await levels.catch(() => ({ collection: 0 }));
  return collection;
}
