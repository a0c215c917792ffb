// The board of the game, with the players' bars, the score bar, and marks on the squares.

import { Board, arrowOf, tableOf } from "./board.js";
import { shown } from "./clock.js";
import { ends } from "./diagram.js";
import { box, button, h } from "./dom.js";
import { sketch } from "./editor.js";
import { arrowsOf, kindOf, shownGlyphs } from "./marks.js";
import { STEP_KEYS } from "./navigate.js";
import { chosen, mayMove, premovingSide, refused } from "./play.js";
import { isPerson, nameOf, openPlayers } from "./players.js";
import { premoves } from "./rules.js";
import { share } from "./score.js";
import { atTip, outcome, sides, state, subscribe, update } from "./state.js";
import { joined, text } from "./text.js";
import { OTHER_SIDE, PLAYER_TAGS } from "./tree.js";

/** Results from worst to best, to choose between two moves that end on the same square. */
const RANKS = ["loss", "draw", "win"];
/** Milliseconds below which a clock is low. */
const LOW = 20000;
/** Milliseconds between two steps by the wheel, and the distance of one step. */
const WHEEL_PAUSE = 60,
  WHEEL_STEP = 80;

/** A player's bar: the colour, the name, the state and the clock. */
class PlayerBar {
  constructor() {
    this.words = h("span");
    const change = () => (state.mode === "study" ? update({ tab: "tags" }) : openPlayers());
    this.name = button(this.words, change, { class: "player-name" });
    this.pieces = h("span", { class: "soft" });
    this.state = h("span", { class: "player-state soft" });
    this.clock = h("span", { class: "player-clock", hidden: true });
    this.dot = h("span", { class: "player-dot", "aria-hidden": "true" });
    this.element = box("player-bar", this.dot, this.name, this.state, this.pieces, this.clock);
  }

  /** `squares` are those of the position on the board. */
  draw(side, game, mover, squares) {
    this.element.classList.toggle("to-move", mover === side);
    this.dot.className = `player-dot ${side}`;
    // A loaded game names its players in its tags. A study of a position has no players.
    const isPlayed = state.mode !== "study" || !Object.values(game.players).every(isPerson);
    const name = game.tree.tags[PLAYER_TAGS[side]] ?? (isPlayed ? nameOf(game.players, side, text.you) : text.unknown);
    this.words.textContent = text.sides[side] + (name && name !== text.unknown ? `: ${name}` : "");
    this.name.title = state.mode === "study" ? text.editPlayers : text.changePlayers;
    this.element.classList.toggle("failed", Boolean(game.failed[side]));
    this.state.textContent = game.failed[side] ? text.failed : game.thinking?.side === side ? "…" : "";
    this.tick(side, game);
    const [own, other] = [side, OTHER_SIDE[side]].map(
      (side) => squares.filter((piece) => piece.toLowerCase() === side).length,
    );
    // Beside a clock, there is room for a lead.
    this.pieces.title = text.piecesLeft(own);
    this.pieces.textContent = this.clock.hidden ? this.pieces.title : own > other ? text.ahead(own - other) : "";
  }

  tick(side, game) {
    const { clock, tree } = game;
    const then = state.current ? tree.node(state.current).clock?.[side] : clock?.base;
    const left = state.mode === "study" && !atTip() ? then : clock?.now(side);
    this.clock.hidden = left === undefined;
    this.element.classList.toggle("timed", !this.clock.hidden);
    if (this.clock.hidden) return;
    this.clock.textContent = shown(left);
    this.clock.classList.toggle("low", left < LOW);
  }
}

export class Table {
  constructor() {
    this.bars = [new PlayerBar(), new PlayerBar()];
    this.board = new Board({
      chosen,
      continued: (continued) => update({ continued }),
      sketched: sketch,
      refused: (square) => refused(this.board.position.squares[square]),
    });
    this.bar = h("div", { class: "eval-bar", hidden: true }, box("eval-white"));
    const bars = this.bars.map(({ element }) => element);
    this.element = tableOf(bars, this.bar, this.board.element);
    this.board.flip(state.flipped);
    this.onWheel();
    subscribe(["current"], () => this.arrive());
    subscribe(["flipped"], () => this.board.flip(state.flipped));
    subscribe(["facts", "game", "mode"], () => this.refresh());
    subscribe(["flipped", "facts", "game", "mode"], () => this.drawBars());
    subscribe(
      ["endings", "hint", "pointed", "premove", "analysis", "facts", "mode", "flipped", "game", "current"],
      () => this.drawMarks(),
    );
    setInterval(() => state.game.clock?.running && this.tick(), 100);
  }

  /** Shows the node that the page has gone to, before the engine has answered. */
  arrive() {
    const { advanced, animate } = state.arrival;
    if (advanced) this.board.advance(advanced);
    this.board.allow([]);
    if (this.node().fen && !advanced) this.draw(animate);
  }

  node() {
    return state.game.tree.node(state.current);
  }

  draw(animate) {
    const { fen, move, squares } = this.node();
    this.board.show(fen, { last: move, squares, animate });
  }

  refresh() {
    const { facts, arrival } = state,
      side = premovingSide();
    if (facts && !this.board.shows(facts.fen)) this.draw(arrival?.animate);
    this.board.allow(mayMove() ? facts.paths : side ? premoves(this.board.position.squares, side) : []);
  }

  drawBars() {
    const { game, facts } = state;
    if (!game.tree) return;
    // A running clock is marked whichever position of the game is shown.
    const running = state.mode === "play" && game.clock?.running;
    const mover = outcome() ? null : running || facts?.side;
    sides().forEach((side, at) => this.bars[at].draw(side, game, mover, this.board.position.squares));
  }

  tick() {
    sides().forEach((side, at) => this.bars[at].tick(side, state.game));
  }

  drawMarks() {
    const { mode, analysis, hint, pointed, premove, flipped } = state;
    const studied = mode === "study";
    const shown = hint ?? (studied ? pointed : null) ?? (premove && { ...premove, premove: true });
    if (!state.game.tree) return;
    // At a mistake, the arrow of the better move is alone: those of the engine are the other side's.
    const better = studied ? this.better() : [],
      arrows = shown ? [{ ...shown, strong: true }] : better.length || !studied ? better : analysis.arrows();
    this.board.mark({
      arrows,
      badges: studied ? { ...(analysis?.active && badges()), ...this.mark() } : {},
      sketches: arrowsOf(this.node()),
    });
    // Until the engine has a score, the bar stays as it was, so that it does not jump with each step.
    const { tree } = state.game,
      { score } = studied ? analysis.shown() : {};
    if (score || tree !== this.tree || !analysis?.active) this.lead = score ? share(score) : 0;
    this.tree = tree;
    this.bar.hidden = !studied || !(analysis?.active || tree.nodes.some(({ reviewed }) => reviewed));
    this.bar.style.setProperty("--white", `${(this.lead + 1) * 50}%`);
    this.bar.classList.toggle("turned", flipped);
  }

  /** Returns an arrow for a better move than the last one, or, unless an engine shows it, than the next one, if a review has found it. */
  better() {
    const next = !state.analysis.active && state.game.tree.node(this.node().children[0]),
      better = this.node().better ?? (next && next.better);
    return better ? [arrowOf(better, { strong: true, better: true })] : [];
  }

  mark() {
    const { move } = this.node(),
      glyph = shownGlyphs(this.node()).find((glyph) => text.glyphs[glyph]);
    if (!glyph) return {};
    return {
      [ends(move)[1]]: { letter: text.glyphs[glyph], kind: kindOf(this.node(), glyph), name: text.glyphNames[glyph] },
    };
  }

  /** Steps with the wheel: once per notch, and not for every event of a swipe. */
  onWheel() {
    let distance = 0,
      last = 0;
    this.board.element.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || !event.deltaY) return;
        event.preventDefault();
        if (Math.sign(event.deltaY) !== Math.sign(distance)) distance = 0;
        distance += event.deltaMode ? Math.sign(event.deltaY) * WHEEL_STEP : event.deltaY;
        if (Math.abs(distance) < WHEEL_STEP || event.timeStamp - last < WHEEL_PAUSE) return;
        last = event.timeStamp;
        STEP_KEYS[distance < 0 ? "ArrowLeft" : "ArrowRight"]();
        distance = 0;
      },
      { passive: false },
    );
  }
}

/** Returns the databases' results by the square on which a move ends. In a game, they would be a hint. */
function badges() {
  const found = {};
  for (const { move, squares } of state.facts?.paths ?? []) {
    const ending = state.endings[move];
    if (!RANKS.includes(ending?.result)) continue;
    const square = squares[squares.length - 1];
    if (found[square] && RANKS.indexOf(found[square].kind) >= RANKS.indexOf(ending.result)) continue;
    found[square] = {
      letter: text.result[ending.result][0].toUpperCase(),
      kind: ending.result,
      name: joined([
        text.resultIn(text.result[ending.result], ending.plies),
        ending.errors && text.replies(ending.result, ending.errors),
      ]),
    };
  }
  return found;
}
