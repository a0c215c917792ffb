// The browser's storage: the games, each under its own name, and the settings. Each tab has its own game. It keeps the
// game's name for as long as it is open, and holds a lock on it, because a duplicated tab copies the name. The page also
// works in a browser that stores nothing.

const GAME = "kelso.game.";
const DAMAGED = "kelso.damaged.";
const SETTINGS = "kelso.settings";
const NAME = "kelso.name";
const MOST = 30;

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Writes a value. When the storage is full, the oldest games are removed. */
function write(key, value) {
  const words = JSON.stringify(value);
  for (let tries = 0; tries < 3; tries++) {
    try {
      localStorage.setItem(key, words);
      return;
    } catch {
      for (const { name } of kept().slice(-5)) if (GAME + name !== key) localStorage.removeItem(GAME + name);
    }
  }
}

/** Reserves a game's name for this tab if no other tab has it. Over plain http browsers have no locks, and every name is free. */
function take(name) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks.request(GAME + name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
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
    // Without space it is lost.
  }
}

/** Sets all damaged games aside; returns whether there were any. */
export function setDamagedAside() {
  const damaged = keys().filter((key) => !isGame(read(key)));
  for (const key of damaged) setAside(key.slice(GAME.length));
  return damaged.length > 0;
}

/** Returns whether a value has the form of a stored game. */
function isGame(game) {
  const { tree, players, pace, tip } = game ?? {};
  const isNode = (node, id) => Array.isArray(node) && Number.isInteger(node[0]) && node[0] < Math.max(id, 1) && typeof node[1] === "string";
  return typeof tree?.start === "string" && Array.isArray(tree.nodes) && tree.nodes.length > 0 && tree.nodes.every(isNode)
    && [players?.b?.kind, players?.w?.kind, pace?.kind].every((kind) => typeof kind === "string") && tip in tree.nodes;
}

/** Returns the stored games, the latest first. Damaged ones are left out. */
export function kept() {
  const found = [];
  for (const key of keys()) {
    const game = read(key);
    if (isGame(game)) found.push({ name: key.slice(GAME.length), when: game.when ?? 0, game });
  }
  return found.sort((a, b) => b.when - a.when);
}

/** Returns the name of this tab's game: the one that it had, the latest that no other tab has, or a new one. */
export async function claim() {
  const known = own();
  if (known && await take(known)) return known;
  if (!known) {
    for (const { name } of kept()) if (await take(name)) return use(name);
  }
  return begin();
}

/** Returns the name that this tab has. */
function own() {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function use(name) {
  try {
    sessionStorage.setItem(NAME, name);
  } catch {
    // Without storage the name is lost when the tab is reloaded.
  }
  return name;
}

/** Returns a name for a new game and removes the oldest games beyond the limit. */
export function begin() {
  const name = fresh();
  take(name);
  for (const { name } of kept().slice(MOST)) localStorage.removeItem(GAME + name);
  return use(name);
}

/** Returns a stored game; null if there is none, or one that is damaged. */
export function load(name) {
  const game = read(GAME + name);
  return isGame(game) ? game : null;
}
/** Deletes a stored game. */
export const discard = (name) => localStorage.removeItem(GAME + name);
export const save = (name, game) => write(GAME + name, { ...game, when: Date.now() });
export function settings() {
  const found = read(SETTINGS);
  return found !== null && typeof found === "object" && !Array.isArray(found) ? found : {};
}
export const remember = (change) => write(SETTINGS, { ...settings(), ...change });
