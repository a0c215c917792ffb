// The explorer: the moves in the position on the board, with data from the opening book, the endgame databases and games.

import { button, fillBar, h, hideEmpty, put, searchField, select } from "./dom.js";
import { IMPORTED, builtIn, collection, neighbour, reread, restore } from "./collection.js";
import { ends } from "./diagram.js";
import { resume } from "./games.js";
import { gameRow } from "./kept.js";
import { SIDE_CHIPS } from "./players.js";
import { preferences } from "./preferences.js";
import { share, short } from "./score.js";
import { state, subscribe, update } from "./state.js";
import { hasLibrary } from "./store.js";
import { text } from "./text.js";
import { START } from "./tree.js";
import * as transport from "./transport.js";

/** Takes the arrow of a move from the board. */
const unpoint = () => state.pointed && update({ pointed: null });

export class Explorer {
  /** `play` receives a move that was clicked, `load` a game of the list and the ply at which it reaches the position. */
  constructor({ play, load }) {
    this.on = { play, load };
    /** The node whose position is shown. */
    this.tree = null;
    this.id = this.number = 0;
    this.body = h("tbody");
    this.foot = h("tfoot");
    this.games = h("ul", { class: "plain" });
    this.count = h("p", { class: "soft", role: "status" });
    const jump = () => {
      this.games.querySelector("button")?.focus();
      this.found.scrollIntoView();
    };
    this.jump = button("", jump, { class: "link" });
    this.words = searchField(text.filter, () => this.show(this.tree, this.id));
    this.legend = h("div", { class: "bar", role: "img", "aria-label": text.explorerLegendHelp });
    const again = () => this.show(this.tree, this.id);
    this.source = select(Object.entries(text.explorerGames), "", again);
    this.source.setAttribute("aria-label", text.games);
    // The side of the player who is searched, or else of the user.
    this.color = select([["", text.eitherSide], ...SIDE_CHIPS.map(([side]) => [side, text.asSide(side)])], "", again);
    this.color.setAttribute("aria-label", text.asSideHelp);
    this.found = h("div", { class: "row found" }, this.source, this.count, this.words, this.games);
    const { move, score, replies } = text.explorerColumns,
      head = (content, title) => h("th", { scope: "col", title }, content),
      heads = [head(move), head(this.jump), head(this.legend), head(score, text.explorerScoreHelp), head(replies)];
    this.table = h("table", {}, h("thead", {}, h("tr", {}, heads)), this.body, this.foot);
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
      const imported = this.source.options[0],
        isMissing = !collection.isOwn && collection.number > 0;
      // The user's choice stays when the same games are read again.
      if (imported.disabled !== isMissing) this.source.value = isMissing ? "levels" : "";
      imported.disabled = isMissing;
      imported.text = isMissing ? text.noneImported : text.explorerGames[""];
    });
  }

  /**
   * Returns the query for a node of a game.
   * @returns {Record<string, any>}
   */
  query() {
    const { tree, id } = this;
    const start = tree.start !== START && { fen: tree.start };
    const filter = this.filter(),
      words = this.words.value,
      query = { ...start, moves: tree.moves(id).join(",") };
    return filter ? { ...query, filter: JSON.stringify(filter) } : { ...query, games: this.number, words };
  }

  /** Returns the filter for the library's games, which the figures count; null for the games that come with the page. */
  filter() {
    const { value: source } = this.source,
      { value: color } = this.color,
      { value: words } = this.words;
    if (!hasLibrary() || source === "levels") return null;
    const collections = { own: "", "": IMPORTED.filter.collection },
      place = source in collections ? { collection: collections[source] } : {};
    return color ? { ...place, color, player: words || preferences.player || text.person } : { ...place, words };
  }

  /** Shows the position of a node. */
  async show(tree, id) {
    Object.assign(this, { tree, id });
    // Wait, since the tab is drawn only after this call.
    await null;
    if (this.element.isConnected) await restore();
    this.offer();
    this.number = this.source.value ? await builtIn().catch(() => 0) : collection.number;
    const asked = (this.asked = this.query());
    const found = await transport.explore(asked).catch((error) => ({ error }));
    if (asked !== this.asked) return;
    if (found.error) return this.fail(found.error);
    if (!found.known && asked.games && this.element.isConnected) return reread();
    update({ opening: found.opening ?? "" });
    if (this.element.isConnected) this.draw(found, tree.side(id));
  }

  /** Offers the games of the library, if there is one. */
  offer() {
    this.color.hidden = !this.filter();
    if (!hasLibrary() || this.color.isConnected) return;
    this.source.after(this.color);
    const [imported] = this.source.options;
    imported.after(...Object.entries(text.libraryGames).map(([value, name]) => new Option(name, value)));
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
    if (state.pointed) update({ pointed: null });
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
      const [from, to] = ends(move),
        point = () => update({ pointed: { from, to } });
      return h(
        "tr",
        {
          "aria-current": isNext,
          class: isBest && "best",
          title: title.filter(Boolean).join("\n"),
          onpointerenter: point,
          onfocusin: point,
          onpointerleave: unpoint,
          onfocusout: unpoint,
        },
        h("td", {}, link(move)),
        h("td", { text: played ? played.games.toLocaleString(text.language) : "" }),
        h("td", {}, played && fillBar(bar(), shares(played.results), text.percentOf, results)),
        h("td", { text: value ? text.valueBy(short({ ...value, side }), value) : text.noScore }),
        h("td"),
      );
    };
    /** The figures of all moves together. */
    const total = () => {
      const sums = [0, 0, 0, 0];
      for (const { played } of moves) if (played) shares(played.results).forEach((share, at) => (sums[at] += share));
      const [black, drawn, white, unknown] = sums,
        count = sums.reduce((sum, share) => sum + share, 0).toLocaleString(text.language),
        words = text.results({ black, drawn, white, unknown });
      const cells = [
        h("td", { text: text.total }),
        h("td", { text: count }),
        h("td", {}, fillBar(bar(), sums, text.percentOf, words)),
      ];
      return h("tr", { title: words }, cells, h("td"), h("td"));
    };
    const listed = moves.filter(({ played, value }) => played || value),
      others = moves.filter((entry) => !listed.includes(entry));
    put(this.body, listed.map(row));
    put(this.foot, listed.length > 1 && all > 0 && total());
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
    this.words.hidden = count < 2 && !this.words.value && !this.filter();
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
    const query = this.query(),
      { fen = "", moves } = query;
    if (query.filter) {
      const { name, state: own, ply, game } = await transport.library({ do: "game", game: String(number), fen, moves });
      return own ? resume(name, "study", moves.split(",").filter(Boolean)) : this.on.load(game, ply);
    }
    const game = await transport.game({ ...query, number }).catch(reread);
    if (game) this.on.load(game, game.ply);
  }
}
