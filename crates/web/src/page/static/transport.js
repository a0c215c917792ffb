// Connects the page to the engine without a server: the engine is a WebAssembly module, and each session a
// Worker that runs one instance of it. The exports are the same as those of the transport to a server.

import { text } from "./text.js";

const at = (name) => new URL(name, import.meta.url);

/** If WebAssembly can wait for JavaScript, a Worker reads messages while its engine searches. */
const READS_WHILE_SEARCHING = "Suspending" in WebAssembly;

const compiled = WebAssembly.compileStreaming(fetch(at("kelso.wasm")))
  // Some hosts do not send the file's content type.
  .catch(async () => WebAssembly.compile(await (await fetch(at("kelso.wasm"))).arrayBuffer()));

/** The opening book and the endgame databases, which are loaded after the engine. A failure to load them is ignored. */
let loaded = null;
export const data = compiled.then(async () => {
  const bytes = (name) => fetch(at(name)).then((response) => response.ok ? response.arrayBuffer() : null, () => null);
  const [book, databases] = await Promise.all(["kelso.book", "kelso.egdb"].map(bytes));
  return loaded = { book, databases };
}, () => ({}));

/** Starts a Worker. `received` takes its messages, and `failed` the reason why it has ended. */
function start(received, failed) {
  const worker = new Worker(at("worker.js"));
  worker.onmessage = ({ data }) => data.failed === undefined ? received(data) : failed(data.failed);
  worker.onerror = (event) => {
    event.preventDefault();
    failed(event.message);
  };
  compiled.then((module) => {
    worker.postMessage({ module, suspends: READS_WHILE_SEARCHING, ...loaded });
    if (!loaded) data.then((parts) => worker.postMessage(parts));
  }, (error) => failed(String(error)));
  return worker;
}

/** A session with the engine: lines of the native protocol. */
export class Session {
  /** Takes the same arguments as a session with a server. There is only one engine. */
  constructor(engine, { opened, received, closed }) {
    Object.assign(this, { opened, received, closed });
    this.over = false;
    /** The lines that set options, by option name, and the last position: the state that a new Worker is given. */
    this.options = new Map();
    this.position = "";
    /** For a Worker that cannot read while it searches: its unfinished lines, and the best move so far. */
    this.unfinished = [];
    this.best = "";
    this.start();
  }

  start() {
    this.worker = start((message) => this.take(message), (reason) => {
      if (this.over) return;
      this.close();
      this.closed({ ended: true, reason, busy: false });
    });
  }

  take({ ready, written = "", finished }) {
    if (this.over) return;
    if (ready) {
      this.opened?.();
      this.opened = null;
    }
    for (const line of written.split("\n").filter(Boolean)) {
      const best = / multipv 1 .* pv (\S+)(?: (\S+))?/.exec(line);
      if (best) this.best = best[2] ? `${best[1]} ponder ${best[2]}` : best[1];
      this.received(line);
    }
    if (finished) this.finish();
  }

  /** Records that the Worker has finished with a line. */
  finish() {
    const line = this.unfinished.shift() ?? "";
    const option = /^setoption name (.+?)( value |$)/.exec(line);
    if (option) this.options.set(option[1], line);
    if (line.startsWith("position ")) this.position = line;
    this.best = "";
  }

  /** Sends a line, immediately or as soon as the session is open. */
  send(line) {
    if (this.over) return;
    if (line === "stop" && !READS_WHILE_SEARCHING) return this.stop();
    if (!READS_WHILE_SEARCHING) this.unfinished.push(line);
    this.worker.postMessage({ line });
  }

  /** Replaces a Worker that cannot read while it searches: the search is answered with its best move so far. */
  stop() {
    if (!this.unfinished.some((line) => line.startsWith("go"))) return;
    this.worker.terminate();
    if (this.best) {
      const answer = `bestmove ${this.best}`;
      this.finish();
      queueMicrotask(() => this.over || this.received(answer));
    }
    const rest = this.unfinished.map((line) => line.startsWith("go") ? "go depth 1" : line);
    this.unfinished = [];
    const state = [...this.options.values(), this.position].filter(Boolean);
    this.start();
    for (const line of [...state, ...rest]) this.send(line);
  }

  close() {
    this.over = true;
    this.worker.terminate();
  }
}

/** A Worker that answers requests, one at a time. */
class Clerk {
  /** The pending requests; the first is being answered. */
  waiting = [];
  worker = null;

  /** Sends a request and returns the answer. `received` takes the events before the answer. */
  async ask(name, body, received) {
    const text = await new Response(body).arrayBuffer();
    this.worker ??= start((message) => this.answered(message), (reason) => this.fail(reason));
    return new Promise((resolve, reject) => {
      this.waiting.push({ message: { request: name, text }, resolve, reject, received });
      if (this.waiting.length === 1) this.worker.postMessage(this.waiting[0].message);
    });
  }

  answered({ answer, refused, event }) {
    if (event) this.waiting[0]?.received(JSON.parse(event));
    if (answer === undefined && refused === undefined) return;
    const { resolve, reject } = this.waiting.shift();
    if (this.waiting.length) this.worker.postMessage(this.waiting[0].message);
    if (refused === undefined) resolve(answer && JSON.parse(answer));
    else reject(new Error(refused));
  }

  fail(reason) {
    this.worker?.terminate();
    this.worker = null;
    if (this === clerk) revision = -1;
    for (const { reject } of this.waiting.splice(0)) reject(new Error(text.engineEnded("Kelso", reason)));
  }
}

/** Reviews take long, so they have their own Worker. The other Worker keeps the games that were read. */
const clerk = new Clerk(), reviewer = new Clerk();
const request = (name, body) => clerk.ask(name, body);

export const engines = async () => [{ name: "kelso", protocol: "native", own: true }];

export const readGames = (pdn) => request("read_games", pdn);

export const explore = (query) => current(() => request("explore", String(new URLSearchParams(query))));

export function review(pdn, { after, received, signal }) {
  let handled = Promise.resolve();
  signal.addEventListener("abort", () => reviewer.fail(""));
  const handle = (event) => { handled = handled.then(() => received(event)); };
  return reviewer.ask("review_game", `after=${after}\n${pdn}`, handle).then(() => handled);
}

/** The library is in the Worker, and its games in the browser's database, from which those of other tabs come. */
const GAMES = "games", STATE = "state";
/** The revision of the library in the Worker; −1 before it has the games of the database. */
let revision = -1;

const opened = () => new Promise((resolve, reject) => {
  const opening = indexedDB.open("kelso.library", 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(GAMES, { keyPath: "id" });
    opening.result.createObjectStore(STATE);
  };
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => resolve(opening.result);
});
let database = null;

/** Runs a transaction. `act` receives both stores, and returns the requests whose results are wanted. */
async function transact(mode, act) {
  database ??= await opened();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([GAMES, STATE], mode, { durability: "strict" });
    const asked = act(transaction.objectStore(GAMES), transaction.objectStore(STATE));
    transaction.oncomplete = () => resolve(asked.map(({ result }) => result));
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Runs a request while no other tab uses its library, after the changes of other tabs; `isChange` stores what it has changed. */
function current(ask, isChange = false) {
  const run = async () => {
    const [saved = { revision: 0, settings: {} }] = await transact("readonly", (_, state) => [state.get(STATE)]).catch(() => []);
    if (saved.revision > revision) {
      const [games] = await transact("readonly", (games) => [games.getAll()]).catch(() => [[]]);
      await request("restore_library", JSON.stringify({ ...saved, games }));
      revision = saved.revision;
    }
    const answer = await ask();
    if (isChange) {
      const { games, ...state } = await request("library_changes", String(revision));
      await transact("readwrite", (stored, states) => [...games.map((game) => stored.put(game)), states.put(state, STATE)]);
      revision = state.revision;
    }
    return answer;
  };
  return navigator.locks ? navigator.locks.request("kelso.library", run) : run();
}

export const library = (asked) => current(() => request("ask_library", JSON.stringify(asked)), /"do":"(save|change|settings)"/.test(JSON.stringify(asked)));

export const importGames = (pdn, name = "") =>
  current(() => request("import_games", new Blob([`${JSON.stringify({ name, now: Date.now() })}\n`, pdn])), true);

export const exportGames = (selection) => current(() => request("export_games", JSON.stringify(selection)));

/** The built-in engine has no prover. */
export const prove = null;

// The page works offline after the first visit. Its files are stored when it is loaded, so that they do not delay it.
if ("serviceWorker" in navigator) data.then(() => navigator.serviceWorker.register("offline.js")).catch(() => {});
