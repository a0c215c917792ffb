// The page: puts its parts together, and keeps what is on the board, the game and the engines in step.

import { Analysis } from "./analysis.js";
import { announce, region, show, status, tell } from "./announcer.js";
import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { confirm } from "./dialog.js";
import { Engine } from "./engine.js";
import { ends } from "./diagram.js";
import { button, field, h, iconButton, put } from "./dom.js";
import { library } from "./library.js";
import { MoveList } from "./movelist.js";
import { newGame } from "./newgame.js";
import { Play, consult, look } from "./play.js";
import { PERSON, isPerson } from "./players.js";
import { Rules } from "./rules.js";
import { Seat } from "./seat.js";
import { setUp } from "./setup.js";
import * as store from "./store.js";
import { text } from "./text.js";
import { Tree } from "./tree.js";
import { Why } from "./why.js";

const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const LARGEST_ENDING = 7;
const REVIEW_TIME = 150;

const memory = store.settings();
let name = "", current = 0, facts = null, hint = null, endings = {}, wanted = 0, reviewing = false;
let flipped = memory.flipped ?? true;
let engines = [{ name: "kelso" }], declared = {};

const problems = h("div", { class: "problems" });
const seats = { top: new Seat(), bottom: new Seat() };
const board = new Board({ chosen, refused });
const list = new MoveList(go);
const chart = new Chart(go);
const rules = new Rules({
  lost: () => {
    document.body.classList.add("offline");
    tell(text.lost);
  },
  back: () => {
    document.body.classList.remove("offline");
    announce(text.backAgain);
    go(current);
  },
});
const why = new Why(rules);
const play = new Play({ changed: (tick) => tick ? drawClocks() : refresh(), arrived, died, slept: (seconds) => tell(text.away(text.duration(seconds))) });
const analysis = new Analysis({
  found: (node, score) => {
    play.tree.node(node).score = score;
    chart.draw(play.tree, current);
  },
  died: (engine, reason) => {
    analyseButton.setAttribute("aria-pressed", "false");
    problem(text.engineDied(engine, reason), () => toggleAnalysis(true));
  },
  shown: () => drawMarks(),
});

const bar = h("div", { class: "eval-bar", hidden: true }, h("div", { class: "eval-white" }));
const analyseButton = button(text.analyse, () => toggleAnalysis(!analysis.on), { "aria-pressed": "false", class: "toggle" });
const whyButton = button(text.why, () => toggleWhy(), { "aria-pressed": "false", class: "toggle" });
const hintButton = button(text.hint, giveHint);
const backButton = button(text.takeBack, () => goOn(play.takeBack()));
const redoButton = button(text.redo, redo);
const drawButton = button(text.draw, offerDraw, { title: text.drawRule });
const resignButton = button(text.resign, resign);
const onButton = button(text.playOn, () => goOn(current));
const hurryButton = button(text.engineMove, () => play.hurry());
const pauseButton = button(text.pause, () => {
  play.pause();
  refresh();
});
const reviewButton = button(text.analyseGame, review);
const steps = [
  iconButton("start", text.start, () => go(0)), iconButton("back", text.back, () => step(-1)),
  iconButton("forward", text.forward, () => step(1)), iconButton("end", text.end, () => go(lastOf())),
];
const moveInput = h("input", { type: "text", class: "move-input", autocomplete: "off", spellcheck: "false", placeholder: text.moveExample, enterkeyhint: "go" });
const moveForm = h("form", { class: "move-form", onsubmit: (event) => {
  event.preventDefault();
  typed(moveInput.value.trim());
} }, field(text.moveInput, moveInput));

function layout() {
  const header = h("header", {}, h("h1", { text: text.name }), h("nav", { "aria-label": text.menu },
    button(text.newGame, openNewGame, { class: "primary" }), button(text.games, () => openLibrary()), button(text.setUp, openSetUp)));
  const table = h("section", { class: "table", "aria-label": text.board }, seats.top.element, h("div", { class: "board-row" }, bar, board.element), seats.bottom.element, status,
    h("div", { class: "row" }, h("div", { class: "row steps" }, steps, iconButton("flip", text.flip, flip)), h("div", { class: "row tools" }, hintButton, analyseButton, whyButton)),
    h("div", { class: "row tools" }, onButton, hurryButton, pauseButton, backButton, redoButton, drawButton, resignButton));
  const side = h("section", { class: "side", "aria-label": text.moves }, analysis.element, why.element, h("h2", { text: text.moves }), list.element, moveForm,
    h("h2", { text: text.chart }), chart.element, h("div", { class: "row" }, reviewButton), h("p", { class: "soft keys", text: text.keys }));
  put(document.getElementById("page"), header, problems, h("main", {}, table, side), region);
  document.documentElement.classList.remove("kept");
}

/** The last node of the line on the board. */
const lastOf = () => play.tree.whole(current).pop();

/** Shows a position, and what is known of it when the engine has answered. */
async function go(id, { animate = false, advanced = false } = {}) {
  const ask = ++wanted;
  current = id;
  hint = null;
  const node = play.tree.node(id);
  if (node.fen && !advanced) draw(node, animate);
  list.draw(play.tree, current);
  chart.draw(play.tree, current);
  keep();
  let found;
  try {
    found = await rules.facts(play.tree.position(id));
  } catch (error) {
    return tell(error.message);
  }
  if (ask !== wanted) return;
  if (!facts) performance.mark("moves");
  facts = found;
  node.fen = found.fen;
  if (!board.shows(found.fen)) draw(node, animate);
  endings = {};
  analysis.know(null);
  if (why.element.hidden === false) toggleWhy(true);
  refresh();
  keep();
  analysis.look(job());
  if (current === play.tip) play.turn(facts);
  if (pieces() <= LARGEST_ENDING) lookUp(ask);
}

const pieces = () => (facts?.fen.match(/\d+/g) ?? []).length;
const job = () => facts && { node: current, position: play.tree.position(current), side: facts.side, over: facts.result !== "open", pieces: pieces() };

async function lookUp(ask) {
  const found = await rules.probe(play.tree.position(current)).catch(() => ({}));
  if (ask !== wanted) return;
  endings = found;
  analysis.know(found[""]);
}

function draw(node, animate) {
  board.show(node.fen, { last: node.move, squares: node.squares, animate });
}

/** Brings everything that depends on the state in line with it. */
function refresh() {
  const atTip = current === play.tip;
  const mine = facts && facts.result === "open" && !(atTip && play.ended) && !play.thinking && (!atTip || isPerson(play.players[facts.side]));
  board.allow(facts && (mine || !atTip) && facts.result === "open" ? facts.paths : []);
  const [top, bottom] = flipped ? ["w", "b"] : ["b", "w"];
  const outcome = atTip ? play.outcome(facts) : "";
  const mover = outcome ? null : facts?.side;
  seats.top.draw(top, play, mover);
  seats.bottom.draw(bottom, play, mover);
  show(outcome || stateWords());
  status.classList.toggle("ended", Boolean(outcome));
  onButton.hidden = atTip && !play.paused || facts?.result !== "open";
  hurryButton.hidden = !play.thinking;
  pauseButton.hidden = !play.thinking || isPerson(play.players.b) || isPerson(play.players.w);
  const open = facts?.result === "open" && !play.ended;
  backButton.disabled = play.tip === 0;
  redoButton.disabled = !play.tree.node(play.tip).children.length;
  hintButton.disabled = facts?.result !== "open";
  drawButton.disabled = resignButton.disabled = !open || !atTip;
  steps[0].disabled = steps[1].disabled = current === 0;
  steps[2].disabled = steps[3].disabled = !play.tree.node(current).children.length;
  drawMarks();
}

function stateWords() {
  if (document.body.classList.contains("offline")) return text.lost;
  if (!facts) return text.connecting;
  if (play.thinking && current === play.tip) return `${text.thinking(text.opponentName(play.players[play.thinking.side]))} …`;
  const side = text.sides[facts.side];
  const mine = current === play.tip && isPerson(play.players[facts.side]) && !isPerson(play.players[facts.side === "b" ? "w" : "b"]);
  const words = mine ? text.yourMove(side) : `${text.toMove(side)}.`;
  const { move, score } = play.tree.node(current);
  const origin = score?.book ? ` ${text.byBook(move)}` : "";
  return (facts.paths.some(({ captures }) => captures.length) ? `${words} ${text.capture}` : words) + origin;
}

function drawClocks() {
  const [top, bottom] = flipped ? ["w", "b"] : ["b", "w"];
  seats.top.tick(top, play);
  seats.bottom.tick(bottom, play);
}

function drawMarks() {
  const badges = {};
  // While somebody plays, what the databases know would give the game away.
  for (const { move, squares } of analysis.on && facts ? facts.paths : []) {
    const ending = endings[move];
    if (!ending || !text.resultShort[ending.result]) continue;
    const square = squares[squares.length - 1];
    const name = text.resultIn(text.result[ending.result], ending.plies);
    // Where two moves end on one square, the better one counts.
    const rank = { win: 2, draw: 1, loss: 0 };
    if (badges[square] && rank[badges[square].kind] >= rank[ending.result]) continue;
    badges[square] = { letter: text.resultShort[ending.result], kind: ending.result, name };
  }
  const arrows = hint ? [{ ...hint, strong: true }] : analysis.arrows();
  board.mark({ arrows, badges, worths: why.worths });
  const share = analysis.share();
  bar.hidden = !analysis.on;
  bar.firstChild.style.height = `${((share ?? 0) + 1) * 50}%`;
  bar.classList.toggle("turned", flipped);
}

/** A person has chosen a move on the board. */
function chosen(path) {
  const { move, squares } = path, from = current;
  if (from !== play.tip) play.goOn(from);
  const next = play.tree.add(from, move, { squares });
  if (from !== 0 || play.tree.node(from).children.length > 1) promoteNew(from, next);
  play.moved(next);
  say(next);
  board.advance(path);
  go(next, { advanced: true });
}

/** What is played is the main line from now on; what was played before it stays as a variation. */
function promoteNew(from, next) {
  const children = play.tree.node(from).children;
  if (children[0] !== next) {
    children.splice(children.indexOf(next), 1);
    children.unshift(next);
  }
}

/** An engine has moved. */
function arrived(next) {
  const parent = play.tree.node(next).parent;
  promoteNew(parent, next);
  say(next);
  if (current !== parent) return refresh();
  const path = facts?.paths.find(({ move }) => move === play.tree.node(next).move);
  if (path) board.advance(path);
  go(next, { advanced: Boolean(path) });
}

function say(next) {
  const node = play.tree.node(next);
  announce(text.played(text.sides[play.tree.side(node.parent)], node.move));
}

function refused(square) {
  const piece = board.position.squares[square];
  if (current === play.tip && play.thinking) return announce(text.notYours);
  if (!piece || !facts) return;
  if (facts.paths.some(({ captures }) => captures.length)) tell(text.mustTake);
  else announce(text.noPiece);
}

/** A move that was typed: the engine reads it, in any form. */
async function typed(words) {
  if (!words || !facts) return;
  const plain = words.replace(/\s+/g, "-").replace(/[xX:]/g, "x");
  const position = play.tree.position(current);
  const line = position.includes(" moves ") ? `${position} ${plain}` : `${position} moves ${plain}`;
  try {
    const after = await rules.facts(line);
    for (const path of facts.paths) {
      const probe = await rules.facts(position.includes(" moves ") ? `${position} ${path.move}` : `${position} moves ${path.move}`);
      if (probe.fen !== after.fen) continue;
      if (current === play.tip && (play.thinking || play.ended)) return tell(text.notYours);
      moveInput.value = "";
      return chosen(path);
    }
  } catch (error) {
    tell(error.message.replace(/^move \d+: /, ""));
  }
}

function step(by) {
  const node = play.tree.node(current);
  if (by < 0 && node.parent >= 0) go(node.parent);
  if (by > 0 && node.children.length) go(node.children[0], { animate: true });
}

/** Plays on from a node: an engine that has the turn there takes it. */
function goOn(node) {
  play.goOn(node);
  go(node);
}

function redo() {
  let at = play.tip;
  do {
    const [next] = play.tree.node(at).children;
    if (next === undefined) break;
    at = next;
  } while (play.tree.node(at).children.length && !isPerson(play.players[play.tree.side(at)]));
  play.goOn(at);
  go(at);
}

async function giveHint() {
  hintButton.disabled = true;
  const at = current;
  const { move } = await consult(play.tree.position(at), 1000).catch(() => ({}));
  hintButton.disabled = false;
  if (!move || at !== current) return;
  const [from, to] = ends(move);
  hint = { from, to };
  tell(text.hintIs(move));
  drawMarks();
}

async function offerDraw() {
  const persons = isPerson(play.players.b) && isPerson(play.players.w);
  if (!persons && !isPerson(play.players[facts.side])) return void tell(text.drawTurn);
  const yes = persons ? await confirm(text.drawAsk(text.sides[facts.side]), text.draw) : await play.accepts().catch(() => false);
  if (yes) end("agreed");
  else if (!persons) tell(`${text.drawRefused} ${text.drawRule}`);
}

async function resign() {
  const persons = ["b", "w"].filter((side) => isPerson(play.players[side]));
  const loser = persons.length === 1 ? persons[0] : facts.side;
  if (await confirm(text.resignAsk(text.sides[loser]), text.resign)) end("resigned", loser);
}

function end(kind, loser) {
  hint = null;
  play.end(kind, loser);
  announce(play.outcome(facts));
  keep();
}

function flip() {
  flipped = !flipped;
  store.remember({ flipped });
  board.flip(flipped);
  refresh();
}

function toggleAnalysis(on) {
  analyseButton.setAttribute("aria-pressed", String(on));
  analysis.element.hidden = !on;
  analysis.toggle(on, job());
  store.remember({ analysis: on });
  drawMarks();
}

async function toggleWhy(stay = false) {
  if (why.element.hidden || stay) await why.show(play.tree.position(current)).catch((error) => tell(error.message));
  else why.hide();
  whyButton.setAttribute("aria-pressed", String(!why.element.hidden));
  drawMarks();
}

/** Gives every position of the line that has none a score. */
async function review() {
  if (reviewing) {
    reviewing = false;
    return;
  }
  reviewing = true;
  reviewButton.textContent = text.stop;
  const tree = play.tree, line = tree.whole(current), engine = new Engine("");
  for (const [index, id] of line.entries()) {
    if (!reviewing || play.tree !== tree) break;
    show(text.analysing(index + 1, line.length));
    const node = tree.node(id);
    if (node.score?.exact) continue;
    const { move, score } = await look(engine, tree.position(id), REVIEW_TIME).catch(() => ({}));
    if (score) node.score = { ...score, side: tree.side(id), exact: true };
    if (!move && !score) break;
    chart.draw(play.tree, current);
  }
  engine.close();
  reviewing = false;
  reviewButton.textContent = text.analyseGame;
  refresh();
  keep();
}

function openNewGame() {
  // A game that was read, or set up, has told nothing of whom one likes to play.
  const { players = play.players, pace = play.pace } = store.settings();
  newGame({ players, pace, flipped, engines, declared, here: facts?.fen, rules, begin: (chosen) => {
    const tree = new Tree(chosen.start);
    let at = 0;
    for (const move of chosen.moves) at = tree.add(at, move);
    if (chosen.opening) tree.node(at).comment = chosen.opening;
    store.remember({ players: chosen.players, pace: chosen.pace, flipped: chosen.flipped });
    flipped = chosen.flipped;
    begin({ ...chosen, tree, tip: at });
  } });
}

function openSetUp() {
  setUp(facts?.fen ?? START, flipped, rules, (fen) => begin({ tree: new Tree(fen), players: play.players, pace: play.pace }));
}

function openLibrary(file) {
  library({
    game: { tree: play.tree, tags: tags(), result: play.tree.result ?? play.result(current === play.tip ? facts : null) }, own: name, file,
    load: (tree) => {
      const words = text.loaded([tree.tags.Black, tree.tags.White, tree.tags.Event].filter(Boolean).join(", "));
      begin({ tree, players: { b: PERSON, w: PERSON }, pace: play.pace, tip: tree.whole(0).pop() }, 0).then(() => tell(words));
    },
    resume: (kept) => {
      const game = store.load(kept);
      if (!game) return;
      name = store.begin();
      revive(game);
    },
  });
}

function tags() {
  const player = (side) => text.opponentName(play.players[side]);
  const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
  return { Event: play.opening || text.name, Date: date, Black: player("b"), White: player("w"), ...play.tree.tags };
}

/** Begins a game in this tab; the one that was there is kept. Resolves when it can be played. */
function begin(game, at = game.tip ?? 0) {
  if (play.tree && play.tree.nodes.length > 1) {
    keep();
    name = store.begin();
  }
  play.begin(game);
  show(text.connecting);
  board.flip(flipped);
  return go(at);
}

function revive(game) {
  play.revive(game);
  flipped = game.flipped ?? flipped;
  board.flip(flipped);
  const gone = (Date.now() - game.when) / 1000;
  go(game.current ?? play.tip).then(() => play.clock && !play.ended && gone > 3 && tell(text.away(text.duration(gone))));
}

function keep() {
  if (name && play.tree) store.save(name, { ...play.toJSON(), current, flipped });
}

/** Says that something has ended that should not have, and offers to start it again. */
function problem(words, again) {
  const box = h("div", { class: "problem", role: "alert" }, h("p", { text: words }),
    button(text.startAgain, () => {
      box.remove();
      again();
    }, { class: "primary" }), button(text.dismiss, () => box.remove()));
  put(problems, box);
}

function died(player, reason) {
  play.pause();
  refresh();
  problem(text.engineDied(text.opponentName(player), reason), () => goOn(play.tip));
}

const KEYS = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(lastOf()), f: flip, h: giveHint, a: () => toggleAnalysis(!analysis.on) };

function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, select, textarea, dialog") || document.querySelector("dialog[open]")) return;
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0] && !document.querySelector("dialog[open]")) openLibrary(event.dataTransfer.files[0]);
  });
  addEventListener("pagehide", keep);
  // A page that ends without a word, as in a crash, has lost two seconds of a clock at most.
  setInterval(() => play.clock?.running && keep(), 2000);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
}

async function begun() {
  layout();
  listen();
  name = await store.claim();
  const game = store.load(name);
  if (game) revive(game);
  else begin({ tree: new Tree(START), players: memory.players ?? { b: PERSON, w: { kind: "level", level: 3 } }, pace: memory.pace ?? { kind: "move", value: 1 } });
  if (memory.analysis) toggleAnalysis(true);
  const about = await rules.identity();
  declared = about.options;
  const answer = await fetch("/engines").catch(() => null);
  if (answer?.ok) engines = await answer.json();
  analysis.choices(engines);
}

begun();
