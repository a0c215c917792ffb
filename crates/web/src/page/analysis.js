// Analysis of the position on the board: an engine that searches it without a limit, its lines, arrows and score.

import { field, h, put, select } from "./dom.js";
import { Engine } from "./engine.js";
import { ends } from "./diagram.js";
import { short, share, words } from "./score.js";
import { text } from "./text.js";

/** Milliseconds between two updates of the panel: drawing takes time from the engine. */
const UPDATE = 120;
/** Positions after which the speed is meaningful. */
const ENOUGH = 20000;

export class Analysis {
  /**
   * `scored` reports that a node has a new score, `failed` an engine that has ended, `drawn` that the panel has changed,
   * `chosen` a line that was clicked.
   */
  constructor({ scored, failed, drawn, chosen }) {
    this.on = { scored, failed, drawn, chosen };
    this.active = false;
    this.count = 1;
    this.name = "kelso";
    this.arrowsOn = true;
    this.lines = [];
    this.list = h("ol", { class: "lines" });
    this.facts = h("p", { class: "soft facts" });
    this.words = h("p", { class: "verdict" });
    this.engineBox = h("span");
    const count = select([1, 2, 3, 4, 5].map((n) => [n, String(n)]), 1, (value) => this.lineCount(Number(value)));
    const arrows = h("input", { type: "checkbox", checked: true, onchange: () => { this.arrowsOn = arrows.checked; this.on.drawn(); } });
    this.controls = h("div", { class: "row tight" }, field(text.lines, count), this.engineBox, h("label", { class: "check" }, arrows, h("span", { text: text.arrows })));
    this.element = h("div", { class: "analysis", hidden: true }, this.words, this.facts, this.list, this.controls);
  }

  choices(engines) {
    if (engines.length < 2) return;
    put(this.engineBox, field(text.analysisEngine, select(engines.map(({ name }) => [name, name]), this.name, (name) => {
      this.name = name;
      if (this.active) this.restart();
    })));
  }

  toggle(active, job) {
    this.active = active;
    if (!active) return this.end();
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
      closed: ({ ended, reason }) => {
        this.engine = null;
        this.running = null;
        if (!this.active) return;
        if (ended) {
          this.active = false;
          this.clear();
          this.on.failed(this.name, reason);
        } else {
          setTimeout(() => this.active && !this.engine && this.restart(), 1000);
        }
      },
    });
    this.setUp().then(() => this.analyse(this.job)).catch(() => {});
  }

  /** Sets the options. Another program may not have one; it searches without it. */
  setUp() {
    return this.engine.set({ Hash: 128, MultiPV: this.count }).catch(() => {});
  }

  lineCount(count) {
    this.count = count;
    this.draw();
    if (!this.active || !this.engine) return;
    this.engine.stop();
    this.setUp().then(() => this.analyse(this.job)).catch(() => {});
  }

  /** Analyses a position: {tree, node, position, side, over}. Without a job it waits for the next one. */
  analyse(job) {
    this.job = job;
    this.running = null;
    if (!this.active || !this.engine) return;
    this.engine.stop();
    this.clear();
    if (!job || job.over) return;
    const running = { job };
    this.running = running;
    this.engine.search(job.position, "infinite", (info) => this.running === running && this.receive(info)).catch(() => {});
  }

  receive(info) {
    if (info.rank > this.count) return;
    this.lines[info.rank - 1] = info;
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.draw();
    }, this.lines.length === 1 && info.depth < 3 ? 0 : UPDATE);
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

  /** Takes note of the databases' result of the position. */
  know(ending) {
    this.ending = ending?.result === "unknown" ? null : ending;
    this.draw();
  }

  /** Returns whether a score is the databases' result. */
  known(info) {
    return this.ending?.result === (info.kind === "cp" ? info.value === 0 && "draw" : info.kind);
  }

  draw() {
    const best = this.lines[0];
    this.list.style.setProperty("--lines", this.count);
    if (!best || !this.job) {
      this.list.replaceChildren();
      this.facts.textContent = this.words.textContent = "";
      return this.on.drawn();
    }
    const score = this.score(best);
    this.words.textContent = words(score, this.known(best));
    this.facts.textContent = [text.depth(best.depth), best.nodes >= ENOUGH && text.speed(best.nps)].filter(Boolean).join(", ");
    this.lines.forEach((info, index) => {
      this.row(index).firstChild.textContent = short(this.score(info));
      this.row(index).lastChild.textContent = info.moves.join(" ");
      this.row(index).title = text.addLine(info.moves.join(" "));
    });
    this.job.tree.node(this.job.node).score = score;
    this.on.scored();
    this.on.drawn();
  }

  /** Returns the button of a line. It stays when the line changes, so that it can be clicked during a search. */
  row(index) {
    while (this.list.children.length <= index) {
      const rank = this.list.children.length;
      this.list.append(h("li", {}, h("button", { type: "button", onclick: () => this.on.chosen(this.job, this.lines[rank]?.moves ?? []) }, h("b"), " ", h("span"))));
    }
    return this.list.children[index].firstChild;
  }

  arrows() {
    if (!this.active || !this.arrowsOn) return [];
    return this.lines.filter((info) => info?.moves.length).map((info, index) => {
      const [from, to] = ends(info.moves[0]);
      return { from, to, strong: index === 0 };
    });
  }

  /** Returns how far White is ahead, from -1 to 1; null without a score. */
  share() {
    return this.active && this.lines[0] ? share(this.score(this.lines[0])) : null;
  }
}
