// The explorer: the moves in the position on the board, with data from the opening book, the endgame databases and games.

import { button, fillBar, h, hideEmpty, put, searchField, select, tableHead } from "./dom.js";
import { builtIn, collection, reread, restore } from "./collection.js";
import { dateOf } from "./kept.js";
import { read } from "./pdn.js";
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
    this.count = h("span", { role: "status" });
    this.words = searchField(text.filter, () => this.show(this.tree, this.id));
    this.legend = h("div", { class: "bar", role: "img", "aria-label": text.explorerLegendHelp });
    this.source = select(text.explorerGames, "", () => this.show(this.tree, this.id));
    this.source.setAttribute("aria-label", text.games);
    this.choice = h("div", { class: "row source" }, this.source, this.legend);
    this.found = h("details", { class: "found" }, h("summary", {}, this.count), this.words, this.games);
    this.table = h("table", {}, tableHead(text.explorerColumns), this.body);
    this.sources = h("p", { class: "soft" });
    this.element = h("div", { class: "explorer" }, this.choice, this.table, this.sources, this.found);
    this.fail({ message: text.loading });
    subscribe(["facts", "tab", "mode", "collection", "offline"], () => {
      if (state.offline) this.fail(new Error(state.offline));
      else if (state.facts) this.show(state.game.tree, state.current);
    });
    subscribe(["endings"], () => this.drawErrors());
    subscribe(["collection"], () => {
      this.source.value = collection.isOwn || !collection.number ? "" : "levels";
      this.source.disabled = !collection.isOwn;
      this.found.open = !this.source.value;
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
    this.table.hidden = this.found.hidden = true;
    this.sources.textContent = error.message;
  }

  draw({ moves, ended, count, games }, side) {
    const { tree, id } = this,
      next = tree.node(tree.node(id).children[0])?.move;
    const worth = ({ value }) => (value ? (side === "w" ? 1 : -1) * share({ ...value, side }) : -Infinity),
      best = Math.max(...moves.map(worth));
    const sources = new Set(moves.flatMap(({ value }) => (value ? text.explorerSources[value.by] : []))),
      isPlayed = ended || moves.some(({ played }) => played);
    if (!isPlayed) sources.add(sources.size ? text.explorerNoGames : text.explorerEmpty);
    this.sources.textContent = [...sources].join(" ");
    // Few games between levels say less about a move than its score.
    if (this.source.value) moves.sort((a, b) => worth(b) - worth(a) || 0);
    const link = (move) => button(move, () => this.on.play(move), { class: "link" }),
      bar = () => h("div", { class: "bar", role: "img" }),
      shares = ({ black, drawn, white, unknown }) => [black, drawn, white, unknown],
      isHatched = moves.some(({ played }) => played?.results.unknown);
    fillBar(this.legend, [3, 3, 3, Number(isHatched)], (_, at) => text.explorerLegend[at], text.explorerLegendHelp);
    const row = ({ move, played, value }) => {
      const isBest = value && worth({ value }) === best,
        title = [isBest && text.bestMove, move === next && text.gameMove].filter(Boolean).join(", "),
        score = value ? text.valueBy(short({ ...value, side }), value) : "";
      return h(
        "tr",
        { "aria-current": move === next && "true", class: isBest && "best", title: title || undefined },
        h("td", {}, link(move)),
        h("td", { text: played ? played.games.toLocaleString(text.language) : isPlayed ? "0" : "" }),
        h("td", {}, played && fillBar(bar(), shares(played.results), text.percentOf, text.results(played.results))),
        h("td", { text: score, title: value?.depth && text.depth(value.depth) }),
        h("td"),
      );
    };
    put(this.body, moves.map(row));
    this.drawErrors();
    this.table.hidden = !moves.length;
    this.found.hidden = !count && !this.words.value;
    this.count.textContent = text.gamesHere(count, ended?.games ?? 0);
    put(
      this.games,
      games.map(({ number, title }) => h("li", {}, this.title(number, title))),
    );
  }

  /** Shows how many replies to each move are errors, as far as the databases know. */
  drawErrors() {
    for (const { cells } of this.body.rows) {
      const ending = state.endings[cells[0].textContent];
      cells[4].textContent = ending?.errors ? text.replies(ending.result, ending.errors) : "";
    }
    hideEmpty(this.table);
  }

  /** Returns the button of a game. Names are isolated, since they may be written in either direction. */
  title(number, [black, white, event, date, result]) {
    const more = text.gameTitle([event, dateOf(date), result]),
      words = [h("bdi", { text: black }), " – ", h("bdi", { text: white }), more];
    return button(words, () => this.load(number), { class: "link" });
  }

  /** Loads a game from the list. */
  async load(number) {
    const game = await transport.game({ ...this.query(), number });
    this.on.load(read(game), game.ply);
  }
}
