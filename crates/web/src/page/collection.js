// The user's collection of games: one PDN text in the browser's database, which has room for many games; or, without one, the
// games that come with the page.

import { read } from "./pdn.js";
import { state, update } from "./state.js";
import { hasLibrary } from "./store.js";
import { text } from "./text.js";
import * as transport from "./transport.js";

const STORE = "games",
  KEY = "pdn";

/** The games that were read, whether they are the user's, and the searched list of them that previous and next walk. */
export const collection = { walk: null, games: [], more: false, number: 0, isOwn: false };

/** Runs a request in the browser's database. */
const request = (mode, act) =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open("kelso", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result,
        transaction = database.transaction(STORE, mode),
        asked = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(asked.result);
      };
      transaction.onabort = () => reject(transaction.error);
    };
  });

/** The library's collection of imported games. */
export const IMPORTED = { filter: { collection: "Imported" } };

const kept = () => request("readonly", (games) => games.get(KEY)).catch(() => null);

/** Gives the library, if there is one, what the browser has kept. */
export async function takeOver() {
  const games = hasLibrary() && (await kept());
  if (!games) return;
  await transport.importGames(games, IMPORTED.filter.collection);
  await request("readwrite", (games) => games.delete(KEY));
}

/** Returns the stored collection, if any. */
const stored = () => (hasLibrary() ? takeOver().then(() => transport.exportGames(IMPORTED)) : kept());

/** Reads games. */
async function parse(body) {
  const found = await transport.readGames(body);
  for (const game of found.games) game.source ??= read(game).source;
  return found;
}

/** Reads games, and uses them as the collection, without repetitions. */
async function use(body, isOwn) {
  const { games: all, more, collection: number } = await parse(body);
  const seen = new Set(),
    games = all.filter(({ source }) => !seen.has(source) && seen.add(source));
  if (games.length < all.length) return use(new Blob(games.map(({ source }) => `${source}\n`)), isOwn);
  Object.assign(collection, { games, more, number, isOwn });
  update({ collection: number });
}

let restored = null,
  levels = null;

/** Reads the games that come with the page; resolves to the number of their collection. */
export function builtIn() {
  levels ??= transport.file("./games.pdn").then(parse);
  return levels.then(({ collection }) => collection);
}

/** Reads the stored collection once. A server that was started with games has its own, whose number is 0. */
export const restore = () => (restored ??= reopen().catch(() => (restored = null)));

async function reopen() {
  const own = await stored();
  if (own) return use(own, true);
  const { count } = await transport.explore({ moves: "", games: 0 });
  if (!count && !collection.number) await use(await transport.file("./games.pdn"), false);
}

/** Reads the collection again if the server no longer has it. */
export async function reread() {
  collection.number = 0;
  restored = levels = null;
  await restore();
}

/** Adds games to the collection, of which those with errors only from a file. Returns what it has done, and the only game, if it is one. */
export async function add(body) {
  collection.walk = null;
  if (hasLibrary()) return imported(body);
  const { games: all, faults } = await parse(body);
  await restore();
  const games = all.filter(({ complete }) => complete || typeof body !== "string"),
    known = new Set(owned().map(({ source }) => source)),
    fresh = games.filter(({ source }) => !known.has(source) && known.add(source));
  const isStored = !fresh.length || (await replace([...owned(), ...fresh]));
  const game = all.length === 1 && !faults.length && all[0];
  return { added: fresh.length, known: games.length - fresh.length, faults, isStored, game };
}

/** Returns the user's games. */
const owned = () => (collection.isOwn ? collection.games : []);

/** Adds games to the library. The text after an error becomes a comment of its game, whose number is the `id` of the error. */
async function imported(body) {
  const { added, known, only, faults } = await transport.importGames(body, IMPORTED.filter.collection);
  await reread();
  return {
    added,
    known,
    faults: faults.map(placed),
    isStored: true,
    game: only && !faults.length && (await numbered(only)),
  };
}

/** Returns an error of the library in the form of those of `transport.readGames`. */
const placed = ({ number, game, ...fault }) => ({ ...fault, game: number, id: game });

/** Returns a game of the library by its number. */
export const numbered = async (id) => (await transport.library({ do: "game", game: String(id) })).game;

/** Returns the report of the latest import into the library if it had errors. */
export async function lastReport() {
  if (!hasLibrary()) return null;
  const [report] = await transport.library({ do: "imports" });
  return report?.faults.length ? { ...report, faults: report.faults.map(placed) } : null;
}

const blobOf = (games) => new Blob(games.map(({ source }) => `${source}\n`));

/** Deletes a game from the collection. */
export async function remove(game) {
  if (!hasLibrary()) return replace(owned().filter((other) => other !== game));
  const { games } = await transport.library({ do: "list", ...IMPORTED, offset: owned().indexOf(game), limit: 1 });
  await transport.library({ do: "change", ids: games.map(({ id }) => id), deleted: true });
  return reread();
}

/** Uses and stores games as the user's collection. Returns whether they could be stored. */
async function replace(games) {
  const all = blobOf(games);
  await (restored = use(all, true));
  return (await request("readwrite", (games) => games.put(all, KEY)).catch(() => "")) === KEY;
}

/** Deletes the user's collection. */
export async function clear() {
  if (hasLibrary()) await transport.library({ do: "change", ...IMPORTED, deleted: true });
  else await request("readwrite", (games) => games.delete(KEY)).catch(() => {});
  Object.assign(collection, { games: [], number: 0, isOwn: false });
  await reread();
}

/** Returns the numbers of the collection's games with the position on the board. */
export async function withPosition() {
  const { tree } = state.game,
    moves = tree.moves(state.current).join(",");
  const { games } = await transport.explore({ fen: tree.start, moves, games: collection.number, limit: 10000 });
  return new Set(games.map(({ number }) => number));
}

/** Returns the list that the user searched when opening the game on the board, or all games. */
const walked = () => collection.walk ?? collection.games;
/** Returns the place of the game on the board in the list, from 0, or −1. */
const placeInList = () => walked().findIndex(({ source }) => source === state.game.tree.source);
/** Names the place of the game on the board in the list; empty if it is not in it. */
export const placeWords = () =>
  placeInList() < 0 || walked().length < 2 ? "" : text.gamePlace(placeInList() + 1, walked().length);

/** Returns the game of the list `by` places after the one on the board, if any. */
export const neighbour = (by) => (placeInList() < 0 ? undefined : walked()[placeInList() + by]);
