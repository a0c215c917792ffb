// The analysis panel: the lines, arrows and score of an engine, and the best line of a second one.

import { Analyst } from "./analyst.js";
import { arrowOf } from "./board.js";
import { box, field, group, h, iconButton, press, put, select, toggle } from "./dom.js";
import { LineList } from "./lines.js";
import { showThreat } from "./play.js";
import { preferences, prefer } from "./preferences.js";
import { short, winner, words, worth } from "./score.js";
import { narrow } from "./shell.js";
import { job, state, subscribe, update } from "./state.js";
import { problem } from "./status.js";
import { joined, text } from "./text.js";
import { record, settle, valuesOf } from "./values.js";

/** Milliseconds between updates of the panel. Drawing takes time from the engine. */
const UPDATE = 120;
/** The minimum number of positions for a meaningful speed. */
const ENOUGH = 20000;

export class Analysis {
  constructor() {
    this.active = false;
    /** Replaces an engine with Kelso, or removes it if it is the second engine. */
    const useKelso = (engine) => {
      if (this.first.name === engine) this.choose(this.first, "kelso");
      if (this.second.name === engine) this.choose(this.second, "");
    };
    const silent = (engine) =>
      problem(text.analysisSilent(engine), [
        [text.restart, () => this.restart()],
        engine !== "kelso" && [text.useKelso, () => useKelso(engine)],
      ]);
    /** Creates one of the two engines; `stop` ends its use after a failure. */
    const analyst = (stop) =>
      new Analyst({
        changed: () => this.drawSoon(),
        cleared: () => this.draw(),
        silent,
        // Two engines share the processors.
        options: () => (this.second.name ? { Threads: Math.max(1, preferences.threads >> 1) } : {}),
        failed: (engine, reason) => {
          stop();
          problem(text.engineEnded(engine, reason), [[text.restart, () => this.prefer(true)]]);
        },
      });
    this.first = analyst(() => this.toggle(false));
    this.second = analyst(() => this.choose(this.second, ""));
    this.first.count = preferences.lines;
    this.second.name = "";
    this.list = new LineList();
    this.score = h("strong", { class: "score", "data-side": text.sides.w, title: text.explorerScoreHelp });
    this.facts = h("p", { class: "soft facts" });
    this.words = h("p", { class: "verdict" });
    const result = h("div", { class: "grow" }, this.words, this.facts);
    this.engineBox = h("span", { class: "row" });
    this.switch = toggle(text.analysisEngine, false, () => this.prefer(!this.active));
    const counts = [1, 2, 3, 4, 5].map((n) => [n, String(n)]),
      count = select(counts, this.first.count, (value) => this.lineCount(Number(value)));
    const threatened = toggle(text.threat, false, showThreat, { title: text.threatHelp });
    subscribe(["hint"], () => press(threatened, state.hint?.threat));
    this.options = box("row options", field(text.lines, count), this.engineBox, threatened);
    this.options.hidden = true;
    const open = (on) => {
      this.options.hidden = !on;
      more.ariaExpanded = String(on);
      this.draw();
    };
    const more = iconButton("options", text.analysisOptions, () => open(this.options.hidden), {
      "aria-expanded": "false",
    });
    subscribe(["left"], () => open(false));
    const head = box("analysis-head", this.score, result, more, this.switch);
    this.element = group("analysis", text.analysisEngine, head, this.options);
    this.choices();
    update({ analysis: this });
    subscribe(["values"], () => state.values && this.draw());
    subscribe(["facts"], () => this.analyse(job()));
    subscribe(["endings", "game"], () => this.drawSoon());
    subscribe(["engines"], () => this.choices());
    subscribe(["mode", "name"], () => this.toggle(preferences.analysis));
  }

  choices() {
    const { engines } = state,
      names = engines.map(({ name }) => [name, name === "kelso" ? text.name : name]);
    const offer = (analyst, names) =>
      (analyst.chooser = select(names, analyst.name, (name) => this.choose(analyst, name)));
    const first = engines.length > 1 && field(text.analysisEngine, offer(this.first, names));
    put(this.engineBox, first, field(text.secondEngine, offer(this.second, [["", text.none], ...names])));
  }

  /** Chooses the name of one of the engines. An empty name stands for no second engine. */
  choose(analyst, name) {
    analyst.name = analyst.chooser.value = name;
    this.draw();
    if (this.active) this.restart();
  }

  prefer(analysis) {
    prefer({ analysis });
    this.toggle(analysis);
  }

  /** Switches the analysis on or off. It runs only while a study is shown. */
  toggle(on) {
    this.active = on && state.mode === "study";
    press(this.switch, this.active);
    this.job = job();
    if (this.active) return this.restart();
    this.first.end();
    this.second.end();
  }

  restart() {
    this.first.start(this.job);
    if (this.second.name) this.second.start(this.job);
    else this.second.end();
  }

  lineCount(count) {
    this.first.count = count;
    prefer({ lines: count });
    this.draw();
    if (this.active && this.first.engine) this.first.setUp();
  }

  analyse(job) {
    this.job = job;
    this.first.analyse(job);
    this.second.analyse(job);
  }

  /** Draws the lines at the next update, or immediately if they are the first of a search. */
  drawSoon() {
    const { lines } = this.first;
    this.timer ??= setTimeout(() => this.draw(), lines.length === 1 && lines[0]?.depth < 3 ? 0 : UPDATE);
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!state.game.tree) return;
    const lines = this.searched();
    if (lines.length && this.first.name === "kelso") record(this.job.tree.node(this.job.node), lines, this.job.side);
    if (settle({ ...now(), searched: this.active })) update({ game: state.game });
    // On a phone, only the switch of an analysis that is off and has no options is shown.
    this.element.classList.toggle("bare", !this.active && this.options.hidden);
    this.drawHead(lines[0]);
    this.drawLines();
    update({ analysis: this });
  }

  drawLines() {
    const { first, second } = this,
      [other] = second.lines,
      name = second.name === "kelso" ? text.name : second.name;
    const lines = this.ranked().map((line) => ({ ...line, by: "" }));
    if (other && this.job)
      lines.push({ moves: other.moves, score: { ...other, side: this.job.side }, by: factsOf(name, other) });
    this.list.element.hidden = !this.active;
    const legal = new Set(state.facts?.paths.map(({ move }) => move)).size || first.count,
      count = Math.min(first.count, legal) + Number(Boolean(second.name));
    this.list.element.style.setProperty("--lines", String(count));
    if (lines.length) this.list.draw(this.job, lines);
    else this.list.clear();
  }

  /** Shows the score of the position; `info` is the best line of the search. */
  drawHead(info) {
    const { score, depth, by } = this.shown(),
      isOver = state.facts && state.facts.result !== "open",
      isOwn = info && by === "engine" && !(Number.isFinite(depth) && depth > info.depth);
    if (score && !isOver) {
      const must = narrow.matches && state.facts?.paths.some(({ captures }) => captures.length) && text.mustCapture,
        name = this.first.name !== "kelso" && this.first.name,
        isStarting = this.active && !info && by === "engine" && text.starting,
        source = text.scoreBy(by, Number.isFinite(depth) && depth);
      // The databases may have the same result.
      const known = state.endings[""]?.result === (score.kind === "cp" ? score.value === 0 && "draw" : score.kind);
      // The words name the winner.
      this.score.textContent = winner(score) ? "" : short(score);
      this.words.textContent = words(score, { known: Boolean(info) && known });
      this.facts.textContent = isOwn ? factsOf(name, info, must) : joined([source, isStarting], " · ");
    } else {
      this.score.textContent = "";
      this.words.textContent = isOver ? text.gameOver : this.active ? text.waiting : "";
      this.facts.textContent = this.active || isOver ? "" : text.engineHelp;
    }
  }

  /** Returns the lines that the search has found in the position on the board. */
  searched() {
    const { job } = this;
    const isHere = this.active && job?.tree === state.game.tree && job.node === state.current;
    return isHere ? this.first.lines.filter((info) => info?.moves.length) : [];
  }

  /** Returns the values of the moves on the board. The depths of another program's search are not comparable, so it comes first. */
  shown() {
    const place = now(),
      lines = this.searched();
    if (!lines.length || this.first.name === "kelso") return valuesOf(place);
    const node = { ...place.tree.node(place.id), score: undefined, lines: {} },
      deepest = lines.map((info) => ({ ...info, depth: Infinity }));
    record(node, deepest, this.job.side);
    return valuesOf({ ...place, node });
  }

  /** Returns the lines to show, {moves, score}, the best first: the search's, and the best move of a deeper source. */
  ranked() {
    const lines = this.searched().map(({ moves }) => moves);
    if (!lines.length) return [];
    const { best, moves } = this.shown(),
      known = [...new Set([best, ...lines.map(([move]) => move)])].filter((move) => moves[move]);
    return known
      .map((move) => ({ moves: lines.find(([first]) => first === move) ?? [move], score: moves[move].score }))
      .sort((a, b) => worth(b.score, this.job.side) - worth(a.score, this.job.side))
      .slice(0, this.first.count);
  }

  /** Returns an arrow for each line, with its score if there are several. */
  arrows() {
    return this.ranked().map(({ moves, score }, index) =>
      arrowOf(moves[0], { strong: index === 0, label: this.first.count > 1 && short(score) }),
    );
  }
}

/** Returns what is known of the position on the board. */
const now = () => ({ tree: state.game.tree, id: state.current, values: state.values });

/** Describes a search: the engine, the depth and, once it is meaningful, the speed; or `words`, for which a phone has no other place. */
const factsOf = (name, { depth, nodes, nps }, words) =>
  joined([name, text.depth(depth), words || (nodes >= ENOUGH && text.speed(nps))], " · ");
