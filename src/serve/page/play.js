// The course of play: whose turn it is, the engines that have one, the clocks, and how a game ends.

import { Clock } from "./clock.js";
import { Engine, Gone } from "./engine.js";
import { engineOf, isPerson, limit, options } from "./players.js";
import { Tree } from "./tree.js";
import { text } from "./text.js";

/** Milliseconds by which the time of day is ahead of the page's own clock that mean that the machine has slept. */
const SLEEP = 3000;
/** Milliseconds until an engine is asked again whose connection was lost. */
const AGAIN = 1000;
const OTHER = { b: "w", w: "b" };

export class Play {
  /** `changed` hears of anything new, `arrived` of a move by an engine, `died` of an engine that has ended, `slept` of seconds that clocks did not see. */
  constructor({ changed, arrived, died, slept }) {
    Object.assign(this, { changed, arrived, died, slept });
    this.engines = {};
    this.thinking = null;
    setInterval(() => this.tick(), 100);
  }

  /** Begins a game. */
  begin({ tree, players, pace, opening = "", ended = null, clock = null, tip = 0 }) {
    this.halt();
    this.closeEngines();
    Object.assign(this, { tree, players, pace, opening, ended, tip });
    this.clock = clock ?? (pace.kind === "clock" ? new Clock(pace.base, pace.increment) : null);
    this.paused = false;
  }

  toJSON() {
    const { tree, players, pace, opening, ended, clock, tip } = this;
    return { tree, players, pace, opening, ended, clock, tip };
  }

  /** A game that was kept. */
  revive(data) {
    this.begin({ ...data, tree: Tree.revive(data.tree), clock: data.clock && Clock.revive(data.clock) });
  }

  closeEngines() {
    for (const engine of Object.values(this.engines)) engine.close();
    this.engines = {};
  }

  /** Ends what is being thought; its move doesn't count. */
  halt() {
    if (this.thinking) this.engines[this.thinking.side]?.stop();
    this.thinking = null;
    this.clock?.halt();
  }

  /** Lets the engines wait until the game goes on. */
  pause() {
    this.halt();
    this.paused = true;
  }

  side() {
    return this.tree.side(this.tip);
  }

  /** How the game has ended, in words; empty while it goes on. `facts` are those of the tip. */
  outcome(facts) {
    const { over, sides } = text;
    if (this.ended) {
      const { kind, loser } = this.ended;
      return loser ? over[kind](sides[OTHER[loser]], sides[loser]) : over[kind];
    }
    if (!facts || facts.result === "open") return "";
    if (!facts.paths.length) return over.stuck(sides[OTHER[facts.side]], sides[facts.side]);
    return facts.result.includes("repetition") ? over.repetition : over.progress;
  }

  /** The result as games are written: 1-0 is Black's win. */
  result(facts) {
    const loser = this.ended ? this.ended.loser : facts && facts.result !== "open" && !facts.paths.length ? facts.side : null;
    if (loser) return loser === "w" ? "1-0" : "0-1";
    return this.ended || facts && facts.result !== "open" ? "1/2-1/2" : "*";
  }

  /** Sees to it that whoever has the turn takes it: starts an engine, or a clock. */
  async turn(facts) {
    if (this.thinking || this.ended || this.paused || !facts || facts.result !== "open") return;
    const side = this.side(), player = this.players[side];
    this.clock?.start(side);
    if (isPerson(player)) return;
    const thought = { side, node: this.tip, tree: this.tree };
    this.thinking = thought;
    this.changed();
    let score = null;
    try {
      const engine = await this.engine(side);
      if (this.thinking !== thought) return;
      const search = engine.search(this.tree.position(thought.node), limit(this.pace, this.clock), (info) => {
        if (info.rank === 1) score = { kind: info.kind, value: info.value, side, book: info.book };
      });
      if (thought.hurried) engine.stop();
      const move = await search;
      if (this.thinking !== thought) return;
      this.thinking = null;
      if (!move) return this.changed();
      const path = facts.paths.find((path) => path.move === move);
      const next = this.tree.add(thought.node, move, { squares: path?.squares });
      if (score) this.tree.node(next).score ??= score;
      this.moved(next);
      this.arrived(next);
    } catch (error) {
      if (this.thinking !== thought) return;
      this.thinking = null;
      this.clock?.halt();
      // `died` has heard of an engine that has ended; one whose connection has gone is asked again.
      if (error instanceof Gone) setTimeout(() => this.tree === thought.tree && this.tip === thought.node && this.turn(facts), AGAIN);
      else this.died(player, error.message);
      this.changed();
    }
  }

  /** The engine of a side, ready. */
  async engine(side) {
    const known = this.engines[side];
    if (known && !known.over) return known;
    const player = this.players[side];
    const engine = new Engine(engineOf(player), {
      closed: (died, reason) => {
        if (this.engines[side] === engine) delete this.engines[side];
        if (!died) return;
        this.paused = true;
        this.died(player, reason);
      },
    });
    this.engines[side] = engine;
    try {
      await engine.set(options(player));
    } catch (error) {
      if (error instanceof Gone) throw error;
      // Another program may not know an option; then it plays without it.
    }
    return engine;
  }

  /** A move has been made at the tip, by whoever. */
  moved(next) {
    this.clock?.press(this.tree.side(this.tree.node(next).parent));
    if (this.clock) this.tree.node(next).clock = this.clock.reading();
    this.tip = next;
    this.ended = null;
    this.tree.result = undefined;
  }

  /** Moves the end of the game to a node: what comes is played from there. */
  goOn(node) {
    this.halt();
    if (node !== this.tip || this.ended) this.clock?.reset(this.tree.node(node).clock);
    this.tip = node;
    this.ended = null;
    this.paused = false;
  }

  /** The node to which a person's take-back leads: their last turn. */
  takeBack() {
    const person = ["b", "w"].filter((side) => isPerson(this.players[side]));
    let at = this.tip;
    do {
      at = this.tree.node(at).parent;
    } while (at > 0 && person.length === 1 && this.tree.side(at) !== person[0]);
    return at < 0 ? 0 : at;
  }

  /** Makes an engine that is thinking move. */
  hurry() {
    if (!this.thinking) return;
    // An engine that is still being started moves as soon as it can.
    this.thinking.hurried = true;
    this.engines[this.thinking.side]?.stop();
  }

  end(kind, loser = null) {
    this.halt();
    this.ended = { kind, loser };
    this.tree.result = undefined;
    this.changed();
  }

  /** A machine that sleeps takes the clock with it on most systems: then the clocks stood still. */
  noticeSleep() {
    const gap = Date.now() - performance.now(), gone = gap - (this.gap ?? gap);
    this.gap = gap;
    if (this.clock?.running && gone > SLEEP) this.slept(gone / 1000);
  }

  tick() {
    this.noticeSleep();
    const side = this.clock?.running;
    if (!side) return;
    if (this.clock.now(side) <= 0 && !this.ended) this.end("time", side);
    else this.changed(true);
  }

  /** Whether Kelso accepts a draw that the side to move offers, by the rule of its protocol; it answers for every engine. */
  async accepts() {
    const engine = new Engine("");
    try {
      return await engine.accepts(this.tree.position(this.tip));
    } finally {
      engine.close();
    }
  }
}

/** A short search at full strength: its move, and its score for the side to move. */
export async function look(engine, position, time) {
  let score = null;
  const move = await engine.search(position, `movetime ${time}`, (info) => {
    if (info.rank === 1) score = { kind: info.kind, value: info.value };
  });
  return { move, score };
}

/** The same by an engine of its own. */
export async function consult(position, time) {
  const engine = new Engine("");
  try {
    return await look(engine, position, time);
  } finally {
    engine.close();
  }
}
