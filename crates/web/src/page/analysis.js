// Analysis of the position on the board: an engine that searches it without a limit, its lines, arrows and score.

import { check, field, h, iconButton, put, select } from "./dom.js";
import { Engine } from "./engine.js";
import { ends } from "./diagram.js";
import { preferences, prefer } from "./preferences.js";
import { chances, short, share, words } from "./score.js";
import { state, update } from "./state.js";
import { text } from "./text.js";

/** Milliseconds between two updates of the panel: drawing takes time from the engine. */
const UPDATE = 120;
/** The minimum number of positions for a meaningful speed. */
const ENOUGH = 20000;

export class Analysis {
  /**
   * `scored` reports that a node has a new score, `failed` an engine that has ended, `switched` that the user has switched
   * the analysis on or off, `chosen` a line that was clicked. `explain` is a button that is shown beside the switch.
   */
  constructor({ scored, failed, switched, chosen, explain }) {
    this.on = { scored, failed, chosen };
    this.active = false;
    this.count = preferences.lines;
    this.name = "kelso";
    this.arrowsOn = true;
    this.lines = [];
    this.list = h("ol", { class: "lines", "aria-label": text.lines });
    this.score = h("strong", { class: "score" });
    this.facts = h("p", { class: "soft facts" });
    this.words = h("p", { class: "verdict" });
    this.chances = h("div", { class: "chances", role: "img" }, ["b", "d", "w"].map((side) => h("i", { class: side })));
    this.engineBox = h("span");
    this.switch = h("button", { type: "button", class: "toggle", "aria-pressed": "false", text: text.analyse, onclick: () => switched(!this.active) });
    const count = select([1, 2, 3, 4, 5].map((n) => [n, String(n)]), this.count, (value) => this.lineCount(Number(value)));
    const arrows = check(text.arrows, true, (on) => {
      this.arrowsOn = on;
      this.changed();
    });
    this.options = h("div", { class: "row options", hidden: true }, field(text.lines, count), this.engineBox, arrows, explain);
    const more = iconButton("settings", text.analysisOptions, () => {
      this.options.hidden = !this.options.hidden;
      more.setAttribute("aria-expanded", String(!this.options.hidden));
    }, { "aria-expanded": "false" });
    this.element = h("div", { class: "analysis", role: "group", "aria-label": text.analyse },
      h("div", { class: "analysis-head" }, this.score, h("div", { class: "grow" }, this.words, this.facts), more, this.switch),
      this.options, this.chances, this.list);
    this.draw();
  }

  changed() {
    update({ analysis: this });
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
    this.switch.setAttribute("aria-pressed", String(active));
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
          this.switch.setAttribute("aria-pressed", "false");
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
    const { threads, memory } = preferences;
    const chances = state.declared.UCI_ShowWDL && { UCI_ShowWDL: true };
    return this.engine.set({ Hash: memory, Threads: threads, MultiPV: this.count, ...chances }).catch(() => {});
  }

  lineCount(count) {
    this.count = count;
    prefer({ lines: count });
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

  scoreOf(info) {
    return { kind: info.kind, value: info.value, side: this.job.side };
  }

  /** Stores the databases' result of the position. */
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
    this.list.style.setProperty("--lines", this.active ? this.count : 0);
    this.chances.hidden = !this.active || !state.declared.UCI_ShowWDL;
    if (!best || !this.job) {
      this.list.replaceChildren();
      this.score.textContent = "";
      this.words.textContent = this.active ? this.job?.over ? text.gameOver : text.waiting : text.analysisOff;
      this.facts.textContent = this.active ? "" : text.analysisOffHelp;
      return this.changed();
    }
    const score = this.scoreOf(best), likely = this.known(best) ? null : chances(best.wdl, this.job.side);
    this.score.textContent = short(score);
    this.words.textContent = likely ? text.likely(likely) : words(score, this.known(best));
    this.facts.textContent = [this.name !== "kelso" && this.name, text.depth(best.depth), best.nodes >= ENOUGH && text.speed(best.nps)].filter(Boolean).join(" · ");
    this.drawChances(likely);
    this.lines.forEach((info, index) => {
      this.row(index).firstChild.textContent = short(this.scoreOf(info));
      this.row(index).lastChild.textContent = info.moves.join(" ");
      this.row(index).title = text.addLine(info.moves.join(" "));
    });
    this.job.tree.node(this.job.node).score = score;
    this.on.scored();
    this.changed();
  }

  drawChances(likely) {
    this.chances.classList.toggle("known", Boolean(likely));
    if (!likely) return;
    const shares = [likely.b, likely.draw, likely.w];
    shares.forEach((share, at) => { this.chances.children[at].style.flexGrow = share; });
    this.chances.setAttribute("aria-label", text.chances(likely));
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
    return this.active && this.lines[0] ? share(this.scoreOf(this.lines[0])) : null;
  }
}
