// The browser's storage: the games, each under its own name, and the settings. Each tab has its own game. A tab keeps its
// game's name while it is open, and holds a lock on the name, because a duplicated tab copies the name. The page also works in
// a browser that stores nothing.

const GAME = "kelso.game.";
const DAMAGED = "kelso.damaged.";
const SETTINGS = "kelso.settings";
const NAME = "kelso.name";
const MISTAKES = "kelso.mistakes";
const MOST_MISTAKES = 300;
const PINNED = "kelso.pinned";
/** Maximum number of games that are kept, in addition to those that the user has pinned or annotated. */
export const MOST = 100;

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
  for (const key of keys()) {
    const game = read(key),
      name = key.slice(GAME.length);
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
  write(PINNED, on ? [...others, name] : others);
}

/** Returns the oldest annotated game if more games are kept than the limit; undefined otherwise. */
export function oldestBeyondLimit() {
  const games = kept().filter(({ pinned }) => !pinned);
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
  write(MISTAKES, [...more, ...known].slice(0, MOST_MISTAKES));
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

/** Returns a name for a new game and removes the oldest games beyond the limit that are neither pinned nor annotated. */
export function begin() {
  const name = fresh();
  take(name);
  const surplus = kept().filter(({ pinned }) => !pinned).length - MOST;
  if (surplus > 0) for (const { name } of expendable().slice(-surplus)) discard(name);
  return use(name);
}

/** Returns a stored game, or null if it is missing or damaged. */
export function load(name) {
  const game = read(GAME + name);
  return isGame(game) ? game : null;
}
/** Deletes a stored game. */
export function discard(name) {
  localStorage.removeItem(GAME + name);
  if (pinned().includes(name)) pin(name, false);
}

/** Stores a game. Returns whether that was possible. */
export const save = (name, game) => write(GAME + name, { ...game, when: Date.now() });
export function settings() {
  const found = read(SETTINGS);
  return found !== null && typeof found === "object" && !Array.isArray(found) ? found : {};
}
export const remember = (change) => write(SETTINGS, { ...settings(), ...change });
