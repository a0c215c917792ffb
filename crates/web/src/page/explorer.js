// The explorer: the moves in the position on the board, with data from the opening book, the endgame databases and games.

import { button, fillBar, h, hideEmpty, put, searchField, select } from "./dom.js";
import { builtIn, collection, neighbour, reread, restore } from "./collection.js";
import { gameRow } from "./kept.js";
import { share, short } from "./score.js";
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
    this.id = this.number = 0;
    this.body = h("tbody");
    this.games = h("ul", { class: "plain" });
    this.count = h("p", { class: "soft", role: "status" });
    const jump = () => {
      this.games.querySelector("button")?.focus();
      this.found.scrollIntoView();
    };
    this.jump = button("", jump, { class: "link" });
    this.words = searchField(text.filter, () => this.show(this.tree, this.id));
    this.legend = h("div", { class: "bar", role: "img", "aria-label": text.explorerLegendHelp });
    this.source = select(Object.entries(text.explorerGames), "", () => this.show(this.tree, this.id));
    this.source.setAttribute("aria-label", text.games);
    this.found = h("div", { class: "row found" }, this.source, this.count, this.words, this.games);
    const { move, score, replies } = text.explorerColumns,
      head = (content, title) => h("th", { scope: "col", title }, content),
      heads = [head(move), head(this.jump), head(this.legend), head(score, text.explorerScoreHelp), head(replies)];
    this.table = h("table", {}, h("thead", {}, h("tr", {}, heads)), this.body);
    this.others = h("p", { class: "others" });
    this.sources = h("p", { class: "soft" });
    this.element = h("div", { class: "explorer" }, this.table, this.others, this.sources, this.found);
    this.fail({ message: text.loading });
    subscribe(["facts", "tab", "mode", "collection", "offline"], () => {
      if (state.offline) this.fail(new Error(state.offline));
      else if (state.facts) this.show(state.game.tree, state.current);
    });
    subscribe(["endings"], () => this.drawErrors());
    subscribe(["collection"], () => {
      const [imported] = this.source.options,
        isMissing = !collection.isOwn && collection.number > 0;
      // The user's choice stays when the same games are read again.
      if (imported.disabled !== isMissing) this.source.value = isMissing ? "levels" : "";
      imported.disabled = isMissing;
      imported.text = isMissing ? text.noneImported : text.explorerGames[""];
    });
  }

  /** Returns the query for a node of a game. */
  query() {
    const { tree, id } = this;
    const start = tree.start !== START && { fen: tree.start };
    return { ...start, moves: tree.moves(id).join(","), games: this.number, words: this.words.value };
  }

  /** Shows the position of a node. */
  async show(tree, id) {
    Object.assign(this, { tree, id });
    // Wait, since the tab is drawn only after this call.
    await null;
    if (this.element.isConnected) await restore();
    this.number = this.source.value ? await builtIn().catch(() => 0) : collection.number;
    const asked = (this.asked = this.query());
    const found = await transport.explore(asked).catch((error) => ({ error }));
    if (asked !== this.asked) return;
    if (found.error) return this.fail(found.error);
    if (!found.known && asked.games && this.element.isConnected) return reread();
    update({ opening: found.opening ?? "" });
    if (this.element.isConnected) this.draw(found, tree.side(id));
  }

  /** Shows why there is no data. */
  fail(error) {
    this.asked = null;
    this.table.hidden = this.others.hidden = this.found.hidden = true;
    this.sources.textContent = error.message;
  }

  draw({ moves, ended, count, games }, side) {
    const { tree, id } = this,
      next = tree.node(tree.node(id).children[0])?.move;
    const worth = ({ value }) => (value ? (side === "w" ? 1 : -1) * share({ ...value, side }) : -Infinity),
      best = Math.max(...moves.map(worth));
    const sources = new Set(moves.flatMap(({ value }) => (value ? text.explorerSources[value.by] : []))),
      all = moves.reduce((sum, { played }) => sum + (played?.games ?? 0), ended?.games ?? 0);
    this.sources.textContent = [...sources].join(" ") || text.explorerEmpty;
    // Few games between levels say less about a move than its score.
    if (this.source.value) moves.sort((a, b) => Number(!a.played) - Number(!b.played) || worth(b) - worth(a) || 0);
    const link = (move, isNext) => button(move, () => this.on.play(move), { class: "link", "aria-current": isNext }),
      bar = () => h("div", { class: "bar", role: "img" }),
      shares = ({ black, drawn, white, unknown }) => [black, drawn, white, unknown],
      isHatched = moves.some(({ played }) => played?.results.unknown);
    fillBar(this.legend, [3, 3, 3, Number(isHatched)], (_, at) => text.explorerLegend[at], text.explorerLegendHelp);
    const row = ({ move, played, value }) => {
      const isBest = value && worth({ value }) === best,
        isNext = move === next && "true",
        results = played && text.results(played.results),
        // The button of the move lies over its whole row.
        title = [isBest && text.bestMove, isNext && text.gameMove, results, value?.depth && text.depth(value.depth)];
      return h(
        "tr",
        { "aria-current": isNext, class: isBest && "best", title: title.filter(Boolean).join("\n") },
        h("td", {}, link(move)),
        h("td", { text: played ? played.games.toLocaleString(text.language) : "" }),
        h("td", {}, played && fillBar(bar(), shares(played.results), text.percentOf, results)),
        h("td", { text: value ? text.valueBy(short({ ...value, side }), value) : text.noScore }),
        h("td"),
      );
    };
    const listed = moves.filter(({ played, value }) => played || value),
      others = moves.filter((entry) => !listed.includes(entry));
    put(this.body, listed.map(row));
    this.drawErrors();
    this.table.hidden = !listed.length;
    this.others.hidden = !others.length;
    const words = h("span", { class: "soft", text: listed.length ? text.otherMoves : text.moves });
    put(
      this.others,
      words,
      others.map(({ move }) => link(move, move === next && "true")),
    );
    this.found.hidden = false;
    this.words.hidden = count < 2 && !this.words.value;
    this.jump.textContent = text.found(all);
    this.count.textContent = count || !all ? text.gamesHere(count, ended?.games ?? 0) : text.noMatch;
    const shown = this.number === collection.number && neighbour(0)?.number,
      entry = (game) => gameRow({ ...game, isShown: game.number === shown }, ({ number }) => this.load(number));
    put(this.games, games.map(entry));
  }

  /** Shows how many replies to each move are errors, as far as the databases know. */
  drawErrors() {
    for (const { cells } of this.body.rows) {
      const ending = state.endings[cells[0].textContent];
      cells[4].textContent = ending?.errors ? text.replies(ending.result, ending.errors) : "";
    }
    hideEmpty(this.table);
  }

  /** Loads a game from the list. A server that has forgotten the games reads them again. */
  async load(number) {
    const game = await transport.game({ ...this.query(), number }).catch(reread);
    if (game) this.on.load(game, game.ply);
  }
}
