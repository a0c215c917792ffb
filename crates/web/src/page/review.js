// The review of a game: every move gets a score, and mistakes get verdicts and better lines.

import { scoreChart, scoreChartPosition } from "./diagram.js";
import { box, button, enable, h, labelButton, link, put, reveal, s } from "./dom.js";
import { edit } from "./editor.js";
import { doubtfulResult } from "./describe.js";
import { MISTAKES, accuracyOf, betterMove, kindOf, mistakeOf, readScore, remarks } from "./marks.js";
import { go } from "./navigate.js";
import { namesOf } from "./kept.js";
import { write } from "./pdn.js";
import { isPerson, ownSide } from "./players.js";
import { preferences } from "./preferences.js";
import { rules } from "./program.js";
import { holds, scored, share, short, words } from "./score.js";
import { state, subscribe } from "./state.js";
import { announce, report } from "./status.js";
import { addMistakes } from "./store.js";
import { joined, text, unbroken } from "./text.js";
import * as transport from "./transport.js";
import { OTHER_SIDE, PLAYER_TAGS, Tree, WINNERS } from "./tree.js";
import { settle } from "./values.js";

/** The position of a score in the chart. The edges are free for the marks of mistakes. */
const place = (score) => 0.84 * share(score);

/** Names a button in two parts, of which a phone shows the first. */
function name(button, short, rest) {
  put(button, short, h("span", { class: "spare", text: rest }));
  button.ariaLabel = short + rest;
}

/** The chart of the score: White's share is below, Black's above. A click goes to the position. */
class Chart {
  constructor() {
    const props = { viewBox: "0 0 600 120", preserveAspectRatio: "none", "aria-hidden": "true" },
      at = ({ clientX }) => scoreChartPosition(this.picture, clientX, this.line.length - 1);
    this.picture = s("svg", { class: "score-chart", onclick: (event) => go(this.line[at(event)]), ...props });
    const range = { type: "range", min: "0", step: "1", class: "chart-slider", "aria-label": text.chart };
    this.slider = h("input", { ...range, oninput: () => go(this.line[Number(this.slider.value)]) });
    this.dots = h("div", { class: "dots", "aria-hidden": "true" });
    const names = Object.values(text.sides).map((text) => h("span", { text })),
      axis = h("div", { class: "axis", "aria-hidden": "true" }, names);
    this.element = box("chart-box", this.picture, axis, this.dots, this.slider);
    subscribe(["current", "game"], () => state.game.tree && this.draw(state.game.tree, state.current));
  }

  draw(tree, current) {
    this.line = tree.reviewedLine(current);
    const last = this.line.length - 1,
      now = tree.placeOn(this.line, current),
      nodes = this.line.map((id) => tree.node(id));
    const points = nodes.flatMap(({ score }, at) => (score ? [[at, place(score)]] : []));
    if (points[0]?.[0]) points.unshift([0, points[0][1]]);
    this.picture.innerHTML = scoreChart(points, last, now);
    const dot = (node, at) => {
      const kind = node.score && mistakeOf(node);
      if (!kind) return null;
      const element = h("i", { class: kindOf(node, kind) });
      element.style.left = `clamp(.4rem, ${(at / last) * 100}%, 100% - .4rem)`;
      element.style.top = `${(1 - place(node.score)) * 50}%`;
      return element;
    };
    put(this.dots, nodes.map(dot));
    const { score } = nodes[now];
    this.slider.max = String(last);
    this.slider.value = String(now);
    this.slider.ariaValueText = joined([text.moveTitle(tree, this.line[now]), score && words(score)], ": ");
  }
}

export class Review {
  /** `solve` lets the user look for better moves: receives puzzles, and the node of the first one. */
  constructor(solve) {
    this.running = null;
    this.runButton = labelButton("again", text.analyseGame, () => this.run());
    const stop = () => {
      this.cancel();
      this.collect();
    };
    this.cancelButton = button(text.stopReview, stop, { title: text.stopReviewHelp });
    this.nextButton = button("", () => this.next(), { class: "primary", title: text.nextMistakeHelp });
    const solveAll = async () => solve(await puzzlesOf(this.asked()), this.unsolved);
    this.solveButton = button("", solveAll);
    this.chart = new Chart();
    this.state = h("p", { class: "soft" });
    this.progress = h("progress", { hidden: true, "aria-label": text.reviewing });
    this.summary = h("div", { class: "sums" });
    this.list = h("ul", { class: "plain mistakes" });
    const legend = h("p", { class: "soft legend", text: text.legend(MISTAKES) });
    // The result takes the room of the text before it, so that the buttons and the moves stay in place.
    const overview = box("overview", this.progress, this.chart.element, this.summary, this.state, this.list, legend),
      row = box("row", this.nextButton, this.solveButton, this.runButton, this.cancelButton);
    this.element = box("review", overview, row);
    subscribe(["current", "game", "tab"], () => state.game.tree && this.refresh());
    subscribe(["left"], () => this.cancel());
  }

  refresh() {
    const mistakes = this.mistakes(),
      { tree } = state.game;
    const line = tree.reviewedLine(state.current),
      reviewed = line.some((id) => tree.node(id).reviewed);
    this.runButton.className = reviewed ? "again" : mistakes.length ? "" : "primary";
    this.runButton.lastChild.textContent = reviewed ? text.analyseAgain : text.analyseGame;
    this.runButton.title = reviewed ? text.analyseAgainHelp(nodesOf(tree, line)) : "";
    // What a review says before its last pass may change.
    const isChecking = Boolean(this.running) && !this.isSettled,
      isFirstLook = ({ verdict, checked }) => isChecking && verdict && !checked;
    document.body.classList.toggle("checking", isChecking);
    /** The mistake on the board or after it, or else the first one, whose better move the user can look for. */
    const solvable = this.asked().filter((id) => betterMove(tree, id) && !isFirstLook(tree.node(id))),
      place = tree.placeOn(line, state.current);
    this.unsolved = solvable.find((id) => tree.ply(id) >= place) ?? solvable[0];
    // Show buttons before hiding others, so that the focus has somewhere to go.
    const shown = [
      [this.runButton, !this.running && line.length > 1],
      [this.cancelButton, Boolean(this.running)],
      [this.nextButton, this.asked().length > 0],
      [this.solveButton, this.unsolved !== undefined],
    ];
    for (const [button, on] of shown.sort(([, a], [, b]) => b - a)) reveal(button, on);
    this.progress.hidden = !this.running;
    const side = userSide(state.game),
      isOwn = mistakes.some((id) => tree.mover(id) === side),
      found = side && mistakes.length && !isOwn ? text.noOwnMistakes(text.sides[OTHER_SIDE[side]]) : "",
      verdict = doubtfulResult() || joined([found, slideOf(tree, line, mistakes)], " "),
      result = verdict || (mistakes.length ? "" : reviewed ? text.noMistakes : text.reviewHelp(MISTAKES));
    this.state.textContent = this.running ? this.stage : line.length < 2 ? text.reviewEmpty : result;
    this.chart.element.hidden = !reviewed;
    put(this.summary, reviewed && this.sums(mistakes));
    const entry = (id) => {
      const node = tree.node(id),
        glyph = mistakeOf(node),
        title = text.markHelp(glyph, glyph === node.verdict),
        mark = h("b", { class: `glyph glyph-${glyph}`, text: text.glyphs[glyph], title });
      const opener = link([named(tree, id), mark], () => go(id));
      const words = text.verdict(remarks(node), isFirstLook(node) && text.firstLook),
        note = h("span", { class: "soft note", text: unbroken(words) }),
        scores = [tree.node(node.parent), node].flatMap(({ score }) => (score ? short(score) : [])).join(" → ");
      const change = h("span", { class: "soft change", text: scores });
      return h("li", { "aria-current": id === state.current && "step" }, opener, change, note);
    };
    put(this.list, mistakes.map(entry));
    const here = this.list.querySelector("[aria-current]");
    if (here) this.list.scrollTo(here.offsetLeft - this.list.offsetLeft, here.offsetTop - this.list.offsetTop);
    name(this.nextButton, isOwn ? text.nextOwn : text.next, text.mistake);
    if (this.unsolved) {
      name(this.solveButton, text.retry, ` ${named(tree, this.unsolved)}`);
      this.solveButton.title = text.retryHelp(named(tree, this.unsolved));
    }
    const following = this.following();
    enable(this.nextButton, following);
    this.nextButton.classList.toggle("primary", following !== undefined && this.isLater(following) && !found);
  }

  /** Returns each side's accuracy, if any of its moves count, and the number of its mistakes of each kind. */
  sums(mistakes) {
    const { tree } = state.game;
    const marks = (color) => {
      const own = mistakes.filter((id) => tree.mover(id) === color);
      return MISTAKES.map((glyph) => {
        const count = own.filter((id) => mistakeOf(tree.node(id)) === glyph).length,
          name = text.mistakesNamed(count, glyph);
        const title = joined([name, text.glyphHelp[glyph]], ": "),
          props = { class: `glyph glyph-${glyph}`, role: "img", "aria-label": name, title };
        return count > 0 && h("b", { ...props, text: `${text.glyphs[glyph]}\u2009${count}` });
      }).filter(Boolean);
    };
    const row = (color) => {
      const share = accuracyOf(tree, tree.reviewedLine(state.current), color),
        parts = [share !== null && h("strong", { text: text.percentOf(share) }), ...marks(color)].filter(Boolean);
      const dot = h("span", { class: `player-dot ${color}`, "aria-hidden": "true" });
      return parts.length > 0 && h("p", {}, dot, h("span", { text: text.sides[color] }), parts);
    };
    const rows = ["b", "w"].map(row).filter(Boolean);
    return rows.length ? [h("span", { class: "soft", title: text.accuracyHelp, text: text.accuracy }), ...rows] : [];
  }

  cancel() {
    this.running?.abort();
    this.running = null;
    if (state.game.tree) this.refresh();
  }

  async run() {
    if (this.running) return;
    const { tree } = state.game,
      line = tree.whole(state.current),
      run = (this.running = new AbortController()),
      nodes = nodesOf(tree, line);
    this.progress.value = 0;
    this.stage = text.reviewing;
    this.isSettled = true;
    this.refresh();
    const plain = new Tree(tree.start);
    plain.extend(0, tree.moves(line.at(-1)));
    let isFirst = true,
      values = [];
    const received = async ({ share, moves, ...pass }) => {
      if (run !== this.running || state.game.tree !== tree) return;
      if (moves === undefined) {
        this.progress.value = share;
        this.stage = this.state.textContent = pass.pass > 1 ? text.checking(share) : text.reviewing;
        // A deeper review keeps its marks until this one is as deep.
      } else if (pass.nodes >= nodes) {
        this.isSettled = pass.last;
        await edit(() => apply(tree, line, moves, pass.nodes, isFirst, values), !isFirst);
        isFirst = false;
      }
    };
    try {
      values = await bookOf(tree, line).catch(() => []);
      await transport.review(write(plain, {}), { after: nodes, received, signal: run.signal });
      if (run !== this.running || state.game.tree !== tree) return;
      this.running = null;
      announce(text.reviewed(this.mistakes().length));
      await this.collect();
    } catch (error) {
      if (!run.signal.aborted) report(error.message);
    } finally {
      if (run === this.running) this.running = null;
      this.refresh();
    }
  }

  /** Adds the users' mistakes to their puzzles. */
  async collect() {
    const { tree, players } = state.game;
    const isUser = (side) => isPerson(players[side]) && side === (userSide(state.game) ?? side);
    addMistakes(await puzzlesOf(this.asked().filter((id) => isUser(tree.mover(id)))));
  }

  mistakes() {
    const { tree } = state.game;
    return tree.reviewedLine(state.current).filter((id) => mistakeOf(tree.node(id)));
  }

  /** Returns the user's mistakes, or else those of both sides. */
  asked() {
    const mistakes = this.mistakes(),
      own = mistakes.filter((id) => state.game.tree.mover(id) === userSide(state.game));
    return own.length ? own : mistakes;
  }

  /** Returns whether a node comes later than the one on the board; after a variation, than the move that it replaces. */
  isLater(id) {
    const { tree } = state.game,
      line = tree.reviewedLine(state.current);
    return tree.ply(id) > tree.placeOn(line, state.current) + Number(!line.includes(state.current));
  }

  /** Returns the next mistake; after the last one, the first. */
  following() {
    const others = this.asked().filter((id) => id !== state.current);
    return others.find((id) => this.isLater(id)) ?? others[0];
  }

  async next() {
    const next = this.following();
    if (!next) return;
    await go(next);
    const { tree } = state.game;
    announce(joined([text.moveTitle(tree, next), remarks(tree.node(next))], ". "));
  }
}

/** Returns the side of the only person, or else the one that the game gives the user's name. */
const userSide = ({ players, tree }) =>
  ownSide(players) ??
  Object.keys(PLAYER_TAGS).find((side) => preferences.player && tree.tags[PLAYER_TAGS[side]] === preferences.player);

/** Says from which move a lost game slid; empty if it did not, if the loser made a mistake, or if that move is marked. */
function slideOf(tree, line, mistakes) {
  const loser = OTHER_SIDE[WINNERS[tree.result]],
    held = line.findLastIndex((id) => tree.node(id).score && holds(tree.node(id).score, loser)),
    first = line[Math.max(held, 0) + 1],
    isError = (id) => id === first || (tree.mover(id) === loser && mistakeOf(tree.node(id)) !== MISTAKES.at(-1));
  return loser && first && tree.node(line.at(-1)).score && !mistakes.some(isError) ? text.slid(tree.number(first)) : "";
}

/** Returns the nodes per position of the deepest review of a line; 0 without one. */
const nodesOf = (tree, line) => tree.node(line.at(-1)).nodes ?? 0;

/** Returns the move to a node with its number: "5. 9-13", or "5… 22-18" for White. */
const named = (tree, id) => `${tree.number(id)}${tree.mover(id) === "w" ? "…" : "."} ${tree.node(id).move}`;

function puzzlesOf(mistakes) {
  const { tree } = state.game,
    [b, w] = namesOf(state.game);
  const puzzle = async (id, at, { length }) => {
    const { parent } = tree.node(id),
      { fen } = await rules.facts(tree.position(parent)),
      source = text.mistakeSource(at + 1, length, `${b} – ${w}`, named(tree, id)),
      solution = [betterMove(tree, id)],
      { move: last, score: before } = tree.node(parent),
      { move, score } = tree.node(id);
    // The score before a mistake is that of the better move.
    const why = before && score && text.instead(solution[0], scored(before), move, scored(score));
    return { id, fen, last, goal: "better", solution, source, why, number: tree.number(id), names: { b, w } };
  };
  return Promise.all(mistakes.filter((id) => betterMove(tree, id)).map(puzzle));
}

/** Returns what the opening book says about the moves in the positions of a line, as far as it has them. */
async function bookOf(tree, line) {
  const values = [];
  for (const id of line) {
    const { moves } = await transport.explore({ fen: tree.start, moves: tree.moves(id).join(","), games: 0 });
    if (!moves.some(({ value }) => value?.by === "book")) break;
    values.push(Object.fromEntries(moves.map(({ move, value }) => [move, value])));
  }
  return values;
}

/** Adds the findings of a pass to a line, and the deeper `values` of the book. Returns the node to show. */
function apply(tree, line, moves, nodes, isFirst, values) {
  moves.forEach((found, index) => {
    const [parent, id] = line.slice(index, index + 2);
    if (!tree.has(id)) return;
    const { glyph, words, depth, accuracy } = found,
      best = glyph && found.best ? found.best.split(" ") : [];
    const error = glyph && { verdict: glyph, words, better: best[0] },
      // A mark that two passes give is shown as settled.
      checked = !isFirst && tree.node(id).verdict === glyph;
    Object.assign(tree.node(id), { verdict: undefined, words: undefined, better: undefined }, error, {
      checked,
      score: readScore(found.score, tree.side(parent)) ?? undefined,
      reviewed: true,
      by: undefined,
      nodes,
      depth,
      accuracy,
      best: moves[index + 1]?.best?.split(" ")[0],
    });
    const lineOf = (child) => tree.moves(tree.whole(child).at(-1)).slice(index).join(),
      isOld = (child) => child !== id && tree.isUntouched(child) && lineOf(child) !== best.join();
    for (const child of tree.node(parent).children.filter(isOld)) tree.remove(child);
    tree.extend(parent, best, { engine: true });
  });
  for (const [at, id] of [...line.entries()].reverse()) if (tree.has(id)) settle({ tree, id, values: values[at] });
  tree.edited = true;
  // From the end of the game, the steps to its mistakes begin at the start.
  if (isFirst && state.current === line.at(-1) && moves.some(({ glyph }) => glyph)) return 0;
  return tree.line(state.current).findLast((id) => tree.has(id));
}
