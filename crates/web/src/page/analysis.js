// The analysis panel: the lines, arrows and score of an engine, and the best line of a second one.

import { Analyst } from "./analyst.js";
import { arrowOf } from "./board.js";
import { box, field, group, h, iconButton, press, put, select, toggle } from "./dom.js";
import { LineList } from "./lines.js";
import { showThreat } from "./play.js";
import { preferences, prefer } from "./preferences.js";
import { short, sourceOf, winner, words, worth } from "./score.js";
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
    const first = engines.length > 1 && field(text.analysisEngine, this.chooser);
    put(this.engineBox, first, field(text.secondEngine, this.secondChooser));
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
    const [best] = this.searched();
    if (best) this.follow(best);
    if (state.game.tree && this.settle()) update({ game: state.game });
    // On a phone, only the switch of an analysis that is off and has no options is shown.
    this.element.classList.toggle("bare", !this.active && this.options.hidden);
    const [top] = this.ranked();
    if (top) this.drawBest(best, top);
    else this.drawNothing();
    this.drawLines();
    update({ analysis: this });
  }

  /**
   * Gives a position that has a score, or an engine, that of the opening book if it is deeper, and those after it the deeper scores
   * of their moves. Returns whether the position's score in a review has changed.
   */
  settle(place = now()) {
    const { tree, id, values } = place,
      node = tree.node(id),
      side = tree.side(id),
      worthOf = ([, score]) => worth({ ...score, side }, side);
    const known = Object.entries(values ?? {}).filter(([, value]) => value?.by === "book"),
      [[best, { depth, by, ...score } = {}] = []] = known.sort((a, b) => worthOf(b) - worthOf(a)),
      isNew = depth && (node.score ?? this.active) && deepen(node, { score: { ...score, side }, depth, by });
    if (depth && node.by === "book") node.best = best;
    for (const next of node.children.map((child) => tree.node(child))) {
      const found = next.score && this.scoreOf(next.move, place);
      if (found) deepen(next, { ...found, depth: found.depth - 1 });
    }
    return isNew && node.reviewed;
  }

  /** Gives the position the score of the search, unless that of a review or of the book is deeper. */
  follow(info) {
    const node = this.job.tree.node(this.job.node),
      [move] = info.moves,
      isKelso = this.first.name === "kelso";
    const { score, depth, by } = isKelso ? this.deepest(move) : { score: this.first.scoreOf(info) },
      isNew = by !== "book" && (depth > (node.depth ?? 0) - Number(node.by === "engine") || score.kind !== "cp");
    if (isKelso ? !isNew : node.reviewed) return;
    Object.assign(node, { score, depth: info.depth, by: "engine", best: move });
  }

  drawLines() {
    const { first, second } = this,
      [other] = second.lines,
      name = second.name === "kelso" ? text.name : second.name;
    const lines = this.ranked().map(({ moves, score }) => ({ moves, score, by: "" }));
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
    const isStarting = this.active && sourceOf(node) === "engine" && text.starting;
    if (node.score && !isOver)
      return this.drawScore(node.score, joined([text.scoreBy(sourceOf(node), node.depth), isStarting], " · "));
    this.score.textContent = "";
    this.words.textContent = isOver ? text.gameOver : this.active ? text.waiting : "";
    this.facts.textContent = this.active || isOver ? "" : text.engineHelp;
  }

  drawBest(info, { score, depth, by }) {
    const known = this.known(info),
      isOwn = by === "engine" && !(depth > info.depth && score.kind === "cp"),
      must = narrow.matches && state.facts?.paths.some(({ captures }) => captures.length) && text.mustCapture,
      name = this.first.name !== "kelso" && this.first.name,
      source = text.scoreBy(by, Number.isFinite(depth) && depth);
    this.drawScore(score, isOwn ? factsOf(name, info, must) : source, { known });
  }

  drawScore(score, facts, { known = false } = {}) {
    // The words name the winner.
    this.score.textContent = winner(score) ? "" : short(score);
    this.words.textContent = words(score, { known });
    this.facts.textContent = facts;
  }

  /** Returns the lines that the search has found. */
  searched(id = state.current) {
    return this.active && this.job && id === state.current ? this.first.lines.filter((info) => info?.moves.length) : [];
  }

  /** Returns the best move in the position: that of its score, or else of the search; undefined if there is none. */
  best(tree = state.game.tree, id = state.current) {
    const { score, best } = tree.node(id),
      scored = score && best,
      found = this.searched(id)[0]?.moves[0];
    return this.first.name === "kelso" ? (scored ?? found) : (found ?? scored);
  }

  /** Returns the deepest score that is known of a move, {score, depth, by}. */
  deepest(move, { tree, id, values } = now()) {
    const side = tree.side(id),
      value = values?.[move],
      { score, depth, ...node } = tree.node(tree.child(id, move)) ?? {},
      info = this.searched(id).find((info) => info.moves[0] === move);
    const found = [
      info && { score: this.first.scoreOf(info), depth: info.kind === "cp" ? info.depth : Infinity, by: "engine" },
      value && { score: { ...value, side }, depth: value.by === "database" ? Infinity : value.depth, by: value.by },
      score && depth && { score, depth: depth + 1, by: sourceOf(node) },
    ];
    // Of proved wins, those with a known distance say more.
    const isVague = ({ score }) => Number(score.kind !== "cp" && score.value === null);
    return found.filter(Boolean).sort((a, b) => b.depth - a.depth || isVague(a) - isVague(b) || 0)[0];
  }

  /**
   * Returns the score to show of a move, {score, depth, by}. The best move has that of the position. Another one, unless it was
   * searched deeper, is at most as good, and at most as good as the last line of a search that does not list it.
   */
  scoreOf(move, place = now()) {
    const found = this.deepest(move, place),
      { tree, id } = place,
      here = tree.node(id),
      lines = this.searched(id);
    if (found?.depth === Infinity || !here.score) return found;
    if (move === this.best(tree, id)) return { score: here.score, depth: here.depth, by: sourceOf(here) };
    const isListed = lines.some(({ moves }) => moves[0] === move),
      last = sourceOf(here) === "engine" && !isListed && lines.at(-1),
      limit = last ? this.first.scoreOf(last) : here.score,
      side = tree.side(id);
    const isAbove = found?.depth <= here.depth && worth(found.score, side) > worth(limit, side);
    return isAbove ? { ...found, score: { ...limit, isLimit: true } } : found;
  }

  /** Returns the lines to show, {moves, score, depth, by}, the best first: the search's, and the best move of a deeper source. */
  ranked() {
    const lines = this.searched(),
      side = this.job?.side;
    if (this.first.name !== "kelso" || !lines.length)
      return lines.map((info) => ({ ...info, score: this.first.scoreOf(info), by: "engine" }));
    const known = Object.fromEntries(lines.map(({ moves }) => [moves[0], moves]));
    return [...new Set([this.best(), ...Object.keys(known)])]
      .map((move) => ({ moves: known[move] ?? [move], ...this.scoreOf(move) }))
      .sort((a, b) => worth(b.score, side) - worth(a.score, side))
      .slice(0, this.first.count);
  }

  /** Returns an arrow for each line, with its score if there are several. */
  arrows() {
    return this.ranked().map(({ moves, score }, index) =>
      arrowOf(moves[0], { strong: index === 0, label: this.first.count > 1 && short(score) }),
    );
  }
}

/** Gives a node a deeper score, {score, depth, by}, unless one of them is proved or a limit. Returns whether it did. */
function deepen(node, { score, depth, by }) {
  const isDeeper = depth > (node.depth ?? 0) && depth < Infinity && !score.isLimit,
    isNew = isDeeper && score.kind === "cp" && (node.score?.kind ?? "cp") === "cp";
  if (isNew) Object.assign(node, { score, depth, by });
  return isNew;
}

/** Returns what is known of the position on the board. */
const now = () => ({ tree: state.game.tree, id: state.current, values: state.values });

/** Describes a search: the engine, the depth and, once it is meaningful, the speed; or `words`, for which a phone has no other place. */
const factsOf = (name, { depth, nodes, nps }, words) =>
  joined([name, text.depth(depth), words || (nodes >= ENOUGH && text.speed(nps))], " · ");
