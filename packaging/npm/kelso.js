// The engine in WebAssembly, for browsers and Node.js: it runs in a Worker and speaks the native protocol. If
// WebAssembly can wait for JavaScript, the Worker reads lines while it searches; otherwise `stop` ends the Worker
// and answers with the best move so far, and a new Worker with the same options and position replaces it.

const isNode = typeof process === "object" && Boolean(process.versions?.node);
const threads = isNode ? await import("node:worker_threads") : null;
const suspends = "Suspending" in WebAssembly;

async function bytes(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: ${response.status}`);
  return response.arrayBuffer();
}

/** Starts a Worker. `taken` receives its messages, and `failed` the reason why it has ended. */
function start(script, taken, failed) {
  const url = script ?? new URL("worker.js", import.meta.url);
  const receive = (message) => message.failed === undefined ? taken(message) : failed(new Error(message.failed));
  if (isNode) {
    const worker = new threads.Worker(url);
    worker.on("message", receive);
    worker.on("error", failed);
    return worker;
  }
  const worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => failed(new Error(event.message || "the Worker cannot be started"));
  return worker;
}

const ERROR = "info string error: ";

const number = (line, name) => Number(new RegExp(` ${name} (-?[0-9]+)`).exec(line)?.[1] ?? 0);

/** A line `info depth ... pv ...`. */
const INFO = /^info depth (\d+) .* score (\w+) (-?\d+)(?: (lower|upper)bound)?(?: database (\w+))?(?: wdl (\d+) (\d+) (\d+))? .* pv (.+)$/;

/** Reads a line `info depth ... pv ...`; null for other lines. */
function info(line) {
  const found = INFO.exec(line);
  if (!found) return null;
  const [, depth, kind, value, bound = null, known, win, draw, loss, moves] = found;
  return {
    depth: Number(depth), rank: number(line, "multipv"), nodes: number(line, "nodes"),
    score: known ? { kind: known, value: null, bound } : { kind, value: Number(value), bound },
    chances: win === undefined ? null : { win: Number(win), draw: Number(draw), loss: Number(loss) },
    moves: moves === "none" ? [] : moves.split(" "),
  };
}

function positionLine({ fen, moves = [] } = {}) {
  // Some sites write a move as two digits for each square: 1115, 0914.
  const written = moves.map((move) => /^(\d\d)+$/.test(move) ? move.match(/../g).map(Number).join("-") : move);
  return ["position", fen ? `fen ${fen}` : "startpos", ...(moves.length ? ["moves", ...written] : [])].join(" ");
}

function goLine({ depth, nodes, time } = {}) {
  const words = [["depth", depth], ["nodes", nodes], ["movetime", time]].filter(([, value]) => value !== undefined);
  return ["go", ...(words.length ? words.flat() : ["infinite"])].join(" ");
}

/** Loads the engine, as `Engine.load` does. */
export const load = (options) => Engine.load(options);

export class Engine {
  #worker; #script; #files; #listeners = new Set(); #options = new Map(); #position = "position startpos";
  #unfinished = []; #rejected = false; #asked = 0; #best = ""; #closed = null; #queue = Promise.resolve();
  /** The level that the user has set with the option, which a search with its own level restores. */
  #level = "0";

  /**
   * Loads the engine. `data` is false to omit the opening book and the endgame databases (3 MB compressed), `code` the bytes of
   * `kelso.wasm`, and `worker` the address of `worker.js`, if the page has them.
   */
  static async load({ base = import.meta.url, data = true, code: known, worker } = {}) {
    const file = (name) => bytes(new URL(name, base));
    const files = [known ?? file("kelso.wasm"), ...(data ? ["kelso.book", "kelso.egdb"].map(file) : [])];
    const [code, book, databases] = await Promise.all(files);
    const engine = new Engine({ module: await WebAssembly.compile(code), suspends, book, databases }, worker);
    await engine.#start();
    return engine;
  }

  /** Use `Engine.load()`. */
  constructor(files, script) {
    this.#files = files;
    this.#script = script;
  }

  #start() {
    return new Promise((resolve, reject) => {
      const failed = (error) => {
        reject(error);
        this.#end(error);
      };
      this.#worker = start(this.#script, (message) => message.ready ? resolve() : this.#take(message), failed);
      this.#worker.postMessage(this.#files);
    });
  }

  #take({ written = "", finished }) {
    if (this.#closed) return;
    for (const line of written.split("\n").filter(Boolean)) {
      const found = info(line);
      if (found?.rank === 1 && found.moves.length) this.#best = found.moves[0];
      if (line.startsWith(ERROR)) this.#rejected = true;
      this.#emit(line);
    }
    if (finished) this.#finish(this.#unfinished.shift());
  }

  #emit(line) {
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener(line);
  }

  /** Remembers the options and the position for the next Worker, unless the engine has rejected the line. */
  #finish(line = "") {
    const option = /^setoption name (.+?)( value |$)/.exec(line);
    if (option && !this.#rejected) this.#options.set(option[1], line);
    if (line.startsWith("position ") && !this.#rejected) this.#position = line;
    this.#rejected = false;
    this.#best = "";
  }

  #end(error) {
    if (this.#closed) return;
    this.#closed = error;
    this.#worker?.terminate();
    this.#emit(ERROR + error.message);
    this.#emit("bestmove none");
  }

  /** Sends a line of the native protocol. */
  send(line) {
    if (/[\r\n]/.test(line)) throw new TypeError("expected one line");
    this.#level = /^setoption name Level value (\d|10)$/i.exec(line)?.[1] ?? this.#level;
    this.#post(line);
  }

  #post(line) {
    if (this.#closed) throw new Error(`the engine has ended: ${this.#closed.message}`);
    if (line === "stop" && !suspends) {
      this.#restart();
      return;
    }
    if (!suspends) this.#unfinished.push(line);
    this.#worker.postMessage({ line });
  }

  /** Ends the Worker, which cannot read while it searches, and answers its search. */
  #restart() {
    if (!this.#unfinished.some((line) => line.startsWith("go"))) return;
    this.#worker.terminate();
    const at = this.#unfinished.findIndex((line) => line.startsWith("go"));
    const best = this.#best;
    const done = this.#unfinished.splice(0, best ? at + 1 : at);
    done.forEach((line) => this.#finish(line));
    const rest = this.#unfinished.map((line) => line.startsWith("go") ? "go depth 1" : line);
    this.#unfinished = [];
    const lines = [...this.#options.values(), this.#position, ...rest];
    this.#unfinished.push(...lines);
    // Emit the move later, not during a call of the listener that stopped the search.
    if (best) queueMicrotask(() => this.#emit(`bestmove ${best}`));
    // A failure ends the engine, and is reported to the listeners.
    this.#start().catch(() => {});
    for (const line of lines) this.#worker.postMessage({ line });
  }

  /** Calls `listener` with each line that the engine sends. Returns a function that removes the listener. */
  onLine(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends a line and resolves to the lines of the answer, up to the first that begins with `last`. */
  ask(line, last) {
    return new Promise((resolve, reject) => {
      const lines = [];
      const remove = this.onLine((answer) => {
        lines.push(answer);
        if (!answer.startsWith(last) && !answer.startsWith(ERROR)) return;
        end();
        if (answer.startsWith(last)) resolve(lines);
        else reject(new Error(answer.slice(ERROR.length)));
      });
      const end = () => {
        remove();
        this.#asked--;
      };
      this.#asked++;
      try {
        this.send(line);
      } catch (error) {
        end();
        reject(error);
      }
    });
  }

  /**
   * Returns the best move of a position, a FEN or {fen, moves}, or null if there is none. `level` is 1 (weakest) to 10; without
   * limits, the engine thinks for at most a second.
   */
  async bestMove(position, { level = 0, ...limits } = {}) {
    const { depth, nodes, time = depth === undefined && nodes === undefined ? 1000 : undefined } = limits;
    const place = typeof position === "string" ? { fen: position } : position;
    return (await this.search(place, { level, depth, nodes, time })).best;
  }

  /** Searches a position. Searches run one after the other. */
  search(position = {}, limits = {}, onInfo = () => {}) {
    const run = async () => {
      const setLevel = (level) => limits.level !== undefined && this.#checked(`setoption name Level value ${level}`);
      await this.#checked(positionLine(position));
      await setLevel(limits.level);
      const lines = new Map();
      let failure = null;
      const end = this.onLine((line) => {
        const found = info(line);
        if (!found || failure) return;
        lines.set(found.rank, found);
        try {
          onInfo(found);
        } catch (error) {
          failure = { error };
          if (!this.#closed) this.stop();
        }
      });
      try {
        const words = (await this.ask(goLine(limits), "bestmove")).at(-1).split(" ");
        if (failure) throw failure.error;
        return { best: words[1] === "none" ? null : words[1], ponder: words[3] ?? null, lines: [...lines.values()] };
      } finally {
        end();
        if (!this.#closed) await setLevel(this.#level);
      }
    };
    const result = this.#queue.then(run);
    this.#queue = result.catch(() => {});
    return result;
  }

  /** Sends a line that has no answer and waits until it is handled. Rejects if the engine reports an error. */
  async #checked(line) {
    let error = null;
    this.#asked++;
    const end = this.onLine((answer) => {
      if (answer.startsWith(ERROR)) error ??= new Error(answer.slice(ERROR.length));
    });
    const ready = new Promise((resolve) => {
      const done = this.onLine((answer) => {
        if (answer !== "readyok" && !this.#closed) return;
        done();
        resolve();
      });
    });
    try {
      this.#post(line);
      this.#post("isready");
      await ready;
    } finally {
      end();
      this.#asked--;
    }
    if (error) throw error;
  }

  /** Ends the running search, which resolves to the best move so far. */
  stop() {
    this.send("stop");
  }

  /** Ends the engine. */
  close() {
    if (this.#asked) return this.#end(new Error("it was closed"));
    this.#closed ??= new Error("it was closed");
    this.#worker.terminate();
  }
}
