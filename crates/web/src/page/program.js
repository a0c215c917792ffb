// The connection to the program: the session that knows the rules, and whether the program can be reached.

import { ConnectionLost, Engine } from "./engine.js";
import { state, update } from "./state.js";
import { announce, report, statusLine } from "./status.js";
import { text } from "./text.js";
import { engines as listEngines } from "./transport.js";

const LONGEST_PAUSE = 5000;

/** Returns the engine's message about a FEN, with the faulty part in place of the whole. */
function fault(message, fen) {
  const [, at, reason = message] = /^invalid FEN .*(?:"|bytes)(?: at character (\d+))?: (.+)$/.exec(message) ?? [],
    place = Number(at) - 1;
  const part = [/[^,:]*$/.exec(fen.slice(0, place)), /^[^,:]*/.exec(fen.slice(place))].join("");
  const words = at ? text.fenFault(part, at, reason) : reason;
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

/** The session reconnects on its own, and then answers pending requests. */
class Rules {
  constructor() {
    this.pause = 250;
    this.waiting = [];
    this.connect();
  }

  connect() {
    this.engine = new Engine("", {
      opened: () => {
        this.pause = 250;
        if (state.offline) {
          document.body.classList.remove("offline");
          update({ offline: "" });
          announce(text.connectedAgain);
        }
        for (const wake of this.waiting.splice(0)) wake();
      },
      // The server may only lack a free session.
      closed: ({ busy }) => {
        document.body.classList.add("offline");
        update({ offline: busy ? text.busy : text.lost });
        if (statusLine.textContent !== state.offline) report(state.offline);
        setTimeout(() => this.connect(), this.pause);
        this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
      },
    });
    // The session only searches all moves for a moment, so a small table is enough.
    this.engine.set({ Hash: 1, MultiPV: 256 }).catch(() => {});
  }

  /** Sends a request, and repeats it if the connection is lost. */
  ask(question) {
    return question(this.engine).catch(async (error) => {
      if (!(error instanceof ConnectionLost)) throw error;
      await new Promise((resolve) => this.waiting.push(resolve));
      return this.ask(question);
    });
  }

  facts(position) {
    return this.ask((engine) => engine.facts(position));
  }

  /** Returns the facts about a FEN. For dialogs: if the connection is lost, fails instead of waiting. */
  async check(fen) {
    try {
      if (!state.offline) return await this.engine.facts(`position fen ${fen}`);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw new Error(fault(error.message, fen));
    }
    throw new Error(text.offline);
  }

  /** Returns the ballots of a deck: {number, name, fen, moves}. */
  async ballots(deck) {
    if (state.offline) throw new Error(text.offline);
    const lines = await this.ask((engine) => engine.ask("ballots", [`ballots ${deck}`]));
    return lines.slice(0, -1).map((line) => {
      const [, number, name, fen, moves] = /^ballot \S+ (\d+)(?: name (.+))? fen (\S+) moves (.+)$/.exec(line);
      return { number: Number(number), name: name ?? "", fen, moves: moves.split(" ") };
    });
  }
}

export const rules = new Rules();

export async function identify() {
  const declared = await rules.ask((engine) => engine.options());
  const engines = await listEngines().catch(() => state.engines);
  update({ declared, engines });
}

/** Returns a text of the page that is loaded on demand: "./problems.txt" or "./games.pdn". */
export async function file(name) {
  const response = await fetch(new URL(name, import.meta.url)).catch(() => null);
  if (!response?.ok) throw new Error(text.offline);
  return response.text();
}
