// The panel next to the board during a game: the moves, and the player's actions.

import { asking, box, button, enable, field, group, h, labelButton, put, reveal, textField } from "./dom.js";
import { openingOf } from "./kept.js";
import { accuracyOf } from "./marks.js";
import { gameMoves } from "./movelist.js";
import { go, steps } from "./navigate.js";
import { askDraw, askResign, enterMove, giveHint, offerDraw, pause, playFrom, redo, resign, takeBack } from "./play.js";
import { isPerson, ownSide } from "./players.js";
import { atTip, isOver, outcome, state, subscribe } from "./state.js";
import { text } from "./text.js";
import { WINNERS } from "./tree.js";

/** Creates the field for typing a move. `enter` makes it, and returns whether the text is a move. */
export function moveForm(enter) {
  const props = { class: "move-input", spellcheck: "false", enterkeyhint: "go", oninput: () => refuse(false) },
    input = textField({ ...props, placeholder: text.moveExample });
  let tried = "";
  const refuse = (on) => (input.ariaInvalid = String(on));
  // A refused text goes with the next move or a hint.
  subscribe(["current", "puzzle", "hint"], () => {
    if (input.value === tried) input.value = "";
    refuse(false);
  });
  const onsubmit = async (event) => {
    event.preventDefault();
    tried = input.value;
    const isMove = await enter(tried.trim());
    if (isMove) input.value = "";
    else input.select();
    refuse(!isMove && Boolean(tried));
  };
  return h("form", { class: "move-form", onsubmit }, field(text.moveInput, input));
}

export const action = (picture, name, onclick, title) =>
  labelButton(picture, name, onclick, { class: "action", title });

/** Creates a row of actions. Each place has one of its buttons at a time, so that the layout does not shift. */
export function actionRow(places) {
  return group("actions-row", text.actions, ...places.map((buttons) => box("place", buttons)));
}

export class PlayPanel {
  /** `rematch`, `review` and, on a phone, `exporter` are offered after the game. */
  constructor({ rematch, review, exporter }) {
    this.list = gameMoves();
    this.takeBack = action("takeBack", text.takeBack, takeBack);
    this.redo = action("redo", text.redo, redo);
    this.hint = action("hint", text.hint, giveHint);
    this.moveNow = action("now", text.moveNow, () => state.game.moveNow(), text.moveNowHelp);
    this.pause = action("pause", text.pause, pause);
    this.draw = asking(action("draw", text.draw, undefined, text.drawRule), askDraw, offerDraw);
    this.resign = asking(action("flag", text.resign), askResign, resign, "danger");
    this.playOn = action("play", text.playOn, () => playFrom(state.game.tip));
    // At another position than that of the game, these take the places of two actions that change nothing there.
    this.backToGame = action("end", text.toGame, () => go(state.game.tip));
    const here = action("play", text.playHere, undefined, text.playHereHelp);
    // The moves after the position on the board would go.
    const ask = () => {
      const line = state.game.tree.line(state.game.tip);
      return text.dropAsk(line.length - 1 - state.game.tree.placeOn(line, state.current));
    };
    this.playHere = asking(here, ask, () => playFrom(state.current), "danger");
    this.actions = actionRow([
      [this.takeBack],
      [this.redo],
      [this.hint, this.moveNow, this.backToGame],
      [this.draw, this.playHere],
      [this.resign, this.pause, this.playOn],
    ]);
    this.result = h("h2", { class: "result-title" });
    this.reason = h("p");
    this.accuracy = h("p", { class: "soft" });
    this.analyse = button(text.analyseGame, review, { class: "primary" });
    this.rematch = button(text.rematch, rematch, { title: text.rematchHelp });
    this.form = moveForm(enterMove);
    const next = box("row", this.analyse, this.rematch, exporter);
    this.end = group("end-card", text.gameOver, this.result, this.reason, this.accuracy, next);
    this.opening = h("p", { class: "soft opening" });
    this.element = box("panel play-panel", this.end, this.opening, this.list.element, this.form, this.actions, steps());
    subscribe(["facts", "game", "mode", "current"], () => this.refresh());
    subscribe(["opening", "current"], () => state.game.tree && put(this.opening, openingOf(state)));
  }

  refresh() {
    const { game, facts } = state;
    if (!game.tree) return;
    const tip = atTip(),
      open = facts?.result === "open",
      over = Boolean(outcome());
    const engines = !isPerson(game.players.b) && !isPerson(game.players.w);
    const playing = tip && open && !isOver();
    const isAway = !tip && !isOver(),
      resumes = playing && game.paused,
      mayAct = playing && !game.paused && !engines;
    enable(this.takeBack, !isOver() && !isAway && game.previousTurn() !== null);
    enable(this.redo, !over && !isAway && game.tree.node(game.tip).children.length > 0);
    reveal(this.backToGame, isAway);
    this.backToGame.classList.toggle("likely", isAway);
    reveal(this.moveNow, !isAway && game.thinking && !engines);
    reveal(this.hint, !isAway && (!game.thinking || engines), mayAct);
    reveal(this.playHere, isAway, open);
    reveal(this.draw, !isAway, mayAct);
    reveal(this.playOn, resumes);
    reveal(this.pause, engines && !resumes, !over && !isAway);
    reveal(this.resign, !engines && !resumes, mayAct);
    const isEnd = tip && over;
    this.element.classList.toggle("ended", isEnd);
    this.end.hidden = !isEnd;
    this.form.hidden = isEnd;
    this.actions.hidden = isEnd;
    if (isEnd) this.drawEnd();
  }

  /** Shows what the game means for the user, if the user has played one of the sides. */
  drawEnd() {
    const { players, tree, tip } = state.game,
      own = ownSide(players),
      winner = WINNERS[tree.result];
    const end = winner && own && (winner === own ? "won" : "lost");
    this.end.dataset.end = end ?? "";
    this.analyse.hidden = !tree.node(0).children.length;
    this.rematch.classList.toggle("primary", this.analyse.hidden);
    this.result.textContent = end ? text.ended[end] : winner ? text.wins(text.sides[winner], null) : text.outcomes.draw;
    this.reason.textContent = text.reason(outcome(), own);
    const [black, white] = ["b", "w"].map((side) => accuracyOf(tree, tree.line(tip), side));
    this.accuracy.textContent = text.accuracies(black, white);
    this.list.follow();
  }
}
