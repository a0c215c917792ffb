// The explorer: the moves in the position on the board, with data from the opening book, the endgame databases and games.

import { button, h, put } from "./dom.js";
import { loadedCollection } from "./library.js";
import { read } from "./pdn.js";
import { short } from "./score.js";
import { state, subscribe, update } from "./state.js";
import { text } from "./text.js";
import { START } from "./tree.js";
import * as transport from "./transport.js";

export class Explorer {
  /** `play` receives a move that was clicked, `load` a game of the list and the ply at which it reaches the position. */
  constructor({ play, load }) {
    this.on = { play, load };
    /** The node whose position is shown. */
    this.tree = null;
    this.id = 0;
    this.asked = null;
    /** The moves shown in the table. */
    this.rows = [];
    this.body = h("tbody");
    this.games = h("ul", { class: "plain" });
    this.count = h("p", { class: "soft", role: "status" });
    this.words = h("input", {
      type: "search",
      "aria-label": text.filter,
      placeholder: text.filter,
      oninput: () => this.show(this.tree, this.id),
    });
    const head = h(
      "tr",
      {},
      text.explorerColumns.map((name) => h("th", { scope: "col", text: name })),
    );
    this.found = h(
      "div",
      { class: "found" },
      this.count,
      this.words,
      h("div", { class: "wide", tabindex: "0" }, this.games),
    );
    this.table = h("table", {}, h("thead", {}, head), this.body);
    this.empty = h("p", { class: "empty", text: text.explorerLoading });
    this.element = h("div", { class: "explorer" }, this.empty, this.table, this.found);
    this.table.hidden = this.found.hidden = true;
    subscribe(["facts", "tab", "mode", "collection", "offline"], () => {
      if (state.offline) this.fail(new Error(state.offline));
      else if (state.facts) this.show(state.game.tree, state.current);
    });
    subscribe(["endings"], () => this.drawErrors());
  }

  /** Returns the query for a node of a game. */
  query() {
    const { tree, id } = this;
    const moves = tree
      .line(id)
      .slice(1)
      .map((at) => tree.node(at).move)
      .join(",");
    return {
      ...(tree.start !== START && { fen: tree.start }),
      moves,
      games: loadedCollection(),
      words: this.words.value,
    };
  }

  /** Shows the position of a node. */
  async show(tree, id) {
    Object.assign(this, { tree, id });
    const asked = (this.asked = this.query());
    const found = await transport.explore(asked).catch((error) => ({ error }));
    if (asked !== this.asked) return;
    if (found.error) return this.fail(found.error);
    update({ opening: found.opening ?? "" });
    if (this.element.isConnected) this.draw(found, tree.side(id));
  }

  /** Shows why there is no data. */
  fail(error) {
    this.asked = null;
    this.table.hidden = this.found.hidden = true;
    this.empty.hidden = false;
    this.empty.textContent = error.message;
  }

  draw({ moves, ended, count, games }, side) {
    const row = ({ move, played, value }) =>
      h(
        "tr",
        {},
        h(
          "td",
          {},
          button(move, () => this.on.play(move), { class: "link" }),
        ),
        h("td", { text: played ? played.games.toLocaleString(text.language) : "" }),
        h("td", {
          text: played?.score != null ? text.percent(played.score) : "",
          title: played && text.results(played.results),
        }),
        h("td", { text: value ? text.valueBy(short({ ...value, side }), value) : "" }),
        h("td", { class: "errors" }),
      );
    put(this.body, moves.map(row));
    this.rows = moves.map(({ move }) => move);
    this.table.classList.toggle("without-games", !moves.some(({ played }) => played));
    this.drawErrors();
    this.table.hidden = !moves.length;
    this.empty.hidden = moves.length > 0;
    this.empty.textContent = text.explorerEmpty;
    this.found.hidden = !count && !this.words.value;
    this.count.textContent = text.gamesHere(count, ended?.games ?? 0);
    put(
      this.games,
      games.map(({ number, title }) =>
        h(
          "li",
          {},
          button(text.gameTitle(title), () => this.load(number), { class: "link" }),
        ),
      ),
    );
  }

  /** Shows how many replies to each move are errors, as far as the databases know. */
  drawErrors() {
    this.table.classList.toggle("without-errors", !this.rows.some((move) => state.endings[move]?.errors));
    this.rows.forEach((move, at) => {
      const cell = this.body.rows[at]?.querySelector(".errors"),
        ending = state.endings[move];
      if (cell) cell.textContent = ending?.errors ? text.replies(ending.result, ending.errors) : "";
    });
  }

  /** Loads a game from the list. */
  async load(number) {
    const game = await transport.game({ ...this.query(), number });
    this.on.load(read(game), game.ply);
  }
}
