// The explorer: the moves in the position on the board, with data from the opening book, the endgame databases and games.

import { box, button, enable, fillBar, h, hideEmpty, offer, put, select } from "./dom.js";
import { builtIn, collections, place, places, reread, search } from "./collection.js";
import { ends } from "./diagram.js";
import { asSides } from "./players.js";
import { preferences } from "./preferences.js";
import { share, short } from "./score.js";
import { showMode } from "./shell.js";
import { state, subscribe, update } from "./state.js";
import { text } from "./text.js";
import { START } from "./tree.js";
import * as transport from "./transport.js";

/** Takes the arrow of a move from the board. */
const unpoint = () => state.pointed && update({ pointed: null });

/** The sources that are not collections of the library: the games that come with the page, and those of the command line. */
const LEVELS = "levels",
  GIVEN = "given";

export class Explorer {
  /** `play` receives a move that was clicked. */
  constructor(play) {
    this.play = play;
    /** The node whose position is shown. */
    this.tree = null;
    this.id = 0;
    this.body = h("tbody");
    this.foot = h("tfoot");
    // The games with the position are listed in the library.
    const list = () => {
      search({ fen: this.tree.start, moves: this.tree.moves(this.id).join(",") });
      showMode("library");
    };
    this.list = button("", list, { class: "link" });
    this.legend = h("div", { class: "bar", role: "img", "aria-label": text.explorerLegendHelp });
    const choose = (value) => {
      this.isFixed = [LEVELS, GIVEN].includes(value);
      if (this.isFixed) this.show(this.tree, this.id);
      else search({ collection: value ? value.slice(1) : undefined });
    };
    this.source = select([], "", choose, { "aria-label": text.games });
    // The side of the player who is searched, or else of the user.
    const chooseSide = (color) => search({ color, player: state.filter.player || preferences.player || text.person });
    this.color = select(asSides(text.eitherSide), "", chooseSide, { "aria-label": text.asSideHelp });
    this.conditions = h("span", { class: "soft" });
    this.searched = box(
      "row",
      this.conditions,
      button(text.clearFilter, () => update({ filter: {} }), { class: "link" }),
    );
    this.searched.hidden = true;
    this.found = box("row found", this.source, this.color, this.searched);
    const { move, score, replies } = text.explorerColumns,
      head = (content, title) => h("th", { scope: "col", title }, content),
      heads = [head(move), head(this.list), head(this.legend), head(score, text.explorerScoreHelp), head(replies)];
    this.table = h("table", {}, h("thead", {}, h("tr", {}, heads)), this.body, this.foot);
    this.others = h("p", { class: "others" });
    this.sources = h("p", { class: "soft" });
    this.element = h("div", { class: "explorer" }, this.found, this.table, this.others, this.sources);
    this.fail({ message: text.loading });
    subscribe(["facts", "tab", "mode", "filter", "offline"], ({ filter }) => {
      if (filter) this.isFixed = false;
      if (state.offline) this.fail(new Error(state.offline));
      else if (state.facts) this.show(state.game.tree, state.current);
    });
    subscribe(["endings"], () => this.drawErrors());
  }

  /**
   * Returns the query for a node of a game.
   * @returns {Promise<Record<string, any>>}
   */
  async query() {
    const { tree, id } = this,
      start = tree.start !== START && { fen: tree.start },
      query = { ...start, moves: tree.moves(id).join(",") };
    if (!this.isFixed) return { ...query, filter: JSON.stringify(state.filter) };
    return { ...query, games: this.source.value === LEVELS ? await builtIn().catch(() => 0) : 0 };
  }

  /** Shows the position of a node. */
  async show(tree, id) {
    Object.assign(this, { tree, id });
    // Wait, since the tab is drawn only after this call.
    await null;
    if (this.element.isConnected) await this.offer();
    const asked = (this.asked = await this.query());
    const found = await transport.explore(asked).catch((error) => ({ error }));
    if (asked !== this.asked) return;
    if (found.error) return this.fail(found.error);
    if (!found.known && asked.games) {
      reread();
      return this.show(tree, id);
    }
    update({ opening: found.opening ?? "" });
    if (this.element.isConnected) this.draw(found, tree.side(id));
  }

  /** Offers the collections of the library. Before it has games, the games that come with the page are shown. */
  async offer() {
    const { names, count } = await collections().catch(() => ({ names: [], count: 0 })),
      { color, player } = state.filter;
    if (this.isFixed === undefined) {
      this.hasGiven = (await transport.explore({ moves: "", games: 0 }).catch(() => ({}))).known;
      this.isFixed = this.hasGiven || !count;
      this.fixed = this.hasGiven ? GIVEN : LEVELS;
    }
    const fixed = this.source.value || this.fixed,
      others = [...(this.hasGiven ? [[GIVEN, text.givenGames]] : []), [LEVELS, text.levelGames]];
    offer(this.source, [...places(names), ...others], this.isFixed ? fixed : place());
    this.color.value = (player && color) || "";
    this.color.hidden = this.isFixed;
    const { fen, moves, collection: _, color: __, ...conditions } = state.filter;
    this.conditions.textContent = this.isFixed ? "" : text.conditionsOf(conditions);
    this.searched.hidden = !this.conditions.textContent;
  }

  /** Shows why there is no data. */
  fail(error) {
    this.asked = null;
    this.table.hidden = this.others.hidden = true;
    this.sources.textContent = error.message;
  }

  draw({ moves, ended }, side) {
    const { tree, id } = this,
      next = tree.node(tree.node(id).children[0])?.move;
    const worth = ({ value }) => (value ? (side === "w" ? 1 : -1) * share({ ...value, side }) : -Infinity),
      best = Math.max(...moves.map(worth));
    const sources = new Set(moves.flatMap(({ value }) => (value ? text.explorerSources[value.by] : []))),
      all = moves.reduce((sum, { played }) => sum + (played?.games ?? 0), ended?.games ?? 0);
    this.sources.textContent = [...sources].join(" ") || text.explorerEmpty;
    if (state.pointed) update({ pointed: null });
    // Few games between levels say less about a move than its score.
    if (this.source.value === LEVELS)
      moves.sort((a, b) => Number(!a.played) - Number(!b.played) || worth(b) - worth(a) || 0);
    const link = (move, isNext) => button(move, () => this.play(move), { class: "link", "aria-current": isNext }),
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
    this.list.textContent = text.found(all);
    this.list.title = text.gamesHere(all, ended?.games ?? 0);
    enable(this.list, !this.isFixed && all > 0);
  }

  /** Shows how many replies to each move are errors, as far as the databases know. */
  drawErrors() {
    for (const { cells } of this.body.rows) {
      const ending = state.endings[cells[0].textContent];
      cells[4].textContent = ending?.errors ? text.replies(ending.result, ending.errors) : "";
    }
    hideEmpty(this.table);
  }
}
