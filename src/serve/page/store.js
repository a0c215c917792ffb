// What is kept in the browser: the games, each under a name of its own, and the settings. A tab has its own game: it knows
// its name as long as it lives, and a lock tells whether another tab has taken it along when the tab was duplicated. A
// browser that is told to keep nothing keeps nothing, and the page works without.

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

/** Writes; when there is no room, the oldest games make it. */
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

/** Takes a game's name for this tab, if no other has it; without locks, which only the loopback and https have, always. */
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

/** The games that are kept, the latest first. */
export function kept() {
  const found = [];
  for (const key of keys()) {
    const game = read(key);
    if (game) found.push({ name: key.slice(GAME.length), when: game.when ?? 0, game });
  }
  return found.sort((a, b) => b.when - a.when);
}

/** The name of this tab's game: the one that it had, the latest that no tab has, or a new one. */
export async function claim() {
  const known = own();
  if (known && await take(known)) return known;
  if (!known) {
    for (const { name } of kept()) if (await take(name)) return use(name);
  }
  return begin();
}

/** The name that this tab has. */
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
    // It has it as long as it is not loaded again.
  }
  return name;
}

/** A name for a new game; the games that have been left longest make room. */
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
