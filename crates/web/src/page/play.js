// The moves and other actions of a player.

import { arrowOf } from "./board.js";
import { forget, remember } from "./editor.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { go, settled } from "./navigate.js";
import { isPerson, openPlayers, ownSide } from "./players.js";
import { preferences } from "./preferences.js";
import { fulfilled, typedMove } from "./rules.js";
import { play } from "./sound.js";
import { atTip, here, isOver, outcome, position, state, subscribe, update } from "./state.js";
import { announce, dismiss, notice, problem, report } from "./status.js";
import { text } from "./text.js";
import { OTHER_SIDE } from "./tree.js";

const HINT_TIME = 1000;

const game = new Game({
  changed: () => update({ game }),
  moved: (next, path) => played(game.tree.node(next).parent, next, path),
  ended: () => ended(),
  engineFailed: (message) => failed(message),
  silent: (name) => failed(text.engineSilent(name), [text.moveNow, () => game.moveNow()]),
});
update({ game });

/** Reports a problem with an engine, and offers what may help. */
function failed(message, ...actions) {
  const restart = () => {
    game.halt();
    game.closeEngines();
    playFrom(game.tip);
  };
  problem(message, [...actions, [text.restart, restart], [text.changePlayers, openPlayers]]);
}

// In Play mode, the engine to move thinks once the position is shown.
subscribe(["facts", "mode"], (change) => {
  const { facts, arrival, mode } = state;
  if (mode !== "play") return game.halt();
  if (!facts || !atTip()) return;
  game.noteResult(facts);
  if ("facts" in change && arrival.justMoved && outcome()) return ended();
  game.turn(facts);
  if ("facts" in change) playPremove();
});

function playPremove() {
  const { premove, facts } = state;
  if (!premove || !mayMove()) return;
  update({ premove: null });
  const path = fulfilled(facts.paths, premove);
  if (path) chosen(path);
  else report(text.premoveIllegal);
}

/** Returns the side for which the user may make a move in advance, or null. */
export function premovingSide() {
  const { thinking, ended, players } = game,
    side = thinking && !ended ? OTHER_SIDE[thinking.side] : null;
  return state.mode === "play" && preferences.premove && atTip() && side && isPerson(players[side]) ? side : null;
}

function cancelPremove() {
  if (state.premove) update({ premove: null });
}

export function mayMove() {
  const { facts, mode } = state;
  if (facts?.result !== "open") return false;
  if (mode !== "play") return true;
  return !isOver() && (!atTip() || (!game.thinking && isPerson(game.players[facts.side])));
}

/** Plays a move that a person has made on the board. `isAgreed` says that it may set the clocks back. */
export function chosen(path, isAgreed = false) {
  const { move, squares, isPremove } = path,
    from = state.current;
  if (isPremove) {
    announce(text.premoved(move));
    return update({ premove: { from: squares[0], to: squares[1] } });
  }
  if (state.mode === "play" && !atTip()) {
    // With clocks, a move at an earlier position would also set the clocks back.
    if (game.clock && !game.ended && !isAgreed) {
      const valid = here();
      announce(text.takeBackAsk);
      notice(text.takeBackAsk, [[text.takeBack, () => valid() && chosen(path, true)]]);
      return go(from);
    }
    game.playFrom(from);
  }
  if (state.mode === "play") forget();
  else if (!game.tree.child(from, move)) remember();
  const next = game.tree.add(from, move, { squares });
  played(from, next, path);
}

/** In Play, the latest moves become the main line; in Study, they become a variation. */
function played(from, next, path) {
  if (state.mode === "play") {
    if (!game.tree.loaded) game.tree.promote(next);
    if (game.tip !== next) game.moved(next);
  }
  play(path.captures.length ? "capture" : "move");
  announce(text.played(text.sides[game.tree.side(from)], game.tree.node(next).move));
  update({ game });
  if (state.current !== from) return;
  if (state.mode === "play" && preferences.turning && isPair()) update({ flipped: game.tree.side(next) === "b" });
  go(next, { advanced: path, justMoved: true });
}

/** Says why nothing can be done with a square, on which `piece` is, if any. */
export function refused(piece) {
  cancelPremove();
  if (state.mode === "play" && atTip() && game.thinking) return announce(text.notYourTurn);
  if (!piece || !state.facts) return;
  if (state.facts.paths.some(({ captures }) => captures.length)) report(text.mustCaptureHelp);
  else report(text.noPiece);
}

/** Plays a typed move as soon as the position is ready. Returns whether the text is a move. */
export async function enterMove(words) {
  const valid = here();
  await settled();
  if (!words || !valid()) return false;
  if (state.mode === "play" && (isOver() || (atTip() && game.thinking))) {
    report(text.notYourTurn);
    return false;
  }
  const path = typedMove(state.facts.paths, words, report);
  if (path) chosen(path);
  return Boolean(path);
}

/** Continues the game from a node. If it is an engine's turn there, the engine moves. */
export function playFrom(node) {
  cancelPremove();
  game.playFrom(node);
  go(node);
}

export const takeBack = () => playFrom(game.previousTurn());

/** Replays moves that were taken back, up to a person's turn. */
export function redo() {
  const undone = game.tree.whole(game.tip).slice(game.tree.line(game.tip).length);
  playFrom(undone.find((at) => isPerson(game.players[game.tree.side(at)])) ?? undone.at(-1));
}

export const pause = () => game.pause();

/** Whether a search for a hint is running. */
let isSearching = false;

/** Returns the best move of a full-strength search of a position, "" if there is none; null if it is no longer of use. */
async function searched(position) {
  if (state.facts?.result !== "open" || isSearching) return null;
  const valid = here();
  isSearching = true;
  const search = (engine) => engine.searchFor(`movetime ${HINT_TIME}`, position(state.facts));
  const { move } = await Engine.with(search).catch(() => ({}));
  isSearching = false;
  return valid() ? (move ?? "") : null;
}

export async function giveHint() {
  const move = await searched(() => position());
  if (!move) return;
  report(text.hintIs(move));
  update({ hint: arrowOf(move) });
}

/** Shows the other side's threat: the best move if it were that side's turn. */
export async function showThreat() {
  if (state.hint?.threat) return update({ hint: null });
  const other = OTHER_SIDE[state.facts?.side];
  const move = await searched(({ fen }) => `position fen ${other.toUpperCase()}${fen.slice(1)}`);
  if (!move) return move === "" && report(text.noThreat);
  report(text.threatIs(text.sides[other], move));
  update({ hint: arrowOf(move, { threat: true }) });
}

const isPair = () => isPerson(game.players.b) && isPerson(game.players.w);

/** Returns the question before a draw is offered or, between two people, accepted; nothing if it cannot be offered. */
export function askDraw() {
  const side = state.facts?.side;
  if (!side || isPair() || isPerson(game.players[side])) return side && (isPair() ? text.drawAccept : text.drawOffer);
  return report(text.drawTurn);
}

export async function offerDraw() {
  if (!state.facts) return;
  const valid = here(),
    accepts = (engine) => engine.accepts(game.tree.position(game.tip)),
    // Kelso also answers for other engines.
    yes = isPair() || (await Engine.with(accepts).catch(() => false));
  if (!valid() || game.ended) return;
  if (yes) game.end("agreed");
  else report(text.drawRefused, text.drawRule);
}

const loser = () => ownSide(game.players) ?? game.tree.side(game.tip);

export const askResign = () => (isPair() ? text.resignAsk(text.sides[loser()]) : `${text.resign}?`);

export function resign() {
  if (!outcome()) game.end("resigned", loser());
}

/** Reports the result of a game that has just ended. */
function ended() {
  const { tree, tip } = game,
    undone = tree.loaded ? [] : tree.node(tip).children.slice();
  // Moves that were taken back are not part of the game. Undo brings them back.
  if (undone.length) remember();
  for (const id of undone) tree.remove(id);
  play("end");
  announce(outcome());
  dismiss();
  update({ game, hint: null, premove: null });
}
