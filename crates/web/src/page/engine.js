// An engine: sends requests in the native protocol, and resolves to their answers.

import { Session } from "./transport.js";

export class ConnectionLost extends Error {}

/** The first words of the lines that answer a request, and how the last line begins. */
const SHAPES = {
  identity: { words: ["id", "option", "uciok"], last: "uciok" },
  ready: { words: ["readyok"], last: "readyok" },
  facts: { words: ["board", "fen", "key", "side", "result", "path", "moves"], last: "moves " },
  probe: { words: ["probe"], last: "probe side " },
  ballots: { words: ["ballot", "ballots"], last: "ballots " },
  offer: { words: ["draw"], last: "draw" },
  search: { words: ["info", "bestmove"], last: "bestmove " },
};
/** Requests that get no further answer after an error. */
const ENDED_BY_ERROR = [SHAPES.ballots, SHAPES.probe, SHAPES.offer];
const ERROR = "info string error: ";

export class Engine {
  /** Connects to an engine by its name, or to this program if it is empty. The functions are those of a `Session`. */
  constructor(name, { opened = null, closed = null } = {}) {
    /** The requests that were sent, and those that are waiting. */
    this.requests = [];
    this.waiting = [];
    this.over = false;
    this.session = new Session(name, {
      opened: () => opened?.(),
      received: (line) => this.receive(line),
      closed: (how) => {
        this.abandon(how.reason);
        closed?.(how);
      },
    });
  }

  /** Runs a job with a temporary session of this program. */
  static with(job) {
    const engine = new Engine("");
    return job(engine).finally(() => engine.close());
  }

  close() {
    this.session.close();
    this.abandon("");
  }

  abandon(reason) {
    this.over = true;
    for (const request of [...this.requests.splice(0), ...this.waiting.splice(0)])
      request.reject(new ConnectionLost(reason));
  }

  receive(line) {
    const word = line.split(" ", 1)[0];
    if (line.startsWith(ERROR)) {
      const request = this.requests.find((request) => request.shape !== SHAPES.search) ?? this.requests[0];
      if (request) request.error ??= line.slice(ERROR.length);
      if (ENDED_BY_ERROR.includes(request?.shape)) this.finish(request);
      return;
    }
    const request = this.requests.find((request) => request.shape.words.includes(word));
    if (!request) return;
    request.lines.push(line);
    request.each?.(line);
    if (line.startsWith(request.shape.last)) this.finish(request);
  }

  finish(request) {
    this.requests.splice(this.requests.indexOf(request), 1);
    if (request.error) request.reject(new Error(request.error));
    else request.resolve(request.lines);
    this.sendNext();
  }

  /** Resolves to the lines of the answer. As errors do not name their requests, all but searches are sent one by one. */
  ask(shape, lines, each) {
    return new Promise((resolve, reject) => {
      if (this.over) return reject(new ConnectionLost());
      const request = { shape: SHAPES[shape], words: lines, lines: [], each, resolve, reject };
      if (request.shape === SHAPES.search) return this.send(request);
      this.waiting.push(request);
      this.sendNext();
    });
  }

  sendNext() {
    if (this.requests.every(({ shape }) => shape === SHAPES.search) && this.waiting.length)
      this.send(this.waiting.shift());
  }

  send(request) {
    this.requests.push(request);
    for (const line of request.words) this.session.send(line);
  }

  async options() {
    const options = {};
    for (const line of await this.ask("identity", ["uci"])) {
      const option = /^option name (.+) type \w+(.*)$/.exec(line);
      if (option) options[option[1]] = { max: Number(/ max (\d+)/.exec(option[2])?.[1] ?? Infinity) };
    }
    return options;
  }

  async set(options) {
    const lines = Object.entries(options).map(([name, value]) => `setoption name ${name} value ${value}`);
    await this.ask("ready", [...lines, "isready"]);
  }

  /** Returns the FEN of a position, the side to move, the result and the paths of all legal moves. */
  async facts(position) {
    const facts = { paths: [] };
    for (const line of await this.ask("facts", [position, "show", "moves paths"])) {
      const [word, ...rest] = line.split(" ");
      if (word === "fen") facts.fen = rest.join(" ");
      else if (word === "side") facts.side = rest[0] === "black" ? "b" : "w";
      else if (word === "result") facts.result = rest.join(" ");
      else if (word === "path") facts.paths.push(path(rest));
    }
    return facts;
  }

  /** Returns {result, plies, errors} by move, with those of the position under "". `errors`, {count, of}, are of the replies. */
  async probe(position) {
    const found = {};
    for (const line of await this.ask("probe", [position, "probe"])) {
      const [, kind, name, result, plies] = line.split(" ");
      const errors = / errors (\d+) of (\d+)$/.exec(line);
      found[kind === "move" ? name : ""] = {
        result,
        plies: Number(plies) || 0,
        errors: errors && { count: Number(errors[1]), of: Number(errors[2]) },
      };
    }
    return found;
  }

  /** Returns whether the engine accepts a draw that the side to move offers. */
  async accepts(position) {
    const [line] = await this.ask("offer", [position, "draw"]);
    return line.startsWith("draw accepted");
  }

  /** Searches a position; `each` receives every `info` with a score. Resolves to the best move, or null. */
  async search(position, words, each) {
    const lines = await this.ask("search", [position, `go ${words}`], (line) => {
      const info = readInfo(line);
      if (info) each?.(info);
    });
    const best = lines[lines.length - 1].split(" ")[1];
    return best === "none" ? null : best;
  }

  /** Searches a position within a limit; resolves to the best move and its score for the side to move. */
  async searchFor(limit, position) {
    let score = null;
    const move = await this.search(position, limit, (info) => info.rank === 1 && (score = info));
    return { move, score, line: score?.moves ?? [] };
  }

  /** Stops the running search and the waiting ones. */
  stop() {
    if (this.requests.some((request) => request.shape === SHAPES.search)) this.session.send("stop");
  }
}

/** Reads `6x13x22 squares 6 13 22 captures 9 17` as {move, squares, captures}. */
function path(words) {
  const [move] = words,
    at = [...words, "captures"].indexOf("captures");
  return { move, squares: words.slice(2, at).map(Number), captures: words.slice(at + 1).map(Number) };
}

/** Known results without a distance, from databases and from the opening book. */
const RESULTS = { win: { kind: "win", value: null }, loss: { kind: "loss", value: null } };
Object.assign(RESULTS, { won: RESULTS.win, lost: RESULTS.loss });

/** Reads an `info` line with a score that is no bound, or the line of the opening book; null for others. */
function readInfo(line) {
  const known = /^info string book (\S+) (won|lost|[+-][\d.]+) depth (\d+)$/.exec(line);
  if (known) {
    const [, move, worth, depth] = known;
    const score = RESULTS[worth] ?? { kind: "cp", value: Math.round(Number(worth) * 100) };
    return { depth: Number(depth), rank: 1, nodes: 0, nps: 0, ...score, moves: [move], book: true };
  }
  const [head, moves = "none"] = line.split(" pv "),
    [, kind, value] = / score (\S+) (\S+)/.exec(head) ?? [],
    [, result] = / database (\w+)/.exec(head) ?? [];
  if (!kind || / (lower|upper)bound/.test(head)) return null;
  const number = (name) => Number(new RegExp(` ${name} (\\d+)`).exec(head)?.[1] ?? 0);
  return {
    depth: number("depth"),
    rank: number("multipv") || 1,
    nodes: number("nodes"),
    nps: number("nps"),
    by: result ? "database" : "engine",
    ...(RESULTS[result] ?? { kind, value: Number(value) }),
    moves: moves === "none" ? [] : moves.split(" "),
  };
}
