// Begins, loads, stores and leaves the game on the board.

import { neighbour, takeOver } from "./collection.js";
import { save } from "./dialog.js";
import { recall, retain } from "./editor.js";
import { PDN_TYPE, edited, isMade, keptTitle, pdnOf, tagsOf } from "./kept.js";
import * as link from "./link.js";
import { go } from "./navigate.js";
import { dismiss, notice, problem } from "./notice.js";
import { read } from "./pdn.js";
import { PERSON, ownSide } from "./players.js";
import { preferences, prefer, reprefer } from "./preferences.js";
import { rules } from "./program.js";
import { isOver, state, subscribe, update } from "./state.js";
import { showMode } from "./shell.js";
import { announce, report, setStatus } from "./status.js";
import * as store from "./store.js";
import { text } from "./text.js";
import { START, Tree } from "./tree.js";

const persons = { b: PERSON, w: PERSON };
/** The name of the game of Play, in this tab. */
const PLAYED = "kelso.played";
/** The address that has shown a game in this tab. */
const LINK = "kelso.link";
/** Whether the game on the board was opened in Study. Play then keeps its own. */
let studied = false;
/** Returns whether a stored game was opened in Study. Those of older versions do not say so. */
const isStudied = ({ tree, played, studied = tree.loaded && !played }) => studied;

/** Stores the game. */
export function keep() {
  const { name, game, current, flipped, mode } = state;
  if (!name || !game?.tree) return;
  const place = { current, flipped, mode: mode === "study" ? mode : "play" };
  const isKept = store.save(name, { ...game.toJSON(), studied, ...place });
  if (!isKept && !full) problem(store.isBlocked() ? text.storageBlocked : text.storageFull);
  full = !isKept;
}

/** Whether the game could not be stored. This is reported only once. */
let full = false;

/** Whether it has been reported that the library cannot be written. */
let refused = false;

/** Reports that the library cannot be written; null when it can be again. A program that cannot be reached is reported elsewhere. */
function failed(error) {
  if (error?.message === text.offline || Boolean(error) === refused) return;
  refused = Boolean(error);
  if (refused) problem(text.libraryFailed(error.message));
  else dismiss();
}

/** Adds to the game on the board what another page has changed in it. */
function merged(name, tree) {
  if (name !== state.name) return;
  state.game.tree.merge(tree);
  update({ game: state.game });
  notice(text.merged, []);
}

/**
 * Leaves the game on the board: stores it unless it was only read, and stops all work on it. `name` is that of the next game, if it
 * has one. `toStudy` says whether that was opened in Study; then the game of Play stays.
 */
function leave(toStudy, name = "") {
  const { game } = state,
    isOwn = game.tree && (isMade(game) || (toStudy && !studied));
  if (game.tree && !studied) store.keepInTab(PLAYED, state.name);
  // The address shows another game from now on.
  if (link.isLink() && store.read(LINK, "sessionStorage") === location.hash) history.replaceState(null, "", "#study");
  if (isOwn) keep();
  else if (name) store.discard(state.name);
  studied = toStudy;
  if (isOwn || name) update({ name: name || store.begin() });
  dismiss();
  askForRoom();
  update({ left: true, facts: null, hint: null, premove: null, endings: {} });
}

/** Asks what to do with the oldest game that the user has annotated, if too many are stored. */
function askForRoom() {
  const oldest = store.oldestBeyondLimit();
  if (!oldest) return;
  notice(text.roomAsk(keptTitle(oldest), store.MOST), [
    [text.exports.savePdn[0], () => save(pdnOf(oldest.game, oldest.when), PDN_TYPE, text.fileName)],
    [text.pin, () => store.pin(oldest.name, true)],
    [text.remove, () => store.discard(oldest.name)],
  ]);
}

/** Begins a game in this tab. Resolves when it can be played. */
export function begin(chosen, at = chosen.tip ?? 0) {
  leave(Boolean(chosen.studied));
  // The imported game stays as it is if another one continues it.
  if (chosen.continued) chosen.tree.source = undefined;
  update({ flipped: chosen.flipped ?? state.flipped });
  state.game.begin(chosen);
  setStatus(text.connecting);
  return go(at);
}

/** Begins the game that the dialog for a new game has chosen. */
export function beginNew(chosen) {
  const { players, pace, flipped } = chosen,
    { current } = state;
  prefer({ players, pace, flipped });
  if (chosen.continued) return begin({ ...chosen, tree: state.game.tree, tip: current, base: current });
  const tree = new Tree(chosen.start);
  let at = 0;
  for (const move of chosen.moves) at = tree.add(at, move);
  return begin({ ...chosen, tree, tip: at, base: at });
}

/** Plays again from the same start, with the colours exchanged. */
export function rematch() {
  const { tree, players, pace, opening, base } = state.game;
  const again = new Tree(tree.start);
  const at = tree.moves(base).reduce((at, move) => again.add(at, move), 0);
  const flipped = !state.flipped;
  prefer({ flipped });
  begin({ tree: again, players: { b: players.w, w: players.b }, pace, opening, tip: at, base: at, flipped });
}

/** Begins a study of a tree, without clocks, at one of its nodes. The game before it is stored in its own mode. */
export function study(tree, at = 0) {
  const { pace } = preferences;
  const untimed = pace.kind === "clock" ? { kind: "move", value: 1 } : pace;
  if (!tree.loaded) tree.edited = false;
  const shown = begin({ tree, players: persons, pace: untimed, tip: tree.whole(0).pop(), studied: true }, at);
  showMode("study");
  return shown;
}

/** Begins a study of a position, and of some moves. */
export function studyFen(fen, moves = []) {
  const tree = new Tree(fen);
  moves.reduce((at, move) => tree.add(at, move), 0);
  return study(tree);
}

/** Shows a game of a list, with the user's changes if there are any. `ply` is that of the position to show. */
export async function load(game, ply) {
  const tree = read(game),
    at = tree.whole(0)[ply ?? 0],
    moves = ply && tree.moves(at),
    copy = edited().get(tree.source);
  if (tree.source === state.game.tree.source) {
    showMode("study");
    if (moves) await go(state.game.tree.end(moves));
  } else if (copy) await resume(copy.name, "study", moves);
  else await study(tree, at);
  const players = [tree.tags.Black, tree.tags.White].filter(Boolean).join(" – ");
  announce(text.loaded([players, tree.tags.Event].filter(Boolean).join(", ")));
}

/** Loads the previous or the next game of the list. */
export const loadNeighbour = (by) => load(neighbour(by));

/** Returns the tags of the game on the board. */
export const tags = () => tagsOf(state.game);

/** Continues with a stored game, after `moves` if given; under its own name unless another tab has it, as a study if it was only read. */
export async function resume(name, mode = "", moves = null) {
  await store.reload().catch(() => {});
  const stored = store.load(name);
  if (!stored) return;
  if (name === state.name) return go(state.game.tip);
  leave(isStudied(stored), await store.claim(name));
  update({ mode: mode || (studied || stored.mode === "study" ? "study" : "play") });
  const own = ownSide(stored.players);
  if (moves) stored.current = Tree.revive(stored.tree).end(moves);
  return revive(own ? { ...stored, flipped: own === "b" } : stored);
}

/** Deletes a stored game. If it is on the board, a new one takes its place. */
export function remove(name) {
  if (name === state.name) studied ? study(new Tree(START)) : fresh();
  store.discard(name);
}

/** Goes to a mode. Play continues with its own game, or with the one that was played last, whatever was studied. */
export function enter(mode) {
  if (mode !== "play" || !studied) return showMode(mode);
  const isPlayed = ({ game }) => isMade(game) && !isStudied(game);
  const name = store.read(PLAYED, "sessionStorage") ?? store.kept().find(isPlayed)?.name;
  if (store.load(name)) return resume(name, mode);
  fresh();
  showMode(mode);
}

async function revive(stored) {
  const { game } = state;
  update({ flipped: stored.flipped ?? state.flipped });
  game.revive(stored);
  const gone = (Date.now() - stored.when) / 1000;
  await go(state.mode === "play" ? game.tip : (stored.current ?? game.tip));
  if (game.clock && !isOver() && gone > 3) report(text.away(text.duration(gone)));
}

/** Studies the game that the address shows. */
export function openLink({ tree, node }) {
  const shown = study(tree, node);
  store.keepInTab(LINK, location.hash);
  return shown;
}

/** Returns the tree and the node that the address shows, if any. Reports an address that cannot be opened. */
export const linked = () => link.read(rules).catch((error) => problem(text.badLink(error.message)));

/** Shows the game that the address names, this tab's game, or a new one. Reports a damaged stored game. */
export async function first(mode) {
  await store.connect({ pdnOf, merged, failed });
  reprefer();
  takeOver().catch(failed);
  let damaged = store.setDamagedAside();
  let fault = null;
  // After a reload, the game of a link is as it was left.
  const isKnown = store.read(LINK, "sessionStorage") === location.hash,
    shown = !isKnown && (await link.read(rules).catch((error) => void (fault = error)));
  update({ name: shown ? store.begin() : await store.claim() });
  const stored = shown ? null : store.load(state.name);
  update({ mode: shown ? "study" : mode || stored?.mode || "play" });
  if (shown) await openLink(shown);
  else if (stored) damaged = !(await revived(stored)) || damaged;
  else await fresh();
  if (state.mode === "play") enter("play");
  if (fault) problem(text.badLink(fault.message));
  else if (damaged) problem(text.damaged);
}

const fresh = () => begin({ tree: new Tree(START), players: preferences.players, pace: preferences.pace });

/** Continues with the game of this tab. If that is impossible, begins another game and returns false. */
async function revived(stored) {
  try {
    recall(state.name);
    studied = isStudied(stored);
    await revive(stored);
    return true;
  } catch {
    store.setAside(state.name);
    await fresh();
    return false;
  }
}

/** Keeps the stored game up to date. */
export function keepStored() {
  subscribe(["facts", "game"], keep);
  addEventListener("pagehide", () => {
    keep();
    retain(state.name);
  });
  document.addEventListener("visibilitychange", () => document.hidden && keep());
  // If the page ends without notice, such as in a crash, at most two seconds of a clock are lost.
  setInterval(() => state.game.clock?.running && keep(), 2000);
}
