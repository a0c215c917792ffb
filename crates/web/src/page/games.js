// Begins, loads, stores and leaves the game on the board.

import { takeOver } from "./collection.js";
import { isMade, pdnOf, tagsOf } from "./kept.js";
import * as link from "./link.js";
import { go, settled } from "./navigate.js";
import { read } from "./pdn.js";
import { PERSON, ownSide } from "./players.js";
import { preferences, prefer, reprefer } from "./preferences.js";
import { rules } from "./program.js";
import { isOver, state, subscribe, update } from "./state.js";
import { showMode } from "./shell.js";
import { announce, dismiss, problem, report, setStatus } from "./status.js";
import * as store from "./store.js";
import { joined, text } from "./text.js";
import { START, Tree } from "./tree.js";

const persons = { b: PERSON, w: PERSON };
/** The name of the game of Play, in this tab. */
const PLAYED = "kelso.played";
/** The address that has shown a game in this tab. */
const LINK = "kelso.link";
/** Whether the game on the board was opened in Study. Play then keeps its own. */
let studied = false;
/** The key of the game on the board, which stays that of the game before until the next one has begun. */
let shownName = "";
/** Returns whether a stored game was opened in Study. Those of older versions do not say so. */
const isStudied = ({ tree, played, studied = tree.loaded && !played }) => studied;

export function keep() {
  const { name, game, current, flipped, mode, retrying } = state;
  if (!name || name !== shownName || !game?.tree) return;
  const place = { current, flipped, mode: mode === "study" || retrying ? "study" : "play" };
  store.save(name, { ...game.toJSON(), studied, ...place }, isMade(game));
}

/** Whether it has been reported that the library cannot be written. */
let refused = false;

/** Reports that the library cannot be written; null when it can be again. A program that cannot be reached is reported elsewhere. */
function failed(error) {
  if (!error) update({ saved: Date.now() });
  if (error?.message === text.offline || Boolean(error) === refused) return;
  refused = Boolean(error);
  if (refused) problem(text.libraryFailed(error.message));
  else dismiss();
}

/** Adds to the game on the board what another page has changed in it. */
function merged(name, tree) {
  if (name !== state.name) return;
  const { game, current } = state;
  game.tree.merge(tree);
  update({ game });
  // A line of an older review may have gone.
  if (!game.tree.has(current)) go(game.tree.line(current).findLast((id) => game.tree.has(id)));
  settled().then(() => report(text.merged));
}

/** The latest request to go to a mode or to a game. */
let entering = null;

/** Leaves the game on the board for the one named `name`, which is studied if `toStudy`: then that of Play stays. */
function leave(toStudy, name = store.begin()) {
  const { game } = state;
  entering = {};
  if (game.tree && !studied) store.keepInTab(PLAYED, state.name);
  // The address shows another game from now on.
  if (link.isLink() && store.read(LINK, "sessionStorage") === location.hash) history.replaceState(null, "", "#study");
  if (game.tree && (isMade(game) || (toStudy && !studied))) keep();
  else store.forget(state.name);
  studied = toStudy;
  dismiss();
  update({ name });
  update({ left: true, facts: null, hint: null, premove: null, endings: {} });
}

/** Begins a game in this tab, under a new name unless it is in the library. Resolves when it can be played. */
export function begin(chosen, at = chosen.tip ?? 0, name = undefined) {
  leave(Boolean(chosen.studied), name);
  // The imported game stays as it is if another one continues it.
  if (chosen.continued) chosen.tree.source = undefined;
  update({ flipped: chosen.flipped ?? state.flipped });
  state.game.begin(chosen);
  shownName = state.name;
  setStatus(text.connecting);
  return go(at);
}

export function beginNew(chosen) {
  const { players, pace, flipped } = chosen,
    { current } = state;
  prefer({ players, pace, flipped });
  if (chosen.continued) return begin({ ...chosen, tree: state.game.tree, tip: current, base: current });
  const tree = new Tree(chosen.start),
    at = tree.extend(0, chosen.moves);
  return begin({ ...chosen, tree, tip: at, base: at });
}

/** Plays again from the same start, with the colours exchanged. */
export function rematch() {
  const { tree, players, pace, opening, base } = state.game;
  const again = new Tree(tree.start),
    at = again.extend(0, tree.moves(base)),
    flipped = !state.flipped;
  prefer({ flipped });
  begin({ tree: again, players: { b: players.w, w: players.b }, pace, opening, tip: at, base: at, flipped });
}

/** Begins a study of a tree, without clocks, at one of its nodes. The game before it is stored in its own mode. */
export function study(tree, at = 0, name = undefined, flipped = state.flipped) {
  const { pace } = preferences;
  const untimed = pace.kind === "clock" ? { kind: "move", value: 1 } : pace;
  if (!tree.loaded) tree.edited = false;
  const chosen = { tree, players: persons, pace: untimed, tip: tree.whole(0).pop(), studied: true, flipped },
    shown = begin(chosen, at, name);
  showMode("study");
  return shown;
}

export function studyFen(fen, moves = []) {
  const tree = new Tree(fen);
  tree.extend(0, moves);
  return study(tree);
}

export const tags = () => tagsOf(state.game);

/** Opens a game of the library in `mode`, or in Play if it is in progress; `moves` lead to the position to show. */
export async function open(name, { mode = "", moves = null } = {}) {
  if (state.mode === "library") update({ tab: "moves" });
  const asked = (entering = {});
  if (name === state.name) {
    showMode(mode || (studied || isOver() ? "study" : "play"));
    return go(moves ? state.game.tree.end(moves) : state.game.tip);
  }
  const found = await store.load(name);
  if (asked !== entering) return;
  if (!found) return report(text.noGame);
  const isFree = await store.open(name);
  if (found.state) await resume(name, found.state, { mode: isFree ? mode : "study", moves });
  else {
    const tree = read(found.game);
    // The view of the game of Play is that of its player.
    await study(tree, moves ? tree.end(moves) : 0, name, studied ? state.flipped : true);
  }
  const { tree } = state.game,
    players = joined([tree.tags.Black, tree.tags.White], " – ");
  if (state.mode === "study") announce(text.loaded(joined([players, tree.tags.Event])));
}

function resume(name, stored, { mode = "", moves = null }) {
  leave(isStudied(stored), name);
  update({ mode: mode || (studied || stored.mode === "study" || stored.tree.result ? "study" : "play") });
  const own = ownSide(stored.players);
  if (moves) stored.current = Tree.revive(stored.tree).end(moves);
  return revive(own ? { ...stored, flipped: own === "b" } : stored);
}

/** Replaces the game on the board by a new one, if it is one of those that were deleted, which are given by their numbers. */
export function removed(ids) {
  if (!ids.includes(store.idOf(state.name))) return;
  state.game.tree.edited = false;
  if (studied) study(new Tree(START));
  else fresh();
}

/** The game that was studied before Play was entered, its moves, and what Play showed then. */
let left = null;
const shownGame = () => `${state.name} ${state.game.tree.nodes.length}`;

/**
 * Goes to a mode. Play continues with its own game, or with the one that was played last, whatever was studied. Unless that has
 * changed, Study continues with the game before.
 */
export async function enter(mode) {
  const asked = (entering = {});
  if (mode === "study" && !studied && left?.shown === shownGame() && (await store.load(left.name)))
    return open(left.name, { mode, moves: left.moves });
  if (mode !== "play" || !studied) return showMode(mode);
  const before = { name: state.name, moves: state.game.tree.moves(state.current) };
  const last = [store.read(PLAYED, "sessionStorage"), ...(await store.latest().catch(() => [])).map(store.keyOf)];
  for (const name of last.filter(Boolean)) {
    const { state: stored } = (await store.load(name)) ?? {},
      isPlayed = stored && (name === last[0] || isMade(stored)) && !isStudied(stored);
    if (asked !== entering) return;
    if (isPlayed && (await store.open(name))) {
      const shown = resume(name, stored, { mode });
      left = { ...before, shown: shownGame() };
      return shown;
    }
  }
  if (asked !== entering) return;
  fresh();
  left = { ...before, shown: shownGame() };
  showMode(mode);
}

async function revive(stored) {
  const { game } = state;
  update({ flipped: stored.flipped ?? state.flipped });
  game.revive(stored);
  shownName = state.name;
  await go(state.mode === "play" ? game.tip : (stored.current ?? game.tip));
}

export function openLink({ tree, node }) {
  const shown = study(tree, node);
  store.keepInTab(LINK, location.hash);
  return shown;
}

/** Returns the tree and the node that the address shows, if any. Reports an address that cannot be opened. */
export const linked = () => link.read(rules).catch((error) => problem(text.badLink(error.message)));

/** Shows the game that the address names, this tab's game, or a new one. Reports a damaged stored game. */
export async function first(mode) {
  let damaged = await store.connect({ pdnOf, read, isMade, merged, failed });
  reprefer();
  takeOver().catch(failed);
  let fault = null;
  // After a reload, the game of a link is as it was left.
  const isKnown = store.read(LINK, "sessionStorage") === location.hash,
    shown = !isKnown && (await link.read(rules).catch((error) => void (fault = error)));
  update({ name: shown ? store.begin() : await store.claim() });
  const stored = shown ? null : await store.load(state.name);
  update({ mode: shown ? "study" : mode || stored?.state?.mode || (stored ? "study" : "play") });
  if (shown) await openLink(shown);
  else if (stored?.state) damaged = !(await revived(stored.state)) || damaged;
  else if (stored) await study(read(stored.game), 0, state.name);
  else await fresh();
  // A game that was only read begins in Study.
  if (!shown) await enter(mode || state.mode);
  if (fault) problem(text.badLink(fault.message));
  else if (damaged) problem(text.damaged);
}

const fresh = () => begin({ tree: new Tree(START), players: preferences.players, pace: preferences.pace });

/** Continues with the game of this tab. If that is impossible, begins another game and returns false. */
async function revived(stored) {
  try {
    studied = isStudied(stored);
    await revive(stored);
    const { clock, played } = state.game;
    if (clock && played && !isOver()) report(text.closed);
    return true;
  } catch {
    store.setAside(state.name);
    await fresh();
    return false;
  }
}

export function keepStored() {
  subscribe(["facts", "game"], keep);
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
  // If the page ends without notice, such as in a crash, at most two seconds of a clock are lost.
  setInterval(() => state.game.clock?.running && keep(), 2000);
}
