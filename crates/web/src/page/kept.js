// The games stored in the browser: a list that can be searched and sorted, and whose games can be pinned, deleted and saved.

import { confirm, save } from "./dialog.js";
import { button, field, h, iconButton, put, searchField, select } from "./dom.js";
import { write } from "./pdn.js";
import { nameOf } from "./players.js";
import { discard, kept, pin } from "./store.js";
import { text } from "./text.js";
import { PLAYER_TAGS, Tree } from "./tree.js";

export const PDN_TYPE = "application/x-pdn";

/** Returns the tags of a game of this browser; `when` is its time in milliseconds if it was not played here. */
export function tagsOf({ players, opening, tree, played }, when = Date.now()) {
  const date = new Date(played || when).toISOString().slice(0, 10).replaceAll("-", ".");
  return {
    Event: opening || text.name,
    Date: date,
    Black: nameOf(players, "b"),
    White: nameOf(players, "w"),
    ...tree.tags,
  };
}

/** Returns a stored game as PDN. */
export function pdnOf(game, when) {
  const tree = Tree.revive(game.tree);
  return write(tree, tagsOf({ ...game, tree }, when));
}

/** Returns the names of the players of a stored game. */
function playersOf({ players, tree }) {
  const name = (side) => tree.tags?.[PLAYER_TAGS[side]] ?? nameOf(players, side, text.you);
  return `${name("b")} – ${name("w")}`;
}

/** Returns the first moves of the main line, and its length in plies. */
function mainLine({ tree }) {
  const moves = [];
  for (let at = 0; tree.nodes[at]?.[2]?.order?.length; moves.push(tree.nodes[at][1])) at = tree.nodes[at][2].order[0];
  return { opening: moves.slice(0, 4).join(" "), plies: moves.length };
}

/** Returns the time at which a stored game was played, or else at which it was last on the board. */
const timeOf = ({ when, game }) => game.played || when;
const isEnded = ({ game }) => /\d/.test(game.tree.result);

/** Describes a stored game: its players and result, and its time, length and first moves, which change on the board. */
function described(kept, own) {
  const { game, name } = kept,
    { opening, plies } = mainLine(game);
  const date = new Date(timeOf(kept)).toLocaleString(text.language, { dateStyle: "medium", timeStyle: "short" }),
    time = game.tree.loaded && !game.played ? text.imported : date;
  const result = isEnded(kept) ? game.tree.result.replace("1/2-1/2", "½-½") : game.played ? text.inProgress : "";
  return [playersOf(game), result, name === own && !isEnded(kept) ? time : text.keptFacts(time, plies, opening)];
}

export const keptTitle = (kept) => described(kept).filter(Boolean).join(" · ");

/** The sort orders of the list, as comparison functions. */
const ORDERS = {
  latest: (a, b) => timeOf(b) - timeOf(a),
  players: (a, b) => playersOf(a.game).localeCompare(playersOf(b.game)),
  length: (a, b) => mainLine(b.game).plies - mainLine(a.game).plies,
};

export class KeptGames {
  /**
   * `own` is the name of the game on the board. `resume` receives the name of a game that was chosen. Games that were only
   * read are not listed.
   */
  constructor({ own, resume }) {
    this.own = own;
    this.resume = resume;
    const isListed = ({ game: { tree, played } }) => tree.nodes.length > 1 && (played || !tree.source);
    this.games = kept().filter(isListed);
    this.order = "latest";
    this.list = h("ul", { class: "plain kept-list" });
    this.count = h("p", { class: "soft", role: "status" });
    this.search = searchField(text.keptFilter, () => this.draw());
    const orders = select(Object.entries(text.keptOrders), this.order, (order) => {
      this.order = order;
      this.draw();
    });
    this.element = h(
      "div",
      { class: "stack" },
      h("h3", { text: text.kept }),
      h(
        "div",
        { class: "row", hidden: !this.games.length },
        this.search,
        field(text.order, orders),
        button(text.saveAll, () => this.saveAll()),
      ),
      this.count,
      this.list,
    );
    this.draw();
  }

  /** Returns the games that match the search, pinned games first. */
  found() {
    const wanted = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (kept) => wanted.every((word) => keptTitle(kept).toLowerCase().includes(word));
    return this.games.filter(fits).sort((a, b) => b.pinned - a.pinned || ORDERS[this.order](a, b));
  }

  draw() {
    const found = this.found();
    this.count.textContent = text.keptCount(found.length, this.games.length);
    put(
      this.list,
      found.map((kept) => this.row(kept)),
    );
  }

  row(kept) {
    const { name, pinned } = kept,
      title = keptTitle(kept);
    const words = described(kept, this.own).map((words) => h("span", { text: words }));
    return h(
      "li",
      { class: "kept", "aria-current": name === this.own && "true" },
      iconButton("pin", pinned ? text.unpin(title) : text.pinGame(title), () => this.pin(kept), {
        "aria-pressed": String(pinned),
      }),
      button(words, () => this.resume(name), { class: "link grow", title }),
      name !== this.own && iconButton("remove", text.deleteGame(title), () => this.remove(kept)),
    );
  }

  pin(kept) {
    kept.pinned = !kept.pinned;
    pin(kept.name, kept.pinned);
    this.draw();
    this.list.children[this.found().indexOf(kept)]?.querySelector("button").focus();
  }

  async remove(kept) {
    if (!(await confirm(text.deleteAsk, text.remove, { kind: "danger", details: keptTitle(kept) }))) return;
    discard(kept.name);
    this.games = this.games.filter((other) => other !== kept);
    this.draw();
    this.search.focus();
  }

  /** Saves all games that match the search to one file. */
  saveAll() {
    const games = this.found();
    if (games.length) save(games.map(({ game, when }) => pdnOf(game, when)).join("\n"), PDN_TYPE, text.collectionName);
  }
}
