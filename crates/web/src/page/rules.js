// The session that knows the rules. It reconnects on its own, and then answers pending requests.

import { ConnectionLost, Engine } from "./engine.js";
import { text } from "./text.js";

const LONGEST_PAUSE = 5000;

/** Returns the only move of some paths, or null if they have none or several. */
export const only = (paths) => (new Set(paths.map(({ move }) => move)).size === 1 ? paths[0] : null);

/** Returns the engine's message about a FEN, with the faulty part in place of the whole. */
function fault(message, fen) {
  const [, at, reason = message] = /^invalid FEN .*(?:"|bytes)(?: at character (\d+))?: (.+)$/.exec(message) ?? [],
    place = Number(at) - 1;
  const part = [/[^,:]*$/.exec(fen.slice(0, place)), /^[^,:]*/.exec(fen.slice(place))].join("");
  const words = at ? text.fenFault(part, at, reason) : reason;
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

/** Finds the only legal move with a text's start, end and squares; of a capture, the last jumps may be missing. */
export function findMove(paths, words) {
  const exact = paths.find(({ move }) => move === words);
  if (exact) return exact;
  // The start and the end may be written without a separator, such as 1115.
  if (/^\d{3,4}$/.test(words)) return only(paths.filter(({ squares }) => `${squares[0]}${squares.at(-1)}` === words));
  if (!/^\d+(\s*[-x:\s]\s*\d+)+$/i.test(words)) return null;
  const named = words.match(/\d+/g).map(Number);
  const fits = paths.filter(({ squares }) => {
    let at = -1;
    return squares[0] === named[0] && named.every((square) => (at = squares.indexOf(square, at + 1)) >= 0);
  });
  return only(fits.filter(({ squares }) => squares.at(-1) === named.at(-1))) ?? only(fits);
}

/** Returns the legal move described by a text. If there is none, `report` receives the reason. */
export function typedMove(paths, words, report) {
  const path = findMove(paths, words),
    mustCapture = paths[0]?.captures.length && /^\d+\s*-?\s*\d+$/.test(words);
  if (!path) report(mustCapture ? text.mustCaptureHelp : text.illegal(words));
  return path;
}

export class Rules {
  /** `lost`, which receives whether the server only lacks a free session, and `connected` report the connection. */
  constructor({ lost, connected }) {
    this.on = { lost, connected };
    this.pause = 250;
    this.offline = false;
    this.waiting = [];
    this.connect();
  }

  connect() {
    this.engine = new Engine("", {
      opened: () => {
        this.pause = 250;
        if (this.offline) this.on.connected();
        this.offline = false;
        for (const wake of this.waiting.splice(0)) wake();
      },
      closed: ({ busy }) => {
        this.offline = true;
        this.on.lost(busy);
        setTimeout(() => this.connect(), this.pause);
        this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
      },
    });
    // The session only searches all moves for a moment, so a small table is enough.
    this.engine.set({ Hash: 1, MultiPV: 256 }).catch(() => {});
  }

  /** Sends a request, and repeats it if the connection is lost. */
  async ask(question) {
    for (;;) {
      try {
        return await question(this.engine);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        await new Promise((resolve) => this.waiting.push(resolve));
      }
    }
  }

  facts(position) {
    return this.ask((engine) => engine.facts(position));
  }

  /** Returns the facts about a FEN. For dialogs: if the connection is lost, fails instead of waiting. */
  async check(fen) {
    try {
      if (!this.offline) return await this.engine.facts(`position fen ${fen}`);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw new Error(fault(error.message, fen));
    }
    throw new Error(text.offline);
  }

  /** Returns the ballots of a deck: {number, name, fen, moves}. */
  async ballots(deck) {
    if (this.offline) throw new Error(text.offline);
    const lines = await this.ask((engine) => engine.ask("ballots", [`ballots ${deck}`]));
    return lines.slice(0, -1).map((line) => {
      const [, number, name, fen, moves] = /^ballot \S+ (\d+)(?: name (.+))? fen (\S+) moves (.+)$/.exec(line);
      return { number: Number(number), name: name ?? "", fen, moves: moves.split(" ") };
    });
  }
}
