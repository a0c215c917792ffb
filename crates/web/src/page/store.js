// The user's games, each under its own name, and the settings. The program keeps them in its library, so that every browser
// and every port has them; the browser then keeps only what the library has not received. Without a library, the browser keeps
// everything. Each tab has its own game. A tab keeps its game's name while it is open, and holds a lock on the name, because a
// duplicated tab copies the name. The page also works in a browser that stores nothing.

import * as transport from "./transport.js";
import { Tree } from "./tree.js";

const GAME = "kelso.game.";
const DAMAGED = "kelso.damaged.";
const SETTINGS = "kelso.settings";
const NAME = "kelso.name";
const MISTAKES = "kelso.mistakes";
const MOST_MISTAKES = 300;
const PINNED = "kelso.pinned";
/** The settings that the library has not received, and whether it has this browser's older ones. */
const UNSENT = "kelso.unsent",
  SHARED = "kelso.shared";
/** Milliseconds after which a request that failed is sent again. */
const RETRY = 2000;
/** Maximum number of games that the browser keeps, in addition to those that the user has pinned or annotated. */
export const MOST = 100;

/** The games of the library by name; null if there is none. `revisions` has the numbers and the revisions of those saved. */
let shelf = null;
const revisions = new Map();
/** The names of the games that the library has not received, and the functions that the page provides. */
const waiting = new Set();
let hooks = null,
  isSending = false,
  unsent = null;

/** Reads a value of the browser, or of this tab; null if it is missing or damaged. */
export function read(key, storage = "localStorage") {
  try {
    return JSON.parse(window[storage].getItem(key));
  } catch {
    return null;
  }
}

/** Keeps a value for this tab until it is closed, if the browser allows that. */
export function keepInTab(key, value) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage, or if it is full, a reload of the tab loses the value.
  }
}

/**
 * Writes a value. Returns whether that was possible. When the storage is full, the oldest games that are neither pinned nor
 * annotated are removed.
 */
function write(key, value) {
  const words = JSON.stringify(value);
  for (;;) {
    try {
      localStorage.setItem(key, words);
      return true;
    } catch {
      if (shelf) return false;
      const oldest = expendable()
        .filter(({ name }) => GAME + name !== key)
        .slice(-5);
      if (!oldest.length) return false;
      for (const { name } of oldest) discard(name);
    }
  }
}

/** Returns whether the browser does not let the page store anything. */
export function isBlocked() {
  try {
    localStorage.setItem(SETTINGS, localStorage.getItem(SETTINGS) ?? "{}");
    return false;
  } catch (error) {
    return error.name !== "QuotaExceededError";
  }
}

/** Returns the games that may be removed without asking, the latest first. */
const expendable = () => kept().filter(({ game, pinned }) => !pinned && !isAnnotated(game));

/** Returns whether a stored game has comments or marks. */
export const isAnnotated = ({ tree }) => tree.nodes.some(([, , more]) => more?.comment || more?.glyphs?.length);

/** The names that this tab has reserved. */
const taken = new Set();

/**
 * Reserves a game's name for this tab if no other tab has it. Over plain HTTP, browsers have no locks, so every name is free.
 */
function take(name) {
  if (!navigator.locks || taken.has(name)) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks.request(GAME + name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      if (lock) taken.add(name);
      return lock && new Promise(() => {});
    });
  });
}

const fresh = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 6);

function keys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(GAME));
  } catch {
    return [];
  }
}

/** Moves an unreadable stored game to a key that the page does not use. */
export function setAside(name) {
  const words = localStorage.getItem(GAME + name);
  localStorage.removeItem(GAME + name);
  try {
    localStorage.setItem(DAMAGED + name, words);
  } catch {
    // If the storage is full, the game is lost.
  }
}

/** Sets all damaged games aside. Returns whether there were any. */
export function setDamagedAside() {
  const damaged = keys().filter((key) => !isGame(read(key)));
  for (const key of damaged) setAside(key.slice(GAME.length));
  return damaged.length > 0;
}

/** Returns whether a value has the form of a stored game. */
function isGame(game) {
  const { tree, players, pace, tip } = game ?? {};
  const isNode = (node, id) =>
    Array.isArray(node) && Number.isInteger(node[0]) && node[0] < Math.max(id, 1) && typeof node[1] === "string";
  return (
    typeof tree?.start === "string" &&
    Array.isArray(tree.nodes) &&
    tree.nodes.length > 0 &&
    tree.nodes.every(isNode) &&
    [players?.b?.kind, players?.w?.kind, pace?.kind].every((kind) => typeof kind === "string") &&
    tip in tree.nodes
  );
}

/** Returns the stored games, the latest first. Damaged ones are left out. */
export function kept() {
  const found = [],
    pins = pinned();
  for (const name of shelf ? shelf.keys() : keys().map((key) => key.slice(GAME.length))) {
    const game = shelf ? shelf.get(name) : read(GAME + name);
    if (isGame(game)) found.push({ name, when: game.when ?? 0, game, pinned: pins.includes(name) });
  }
  return found.sort((a, b) => b.when - a.when);
}

/** Returns the names of the pinned games. */
function pinned() {
  const names = read(PINNED);
  return Array.isArray(names) ? names : [];
}

/** Pins or unpins a game. Pinned games are never removed automatically. */
export function pin(name, on) {
  const others = pinned().filter((other) => other !== name);
  share(PINNED, on ? [...others, name] : others);
}

/** Returns the oldest annotated game if more games are kept than the limit; undefined otherwise. */
export function oldestBeyondLimit() {
  const games = shelf ? [] : kept().filter(({ pinned }) => !pinned);
  return games.length > MOST ? games.pop() : undefined;
}

/** Returns the user's own mistakes as {fen, move, source}: the position, the better move and the game. */
export function mistakes() {
  const found = read(MISTAKES);
  const isMistake = (entry) =>
    [entry?.fen, entry?.move, entry?.source].every((words) => typeof words === "string") &&
    /^[BW]:W[^:]*:B[^:]*$/.test(entry.fen);
  return Array.isArray(found) ? found.filter(isMistake) : [];
}

/** Adds mistakes, as puzzles, at the front of the user's own. */
export function addMistakes(puzzles) {
  const more = puzzles.map(({ fen, solution: [move], source, number }) => ({ fen, move, source, number }));
  const known = mistakes().filter(({ fen }) => !more.some((other) => other.fen === fen));
  share(MISTAKES, [...more, ...known].slice(0, shelf ? undefined : MOST_MISTAKES));
}

/** Returns the name of this tab's game: the wanted or former one, the latest that no other tab has, or a new one. */
export async function claim(known = read(NAME, "sessionStorage")) {
  if (known && (await take(known))) return use(known);
  if (!known) {
    for (const { name } of kept()) if (await take(name)) return use(name);
  }
  return begin();
}

function use(name) {
  keepInTab(NAME, name);
  return name;
}

/** Returns a name for a new game and removes the oldest games beyond the browser's limit that are neither pinned nor annotated. */
export function begin() {
  const name = fresh();
  take(name);
  const surplus = shelf ? 0 : kept().filter(({ pinned }) => !pinned).length - MOST;
  if (surplus > 0) for (const { name } of expendable().slice(-surplus)) discard(name);
  return use(name);
}

/** Returns a stored game, or null if it is missing or damaged. */
export function load(name) {
  const game = shelf ? structuredClone(shelf.get(name)) : read(GAME + name);
  return isGame(game) ? game : null;
}
/** Deletes a stored game. */
export function discard(name) {
  forget(name);
  const { id } = revisions.get(name) ?? {};
  if (shelf?.delete(name) && id) ask({ do: "change", ids: [id], deleted: true }).catch(hooks.failed);
  if (pinned().includes(name)) pin(name, false);
}

/** Removes the browser's copy of a game. */
function forget(name) {
  try {
    localStorage.removeItem(GAME + name);
  } catch {
    // The browser stores nothing.
  }
}

/** Stores a game. Returns whether that was possible; the library reports later if it cannot keep the game. */
export function save(name, game) {
  const value = { ...game, when: Date.now() };
  if (!shelf) return write(GAME + name, value);
  const words = JSON.stringify(value);
  shelf.set(name, JSON.parse(words));
  keepCopy(name);
  waiting.add(name);
  send();
  return true;
}

/** Keeps a copy of a game in the browser until the library has it. */
function keepCopy(name) {
  try {
    const { revision = 0 } = revisions.get(name) ?? {};
    localStorage.setItem(GAME + name, JSON.stringify({ ...shelf.get(name), revision }));
  } catch {
    // The library has room.
  }
}

/** Sends a request to the library. */
const ask = (request) => transport.library(request);

/** Sends the games and settings that the library has not received, again and again while it cannot be reached. */
async function send() {
  if (isSending) return;
  isSending = true;
  try {
    while (waiting.size || unsent) {
      for (const name of waiting) await sendGame(name);
      await sendSettings();
    }
    hooks.failed(null);
  } catch (error) {
    hooks.failed(error);
    setTimeout(send, RETRY);
  }
  isSending = false;
}

async function sendSettings() {
  const sent = unsent;
  if (!sent) return;
  const { puzzles, ...set } = sent;
  await ask({ do: "settings", set, merge: puzzles ? { puzzles } : {} });
  if (unsent !== sent) return;
  unsent = null;
  write(UNSENT, null);
}

/** Notes settings that the library has not received, and sends them. */
function tell(change) {
  unsent = { ...unsent, ...change };
  write(UNSENT, unsent);
  send();
}

async function sendGame(name) {
  const game = shelf.get(name),
    { revision = 0 } = revisions.get(name) ?? {};
  if (game) {
    const request = { do: "save", game: name, revision, pdn: hooks.pdnOf(game), now: Date.now() },
      answer = await ask({ ...request, state: JSON.stringify(game) });
    const { conflict } = answer;
    revisions.set(name, conflict ?? answer);
    // Another page has saved the game: both copies become one.
    if (conflict) return merge(name, conflict.state);
    // The game has changed meanwhile.
    if (shelf.get(name) !== game) return sendGame(name);
  }
  waiting.delete(name);
  forget(name);
}

/** Merges another copy of a game into this one. */
function merge(name, other) {
  const game = shelf.get(name);
  if (isGame(other) && game) {
    const before = JSON.stringify(Tree.revive(game.tree)),
      after = JSON.stringify(Tree.revive(game.tree).merge(Tree.revive(other.tree)));
    shelf.set(name, { ...game, tree: JSON.parse(after) });
    keepCopy(name);
    if (after !== before) hooks.merged(name, Tree.revive(other.tree));
  }
  return sendGame(name);
}

/** Reads the games of the library again, which other pages may have changed. */
export async function reload() {
  if (!shelf) return;
  const found = (await ask({ do: "own" })).filter(({ state }) => isGame(state)),
    names = found.map(({ name }) => name);
  for (const name of shelf.keys()) if (!waiting.has(name) && !names.includes(name)) shelf.delete(name);
  for (const { name, revision, id, state } of found) {
    if (waiting.has(name)) continue;
    shelf.set(name, state);
    revisions.set(name, { revision, id });
  }
}

/**
 * Connects to the library, and gives it what only this browser has. `pdnOf` returns a stored game as PDN; `merged` receives the
 * name of a game that another page has changed, and its other copy; `failed` receives an error, or null after a success.
 */
export async function connect(functions) {
  hooks = functions;
  if (!transport.library) return;
  try {
    const { puzzles, ...initial } = { ...settings(), [PINNED]: pinned(), [MISTAKES]: mistakes() },
      isFirst = !read(SHARED);
    const found = await ask({
      do: "settings",
      set: {},
      initial: isFirst ? initial : {},
      merge: isFirst && puzzles ? { puzzles } : {},
    });
    if (!found) return;
    shelf = new Map();
    await reload();
    unsent = read(UNSENT);
    const { [PINNED]: pins = [], [MISTAKES]: own = [], ...more } = { ...found, ...unsent };
    write(SETTINGS, { ...settings(), ...more, puzzles: { ...found.puzzles, ...unsent?.puzzles } });
    write(PINNED, pins);
    write(MISTAKES, own);
    write(SHARED, true);
  } catch (error) {
    return hooks.failed(error);
  }
  for (const key of keys()) {
    const name = key.slice(GAME.length),
      game = read(key);
    if (!isGame(game)) continue;
    const { revision = 0, ...state } = game,
      known = revisions.get(name);
    if (known) revisions.set(name, { ...known, revision });
    shelf.set(name, state);
    waiting.add(name);
  }
  send();
}

/** Returns whether the program keeps the games. */
export const hasLibrary = () => shelf !== null;

/** Writes a setting, here and in the library. */
function share(key, value) {
  write(key, value);
  if (shelf) tell({ [key]: value });
}

export function settings() {
  const found = read(SETTINGS);
  return found !== null && typeof found === "object" && !Array.isArray(found) ? found : {};
}

/** Stores settings. Of the puzzles, the library receives those that have changed. */
export function remember(change) {
  const { puzzles: known = {}, ...before } = settings();
  write(SETTINGS, { ...before, puzzles: known, ...change });
  if (!shelf) return;
  const { puzzles, ...others } = change;
  if (!puzzles) return tell(others);
  const changed = Object.entries(puzzles).filter(
    ([fen, record]) => JSON.stringify(known[fen]) !== JSON.stringify(record),
  );
  tell({ ...others, puzzles: { ...unsent?.puzzles, ...Object.fromEntries(changed) } });
}
