// A side of the board: who sits there, what is left of the time, and what has been taken.

import { h } from "./dom.js";
import { shown } from "./clock.js";
import { isPerson } from "./players.js";
import { text } from "./text.js";

export class Seat {
  constructor() {
    this.name = h("span", { class: "seat-name" });
    this.state = h("span", { class: "seat-state soft" });
    this.clock = h("span", { class: "seat-clock", hidden: true });
    this.dot = h("span", { class: "seat-dot", "aria-hidden": "true" });
    this.element = h("div", { class: "seat" }, this.dot, this.name, this.state, this.clock);
  }

  draw(side, play, mover) {
    const player = play.players[side];
    this.element.classList.toggle("to-move", mover === side);
    this.dot.className = `seat-dot ${side}`;
    // A game that was read has the names of those who played it.
    const who = isPerson(player) ? play.tree.tags[text.sides[side]] : text.opponentName(player);
    const name = who && who !== text.unknown ? `: ${who}` : "";
    this.name.textContent = `${text.sides[side]}${name}`;
    this.state.textContent = play.thinking?.side === side ? "…" : "";
    this.tick(side, play);
  }

  tick(side, play) {
    this.clock.hidden = !play.clock;
    if (!play.clock) return;
    const left = play.clock.now(side);
    this.clock.textContent = shown(left);
    this.clock.classList.toggle("low", left < 20000);
  }
}
