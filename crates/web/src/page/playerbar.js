// A player's bar next to the board: the colour, the name, the state and the clock.

import { box, button, h } from "./dom.js";
import { shown } from "./clock.js";
import { LOW } from "./game.js";
import { isPerson, nameOf, openPlayers } from "./players.js";
import { atTip, state, update } from "./state.js";
import { text } from "./text.js";
import { OTHER_SIDE, PLAYER_TAGS } from "./tree.js";

export class PlayerBar {
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
    this.pieces.textContent = this.clock.hidden ? this.pieces.title : own > other ? `+${own - other}` : "";
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
