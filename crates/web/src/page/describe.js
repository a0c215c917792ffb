// Describes the position on the board in the status line.

import { ownSide } from "./players.js";
import { scored, winner } from "./score.js";
import { narrow } from "./shell.js";
import { atTip, isOver, outcome, state, subscribe } from "./state.js";
import { setStatus, statusLine } from "./status.js";
import { text } from "./text.js";
import { OTHER_SIDE, WINNERS } from "./tree.js";

/** Says that the end of the game is proved for the side that lost it; empty if it is not. */
export function doubtfulResult() {
  const { tree } = state.game,
    end = tree.whole(0).at(-1),
    { score } = tree.node(end),
    { result } = (state.current === end && state.endings[""]) || {},
    won = WINNERS[tree.result];
  const proved = winner({ kind: result, side: tree.side(end) }) ?? (score && winner(score));
  return won && proved === OTHER_SIDE[won] ? text.doubtfulResult(text.sides[won], text.sides[proved]) : "";
}

function describe() {
  const { facts, game, offline, mode, current, continued } = state;
  if (offline) return offline;
  if (!facts) return text.connecting;
  if (continued.length) return text.goOn(continued);
  if (game.thinking && atTip()) return text.thinking(text.playerName(game.players[game.thinking.side]));
  if (mode === "play" && !atTip() && !isOver())
    return text.awayFrom(current && game.tree.number(current), text.sides[game.side()]);
  const side = text.sides[facts.side],
    yours = mode === "play" && atTip() && ownSide(game.players) === facts.side;
  const { move, book, score } = game.tree.node(current);
  const isPaused = mode === "study" && game.clock && !isOver(),
    // A review shows no rings.
    isCapture = !(mode === "study" && state.tab === "review") && facts.paths.some(({ captures }) => captures.length);
  // On a phone, the head of an engine that is off has no room for a score.
  const lead = narrow.matches && mode === "study" && score && !isCapture && scored(score);
  const more = [
    !yours && isCapture && text.capture,
    book && text.byBook(move),
    isPaused && text.clocksStopped,
    atTip() && isOver() && text.gameWas[game.tree.result],
    lead,
  ].filter(Boolean);
  const turn = yours ? text.yourMove(side, isCapture) : `${text.toMove(side)}${more.length ? "." : ""}`;
  return [turn, ...more].join(" ");
}

function draw() {
  const { mode, game, facts } = state;
  if (!game?.tree) return;
  const end = outcome(),
    doubt = atTip() && isOver() && doubtfulResult();
  setStatus(doubt || end || describe());
  statusLine.classList.toggle("ended", Boolean(end));
  const turn = mode === "play" && !end && facts && atTip() && ownSide(game.players) === facts.side;
  document.title = `${turn ? text.yourTurn : text.modes[mode]} – ${text.name}`;
}

export function describePosition() {
  subscribe(["facts", "game", "offline", "mode", "tab", "continued"], draw);
  // A message stays.
  subscribe(["endings", "analysis"], () => statusLine.classList.contains("said") || draw());
}
