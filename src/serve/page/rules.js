// The session that knows the rules: what can be moved, and how a game stands. It is always there; when the connection is
// lost it comes back by itself, and whoever has asked gets the answer then.

import { Engine, Gone } from "./engine.js";

const LONGEST_PAUSE = 5000;

export class Rules {
  /** `lost` and `back` hear of the connection. */
  constructor({ lost, back }) {
    Object.assign(this, { lost, back });
    this.pause = 250;
    this.away = false;
    this.waiting = [];
    this.connect();
  }

  connect() {
    this.engine = new Engine("", {
      opened: () => {
        this.pause = 250;
        if (this.away) this.back();
        this.away = false;
        for (const wake of this.waiting.splice(0)) wake();
      },
      closed: () => {
        if (!this.away) this.lost();
        this.away = true;
        setTimeout(() => this.connect(), this.pause);
        this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
      },
    });
    // It never searches.
    this.engine.set({ Hash: 1 }).catch(() => {});
  }

  /** Asks, again after a lost connection. */
  async ask(question) {
    for (;;) {
      try {
        return await question(this.engine);
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        await new Promise((resolve) => this.waiting.push(resolve));
      }
    }
  }

  facts(position) {
    return this.ask((engine) => engine.facts(position));
  }

  probe(position) {
    return this.ask((engine) => engine.probe(position));
  }

  identity() {
    return this.ask((engine) => engine.identity());
  }

  explanation(position) {
    return this.ask((engine) => engine.ask("explanation", [position, "eval"]));
  }

  /** The ballots of a deck: {number, name, fen, moves}. */
  async ballots(deck) {
    const lines = await this.ask((engine) => engine.ask("ballots", [`ballots ${deck}`]));
    return lines.slice(0, -1).map((line) => {
      const [, number, name, fen, moves] = /^ballot \S+ (\d+)(?: name (.+))? fen (\S+) moves (.+)$/.exec(line);
      return { number: Number(number), name: name ?? "", fen, moves: moves.split(" ") };
    });
  }
}
