// The explorer: the moves in the position on the board, with data from the opening book, the endgame databases and games.

import { arrowOf } from "./board.js";
import { box, button, enable, h, hideEmpty, link, offer, put, select } from "./dom.js";
import { builtIn, collections, explored, place, places, search, withPosition } from "./collection.js";
import { conditions, gameItem, offersOf } from "./library.js";
import { isEnding } from "./navigate.js";
import { enterMove } from "./play.js";
import { rules } from "./program.js";
import { short, winner, worth } from "./score.js";
import { showMode, wide } from "./shell.js";
import { here, position, state, subscribe, update } from "./state.js";
import { joined, text } from "./text.js";
import * as transport from "./transport.js";

const unpoint = () => state.pointed && update({ pointed: null });

/** The sources that are not collections of the library: the games that come with the page, and those of the command line. */
const LEVELS = "levels",
  GIVEN = "given";
const GAMES = 30;
/** The number of positions that are searched for the results of the moves. */
const NODES = 50000;
/** The results of games, in the order of their parts of a bar. Games without a result are in none. */
const RESULTS = ["black", "drawn", "white"];
const CLASSES = "bdw";

const moveOf = ({ cells: [{ textContent: move }] }) => move;

const finished = (results) => RESULTS.reduce((sum, name) => sum + results[name], 0);

/** Returns a bar with the shares of results, if there are any. */
function barOf(results) {
  const sum = finished(results),
    words = text.results(results);
  if (!sum) return null;
  const part = (name, at) => {
    const share = results[name],
      label = share ? ((100 * share) / sum).toFixed() : "";
    const element = h("i", { class: CLASSES[at], text: label });
    element.style.flexGrow = String(share);
    return element;
  };
  return h("div", { class: "bar", role: "img", title: words, "aria-label": words }, RESULTS.map(part));
}

/** Returns the values that a short search finds for all moves of an ending, or of a decided position, if one of them is a result. */
async function searched() {
  const { score } = state.game.tree.node(state.current),
    found = {};
  if (!isEnding(state.facts.fen) && !(score && winner(score))) return found;
  const each = ({ moves, kind, value, depth, by }) => (found[moves[0]] = { kind, value, depth, by });
  await rules.ask((engine) => engine.search(position(), `nodes ${NODES}`, each)).catch(() => {});
  return Object.values(found).some(({ kind, by }) => kind !== "cp" || by === "database") ? found : {};
}

export class Explorer {
  /** `openConditions` shows the conditions of the library. */
  constructor(openConditions) {
    this.body = h("tbody");
    /** The rows of all moves. */
    this.rows = [];
    // The games with the position are listed in the library.
    const list = () => {
      search({ ...withPosition(), words: "" });
      showMode("library");
    };
    this.list = link("", list);
    /** The results of all games together. */
    this.total = h("th", { scope: "col" });
    const choose = (value) => {
      this.isFixed = [LEVELS, GIVEN].includes(value);
      if (this.isFixed) this.show();
      else search({ collection: value ? value.slice(1) : undefined });
    };
    this.source = select([], "", choose, { "aria-label": text.games });
    this.filters = button(text.conditions, openConditions);
    this.conditions = box("row conditions-met");
    this.key = h("p", { class: "soft key", "aria-hidden": "true" });
    this.found = box("row found", this.source, this.filters, this.key, this.conditions);
    const { move, score, replies } = text.explorerColumns,
      head = (content, title) => h("th", { scope: "col", title }, content),
      heads = [head(move), head(this.list), this.total, head(score, text.explorerScoreHelp), head(replies)];
    this.table = h("table", {}, h("thead", {}, h("tr", {}, heads)), this.body);
    this.sources = h("p", { class: "soft" });
    /** The moves without games or scores. */
    this.others = box("soft others");
    /** The latest games of the library with the position. */
    this.games = h("ul", { class: "plain game-items", "aria-label": text.games });
    /** What is shown instead of them if no game meets the conditions. */
    this.nothing = box("nothing");
    this.figures = box("figures", this.table, this.others, this.sources, this.nothing, this.games);
    this.element = box("explorer", this.found, this.figures);
    this.fail({ message: text.loading });
    subscribe(["facts", "tab", "mode", "filter", "offline"], ({ filter }) => {
      if (filter) this.isFixed = false;
      if (state.offline) this.fail(new Error(state.offline));
      else if (state.facts) this.show();
    });
    // In a wide window, the explorer comes into view beside the moves.
    wide.addEventListener("change", () => state.facts && this.show());
    subscribe(["endings", "analysis"], () => this.element.isConnected && this.drawScores());
  }

  async show() {
    const valid = here();
    // Wait, since the tab is drawn only after this call.
    await null;
    if (this.element.isConnected) await this.offer();
    const games = this.isFixed && this.source.value === LEVELS ? await builtIn() : 0;
    if (!valid()) return;
    const { tree } = state.game,
      filter = JSON.stringify(explored()),
      // The first moves of a game in Study name its opening from the start on.
      line = state.mode === "study" && { line: tree.moves(tree.whole(state.current).slice(0, 4).pop()).join(",") },
      asked = (this.asked = { ...withPosition(), ...line, ...(this.isFixed ? { games } : { filter }) });
    const found = await transport.explore(asked).catch((error) => ({ error }));
    if (asked !== this.asked || !valid()) return;
    if (found.error) return this.fail(found.error);
    // The server may no longer have these games.
    if (!found.known && games) return (await builtIn(true)) && this.show();
    if (!found.moves.some(({ value }) => value)) {
      const results = await searched();
      if (asked !== this.asked || !valid()) return;
      for (const entry of found.moves) entry.value = results[entry.move] ?? null;
    }
    update({
      opening: found.opening ?? "",
      values: Object.fromEntries(found.moves.map(({ move, value }) => [move, value])),
    });
    if (!this.element.isConnected) return;
    this.drawGames(this.draw(found));
  }

  /** Offers the collections of the library. Before it has games, the games that come with the page are shown. */
  async offer() {
    const { names, count } = await collections().catch(() => ({ names: [], count: 0 }));
    if (this.isFixed === undefined) {
      this.hasGiven = (await transport.explore({ moves: "", games: 0 }).catch(() => ({}))).known;
      this.isFixed = this.hasGiven || !count;
      this.fixed = this.hasGiven ? GIVEN : LEVELS;
    }
    const fixed = this.source.value || this.fixed,
      [, ...own] = places(names),
      others = [...(this.hasGiven ? [[GIVEN, text.givenGames]] : []), [LEVELS, text.levelGames]];
    offer(this.source, [["", text.modes.library], ...own, ...others], this.isFixed ? fixed : place());
    this.filters.hidden = this.isFixed;
    put(this.conditions, !this.isFixed && conditions(["collection", "fen", "words"]));
  }

  fail(error) {
    this.asked = this.listed = null;
    this.table.hidden = this.key.hidden = true;
    put(this.others);
    this.sources.textContent = error.message;
  }

  async drawGames(count) {
    const { asked } = this,
      moves = state.game.tree.moves(state.current),
      filter = { ...explored(), ...withPosition() },
      request = { do: "list", filter, sort: "date", descending: true, offset: 0, limit: 10 * GAMES },
      { games } = this.isFixed ? { games: [] } : await transport.library(request).catch(() => ({ games: [] }));
    // Games of the user, which are the latest, come after those of others.
    games.sort((a, b) => Number(!a.collection) - Number(!b.collection));
    const items = games.slice(0, GAMES).map((game) => gameItem(game, { moves })),
      isNone = !this.isFixed && !items.length && Object.keys(explored()).length > 0,
      offers = isNone ? await offersOf(filter, ["fen", "words"]) : [];
    if (asked !== this.asked) return;
    put(this.games, items);
    put(this.nothing, !count && h("p", { text: text.gamesHere(0) }), offers);
  }

  /** Shows the moves; returns the number of games. */
  draw({ moves, ended }) {
    const { tree } = state.game,
      next = tree.node(tree.node(state.current).children[0])?.move,
      sum = (valueOf) => moves.reduce((sum, { played }) => sum + (played ? valueOf(played) : 0), 0),
      all = sum(({ games }) => games) + (ended?.games ?? 0),
      results = Object.fromEntries(RESULTS.map((name) => [name, sum((played) => played.results[name])])),
      bars = moves.filter(({ played }) => played && finished(played.results));
    unpoint();
    // The bar of a single move is not repeated.
    put(this.total, bars.length > 1 && barOf(results));
    const row = ({ move, played }) => {
      const isNext = move === next && "true",
        title = joined([isNext && text.gameMove, played && text.results(played.results)], "\n"),
        // Few games between levels say less about a move than its score.
        order = this.source.value === LEVELS ? Number(Boolean(played)) : (played?.games ?? 0),
        count = played?.games.toLocaleString(text.language),
        cells = [this.player(move, isNext), count, played && barOf(played.results), null, null].map((content) =>
          h("td", {}, content),
        );
      return h("tr", { "aria-current": isNext, "data-title": title, "data-order": String(order) }, cells);
    };
    this.rows = moves.map(row);
    this.unfinished = text.unfinished(all - (ended?.games ?? 0) - finished(results), all);
    const meanings = [text.sides.b, text.outcomes.draw, text.sides.w],
      colour = (at) => h("span", {}, h("i", { class: CLASSES[at] }), meanings[at]);
    const seen = [0, 1, 2].filter((at) => results[RESULTS[at]]);
    put(this.key, seen.map(colour));
    this.key.hidden = seen.length < 2;
    this.drawScores(true);
    this.list.textContent = text.found(all);
    this.list.title = text.gamesHere(all, ended?.games ?? 0);
    enable(this.list, !this.isFixed && all > 0);
    return all;
  }

  /** Returns the button of a move, which shows its arrow. */
  player(move, isNext = null) {
    const point = () => update({ pointed: arrowOf(move) }),
      handlers = { onpointerenter: point, onfocusin: point, onpointerleave: unpoint, onfocusout: unpoint };
    return link(move, () => enterMove(move), { "aria-current": isNext, ...handlers });
  }

  /**
   * Shows the scores of the moves, their sources, which move is the best, and how many replies err, as far as that is known. Moves
   * without games or scores share a line. Unless the position is new, no move is moved that is about to be clicked.
   */
  drawScores(isNew = false) {
    if (!state.values) return;
    const side = state.game.tree.side(state.current),
      { moves } = state.analysis.shown(),
      worthOf = (row) => (moves[moveOf(row)] ? worth(moves[moveOf(row)].score, side) : -2),
      isOther = (row) => row.dataset.order === "0" && !row.ariaCurrent && !moves[moveOf(row)],
      rows = this.rows
        .filter((row) => !isOther(row))
        .sort((a, b) => Number(b.dataset.order) - Number(a.dataset.order) || worthOf(b) - worthOf(a)),
      others = this.rows.filter(isOther).map(moveOf),
      isHeld = this.figures.matches(":is(:hover, :focus-within)");
    if (isNew || (!isHeld && String(rows.map(moveOf)) !== String([...this.body.rows].map(moveOf))))
      put(this.body, rows);
    if (isNew || (!isHeld && String(others) !== String(this.listed))) {
      const heading = rows.length ? text.otherMoves : text.allMoves;
      put(this.others, others.length > 0 && [heading, ...others.map((move) => this.player(move))]);
      this.listed = others;
    }
    this.table.hidden = !rows.length;
    for (const row of rows) {
      const { score, by, depth, isBest, isShallow, isLimited } = moves[moveOf(row)] ?? {};
      row.classList.toggle("best", Boolean(isBest));
      row.classList.toggle("shallow", Boolean(isShallow));
      row.cells[3].textContent = score ? text.valueBy(short(score), by) : "";
      const ending = state.endings[moveOf(row)];
      row.cells[4].textContent = ending?.errors ? text.replies(ending.result, ending.errors) : "";
      // The button of the move lies over its whole row.
      const source = score && text.scoreBy(by, Number.isFinite(depth) && depth),
        help = isLimited ? text.limited : isShallow && text.shallow;
      row.title = joined([isBest && text.bestMove, row.dataset.title, source, help], "\n");
    }
    const found = rows.flatMap((row) => moves[moveOf(row)] ?? []),
      sources = [...new Set(found.map(({ by }) => by))],
      isShallow = found.some((row) => row.isShallow);
    // A position whose score is shown above the moves is not called unknown.
    const isUnknown = !sources.length && !state.game.tree.node(state.current).score,
      words = sources.length ? text.explorerSources(sources, isShallow) : isUnknown ? text.explorerEmpty : "";
    this.sources.textContent = joined([this.unfinished, words], " ");
    hideEmpty(this.table);
  }
}
