// The panel next to the board during a game: the moves, and the player's actions.

import { field, h, labelButton, present } from "./dom.js";
import { MoveList } from "./movelist.js";
import { go } from "./navigate.js";
import { enterMove, giveHint, offerDraw, pause, playFrom, redo, resign, takeBack } from "./play.js";
import { isPerson } from "./players.js";
import { atTip, outcome, state, subscribe } from "./state.js";
import { steps } from "./steps.js";
import { text } from "./text.js";

/** Creates the field for typing a move. */
export function moveForm() {
  const input = h("input", {
    type: "text",
    class: "move-input",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: text.moveExample,
    enterkeyhint: "go",
  });
  return h(
    "form",
    {
      class: "move-form",
      onsubmit: async (event) => {
        event.preventDefault();
        if (await enterMove(input.value.trim())) input.value = "";
      },
    },
    field(text.moveInput, input),
  );
}

export class PlayPanel {
  /** `rematch`, `newGame` and `review` are offered after the game. */
  constructor({ rematch, newGame, review }) {
    this.list = new MoveList(go);
    const action = (picture, name, onclick, title) => labelButton(picture, name, onclick, { class: "action", title });
    this.takeBack = action("takeBack", text.takeBack, takeBack);
    this.redo = action("redo", text.redo, redo);
    this.hint = action("hint", text.hint, giveHint);
    this.moveNow = action("now", text.moveNow, () => state.game.moveNow(), text.moveNowHelp);
    this.pause = action("pause", text.pause, pause, text.pauseHelp);
    this.draw = action("draw", text.draw, offerDraw, text.drawRule);
    this.resign = action("flag", text.resign, resign);
    this.playOn = action("play", text.playOn, () => playFrom(state.current), text.playOnHelp);
    this.rematch = action("again", text.rematch, rematch, text.rematchHelp);
    this.review = action("search", text.analyseGame, review);
    this.newGame = action("plus", text.another, newGame);
    // Each place has one button at a time, so that the layout does not shift. An empty second place separates two groups.
    const place = (...buttons) => h("div", { class: "place" }, buttons);
    this.actions = h(
      "div",
      { class: "actions-row", role: "group", "aria-label": text.actions },
      place(this.takeBack, this.review),
      place(this.redo),
      place(this.hint, this.moveNow),
      place(this.draw, this.rematch),
      place(this.resign, this.newGame, this.pause, this.playOn),
    );
    this.opening = h("p", { class: "soft opening" });
    this.element = h(
      "div",
      { class: "panel play-panel" },
      this.opening,
      this.list.element,
      moveForm(),
      steps(),
      this.actions,
    );
    subscribe(["current", "game"], () => this.element.isConnected && this.drawMoves());
    subscribe(["facts", "game", "mode", "current"], () => this.refresh());
    subscribe(["opening"], () => {
      this.opening.textContent = text.opening(state.opening);
    });
  }

  drawMoves() {
    this.list.draw(state.game, state.current);
  }

  refresh() {
    const { game, facts } = state;
    if (!game.tree) return;
    const tip = atTip(),
      open = facts?.result === "open",
      over = Boolean(outcome());
    const engines = !isPerson(game.players.b) && !isPerson(game.players.w);
    const playing = tip && open && !game.ended;
    present(this.rematch, tip && over);
    present(this.takeBack, !(tip && over) && game.tip !== game.base && game.tip !== 0);
    present(this.redo, !over && game.tree.node(game.tip).children.length > 0);
    present(this.review, tip && over);
    present(this.playOn, open && ((!tip && !game.ended) || (tip && game.paused)));
    present(this.pause, game.thinking && engines);
    present(this.moveNow, game.thinking && !engines);
    present(this.hint, playing && !game.thinking && !game.paused);
    present(this.draw, playing && !engines && !game.paused);
    present(this.resign, playing && !engines && !game.paused);
    present(this.newGame, tip && over);
  }
}
