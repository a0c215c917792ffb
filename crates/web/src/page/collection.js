// The searched list of games in the library, which previous and next walk and whose figures the explorer shows; imports; and the
// games that come with the page.

import { state, subscribe, update } from "./state.js";
import { text } from "./text.js";
import * as transport from "./transport.js";

export const order = { sort: "added", descending: true };

/** Returns the request for the list, without its limits. */
export const query = () => ({ filter: state.filter, ...order });

/** Searches the list for other games. Empty conditions are left out. */
export function search(change) {
  const conditions = { ...state.filter, ...change };
  if (!conditions.player && ["won", "lost"].includes(conditions.result)) delete conditions.result;
  const wanted = Object.entries(conditions);
  const isGiven = ([name, value]) => (name === "collection" ? value !== undefined : Boolean(value));
  update({ filter: Object.fromEntries(wanted.filter(isGiven)) });
}

/** The games around the one on the board: {place, count, previous, next}. */
let around = {};

/** Looks for the game on the board in the list. */
export async function locate() {
  const { name } = state;
  const found = name ? await transport.library({ do: "neighbours", ...query(), game: name }).catch(() => ({})) : {};
  if (name !== state.name) return;
  around = found;
  update({ around });
}
subscribe(["name", "filter"], locate);

/** Names the place of the game on the board in the list; empty if it is not in it. */
export const placeWords = () => (around.count > 1 ? text.gamePlace(around.place + 1, around.count) : "");

/** Returns the key of the game before (−1) or after the one on the board in the list, if there is one. */
export function neighbour(by) {
  const id = by < 0 ? around.previous : around.next;
  return id ? String(id) : undefined;
}

/**
 * Returns the names of the collections, except that of the games that were played here, and the numbers of all games and of the
 * deleted ones.
 */
export async function collections() {
  const { collections, deleted } = await transport.library({ do: "collections" }),
    count = Object.values(collections).reduce((sum, count) => sum + count, 0);
  return { names: Object.keys(collections).filter(Boolean), count, deleted };
}

/** Returns the choices of a collection: all games, those that were played here, and the collections of these names. */
export const places = (names) => [
  ["", text.allGames],
  ["=", text.ownCollection],
  ...names.map((name) => [`=${name}`, name]),
];

/** Returns the choice that the conditions on the games have made. */
export const place = () => (state.filter.collection === undefined ? "" : `=${state.filter.collection}`);

/** Runs a request in the database of imported games that earlier versions kept in the browser. */
const request = (mode, act) =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open("kelso", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("games");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result,
        transaction = database.transaction("games", mode),
        asked = act(transaction.objectStore("games"));
      transaction.oncomplete = () => {
        database.close();
        resolve(asked.result);
      };
      transaction.onabort = () => reject(transaction.error);
    };
  });

/** Gives the library the imported games that the browser has kept. */
export async function takeOver() {
  const games = await request("readonly", (games) => games.get("pdn")).catch(() => null);
  if (!games) return;
  await transport.importGames(games);
  await request("readwrite", (games) => games.delete("pdn"));
}

let levels = null;

/** Reads the games that come with the page; resolves to the number of their collection. */
export function builtIn() {
  levels ??= transport.file("./games.pdn").then(transport.readGames);
  return levels.then(({ collection }) => collection);
}

/** Reads them again, if the server no longer has them. */
export function reread() {
  levels = null;
}
