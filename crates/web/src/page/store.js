// The browser's storage: the games, each under its own name, and the settings. Each tab has its own game. It keeps the
// game's name for as long as it is open, and holds a lock on it, because a duplicated tab copies the name. The page also
// works in a browser that stores nothing.

const GAME = "kelso.game.";
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

/** Returns the stored games, the latest first. */
export function kept() {
  const found = [];
  for (const key of keys()) {
    const game = read(key);
    if (game) found.push({ name: key.slice(GAME.length), when: game.when ?? 0, game });
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

export const load = (name) => read(GAME + name);
export const save = (name, game) => write(GAME + name, { ...game, when: Date.now() });
export const settings = () => read(SETTINGS) ?? {};
export const remember = (change) => write(SETTINGS, { ...settings(), ...change });
