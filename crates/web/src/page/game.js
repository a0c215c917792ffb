// The game being played: whose turn it is, the engines that play, the clocks, and the end of the game.

import { Clock } from "./clock.js";
import { ConnectionLost, Engine } from "./engine.js";
import { readFen } from "./diagram.js";
import { engineOf, isPerson, limit, options, ownSide } from "./players.js";
import { findMove } from "./rules.js";
import { OTHER_SIDE, Tree } from "./tree.js";
import { text } from "./text.js";

/** Milliseconds before an engine is asked again after its connection was lost. */
const RETRY = 1000;
/** Milliseconds after which an engine counts as silent: beyond its limit, or in total if it has none. */
const PATIENCE = 10000,
  PATIENCE_WITHOUT_LIMIT = 60000;

export class Game {
  constructor(on) {
    this.on = on;
    this.engines = {};
    this.thinking = null;
    /** @type {import('./tree.js').Tree} */
    this.tree = null;
    /** @type {Record<import('./types.d.ts').Side, import('./types.d.ts').Player>} */
    this.players = null;
    /** @type {import('./types.d.ts').Pace} */
    this.pace = null;
    this.opening = "";
    this.base = 0;
    /** The time of the first move that was played here, in milliseconds; 0 before it. */
    this.played = 0;
    setInterval(() => this.tick(), 100);
  }

  /** Begins a game at `tip`. Moves up to `base` belong to the ballot, and cannot be taken back. */
  begin({ tree, players, pace, opening = "", ended = null, clock = null, tip = 0, base = 0, played = 0 }) {
    this.change(players);
    Object.assign(this, { tree, pace, opening, ended, tip, base, played });
    this.clock = clock ?? (pace.kind === "clock" ? new Clock(pace.base, pace.increment) : null);
  }

  toJSON() {
    const { tree, players, pace, opening, ended, clock, tip, base, played } = this;
    return { tree, players, pace, opening, ended, clock, tip, base, played };
  }

  /** Restores a stored game. Older ones lack the time at which they were played. */
  revive(data) {
    const { tree, played = tree.loaded ? 0 : data.when } = data;
    this.begin({ ...data, tree: Tree.revive(tree), clock: data.clock && Clock.revive(data.clock), played });
  }

  change(players) {
    this.halt();
    this.closeEngines();
    Object.assign(this, { players, paused: false, failed: {} });
  }

  closeEngines() {
    for (const engine of Object.values(this.engines)) engine.close();
    this.engines = {};
  }

  /** Stops the search and ignores its move. */
  halt() {
    if (this.thinking) this.engines[this.thinking.side]?.stop();
    this.thinking = null;
    this.clock?.halt();
  }

  /** Stops the engines until the game is continued. */
  pause() {
    this.halt();
    this.paused = true;
    this.on.changed();
  }

  side() {
    return this.tree.side(this.tip);
  }

  /** Describes the end of the game; empty while it goes on. `facts` describe the tip, or else another position. */
  outcome(facts, atTip = true) {
    const { over, sides } = text;
    if (this.ended && atTip) {
      const { kind, loser } = this.ended;
      return loser ? over[kind](sides[OTHER_SIDE[loser]], sides[loser]) : over[kind];
    }
    if (!facts || facts.result === "open") return "";
    const { squares, side } = readFen(facts.fen),
      left = squares.some((piece) => piece.toLowerCase() === side);
    if (!facts.paths.length) return over[left ? "stuck" : "taken"](sides[OTHER_SIDE[side]], sides[side]);
    return facts.result.includes("repetition") ? over.repetition : over.progress;
  }

  /** Records the result of a game that has ended at the tip: 1-0 is a win for Black. A loaded game keeps its own. */
  noteResult(facts) {
    if (this.tree.loaded || (!this.ended && (!facts || facts.result === "open"))) return;
    const loser = this.ended ? this.ended.loser : facts.paths.length ? null : facts.side;
    this.tree.result = !loser ? "1/2-1/2" : loser === "w" ? "1-0" : "0-1";
  }

  /** Starts the engine or the clock of the side to move. */
  async turn(facts) {
    if (this.thinking || this.ended || this.paused || !facts || facts.result !== "open") return;
    const side = this.side(),
      player = this.players[side];
    // The first move of each side costs no time.
    if (this.tree.ply(this.tip) - this.tree.ply(this.base) >= 2) this.clock?.start(side);
    if (isPerson(player)) return;
    const job = { side, node: this.tip, tree: this.tree },
      { kind, value } = this.pace,
      patience = kind === "move" ? value * 1000 + PATIENCE : PATIENCE_WITHOUT_LIMIT;
    this.thinking = job;
    // An engine may be silent for longer than its limit. With clocks, its time runs out instead.
    if (!this.clock) setTimeout(() => this.thinking === job && this.on.silent(text.playerName(player)), patience);
    this.on.changed();
    let book = false;
    try {
      const engine = await this.engine(side);
      if (this.thinking !== job) return;
      const search = engine.search(job.tree.position(job.node), limit(this.pace, this.clock), (info) => {
        if (info.rank === 1) book = info.book;
      });
      if (job.moveNow) engine.stop();
      const move = await search;
      if (this.thinking !== job) return;
      this.thinking = null;
      const path = move && findMove(facts.paths, move);
      if (!path) return this.fail(side, text.engineIllegal(text.playerName(player), move ?? text.none));
      const next = this.tree.add(job.node, path.move, { squares: path.squares });
      if (book) this.tree.node(next).book = true;
      this.moved(next);
      this.on.moved(next, path);
    } catch (error) {
      if (this.thinking !== job) return;
      this.thinking = null;
      this.clock?.halt();
      // An engine that has exited was reported when its session closed. Without a connection, it is asked again.
      if (error instanceof ConnectionLost)
        setTimeout(() => this.tree === job.tree && this.tip === job.node && this.turn(facts), RETRY);
      else this.fail(side, text.engineEnded(text.playerName(player), error.message));
      this.on.changed();
    }
  }

  /** Stops a side whose engine cannot continue. */
  fail(side, message) {
    this.engines[side]?.close();
    delete this.engines[side];
    this.failed[side] = message;
    this.pause();
    this.on.engineFailed(message);
  }

  async engine(side) {
    const known = this.engines[side];
    if (known && !known.over) return known;
    const player = this.players[side];
    const engine = new Engine(engineOf(player), {
      closed: ({ ended, reason }) => {
        if (this.engines[side] !== engine) return;
        delete this.engines[side];
        if (ended) this.fail(side, text.engineEnded(text.playerName(player), reason));
      },
    });
    this.engines[side] = engine;
    // Options that another program lacks are ignored.
    await engine.set(options(player)).catch((error) => {
      if (error instanceof ConnectionLost) throw error;
    });
    return engine;
  }

  moved(next) {
    this.clock?.press(this.tree.mover(next));
    if (this.clock) this.tree.node(next).clock = this.clock.reading();
    this.tip = next;
    this.ended = null;
    this.played ||= Date.now();
    if (!this.tree.loaded) this.tree.result = undefined;
  }

  playFrom(node) {
    this.halt();
    if (node !== this.tip || this.ended) {
      this.clock?.reset(this.tree.node(node).clock);
      if (!this.tree.loaded) this.tree.result = undefined;
    }
    this.tip = node;
    this.ended = null;
    this.paused = false;
    this.failed = {};
  }

  /** Returns the node of the person's previous turn, null if there is none. */
  previousTurn() {
    const own = ownSide(this.players),
      before = this.tree.line(this.tip).slice(this.tree.ply(this.base), -1);
    return before.findLast((at) => !own || this.tree.side(at) === own) ?? null;
  }

  /** Makes the engine that is thinking play immediately. An engine that is still starting plays as soon as it can. */
  moveNow() {
    if (!this.thinking) return;
    this.thinking.moveNow = true;
    this.engines[this.thinking.side]?.stop();
  }

  end(kind, loser = null) {
    this.halt();
    this.ended = { kind, loser };
    this.noteResult();
    this.on.changed();
    this.on.ended();
  }

  tick() {
    const side = this.clock?.running;
    if (side && this.clock.now(side) <= 0 && !this.ended) this.end("time", side);
  }
}
