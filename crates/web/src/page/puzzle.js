// The mode Puzzles: the user plays out solutions, and the program answers every move.

import { Board, arrowOf, tableOf } from "./board.js";
import { ends, readFen } from "./diagram.js";
import { save } from "./dialog.js";
import { dateOf } from "./kept.js";
import { MoveList } from "./movelist.js";
import { asking, box, button, details, enable, field, h, link, put, reveal, select } from "./dom.js";
import { Engine } from "./engine.js";
import { studyFen } from "./games.js";
import { go, stepping, steps } from "./navigate.js";
import { action, actionRow, moveForm } from "./playpanel.js";
import { preferences, prefer, readOutcomes } from "./preferences.js";
import { all, chosen } from "./problems.js";
import { rules } from "./program.js";
import { typedMove } from "./rules.js";
import { words } from "./score.js";
import { play } from "./sound.js";
import { wide } from "./shell.js";
import { state, subscribe, update } from "./state.js";
import { readSettings } from "./store.js";
import { text, unbroken } from "./text.js";
import { OUTCOME, history, isDue, lossOf, note, pick, progress, resultOf } from "./training.js";
import { prove } from "./transport.js";
import { OTHER_SIDE, Tree } from "./tree.js";

const JUDGING = 300000;
/** The score of a decided position, and the maximum loss of an accepted move, in hundredths of a man. */
const DECIDED = 265,
  SLACK = 30;
/** The number of moves that refute a wrong one in the list. */
const REFUTING = 5;
/** Milliseconds until the program's answer is shown, and until a wrong move is taken back. */
const ANSWER = 450,
  TAKE_BACK = 2000;
/** The number of moves that are listed after the solution. */
const FOLLOWING = 6;
/** What the puzzle of the collection consists of that is left for the mistakes of a game. */
const LEFT = ["puzzle", "some", "shown", "tree", "at", "tip", "hints", "over", "isRefuted", "failed", "helped", "said"];
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Puzzles {
  constructor() {
    this.board = new Board({
      chosen: (path) => this.chosen(path),
      refused: (square) => this.refused(square),
    });
    this.task = h("h2", { class: "task" });
    this.words = h("p", { class: "words", role: "status" });
    this.moves = new MoveList((id) => this.look(id));
    const where = () => ({ tree: this.tree, at: this.at, go: (id) => this.look(id) });
    this.keys = stepping(where);
    this.steps = steps(where, this.keys);
    this.facts = h("p", { class: "soft" });
    this.figures = h("dl", { class: "puzzle-figures" });
    this.filter = box("columns");
    this.proof = h("p", { class: "soft proof", tabindex: "-1" });
    const isRated = () => !this.failed && this.puzzle.rating && (!resultOf(this.puzzle) || isDue(this.puzzle)),
      ask = () => (isRated() ? (this.say(text.hintCosts(lossOf(this.puzzle))), text.hintAsk) : "");
    this.hintButton = asking(action("hint", text.hint), ask, () => this.hint());
    this.againButton = action("again", text.tryAgain, () => this.start(this.puzzle));
    this.solutionButton = asking(action("eye", text.showSolution), ask, () => this.showSolution());
    this.analyseButton = action("search", text.analyse, () => this.analyse());
    this.previousButton = action("back", text.previous, () => this.step(-1));
    this.nextButton = action("forward", text.next, () => this.step(1));
    this.leaveButton = action("takeBack", text.backToGame, () => this.leave(), text.backToGameHelp);
    this.retryButton = button(text.restart, () => this.open(), { class: "primary" });
    this.bars = [0, 1].map(() => box("player-bar"));
    this.table = tableOf(this.bars, this.board.element);
    this.head = box("puzzle-head", this.task, this.words, this.facts, this.retryButton);
    this.history = details(text.history, { class: "history", open: wide.matches }, h("div"));
    this.history.addEventListener("toggle", () => this.drawHistory());
    const parts = [this.figures, this.filter, this.history];
    this.aside = h("section", { class: "aside training", "aria-label": text.modes.puzzles }, parts);
    this.slot = box("slot");
    this.form = moveForm((words) => this.enter(words));
    this.actions = actionRow([
      [this.hintButton],
      [this.againButton],
      [this.solutionButton],
      [this.analyseButton, this.leaveButton],
      [this.previousButton],
      [this.nextButton],
    ]);
    this.panel = box(
      "panel puzzle-panel",
      this.head,
      this.moves.element,
      this.form,
      this.steps,
      box("puzzle-facts", this.proof, this.slot),
      this.actions,
    );
    /** @type {import('./types.d.ts').Puzzle | null} */
    this.puzzle = null;
    /** The puzzles of the theme and grade that have been shown, for going back. */
    this.shown = [];
    this.isOpen = false;
    /** The number of hints, and whether the user has erred or was helped. */
    this.hints = 0;
    this.failed = this.helped = false;
    this.refresh();
    addEventListener("storage", () => this.share());
    addEventListener("focus", () => this.renew());
    document.addEventListener("visibilitychange", () => document.hidden || this.renew());
    // A click in the review beside the board goes to the game.
    subscribe(["current"], () => state.retrying && state.current !== this.puzzle?.id && update({ mode: "study" }));
  }

  /** Shows what was solved in another browser, if the library can be reached. */
  async renew() {
    await readSettings().catch(() => {});
    this.share();
  }

  /** Shows what was solved in another tab. */
  share() {
    const before = progress().rating;
    readOutcomes();
    this.rating += progress().rating - before;
    if (this.isOpen && this.puzzle) this.count();
  }

  refresh() {
    const there = Boolean(this.puzzle);
    this.actions.hidden = !there;
    this.steps.hidden = !this.over;
    this.form.hidden = !there || this.over;
    enable(this.hintButton, !this.over);
    enable(this.solutionButton, !this.over);
    reveal(this.leaveButton, state.retrying);
    reveal(this.analyseButton, !state.retrying);
    enable(this.previousButton, this.shown.indexOf(this.puzzle) > 0);
    const isLast = state.retrying && this.puzzle === this.some.at(-1);
    enable(this.nextButton, !isLast);
    this.retryButton.hidden = true;
    this.head.classList.remove("solved");
    this.nextButton.classList.toggle("likely", there && this.over && !isLast);
    this.leaveButton.classList.toggle("likely", there && this.over && isLast);
    this.filter.hidden = this.figures.hidden = this.history.hidden = state.retrying;
    put(this.proof);
    this.stage();
    if (this.over) this.explain();
  }

  /** Names the stage of the puzzle, on which the room of its parts depends. */
  stage() {
    const isBegun = this.tree?.node(0).children.length > 0;
    this.panel.dataset.stage = this.over ? "over" : isBegun ? "begun" : "new";
    enable(this.againButton, this.over || isBegun);
  }

  /** Lets the user solve the mistakes of a game, from that of a node on. */
  solve(mistakes, node) {
    const puzzle = mistakes.find(({ id }) => id === node);
    if (!state.retrying) this.left = Object.fromEntries(LEFT.map((name) => [name, this[name]]));
    Object.assign(this, { some: mistakes, shown: mistakes, puzzle, failed: false, helped: false, tree: null });
    update({ mode: "puzzles", retrying: true });
  }

  /** Studies the position, with its solution once that is known. */
  analyse() {
    update({ tab: "moves", flipped: this.board.flipped });
    studyFen(this.puzzle.fen, this.over ? this.puzzle.solution : []);
  }

  leave() {
    const { id } = this.puzzle;
    update({ mode: "study" });
    go(id);
  }

  /** Shows the puzzles of the collection instead of the mistakes of a game. */
  leaveGame() {
    this.close();
    update({ mode: "puzzles" });
  }

  /** Shows the puzzle that was shown last, as far as it was solved, or the one that is next. */
  async open() {
    if (this.isOpen) return;
    this.isOpen = true;
    const isKept = this.puzzle && this.some?.includes(this.puzzle);
    if (state.retrying && isKept) return this.tree ? this.resume() : this.start(this.puzzle);
    if (!isKept) {
      this.task.textContent = text.modes.puzzles;
      this.say(text.loading);
    }
    try {
      this.all = await all();
      if (!isKept) return this.choose({});
      this.offer();
      this.resume();
    } catch (error) {
      this.say(error.message);
      this.retryButton.hidden = false;
    }
  }

  /** Shows the puzzle as it was left. A wrong move and a move without an answer are taken back. */
  resume() {
    this.present();
    return this.isRefuted || (!this.over && !this.isTurn()) ? this.takeBack() : this.look(this.tip);
  }

  /** Ends the puzzles' engine when another mode is shown. */
  close() {
    if (state.retrying) Object.assign(this, this.left);
    this.isOpen = state.retrying = false;
    this.engine?.close();
    this.engine = null;
  }

  /** Lists the puzzles of a theme and a grade, and shows the one that is next. */
  choose(change) {
    prefer(change);
    if (!chosen(this.all).length) prefer({ grade: "" });
    if (!chosen(this.all).length) prefer({ puzzleTheme: "" });
    this.some = chosen(this.all);
    this.shown = [];
    this.offer();
    this.step(1);
  }

  /** Offers the themes and the grades that have puzzles. */
  offer() {
    const { puzzleTheme, grade } = preferences;
    const offered = (names, choice) =>
      names.flatMap(([value, name]) => {
        const count = chosen(this.all, choice(value)).length;
        return count || !value ? [[value, text.withCount(name, count)]] : [];
      });
    const themes = offered(Object.entries(text.themes), (theme) => ({ puzzleTheme: theme })),
      levels = text.grades.map((name, level) => [level || "", name]),
      grades = offered(levels, (grade) => ({ puzzleTheme, grade }));
    const themed = select(themes, puzzleTheme, (theme) => this.choose({ puzzleTheme: theme })),
      graded = select(grades, grade, (grade) => this.choose({ grade }));
    put(this.filter, field(text.theme, themed), field(text.puzzleFigures.difficulty, graded));
  }

  step(by) {
    const at = this.shown.indexOf(this.puzzle) + by;
    if (at < 0) return;
    if (at === this.some.length) return this.choose({});
    this.shown[at] ??= pick(this.some.filter((puzzle) => !this.shown.includes(puzzle)));
    this.start(this.shown[at]);
  }

  start(puzzle) {
    if (puzzle !== this.puzzle) {
      this.rating = progress().rating;
      this.failed = this.helped = false;
      this.renew();
    }
    Object.assign(this, { puzzle, at: 0, tip: 0, hints: 0, over: "", isRefuted: false });
    /** The moves made, as the line to `tip`, with the wrong moves that were taken back, and what follows the solution. */
    this.tree = new Tree(puzzle.fen);
    this.tree.first = puzzle.number ?? 1;
    // The game follows to the mistake.
    if (state.retrying && state.current !== puzzle.id) go(puzzle.id);
    this.said = [puzzle.source ?? (this.failed ? text.yourTurn : text.puzzleTurn)];
    this.present();
    this.board.show(puzzle.fen, { last: puzzle.last });
    this.drawAt(0);
    this.turn();
  }

  /** Shows what does not change with the moves: the task, the sides and the figures; and what was said last. */
  present() {
    const { puzzle } = this,
      { side } = readFen(puzzle.fen);
    this.connect();
    this.board.flip(side === "b");
    this.names = puzzle.names ?? { [OTHER_SIDE[side]]: text.name, [side]: preferences.player || text.you };
    this.task.textContent = text.puzzleTask(text.sides[side], puzzle.goal);
    this.facts.textContent = "";
    this.refresh();
    this.say(...this.said);
    this.count();
  }

  /** Returns a test of whether the puzzle has not gone on, for work that takes time. */
  here() {
    const { tree, tip } = this;
    return () => this.isOpen && this.tree === tree && this.tip === tip;
  }

  isTurn() {
    return this.tree.ply(this.tip) % 2 === 0;
  }

  connect() {
    if (!this.engine || this.engine.over) this.engine = new Engine("");
  }

  /** Lists the puzzles that were tried, by date. A click shows one of this list again. */
  drawHistory() {
    if (!this.history.open || !this.all) return;
    let day = "";
    const entry = ({ fen, how, when }) => {
      const before = day,
        at = this.all.findIndex((one) => one.fen === fen),
        puzzle = this.all[at],
        task = puzzle && text.puzzleName(at + 1, text.puzzleTask(text.sides[fen[0].toLowerCase()], puzzle.goal)),
        name = `${text.tries[how]}: ${puzzle?.source ?? task ?? text.ownTask}`,
        item = h("li", { "data-how": how }, puzzle ? link(name, () => this.show(puzzle)) : name);
      day = dateOf(new Date(when).toISOString());
      return [day !== before && h("li", { class: "soft", text: day }), item];
    };
    const none = h("p", { class: "soft", text: text.noTries }),
      items = history().flatMap(entry);
    put(this.history.lastChild, items.length ? h("ul", { class: "plain" }, items) : none);
  }

  show(puzzle) {
    if (!this.some.includes(puzzle)) this.choose({ puzzleTheme: "", grade: "" });
    this.shown.push(puzzle);
    this.start(puzzle);
  }

  count() {
    if (state.retrying) return;
    this.drawHistory();
    const done = this.some.map(resultOf).filter(Boolean);
    const { puzzle, solved, ofAll, helped, rating, deviation, signed, streak, longest, due, now } = text.puzzleFigures;
    const training = progress(),
      change = training.rating - this.rating;
    const reached = (outcome) => done.filter(({ how }) => how === outcome).length,
      dueNow = this.some.filter((puzzle) => isDue(puzzle)).length;
    const figures = [
      [solved, reached(OUTCOME.alone), ofAll(this.some.length)],
      [helped, reached(OUTCOME.helped)],
      [due, done.filter(({ next }) => next).length, dueNow > 0 && now(dueNow)],
      [rating, training.rating, change ? signed(change) : deviation(training.deviation)],
      // Before it has been tried, it would say how hard the move is to find.
      [puzzle, ((this.over || this.failed) && this.puzzle.rating) || "–"],
      [streak, training.streak, training.longest > 0 && longest(training.longest)],
    ];
    const figure = ([name, value, more]) =>
      h("div", {}, h("dt", { text: name }), h("dd", {}, h("b", { text: String(value) }), more && ` ${more}`));
    put(this.figures, figures.map(figure));
  }

  /** Shows a message; `kind` is "right" or "wrong", or empty. */
  say(words, kind = "") {
    this.said = [words, kind];
    this.words.textContent = unbroken(words);
    this.words.className = `words ${kind}`;
  }

  async turn() {
    const valid = this.here(),
      { paths } = await rules.facts(this.tree.position(this.tip));
    if (valid() && !this.over && !this.isRefuted && this.isTurn()) this.board.allow(paths);
  }

  enter(words) {
    const path = words && typedMove(this.board.paths, words, (reason) => this.say(reason));
    if (path) this.chosen(path);
    return Boolean(path);
  }

  async chosen(path) {
    const { tree, puzzle } = this;
    const { solution } = puzzle;
    this.board.advance(path);
    this.tip = this.tree.extend(this.tip, [path.move]);
    tree.promote(this.tip);
    this.stage();
    this.drawAt(this.tip);
    const valid = this.here(),
      played = tree.moves(this.tip),
      expected = this.onLine(played);
    if (!expected) {
      this.say(text.checkingMove(path.move));
      // A move that is taken back before the verdict would cost nothing.
      enable(this.againButton, false);
    }
    const answer = expected
      ? { right: true, move: solution[played.length] }
      : await this.judge(played).catch(() => null);
    await this.renew();
    if (!valid()) return;
    this.stage();
    if (!answer) return this.say(text.offline);
    if (answer.right && (!answer.move || played.length >= solution.length)) return this.solved();
    const kind = answer.right ? "right" : "wrong";
    play(kind);
    if (!answer.right) {
      this.say(text.puzzleWrong(path.move, answer, puzzle.goal), kind);
      this.isRefuted = true;
      tree.node(this.tip).glyphs = [2];
      tree.extend(this.tip, answer.line.slice(0, REFUTING));
      this.fail();
      this.drawAt(this.tip);
      return void setTimeout(() => valid() && this.isRefuted && this.takeBack(), TAKE_BACK);
    }
    this.say(text.puzzleRight(path.move, expected, text.moveOf(played.length, solution.length), answer.move), kind);
    await wait(ANSWER);
    if (!valid()) return;
    this.tip = this.tree.extend(this.tip, [answer.move]);
    await this.look(this.tip, { animate: true });
    if (played.length + 1 >= solution.length) return this.solved();
  }

  /** A click on a piece takes a wrong move back, whose reason stays until the next try, and picks the piece up. */
  async refused(square) {
    if (this.isRefuted) {
      await this.takeBack();
      this.board.touch(square);
    } else if (!this.over && this.board.position.squares[square] && !this.words.matches(".wrong"))
      this.say(text.noPiece);
  }

  /** Takes back a wrong move, which stays in the list, or one without an answer. */
  takeBack() {
    const { tree, tip } = this;
    if (!this.isRefuted) tree.remove(tip);
    this.isRefuted = false;
    this.tip = tree.node(tip).parent;
    // Wrong moves are in the order in which they were made.
    tree.node(this.tip).children.sort((a, b) => a - b);
    this.stage();
    return this.look(this.tip);
  }

  /** Records that the user needs help with the puzzle. */
  fail() {
    if (this.failed) return;
    this.failed = true;
    note(this.puzzle, OUTCOME.failed);
    this.count();
  }

  /** Shows a node in the list, and which side is to move there. */
  drawAt(id) {
    this.at = id;
    this.moves.draw(this, id);
    this.drawBars();
    this.drawMarks(id);
    update({ puzzle: id });
  }

  /** Names the players at their sides of the board. */
  drawBars() {
    this.bars.forEach((bar, at) => {
      const side = this.board.flipped === Boolean(at) ? "b" : "w",
        name = h("span", { class: "player-name", text: `${text.sides[side]}: ${this.names[side]}` });
      put(bar, h("span", { class: `player-dot ${side}`, "aria-hidden": "true" }), name);
      bar.classList.toggle("to-move", this.tree.side(this.at) === side);
    });
  }

  flip() {
    this.board.flip(!this.board.flipped);
    if (this.puzzle) this.drawBars();
  }

  /** Marks a wrong move with the move that refutes it. */
  async drawMarks(id) {
    const { tree } = this,
      { glyphs, move, children } = tree.node(id),
      refuting = glyphs && tree.node(children[0])?.move,
      { paths } = refuting ? await rules.facts(tree.position(id)) : { paths: [] };
    if (tree !== this.tree || id !== this.at) return;
    const squares = paths.find((path) => path.move === refuting)?.squares,
      right = this.over === "solved" && id === this.tip && { letter: "✓", kind: "glyph-1", name: text.right },
      badge = glyphs ? { letter: "✗", kind: "glyph-2", name: text.wrong } : right;
    this.board.mark({
      arrows: refuting ? [arrowOf(refuting, { strong: true, threat: true, squares })] : [],
      badges: badge ? { [ends(move)[1]]: badge } : {},
    });
  }

  /** Shows a position of the list. At its end, the puzzle goes on. */
  async look(id, { animate = false } = {}) {
    const { tree, tip } = this;
    const { fen } = await rules.facts(tree.position(id));
    if (tree !== this.tree) return;
    this.board.allow([]);
    this.board.show(fen, { last: tree.node(id).move, animate });
    this.drawAt(id);
    if (id === tip && !this.over) await this.turn();
  }

  onLine(moves) {
    return moves.every((move, index) => move === this.puzzle.solution[index]);
  }

  /** Judges a move that is not in the solution. Unless it is proved that only one is right, others about as good are, too. */
  async judge(played) {
    const answer = await this.value(played),
      { value } = answer;
    if (this.isProved() && played.length === 1) return { right: false, ...answer };
    const before = played.slice(0, -1),
      next = this.onLine(before) ? [this.puzzle.solution[before.length]] : [];
    const { value: best } = await this.value([...before, ...next]);
    return { right: value >= best - SLACK, ...answer };
  }

  /** Returns whether it is proved that only one move is right. */
  isProved() {
    return this.puzzle.grade && ["win", "draw"].includes(this.puzzle.goal);
  }

  /** Returns the best answer to the user's moves with the line that follows, and their value for the user, also in words. */
  async value(moves) {
    const position = `position fen ${this.puzzle.fen}${moves.length ? ` moves ${moves.join(" ")}` : ""}`,
      { move, score, line } = await this.engine.searchFor(`nodes ${JUDGING}`, position);
    const own = readFen(this.puzzle.fen).side,
      [side, sign] = moves.length % 2 ? [OTHER_SIDE[own], -1] : [own, 1],
      // A side that cannot move has lost.
      found = { ...(score ?? { kind: "loss", value: 0 }), side },
      worth = { cp: found.value, win: DECIDED, loss: -DECIDED }[found.kind];
    const value = sign * Math.max(-DECIDED, Math.min(DECIDED, worth));
    return { move, line, value, isLost: value === -DECIDED, words: words(found) };
  }

  solved() {
    this.over = "solved";
    note(this.puzzle, this.failed || this.helped ? OUTCOME.helped : OUTCOME.alone);
    this.refresh();
    this.board.allow([]);
    play("end");
    const alone = !this.failed && !this.helped && resultOf(this.puzzle).how === OUTCOME.alone;
    this.head.classList.toggle("solved", alone);
    const how = alone ? "alone" : this.helped ? "helped" : "later";
    this.say(`${text.puzzleSolved[how]}${this.change()}`, alone ? "right" : "");
    this.drawMarks(this.tip);
    this.count();
    this.follow();
  }

  /** Describes how the user's rating has changed since this was described last. */
  change() {
    const before = this.rating,
      after = progress();
    this.rating = after.rating;
    return state.retrying || this.rating === before ? "" : text.ratingChange(before, after);
  }

  async follow() {
    const valid = this.here(),
      position = this.tree.position(this.tip),
      known = (this.puzzle.following ??= {});
    const line = known[position] ?? (await this.engine.searchFor(`nodes ${JUDGING}`, position).catch(() => null))?.line;
    if (!valid() || !line) return;
    known[position] = line;
    this.tree.extend(this.tip, line.slice(0, FOLLOWING));
    this.drawAt(this.at);
  }

  /** Shows how hard the puzzle is, and offers a proof if its value is certain. */
  explain() {
    const { grade, source, why = source } = this.puzzle;
    this.task.textContent = this.over === "solved" ? text.solved : text.showSolution;
    this.facts.textContent = unbroken(grade ? text.puzzleFacts(this.puzzle) : why);
    const prover = link(text.prove, () => this.prove(), { title: text.proveHelp });
    if (prove && this.isProved()) put(this.proof, prover, ` ${text.proveMore}`);
  }

  async prove() {
    const valid = this.here();
    put(this.proof, text.proving);
    this.proof.focus();
    const answer = await prove(this.puzzle.fen).catch((error) => ({ reason: error.message }));
    if (!valid()) return;
    const { positions, certificate, reason } = answer;
    const saver = () => link(text.certificate, () => save(certificate, "text/plain", "proof.txt"));
    put(this.proof, certificate ? [`${text.proved(positions)} `, saver()] : text.notProved(reason));
    if (document.activeElement === this.proof) this.proof.querySelector("button")?.focus();
  }

  /** Gives a hint: first the piece, then its move. */
  async hint() {
    if (this.isRefuted) await this.takeBack();
    if (!this.isTurn()) return;
    const valid = this.here(),
      played = this.tree.moves(this.tip),
      known = this.onLine(played) && { move: this.puzzle.solution[played.length] };
    const { move } = known || (await this.value(played).catch(() => ({ move: "" })));
    if (!move || !valid()) return;
    const [from, to] = ends(move);
    this.helped = true;
    // A hint at a mistake of a game is no failure.
    if (!state.retrying) this.fail();
    const whole = this.hints++ > 0;
    this.board.mark({ arrows: [{ from, to: whole ? to : from, strong: true }] });
    this.say(whole ? text.hintIs(move) : text.hintPiece(from));
  }

  /** Plays the solution and the moves that follow on the board. */
  async showSolution() {
    this.start(this.puzzle);
    this.helped = true;
    this.fail();
    this.tip = this.tree.extend(0, this.puzzle.solution);
    this.over = "shown";
    const valid = this.here();
    this.refresh();
    this.board.allow([]);
    this.say(this.change().trim());
    await this.look(0);
    await this.follow();
    let at = 0;
    while (at !== undefined) {
      await wait(2 * ANSWER);
      // Stops when the user looks at another move.
      if (!valid() || at !== this.at) return;
      [at] = this.tree.node(at).children;
      if (at !== undefined) await this.look(at, { animate: true });
    }
  }
}
