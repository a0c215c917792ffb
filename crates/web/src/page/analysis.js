// The analysis panel: the lines, arrows and score of an engine, and the best line of a second one.

import { Analyst } from "./analyst.js";
import { arrowOf } from "./board.js";
import { box, field, group, h, iconButton, press, put, select, toggle } from "./dom.js";
import { explanation } from "./explanation.js";
import { LineList } from "./lines.js";
import { showThreat } from "./play.js";
import { preferences, prefer } from "./preferences.js";
import { chances, short, sourceOf, winner, words, worth } from "./score.js";
import { narrow } from "./shell.js";
import { job, state, subscribe, update } from "./state.js";
import { problem } from "./status.js";
import { joined, text } from "./text.js";

/** Milliseconds between updates of the panel. Drawing takes time from the engine. */
const UPDATE = 120;
/** The minimum number of positions for a meaningful speed. */
const ENOUGH = 20000;

export class Analysis {
  constructor() {
    this.active = false;
    const silent = (engine) =>
      problem(text.analysisSilent(engine), [
        [text.restart, () => this.restart()],
        engine !== "kelso" && [text.useKelso, () => this.useKelso(engine)],
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
    this.second = analyst(() => this.choose(""));
    this.first.count = preferences.lines;
    this.second.name = "";
    this.list = new LineList();
    this.score = h("strong", { class: "score", title: text.explorerScoreHelp });
    this.facts = h("p", { class: "soft facts" });
    this.words = h("p", { class: "verdict" });
    const result = h("div", { class: "grow" }, this.words, this.facts);
    this.engineBox = h("span", { class: "row" });
    this.switch = toggle(text.analysisEngine, false, () => this.prefer(!this.active));
    const counts = [1, 2, 3, 4, 5].map((n) => [n, String(n)]),
      count = select(counts, this.first.count, (value) => this.lineCount(Number(value)));
    const threatened = toggle(text.threat, false, showThreat, { title: text.threatHelp });
    subscribe(["hint"], () => press(threatened, state.hint?.threat));
    const extras = box("row", threatened, explanation());
    this.options = box("row options", field(text.lines, count), this.engineBox, extras);
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
    this.draw();
    subscribe(["values"], () => state.values && this.draw());
    subscribe(["facts"], () => this.analyse(job()));
    subscribe(["endings", "game"], () => this.drawSoon());
    subscribe(["engines"], () => this.choices());
    subscribe(["mode", "name"], () => this.toggle(preferences.analysis));
  }

  choices() {
    const { engines } = state,
      names = engines.map(({ name }) => [name, name === "kelso" ? text.name : name]);
    this.chooser = select(names, this.first.name, (name) => this.use(name));
    this.secondChooser = select([["", text.none], ...names], this.second.name, (name) => this.choose(name));
    put(
      this.engineBox,
      engines.length > 1 && field(text.analysisEngine, this.chooser),
      field(text.secondEngine, this.secondChooser),
    );
  }

  use(name) {
    this.first.name = name;
    this.chooser.value = name;
    if (this.active) this.first.restart();
  }

  /** Replaces an engine in the analysis with Kelso, or removes it if it is the second engine. */
  useKelso(engine) {
    if (this.first.name === engine) this.use("kelso");
    if (this.second.name === engine) this.choose("");
  }

  /** Chooses the second engine. An empty name stands for none. */
  choose(name) {
    this.second.name = name;
    this.secondChooser.value = name;
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

  /** Returns whether a score is the database result of the position. */
  known({ kind, value }) {
    return state.endings[""]?.result === (kind === "cp" ? value === 0 && "draw" : kind);
  }

  /** Draws the lines at the next update, or immediately if they are the first of a search. */
  drawSoon() {
    const { lines } = this.first;
    this.timer ??= setTimeout(() => this.draw(), lines.length === 1 && lines[0]?.depth < 3 ? 0 : UPDATE);
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = null;
    const [best] = this.first.lines;
    this.adopt();
    // On a phone, only the switch of an analysis that is off and has no options is shown.
    this.element.classList.toggle("bare", !this.active && this.options.hidden);
    const [top] = this.ranked();
    if (top) this.drawBest(best, top);
    else this.drawNothing();
    this.drawLines();
    update({ analysis: this });
  }

  /** Gives a position that has a score, or an engine, that of the opening book if it is the deepest and no win is found. */
  adopt() {
    const node = state.game.tree?.node(state.current),
      books = Object.values(state.values ?? {}).filter((value) => value?.by === "book");
    if (!books.length || !(node.score ?? this.active) || (node.score && node.score.kind !== "cp")) return;
    const side = state.game.tree.side(state.current),
      worthOf = (score) => worth({ ...score, side }, side),
      { kind, value, depth } = books.reduce((best, other) => (worthOf(other) > worthOf(best) ? other : best));
    if (depth <= (node.depth ?? 0)) return;
    Object.assign(node, { score: { kind, value, side }, depth, by: "book" });
    if (node.reviewed) update({ game: state.game });
  }

  drawLines() {
    const { first, second } = this,
      [other] = second.lines,
      name = second.name === "kelso" ? text.name : second.name;
    const lines = this.ranked().map(({ info, score }) => ({ moves: info.moves, score, by: "" }));
    if (other && this.job) lines.push({ moves: other.moves, score: second.scoreOf(other), by: factsOf(name, other) });
    this.list.element.hidden = !this.active;
    const legal = new Set(state.facts?.paths.map(({ move }) => move)).size || first.count,
      count = Math.min(first.count, legal) + Number(Boolean(second.name));
    this.list.element.style.setProperty("--lines", String(count));
    if (lines.length) this.list.draw(this.job, lines);
    else this.list.clear();
  }

  /** Without an engine, shows the score of a review, the opening book or an earlier search, or what an engine shows. */
  drawNothing() {
    const node = state.game.tree?.node(state.current) ?? {},
      isOver = state.facts && state.facts.result !== "open";
    if (node.score && !isOver) return this.drawScore(node.score, text.scoreBy(sourceOf(node), node.depth));
    this.score.textContent = this.words.title = "";
    this.words.textContent = isOver ? text.gameOver : this.active ? text.waiting : "";
    this.facts.textContent = this.active || isOver ? "" : text.engineHelp;
  }

  drawBest(best, top) {
    const known = this.known(best),
      isOther = this.first.name !== "kelso",
      node = this.job.tree.node(this.job.node),
      // A phone has no room for it.
      reached = narrow.matches ? 0 : best.depth;
    // The score of a review or of the book stays until Kelso has searched deeper.
    if (isOther ? !node.reviewed : top.depth > (node.depth ?? 0) || top.score.kind !== "cp")
      Object.assign(node, { score: top.score, depth: best.depth, by: "engine", best: top.info.moves[0] });
    else if (!isOther && !known && node.score !== top.score)
      return this.drawScore(node.score, text.scoreBy(sourceOf(node), node.depth, reached));
    const likely = known ? null : chances(best.wdl, this.job.side),
      must = narrow.matches && state.facts?.paths.some(({ captures }) => captures.length) && text.mustCapture,
      facts =
        top.by === "engine"
          ? factsOf(isOther && this.first.name, best, must)
          : text.scoreBy(top.by, Number.isFinite(top.depth) && top.depth, reached);
    this.drawScore(top.score, facts, { known });
    this.words.title = likely ? text.chances(likely) : "";
  }

  drawScore(score, facts, { known = false } = {}) {
    // The words name the winner.
    this.score.textContent = winner(score) ? "" : short(score);
    this.words.textContent = words(score, { known });
    this.words.title = "";
    this.facts.textContent = facts;
  }

  /** Returns the deepest score of a move, {score, depth, by}; that of the position is also that of its best move. */
  scoreOf(move) {
    const { tree } = state.game,
      side = tree.side(state.current),
      value = state.values?.[move],
      here = tree.node(state.current),
      { score, depth, ...node } = tree.node(tree.child(state.current, move)) ?? {},
      lines = this.active && this.job ? this.first.lines : [],
      info = lines.find((info) => info?.moves[0] === move),
      best = here.best ?? (this.first.name === "kelso" && lines[0]?.moves[0]),
      isBest = here.score && move === best && sourceOf(here) !== "book";
    const found = [
      value && { score: { ...value, side }, depth: value.by === "database" ? Infinity : value.depth, by: value.by },
      isBest && { score: here.score, depth: here.depth, by: sourceOf(here) },
      info && { score: this.first.scoreOf(info), depth: info.kind === "cp" ? info.depth : Infinity, by: "engine" },
      score && depth && { score, depth: depth + 1, by: sourceOf(node) },
    ];
    // Of proved wins, those with a known distance say more.
    const isVague = ({ score }) => Number(score.kind !== "cp" && score.value === null);
    return found.filter(Boolean).sort((a, b) => b.depth - a.depth || isVague(a) - isVague(b) || 0)[0];
  }

  /** Returns an engine's lines, {info, score, depth, by}, the best first: those of Kelso have their moves' deepest scores, the position's first. */
  ranked() {
    const lines = this.active && this.job ? this.first.lines.filter((info) => info?.moves.length) : [];
    if (this.first.name !== "kelso")
      return lines.map((info) => ({ info, score: this.first.scoreOf(info), depth: info.depth, by: "engine" }));
    const order = ({ score }) => (score === this.job.tree.node(this.job.node).score ? 2 : worth(score, this.job.side));
    return lines.map((info) => ({ info, ...this.scoreOf(info.moves[0]) })).sort((a, b) => order(b) - order(a));
  }

  /** Returns an arrow for each line, with its score if there are several. */
  arrows() {
    return this.ranked().map(({ info, score }, index) =>
      arrowOf(info.moves[0], { strong: index === 0, label: this.first.count > 1 && short(score) }),
    );
  }
}

/** Describes a search: the engine, the depth and, once it is meaningful, the speed; or `words`, for which a phone has no other place. */
const factsOf = (name, { depth, nodes, nps }, words) =>
  joined([name, text.depth(depth), words || (nodes >= ENOUGH && text.speed(nps))], " · ");
