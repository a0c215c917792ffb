// Analysis of the position on the board: an engine that looks at it without end, its lines, arrows and score.

import { field, h, put, select } from "./dom.js";
import { Engine } from "./engine.js";
import { ends } from "./diagram.js";
import { short, share, words } from "./score.js";
import { text } from "./text.js";

/** How often what has been found is shown, in milliseconds: reading it costs the engine nothing, drawing it costs the machine. */
const SHOW = 120;
/** Positions from which on a speed says something. */
const TELLING = 20000;
/** A hyphen at which no line ends. */
const NO_BREAK = "\u2011";

export class Analysis {
  /** `found` hears of each new score of a node, `died` of an engine that has ended. */
  constructor({ found, died, shown }) {
    Object.assign(this, { found, died, shown });
    this.on = false;
    this.count = 1;
    this.name = "kelso";
    this.arrowsOn = true;
    this.lines = [];
    this.list = h("ol", { class: "lines" });
    this.facts = h("p", { class: "soft facts" });
    this.words = h("p", { class: "verdict" });
    this.engineBox = h("span");
    const count = select([1, 2, 3, 4, 5].map((n) => [n, String(n)]), 1, (value) => this.lineCount(Number(value)));
    const arrows = h("input", { type: "checkbox", checked: true, onchange: () => { this.arrowsOn = arrows.checked; this.shown(); } });
    this.controls = h("div", { class: "row tight" }, field(text.lines, count), this.engineBox, h("label", { class: "check" }, arrows, h("span", { text: text.arrows })));
    this.element = h("div", { class: "analysis", hidden: true }, this.words, this.facts, this.list, this.controls);
  }

  choices(engines) {
    if (engines.length < 2) return;
    put(this.engineBox, field(text.analyst, select(engines.map(({ name }) => [name, name]), this.name, (name) => {
      this.name = name;
      if (this.on) this.restart();
    })));
  }

  toggle(on, job) {
    this.on = on;
    if (!on) return this.end();
    this.job = job;
    this.restart();
  }

  end() {
    this.engine?.close();
    this.engine = null;
    this.running = null;
    this.clear();
  }

  restart() {
    this.engine?.close();
    this.engine = new Engine(this.name, {
      closed: (died, reason) => {
        this.engine = null;
        this.running = null;
        if (!this.on) return;
        if (died) {
          this.on = false;
          this.clear();
          this.died(this.name, reason);
        } else {
          setTimeout(() => this.on && !this.engine && this.restart(), 1000);
        }
      },
    });
    this.setUp().then(() => this.look(this.job)).catch(() => {});
  }

  /** An engine of another program may not know an option; then it does without. */
  setUp() {
    return this.engine.set({ Hash: 128, MultiPV: this.count }).catch(() => {});
  }

  lineCount(count) {
    this.count = count;
    if (!this.on || !this.engine) return;
    this.engine.stop();
    this.setUp().then(() => this.look(this.job)).catch(() => {});
  }

  /** Looks at a position: {node, position, side, over}. */
  look(job) {
    this.job = job;
    if (!this.on || !this.engine || !job) return;
    this.engine.stop();
    this.clear();
    if (job.over) return this.draw();
    const running = { job };
    this.running = running;
    this.engine.search(job.position, "infinite", (info) => this.running === running && this.hear(info)).catch(() => {});
  }

  hear(info) {
    if (info.rank > this.count) return;
    this.lines[info.rank - 1] = info;
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.draw();
    }, this.lines.length === 1 && info.depth < 3 ? 0 : SHOW);
  }

  clear() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.lines = [];
    this.draw();
  }

  score(info) {
    return { kind: info.kind, value: info.value, side: this.job.side };
  }

  /** Takes note of what the databases say of the position, if they know it. */
  know(ending) {
    this.ending = ending?.result === "unknown" ? null : ending;
    this.draw();
  }

  /** Whether the score is what the databases say. */
  known(info) {
    return this.ending?.result === (info.kind === "cp" ? info.value === 0 && "draw" : info.kind);
  }

  draw() {
    const best = this.lines[0];
    if (!best || !this.job) {
      put(this.list);
      this.facts.textContent = this.words.textContent = "";
      return this.shown();
    }
    const score = this.score(best);
    this.words.textContent = words(score, this.known(best));
    this.facts.textContent = [text.depth(best.depth), best.nodes >= TELLING && text.speed(best.nps)].filter(Boolean).join(", ");
    put(this.list, this.lines.filter(Boolean).map((info) =>
      h("li", {}, h("b", { text: short(this.score(info)) }), " ", h("span", { text: info.moves.slice(0, 14).join(" ").replaceAll("-", NO_BREAK) }))));
    this.found(this.job.node, score);
    this.shown();
  }

  arrows() {
    if (!this.on || !this.arrowsOn) return [];
    return this.lines.filter((info) => info?.moves.length).map((info, index) => {
      const [from, to] = ends(info.moves[0]);
      return { from, to, strong: index === 0 };
    });
  }

  /** From -1 to 1, how far white is ahead; null if nothing is known. */
  share() {
    return this.on && this.lines[0] ? share(this.score(this.lines[0])) : null;
  }
}
