// The page: puts its parts together, and keeps the board, the game and the engines in step.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { ends } from "./diagram.js";
import { confirm } from "./dialog.js";
import { button, field, h, iconButton, put } from "./dom.js";
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { Explanation } from "./explanation.js";
import { Explorer } from "./explorer.js";
import { Game } from "./game.js";
import { onInput } from "./input.js";
import { library, neighbour } from "./library.js";
import * as link from "./link.js";
import { MoveList } from "./movelist.js";
import { newGame } from "./newgame.js";
import { dismiss, notice, notices, problem } from "./notice.js";
import { PlayerBar } from "./playerbar.js";
import { picture } from "./picture.js";
import { PERSON, changePlayers, isPerson } from "./players.js";
import { Puzzles } from "./puzzle.js";
import { Review } from "./review.js";
import { Rules, findMove } from "./rules.js";
import { setUp } from "./setup.js";
import { play, soundSwitch } from "./sound.js";
import { announce, liveRegion, report, setStatus, statusLine } from "./status.js";
import * as store from "./store.js";
import { text } from "./text.js";
import { engines as listEngines } from "./transport.js";
import { START, Tree } from "./tree.js";

/** The most pieces of a position that the endgame databases are asked about. */
const LARGEST_ENDING = 7;
const HINT_TIME = 1000;

const memory = store.settings();
let name = "", offline = "", current = 0, facts = null, hint = null, endings = {}, asked = 0;
let flipped = memory.flipped ?? true;
let engines = [{ name: "kelso" }], declared = {};

const bars = { top: new PlayerBar(openPlayers), bottom: new PlayerBar(openPlayers) };
const board = new Board({ chosen, refused });
const list = new MoveList(go);
const chart = new Chart(go);
const rules = new Rules({
  lost: (busy) => {
    document.body.classList.add("offline");
    offline = busy ? text.busy : text.lost;
    if (statusLine.textContent !== offline) report(offline);
  },
  connected: () => {
    document.body.classList.remove("offline");
    offline = "";
    announce(text.connectedAgain);
    if (game.tree) go(current);
  },
});
const explanation = new Explanation(rules);
const explorer = new Explorer({ play: enterMove, load });
const game = new Game({
  changed: (tick) => tick ? drawClocks() : refresh(),
  moved: engineMoved, ended, engineFailed,
  suspended: (seconds) => report(text.away(text.duration(seconds))),
});
const editor = new Editor(game, { shown: () => current, go });
const puzzles = new Puzzles(rules, analysePuzzle);
const review = new Review(game, editor, solveMistake);
const analysis = new Analysis({
  scored: () => chart.draw(game.tree, current),
  failed: (engine, reason) => {
    analyseButton.setAttribute("aria-pressed", "false");
    problem(text.engineEnded(engine, reason), () => toggleAnalysis(true));
  },
  drawn: () => drawMarks(),
  chosen: (job, moves) => editor.addLine(job, moves),
});

const evalBar = h("div", { class: "eval-bar", hidden: true }, h("div", { class: "eval-white" }));
const analyseButton = button(text.analyse, () => toggleAnalysis(!analysis.active), { "aria-pressed": "false", class: "toggle" });
const explainButton = button(text.explain, toggleExplanation,
  { "aria-pressed": "false", class: "toggle", title: text.explanationTitle });
const explorerButton = button(text.explorer, toggleExplorer,
  { "aria-pressed": "false", class: "toggle", title: text.explorerHelp });
const hintButton = button(text.hint, giveHint);
const takeBackButton = button(text.takeBack, () => playFrom(game.takeBack()));
const redoButton = button(text.redo, redo);
const drawButton = button(text.draw, offerDraw, { title: text.drawRule });
const resignButton = button(text.resign, resign);
const playOnButton = button(text.playOn, () => playFrom(current), { title: text.playOnHelp });
const moveNowButton = button(text.moveNow, () => game.moveNow(), { title: text.moveNowHelp });
const pauseButton = button(text.pause, () => {
  game.pause();
  refresh();
}, { title: text.pauseHelp });
const gameSteps = [-1, 1].map((by) => button(by < 0 ? text.previousGame : text.nextGame, () => load(neighbour(by)())));
const steps = [
  iconButton("start", text.start, () => go(0)), iconButton("back", text.back, () => step(-1)),
  iconButton("forward", text.forward, () => step(1)), iconButton("end", text.end, () => go(lastOf())),
];
const moveInput = h("input", {
  type: "text", class: "move-input", autocomplete: "off", spellcheck: "false", placeholder: text.moveExample, enterkeyhint: "go",
});
const moveForm = h("form", { class: "move-form", onsubmit: (event) => {
  event.preventDefault();
  enterMove(moveInput.value.trim());
} }, field(text.moveInput, moveInput));

/** Builds the page. No button appears, vanishes or moves by itself: one that cannot be used is disabled. */
function layout() {
  const header = h("header", {}, h("h1", { text: text.name }), h("nav", { "aria-label": text.menu },
    button(text.newGame, openNewGame, { class: "primary" }), button(text.games, () => openLibrary()),
    button(text.setUp, openSetUp), button(text.puzzles, () => puzzles.open())));
  const table = h("section", { class: "table", "aria-label": text.board },
    bars.top.element, h("div", { class: "board-row" }, evalBar, board.element), bars.bottom.element);
  const controls = h("section", { class: "controls", "aria-label": text.controls }, statusLine,
    h("div", { class: "row steps" }, steps, iconButton("flip", text.flip, flip), analyseButton), analysis.element,
    h("div", { class: "tools" }, hintButton, takeBackButton, redoButton, explainButton, explorerButton, moveNowButton, playOnButton, drawButton,
      resignButton, pauseButton));
  const side = h("section", { class: "side", "aria-label": text.moves },
    explanation.element, explorer.element, h("h2", { text: text.moves }), explorer.opening, list.element,
    h("div", { class: "row" }, gameSteps),
    h("div", { class: "row" }, moveForm, editor.fields),
    h("div", { class: "row" }, editor.buttons),
    h("h2", { text: text.chart }), chart.element, review.element,
    soundSwitch, h("p", { class: "soft keys", text: text.keys }));
  put(document.getElementById("page"), header, h("main", {}, table, controls, side), notices, liveRegion);
  document.documentElement.classList.remove("kept");
}

/**
 * Returns a test that the same position of the same game is still on the board. Work that takes time checks it before it
 * changes anything.
 */
function here() {
  const tree = game.tree, at = current;
  return () => game.tree === tree && current === at;
}

/** Returns the last node of the line on the board. */
const lastOf = () => game.tree.whole(current).pop();
const position = () => game.tree.position(current);
const atTip = () => current === game.tip;
const opponents = () => isPerson(game.players.b) !== isPerson(game.players.w);

/** Shows a node, and when the engine has answered, what can be done there. */
async function go(id, { animate = false, advanced = false, justMoved = false } = {}) {
  const ask = ++asked;
  current = id;
  hint = null;
  facts = null;
  const node = game.tree.node(id);
  board.allow([]);
  if (node.fen && !advanced) draw(node, animate);
  list.draw(game.tree, current);
  chart.draw(game.tree, current);
  keep();
  let found;
  try {
    found = await rules.facts(position());
  } catch (error) {
    return report(error.message);
  }
  if (ask !== asked) return;
  if (!performance.getEntriesByName("moves").length) performance.mark("moves");
  facts = found;
  node.fen = found.fen;
  if (!board.shows(found.fen)) draw(node, animate);
  endings = {};
  if (atTip()) game.noteResult(facts);
  const over = justMoved && atTip() && game.outcome(facts);
  if (!explanation.element.hidden) explain();
  refresh();
  keep();
  explorer.show(game.tree, current);
  analysis.know(null);
  analysis.analyse(job());
  if (atTip()) game.turn(facts);
  if (pieces() <= LARGEST_ENDING) probe(ask);
  if (over) ended();
}

const pieces = () => (facts?.fen.match(/\d+/g) ?? []).length;
const job = () => facts && {
  tree: game.tree, node: current, position: position(), side: facts.side, over: facts.result !== "open",
};

async function probe(ask) {
  const found = await rules.probe(position()).catch(() => ({}));
  if (ask !== asked) return;
  endings = found;
  analysis.know(found[""]);
}

function draw(node, animate) {
  board.show(node.fen, { last: node.move, squares: node.squares, animate });
}

/** Brings everything that depends on the state up to date. */
function refresh() {
  const tip = atTip(), open = facts?.result === "open";
  const mine = open && (!tip || !game.ended && !game.thinking && isPerson(game.players[facts.side]));
  board.allow(mine ? facts.paths : []);
  const outcome = tip ? game.outcome(facts) : "";
  const mover = outcome ? null : facts?.side;
  const [top, bottom] = sides();
  bars.top.draw(top, game, mover);
  bars.bottom.draw(bottom, game, mover);
  setStatus(outcome || describeState());
  statusLine.classList.toggle("ended", Boolean(outcome));
  playOnButton.disabled = !open || tip && !game.paused;
  moveNowButton.disabled = !game.thinking;
  pauseButton.disabled = !game.thinking || isPerson(game.players.b) || isPerson(game.players.w);
  takeBackButton.disabled = game.tip === 0;
  redoButton.disabled = !game.tree.node(game.tip).children.length;
  hintButton.disabled = !open;
  drawButton.disabled = resignButton.disabled = !open || Boolean(game.ended) || !tip;
  editor.refresh();
  review.refresh();
  gameSteps.forEach((button, index) => { button.disabled = !neighbour(index * 2 - 1); });
  steps[0].disabled = steps[1].disabled = current === 0;
  steps[2].disabled = steps[3].disabled = !game.tree.node(current).children.length;
  drawMarks();
}

const sides = () => flipped ? ["w", "b"] : ["b", "w"];

function describeState() {
  if (offline) return offline;
  if (!facts) return text.connecting;
  if (game.thinking && atTip()) return `${text.thinking(text.playerName(game.players[game.thinking.side]))} …`;
  const side = text.sides[facts.side];
  const words = atTip() && opponents() && isPerson(game.players[facts.side]) ? text.yourMove(side) : `${text.toMove(side)}.`;
  const { move, score } = game.tree.node(current);
  const origin = score?.book ? ` ${text.byBook(move)}` : "";
  return (facts.paths.some(({ captures }) => captures.length) ? `${words} ${text.capture}` : words) + origin;
}

function drawClocks() {
  const [top, bottom] = sides();
  bars.top.tick(top, game);
  bars.bottom.tick(bottom, game);
}

function drawMarks() {
  const badges = {};
  const rank = { win: 2, draw: 1, loss: 0 };
  // The databases' results are shown only during analysis: in a game they would be a hint.
  for (const { move, squares } of analysis.active && facts ? facts.paths : []) {
    const ending = endings[move];
    if (!ending || !text.resultShort[ending.result]) continue;
    const square = squares[squares.length - 1];
    const name = text.resultIn(text.result[ending.result], ending.plies);
    // If two moves end on one square, the better result is shown.
    if (badges[square] && rank[badges[square].kind] >= rank[ending.result]) continue;
    badges[square] = { letter: text.resultShort[ending.result], kind: ending.result, name };
  }
  const arrows = hint ? [{ ...hint, strong: true }] : analysis.arrows();
  board.mark({ arrows, badges, worths: explanation.worths });
  evalBar.hidden = !analysis.active;
  evalBar.firstChild.style.height = `${((analysis.share() ?? 0) + 1) * 50}%`;
  evalBar.classList.toggle("turned", flipped);
}

/** Plays a move that a person has made on the board. */
function chosen(path) {
  const { move, squares } = path, from = current;
  if (game.tree.loaded) editor.remember();
  if (!atTip()) game.playFrom(from);
  const next = game.tree.add(from, move, { squares });
  played(from, next, path);
}

/** Shows a move that an engine has made. */
function engineMoved(next) {
  const parent = game.tree.node(next).parent;
  played(parent, next, facts?.paths.find(({ move }) => move === game.tree.node(next).move));
}

/**
 * In a game that is played, the latest moves are the main line, and earlier edits cannot be undone. In a loaded game the
 * moves are a variation.
 */
function played(from, next, path) {
  if (!game.tree.loaded) {
    game.tree.promote(next);
    editor.forget();
  }
  if (game.tip !== next) game.moved(next);
  play(path?.captures.length ? "capture" : "move");
  announce(text.played(text.sides[game.tree.side(from)], game.tree.node(next).move));
  if (current !== from) {
    list.draw(game.tree, current);
    return refresh();
  }
  if (path) board.advance(path);
  go(next, { advanced: Boolean(path), justMoved: true });
}

function refused(square) {
  const piece = board.position.squares[square];
  if (atTip() && game.thinking) return announce(text.notYourTurn);
  if (!piece || !facts) return;
  if (facts.paths.some(({ captures }) => captures.length)) report(text.mustCaptureHelp);
  else announce(text.noPiece);
}

/** Plays a move that was typed. */
function enterMove(words) {
  if (!words || !facts) return;
  if (atTip() && (game.thinking || game.ended)) return report(text.notYourTurn);
  const path = findMove(facts.paths, words);
  if (!path) return report(text.illegal(words));
  moveInput.value = "";
  chosen(path);
}

function step(by) {
  const node = game.tree.node(current);
  if (by < 0 && node.parent >= 0) go(node.parent);
  if (by > 0 && node.children.length) go(node.children[0], { animate: true });
}

/** Continues the game from a node. An engine whose turn it is there moves. */
function playFrom(node) {
  game.playFrom(node);
  go(node);
}

function redo() {
  let at = game.tip;
  do {
    const [next] = game.tree.node(at).children;
    if (next === undefined) break;
    at = next;
  } while (game.tree.node(at).children.length && !isPerson(game.players[game.tree.side(at)]));
  playFrom(at);
}

async function giveHint() {
  if (!facts || facts.result !== "open") return;
  const valid = here();
  hintButton.disabled = true;
  const { move } = await Engine.with((engine) => engine.searchFor(`movetime ${HINT_TIME}`, position())).catch(() => ({}));
  if (!valid()) return;
  hintButton.disabled = false;
  if (!move) return;
  const [from, to] = ends(move);
  hint = { from, to };
  report(text.hintIs(move));
  drawMarks();
}

async function offerDraw() {
  const valid = here();
  const persons = isPerson(game.players.b) && isPerson(game.players.w);
  if (!persons && !isPerson(game.players[facts.side])) return report(text.drawTurn);
  const yes = persons ? await confirm(text.drawAsk(text.sides[facts.side]), text.draw) : await game.accepts().catch(() => false);
  if (!valid() || game.ended) return;
  if (yes) end("agreed");
  else if (!persons) report(`${text.drawRefused} ${text.drawRule}`);
}

async function resign() {
  const tree = game.tree, persons = ["b", "w"].filter((side) => isPerson(game.players[side]));
  const loser = persons.length === 1 ? persons[0] : facts.side;
  const yes = await confirm(text.resignAsk(text.sides[loser]), text.resign);
  if (yes && game.tree === tree && !game.outcome(facts)) end("resigned", loser);
}

function end(kind, loser) {
  hint = null;
  game.end(kind, loser);
}

/** Shows the result of a game that has just ended, and what can be done next. */
function ended() {
  const words = game.outcome(facts);
  play("end");
  list.draw(game.tree, current);
  announce(words);
  keep();
  notice(words, [[text.rematch, rematch], [text.analyseGame, () => review.run()]]);
}

/** Plays again from the same start, with the colours exchanged. */
function rematch() {
  const { tree, players, pace, opening } = game;
  const again = new Tree(tree.start);
  let at = 0;
  // The opening ends at the node that has its name.
  const line = tree.whole(0), last = opening ? line.findIndex((id) => tree.node(id).comment === opening) : 0;
  for (const id of line.slice(1, last + 1)) at = again.add(at, tree.node(id).move);
  if (last > 0) again.node(at).comment = opening;
  flipped = !flipped;
  store.remember({ flipped });
  begin({ tree: again, players: { b: players.w, w: players.b }, pace, opening, tip: at });
}

function flip() {
  flipped = !flipped;
  store.remember({ flipped });
  board.flip(flipped);
  refresh();
}

function toggleAnalysis(active) {
  analyseButton.setAttribute("aria-pressed", String(active));
  analysis.element.hidden = !active;
  analysis.toggle(active, job());
  store.remember({ analysis: active });
  drawMarks();
  if (active) analysis.element.scrollIntoView({ block: "nearest" });
}

function toggleExplanation() {
  if (explanation.element.hidden) return explain();
  explanation.hide();
  explainButton.setAttribute("aria-pressed", "false");
  drawMarks();
}

function toggleExplorer() {
  const shown = explorer.toggle();
  explorerButton.setAttribute("aria-pressed", String(shown));
  store.remember({ explorer: shown });
  explorer.show(game.tree, current);
}

async function explain() {
  const valid = here();
  await explanation.show(position(), valid).catch((error) => report(error.message));
  explainButton.setAttribute("aria-pressed", String(!explanation.element.hidden));
  drawMarks();
}

function openNewGame() {
  // The players of a loaded game, or of a position that was set up, are not the user's choice.
  const { players = game.players, pace = game.pace } = store.settings();
  newGame({ players, pace, flipped, engines, declared, here: facts?.fen, rules, begin: (chosen) => {
    store.remember({ players: chosen.players, pace: chosen.pace, flipped: chosen.flipped });
    flipped = chosen.flipped;
    if (chosen.continued) return begin({ ...chosen, tree: game.tree, tip: current });
    const tree = new Tree(chosen.start);
    let at = 0;
    for (const move of chosen.moves) at = tree.add(at, move);
    if (chosen.opening) tree.node(at).comment = chosen.opening;
    begin({ ...chosen, tree, tip: at });
  } });
}

function openPlayers() {
  changePlayers(game.players, engines, declared, (players) => {
    game.change(players);
    store.remember({ players });
    go(current);
  });
}

function openSetUp() {
  setUp(facts?.fen ?? START, flipped, rules, (fen) => begin({ tree: new Tree(fen), players: game.players, pace: game.pace }));
}

async function solveMistake({ position, solution }) {
  const { fen } = await rules.facts(position);
  puzzles.open({ fen, goal: "better", solution });
}

/** Shows a puzzle with its solution. */
function analysePuzzle({ fen, solution }) {
  const tree = new Tree(fen);
  solution.reduce((at, move) => tree.add(at, move), 0);
  begin({ tree, players: { b: PERSON, w: PERSON }, pace: game.pace, tip: tree.whole(0).pop() }, 0).then(() => toggleAnalysis(true));
}

/** Opens the dialog for games, with PDN as a text or a file if there is any. */
function openLibrary(input) {
  library({
    game: { tree: game.tree, tags: tags(), fen: facts?.fen, link: link.write(game.tree, current), picture: () => picture(facts.fen, { flipped, last: board.last }) }, own: name, input,
    load,
    resume: (kept) => {
      const stored = store.load(kept);
      if (!stored) return;
      leave();
      revive(stored);
    },
  });
}

/** Shows a loaded game, at its start or after some plies. */
function load(tree, ply = 0) {
  const words = text.loaded([tree.tags.Black, tree.tags.White, tree.tags.Event].filter(Boolean).join(", "));
  begin({ tree, players: { b: PERSON, w: PERSON }, pace: game.pace, tip: tree.whole(0).pop() }, tree.whole(0)[ply ?? 0]).then(() => report(words));
}

function tags() {
  const player = (side) => text.playerName(game.players[side]);
  const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
  return { Event: game.opening || text.name, Date: date, Black: player("b"), White: player("w") };
}

/** Leaves the game on the board: it is stored, and everything that works on it is dropped. */
function leave() {
  if (game.tree?.nodes.length > 1) {
    keep();
    name = store.begin();
  }
  analysis.know(null);
  analysis.analyse(null);
  explanation.hide();
  explainButton.setAttribute("aria-pressed", "false");
  dismiss();
  editor.forget();
  hint = facts = null;
}

/** Begins a game in this tab. Resolves when it can be played. */
function begin(chosen, at = chosen.tip ?? 0) {
  leave();
  game.begin(chosen);
  setStatus(text.connecting);
  board.flip(flipped);
  return go(at);
}

function revive(stored) {
  game.revive(stored);
  flipped = stored.flipped ?? flipped;
  board.flip(flipped);
  const gone = (Date.now() - stored.when) / 1000;
  go(stored.current ?? game.tip).then(() => game.clock && !game.ended && gone > 3 && report(text.away(text.duration(gone))));
}

function keep() {
  if (name && game.tree) store.save(name, { ...game.toJSON(), current, flipped });
}

function engineFailed(message) {
  refresh();
  problem(message, () => playFrom(game.tip));
}

const KEYS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(lastOf()),
  f: flip, h: giveHint, a: () => toggleAnalysis(!analysis.active),
};

function listen() {
  onInput(KEYS, openLibrary);
  board.element.addEventListener("wheel", (event) => {
    if (event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    step(Math.sign(event.deltaY));
  }, { passive: false });
  addEventListener("hashchange", async () => {
    const linked = await linkedGame();
    if (linked) begin(linked);
  });
  addEventListener("pagehide", keep);
  // If the page ends without notice, as in a crash, at most two seconds of a clock are lost.
  setInterval(() => game.clock?.running && keep(), 2000);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
}

/** Returns the game that the address shows, for two people; null if there is none. */
async function linkedGame() {
  try {
    const tree = await link.read(rules);
    return tree && {
      tree, players: { b: PERSON, w: PERSON }, pace: game.pace ?? { kind: "move", value: 1 }, tip: tree.whole(0).pop(),
    };
  } catch (error) {
    problem(text.badLink(error.message));
    return null;
  }
}

async function start() {
  layout();
  listen();
  const linked = await linkedGame();
  name = linked ? store.begin() : await store.claim();
  const stored = store.load(name);
  if (linked) begin(linked);
  else if (stored) revive(stored);
  else begin({
    tree: new Tree(START), players: memory.players ?? { b: PERSON, w: { kind: "level", level: 3 } },
    pace: memory.pace ?? { kind: "move", value: 1 },
  });
  if (memory.analysis) toggleAnalysis(true);
  if (memory.explorer) toggleExplorer();
  const about = await rules.identity();
  declared = about.options;
  engines = await listEngines().catch(() => engines);
  analysis.choices(engines);
}

start();
