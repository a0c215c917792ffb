// The user's games, each under its own key, and the settings. The program keeps them in its library, so that every browser and
// every port has them; the browser keeps only what the library has not received, and the settings for the first paint. A game that
// began on the page has a name as its key, an imported one its number. A tab keeps its game's key while it is open, and holds a lock
// on it, because a duplicated tab copies the key. The page also works in a browser that stores nothing.

import { text } from "./text.js";
import * as transport from "./transport.js";
import { Tree } from "./tree.js";

const GAME = "kelso.game.";
const DAMAGED = "kelso.damaged.";
const SETTINGS = "kelso.settings";
const NAME = "kelso.name";
const MISTAKES = "kelso.mistakes";
/** The settings that the library has not received, and whether it has this browser's older ones. */
const UNSENT = "kelso.unsent",
  SHARED = "kelso.shared";
/** Milliseconds after which a request that failed is sent again, and after which an unused game without a move is forgotten. */
const RETRY = 2000,
  OLD = 24 * 3600 * 1000;
/** The number of the user's latest games from which a tab chooses its own. */
const LATEST = 30;

/** The games that the library has not received, and the revisions of the games that were read or saved, by key. */
const waiting = new Map(),
  revisions = new Map();
/** The functions that the page provides. */
let hooks = null,
  isSending = false,
  unsent = null;

/** Returns what `act` returns; null if the browser stores nothing. Then a crash loses what the library has not received. */
function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Reads a value of the browser, or of this tab; null if it is missing or damaged. */
export const read = (key, storage = "localStorage") => attempt(() => JSON.parse(window[storage].getItem(key)));

/** Writes a value of the browser, or of this tab. Null removes it. */
const write = (key, value, storage = "localStorage") =>
  attempt(() =>
    value === null ? window[storage].removeItem(key) : window[storage].setItem(key, JSON.stringify(value)),
  );

export const keepInTab = (key, value) => write(key, value, "sessionStorage");

const taken = new Set();

/** Reserves a game for this tab if no other has it. Over plain HTTP, browsers have no locks, so every game is free. */
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

/** Moves an unreadable copy of a game to a key that the page does not use. */
export function setAside(name) {
  const words = attempt(() => localStorage.getItem(GAME + name));
  write(GAME + name, null);
  if (words) attempt(() => localStorage.setItem(DAMAGED + name, words));
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
  const more = puzzles.map(({ fen, solution: [move], source, number }) => ({ fen, move, source, number })),
    known = mistakes().filter(({ fen }) => !more.some((other) => other.fen === fen)),
    all = [...more, ...known];
  write(MISTAKES, all);
  tell({ [MISTAKES]: all });
}

/** Returns the rows of the games that were played here, or begun from a position, the latest first. */
export async function latest() {
  const request = { do: "list", filter: { collection: "" }, sort: "changed", descending: true, limit: LATEST };
  return (await find(request)).games;
}

export const keyOf = ({ id, name }) => name ?? String(id);

/** Returns the key of this tab's game: the former one, the latest that no other tab has, or a new one. */
export async function claim() {
  const known = read(NAME, "sessionStorage");
  if (known && (await take(known))) return use(known);
  const rows = known ? [] : await latest().catch(() => []);
  for (const name of [...waiting.keys(), ...rows.map(keyOf)]) if (await take(name)) return use(name);
  return begin();
}

/** Makes a game this tab's. Resolves to whether no other tab has it. */
export function open(name) {
  use(name);
  return take(name);
}

function use(name) {
  keepInTab(NAME, name);
  return name;
}

export function begin() {
  const name = Date.now().toString(36) + Math.random().toString(36).slice(2, 6);
  take(name);
  return use(name);
}

/** Returns a game as {state, game}: what the page has stored, or null, and the game as read; null without one. */
export async function load(name) {
  const unsaved = waiting.get(name);
  if (unsaved) return { state: structuredClone(unsaved), game: null };
  const found = name && (await find({ do: "game", game: name }).catch(() => null)),
    copy = read(GAME + name);
  if (found) revisions.set(name, found);
  if (isGame(found?.state)) return found;
  // The browser has the place in a game that was only read.
  const isSame = isGame(copy) && (!found || copy.tree.source === found.game.source);
  return isSame ? { state: copy, game: null } : found && { ...found, state: null };
}

/** Returns the number of a game in the library, if it is there. */
export const idOf = (name) => revisions.get(name)?.id;

/** Removes the browser's copy of a game. */
export function forget(name) {
  waiting.delete(name);
  write(GAME + name, null);
}

/** Stores a game. One that is not `made` by the user is kept only by the browser, unless the library has changes of it. */
export function save(name, game, made) {
  const value = { ...game, when: Date.now() };
  if (!made && !revisions.get(name)?.state) return keepCopy(name, value);
  waiting.set(name, JSON.parse(JSON.stringify(value)));
  keepCopy(name, value);
  send();
}

/** Keeps a copy of a game in the browser until the library has it. */
const keepCopy = (name, game) => write(GAME + name, { ...game, revision: revisions.get(name)?.revision ?? 0 });

/** Asks until the library answers. A request that fails while the page is closed does not mean that there is no game. */
const find = (request) =>
  transport.library(request).catch(async (error) => {
    if (error.message !== text.offline) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY));
    return find(request);
  });

/** Sends the games and settings that the library has not received, again and again while it cannot be reached. */
async function send() {
  if (isSending || !hooks) return;
  isSending = true;
  try {
    while (waiting.size || unsent) {
      for (const name of waiting.keys()) await sendGame(name);
      await sendSettings();
    }
    hooks.failed(null);
  } catch (error) {
    hooks.failed(error);
    setTimeout(send, RETRY);
  }
  isSending = false;
}

/**
 * Returns the settings whose members the library receives one by one, so that pages do not undo each other's, and the others.
 * Damaged ones would be refused with all settings.
 */
function split({ puzzles, outcomes, ...set }) {
  const isWhole = ([, members]) => members?.constructor === Object;
  return { set, merge: Object.fromEntries(Object.entries({ puzzles, outcomes }).filter(isWhole)) };
}

/** Reads the library's settings, which another browser may have changed. Adds to them what it may not have. */
export async function readSettings(initial = {}, merge = {}) {
  const found = await transport.library({ do: "settings", initial, merge });
  const { [MISTAKES]: own = [], ...more } = { ...found, ...unsent };
  const merged = ["puzzles", "outcomes"].map((name) => [name, { ...found[name], ...unsent?.[name] }]);
  write(SETTINGS, { ...settings(), ...more, ...Object.fromEntries(merged) });
  write(MISTAKES, own);
}

async function sendSettings() {
  const sent = unsent;
  if (!sent) return;
  await transport.library({ do: "settings", ...split(sent) });
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
  const game = waiting.get(name),
    { revision = 0 } = revisions.get(name) ?? {};
  if (!game) return;
  const request = { do: "save", game: name, revision, pdn: hooks.pdnOf(game, game.when), now: Date.now() },
    answer = await transport.library({ ...request, state: JSON.stringify(game) });
  const { conflict } = answer;
  revisions.set(name, conflict ?? { ...answer, state: game });
  // Another page has saved the game: both copies become one.
  if (conflict) merge(name, conflict);
  if (waiting.get(name) !== game) return sendGame(name);
  forget(name);
}

function merge(name, { state, game }) {
  const own = waiting.get(name),
    other = isGame(state) ? Tree.revive(state.tree) : hooks.read(game);
  const before = JSON.stringify(Tree.revive(own.tree)),
    after = JSON.stringify(Tree.revive(own.tree).merge(other));
  waiting.set(name, { ...own, tree: JSON.parse(after) });
  keepCopy(name, waiting.get(name));
  if (after !== before) hooks.merged(name, other);
}

/** Connects to the library, and gives it what only this browser has. Resolves to whether a copy of a game is damaged. */
export async function connect(functions) {
  hooks = functions;
  unsent = read(UNSENT);
  let isDamaged = false;
  for (const key of attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(GAME))) ?? []) {
    const name = key.slice(GAME.length),
      game = read(key);
    if (!isGame(game)) {
      isDamaged = true;
      setAside(name);
    } else if (hooks.isMade(game)) {
      const { revision = 0, ...state } = game;
      revisions.set(name, { revision });
      waiting.set(name, state);
    } else if (!(game.when > Date.now() - OLD)) forget(name);
  }
  try {
    const { set, merge } = split(read(SHARED) ? {} : { ...settings(), [MISTAKES]: mistakes() });
    await readSettings(set, merge);
    write(SHARED, true);
  } catch (error) {
    hooks.failed(error);
  }
  send();
  return isDamaged;
}

export function settings() {
  const found = read(SETTINGS);
  return found !== null && typeof found === "object" && !Array.isArray(found) ? found : {};
}

/** Stores settings. Of those that are merged, the library receives the members that have changed. */
export function remember(change) {
  const known = settings(),
    { set, merge } = split(change);
  write(SETTINGS, { ...known, ...change });
  for (const [name, members] of Object.entries(merge)) {
    const isNew = ([key, value]) => JSON.stringify(known[name]?.[key]) !== JSON.stringify(value);
    set[name] = { ...unsent?.[name], ...Object.fromEntries(Object.entries(members).filter(isNew)) };
  }
  tell(set);
}
