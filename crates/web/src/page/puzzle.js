// The dialog for puzzles: positions in which one move alone wins or draws. The user plays it out against the program, which
// answers every move.

import { Board } from "./board.js";
import { open } from "./dialog.js";
import { ends, readFen } from "./diagram.js";
import { button, field, h, put, select } from "./dom.js";
import { Engine } from "./engine.js";
import * as store from "./store.js";
import { text } from "./text.js";
import { problems } from "./transport.js";

/** Nodes of a search that judges a move. */
const JUDGING = 100000;
/** Scores beyond this are decided, and a move may be worse than the solution by so much; in hundredths of a man. */
const DECIDED = 200, SLACK = 30;
/** Milliseconds until the program's answer is shown. */
const ANSWER = 450;
const SOLVED = { alone: 2, helped: 1 };

let collection = null;

/** Reads a line of the collection: `FEN|goal|solution|grade depth nodes level`, as `.ci/puzzles` writes it. */
function read(line) {
  const [fen, goal, moves, grades] = line.split("|");
  const [grade, depth, nodes, level] = grades.split(" ").map(Number);
  return { fen, goal, solution: moves.split(" "), grade, depth, nodes, level };
}

/** Returns the proved problems, the easiest first. */
async function all() {
  collection ??= (await problems()).trim().split("\n").map(read);
  return collection;
}

export class Puzzles {
  /** `rules` knows the legal moves, `analyse` receives a position with its solution. */
  constructor(rules, analyse) {
    Object.assign(this, { rules, analyse });
  }

  /** Opens the dialog with the proved problems, or with one position: {fen, goal, solution}. */
  async open(single) {
    this.board = new Board({ chosen: (path) => this.chosen(path), refused: () => this.say(text.noPiece) });
    this.task = h("h3");
    this.words = h("p", { class: "status", role: "status" });
    this.facts = h("p", { class: "soft" });
    this.hintButton = button(text.hint, () => this.hint());
    this.againButton = button(text.tryAgain, () => this.start(this.puzzle));
    this.list = h("div", { class: "stack" });
    const content = h("div", { class: "puzzle" }, this.board.element, h("div", { class: "stack" },
      this.task, this.words,
      h("div", { class: "row" }, this.hintButton, this.againButton,
        button(text.showSolution, () => this.showSolution()), !single && button(text.analyse, () => this.leave())),
      this.facts, this.list));
    this.shown = open(text.puzzles, content, [button(text.close, () => this.shown.close())]);
    this.shown.dialog.classList.add("large");
    this.shown.dialog.addEventListener("close", () => {
      this.played = null;
      this.engine?.close();
    });
    if (single) return this.start(single);
    try {
      this.all = await all();
      this.choose(store.settings().grade ?? "");
    } catch (error) {
      this.shown.fail(error.message);
    }
  }

  /** Lists the puzzles of a grade, or of all, and shows the first that is not solved. */
  choose(grade) {
    store.remember({ grade });
    this.some = this.all.filter((puzzle) => !grade || puzzle.grade === Number(grade));
    const grades = [1, 2, 3, 4, 5].map((grade) => [grade, text.grade(grade, this.all.filter((puzzle) => puzzle.grade === grade).length)]);
    this.progress = h("p", { class: "soft" });
    put(this.list, h("div", { class: "row" },
      field(text.gradeName, select([["", text.allGrades(this.all.length)], ...grades], grade, (value) => this.choose(value))),
      button(text.previous, () => this.step(-1)), button(text.next, () => this.step(1))), this.progress);
    const solved = store.settings().puzzles ?? {};
    this.start(this.some.find(({ fen }) => !solved[fen]) ?? this.some[0]);
  }

  step(by) {
    const { length } = this.some;
    this.start(this.some[(this.some.indexOf(this.puzzle) + by + length) % length]);
  }

  /** Shows a puzzle from its beginning. */
  start(puzzle) {
    const again = puzzle === this.puzzle;
    Object.assign(this, { puzzle, played: [], hints: 0, over: false, helped: again && this.helped });
    if (!this.engine || this.engine.over) this.engine = new Engine("");
    const { side } = readFen(puzzle.fen);
    this.board.flip(side === "b");
    this.board.show(puzzle.fen);
    this.board.mark({});
    this.task.textContent = text.puzzleTask(text.sides[side], puzzle.goal);
    this.facts.textContent = puzzle.grade ? text.puzzleFacts(puzzle) : "";
    this.say(text.yourMove(text.sides[side]));
    this.count();
    this.turn();
  }

  count() {
    if (!this.progress) return;
    const solved = store.settings().puzzles ?? {};
    const done = this.some.map(({ fen }) => solved[fen]).filter(Boolean);
    this.progress.textContent = text.puzzleProgress(this.some.indexOf(this.puzzle) + 1, this.some.length, done.length, done.filter((how) => how === SOLVED.alone).length);
  }

  say(words) {
    this.words.textContent = words;
  }

  position(moves = this.played) {
    return `position fen ${this.puzzle.fen}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
  }

  /** Lets the user move. */
  async turn() {
    const { played } = this;
    const facts = await this.rules.facts(this.position());
    if (played === this.played && played.length % 2 === 0) this.board.allow(facts.paths);
    this.hintButton.disabled = false;
  }

  /** Answers a move of the user. */
  async chosen(path) {
    const { puzzle: { solution }, played } = this;
    this.board.advance(path);
    this.board.mark({});
    this.hintButton.disabled = true;
    played.push(path.move);
    const expected = this.onLine(played);
    const answer = expected ? { right: true, move: solution[played.length] } : await this.judge(played).catch(() => null);
    if (played !== this.played) return;
    if (!answer) return this.say(text.offline);
    if (answer.right && (!answer.move || played.length >= solution.length)) return this.solved();
    this.say(answer.right ? (expected ? text.puzzleRight : text.puzzleAlso)(path.move, answer.move) : text.puzzleWrong(path.move, answer.move));
    if (!answer.right) this.helped = true;
    await new Promise((resolve) => setTimeout(resolve, ANSWER));
    if (played !== this.played) return;
    await this.reply(answer.move);
    if (!answer.right) return;
    if (played.length >= solution.length) return this.solved();
    this.turn();
  }

  /** Returns whether moves are the first ones of the solution. */
  onLine(moves) {
    return moves.every((move, index) => move === this.puzzle.solution[index]);
  }

  /** Plays a move of the program. */
  async reply(move) {
    const { played } = this;
    played.push(move);
    const { fen } = await this.rules.facts(this.position());
    if (played === this.played) this.board.show(fen, { last: move, animate: true });
  }

  /**
   * Searches the answer to a move that the solution does not have. The first move alone is right in a proved problem; any
   * other move is right if it is about as good as that of the solution.
   */
  async judge(played) {
    const { move, value } = await this.value(played);
    if (this.puzzle.grade && played.length === 1) return { right: false, move };
    const before = played.slice(0, -1), next = this.onLine(before) ? [this.puzzle.solution[before.length]] : [];
    const { value: best } = await this.value([...before, ...next]);
    return { right: value >= best - SLACK, move };
  }

  /** Returns the best answer to moves of the user, and their value for the user. */
  async value(moves) {
    const { move, score } = await this.engine.searchFor(`nodes ${JUDGING}`, this.position(moves));
    // A side that cannot move has lost.
    const { kind, value } = score ?? { kind: "loss" };
    const mover = kind === "cp" ? Math.max(-DECIDED, Math.min(DECIDED, value)) : kind === "win" ? DECIDED : -DECIDED;
    return { move, value: moves.length % 2 ? -mover : mover };
  }

  solved() {
    const { puzzle } = this;
    this.board.allow([]);
    this.say(this.helped ? text.puzzleSolvedHelped : text.puzzleSolved);
    if (!puzzle.grade) return;
    const solved = store.settings().puzzles ?? {}, how = this.helped ? SOLVED.helped : SOLVED.alone;
    store.remember({ puzzles: { ...solved, [puzzle.fen]: Math.max(how, solved[puzzle.fen] ?? 0) } });
    this.count();
  }

  /** Gives a hint: first the number of moves, then the piece, then its move. */
  hint() {
    const { puzzle: { solution }, played } = this;
    if (!this.onLine(played)) return this.say(text.hintNone);
    const move = solution[played.length], [from, to] = ends(move);
    this.helped = true;
    this.hints++;
    if (this.hints === 1) return this.say(text.hintLength(Math.ceil((solution.length - played.length) / 2)));
    const whole = this.hints > 2;
    this.board.mark({ arrows: [{ from, to: whole ? to : from, strong: true }] });
    this.say(whole ? text.hintIs(move) : text.hintPiece(from));
  }

  /** Plays the solution on the board. */
  async showSolution() {
    const { puzzle } = this;
    this.start(puzzle);
    this.helped = true;
    const played = this.played = [];
    this.board.allow([]);
    this.say(text.solutionIs(puzzle.solution.join(" ")));
    for (const move of puzzle.solution) {
      await this.reply(move);
      await new Promise((resolve) => setTimeout(resolve, 2 * ANSWER));
      if (played !== this.played) return;
    }
  }

  /** Leaves the dialog to analyse the position. */
  leave() {
    this.shown.close();
    this.analyse(this.puzzle);
  }
}
