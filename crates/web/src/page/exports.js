// The ways to copy, save and print the game on the board.

import { boardMarkup, ends, readFen } from "./diagram.js";
import { copy, open, save } from "./dialog.js";
import { box, button, h, s } from "./dom.js";
import { tags } from "./games.js";
import { PDN_TYPE, namesOf } from "./kept.js";
import * as link from "./link.js";
import { arrowsOf, isMarked } from "./marks.js";
import { MoveList } from "./movelist.js";
import * as pdn from "./pdn.js";
import { rules } from "./program.js";
import { state } from "./state.js";
import { joined, text } from "./text.js";

/** The number of moves between two diagrams of a game without marks. */
const EVERY = 10;

/** Returns the nodes of the main line that get diagrams: the marked ones, or else every tenth move; and the last. */
function chosen(tree) {
  const line = tree.whole(0),
    last = line.length - 1;
  const marked = line.filter((id) => isMarked(tree.node(id)));
  const some = marked.length ? marked : line.filter((_, ply) => ply && ply % (2 * EVERY) === 0);
  return line.filter((id, ply) => some.includes(id) || ply === last);
}

function markup({ fen, move }, options) {
  const [from, to] = move ? ends(move) : [];
  return boardMarkup({ ...readFen(fen), from, to }, options);
}

/** Returns a position as an SVG file with the styles and the pieces of boards, oriented as on the page. */
function picture(node, flipped) {
  const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith("/style.css")),
    style = [...sheet.cssRules].map(({ cssText }) => cssText).join("\n"),
    contents = document.querySelector("svg.unseen").innerHTML + markup(node, { flipped });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="640" height="640"><style>${style}</style>${contents}</svg>\n`;
}

/** Puts the game on the board on a sheet, which is visible only on paper, with the diagrams whose positions are known. */
export function printSheet() {
  const { game, flipped } = state,
    { tree } = game,
    known = tags(),
    list = new MoveList(() => {});
  list.draw(game, -1);
  const figures = chosen(tree)
    .map((id) => tree.node(id))
    .filter(({ fen }) => fen)
    .map((node) => {
      const picture = s("svg", { viewBox: "0 0 320 320" });
      picture.innerHTML = markup(node, { flipped, arrows: arrowsOf(node) });
      return h("figure", {}, h("figcaption", { text: text.moveTitle(tree, node.id) }), picture);
    });
  const facts = [known.Event, known.Date, known.Round, known.Result].filter((value) => value !== text.unknown);
  const title = h("h1", { text: `${known.Black} – ${known.White}` }),
    sheet = box("sheet", title, h("p", { text: joined(facts, " · ") }), list.element, box("figures", figures));
  document.querySelector(".sheet")?.remove();
  document.body.append(sheet);
}

export function openExports() {
  const { game, facts, current, flipped } = state;
  const { tree } = game,
    { move } = tree.node(current);
  const words = () => pdn.write(tree, tags());
  const area = h("textarea", { rows: "3", "aria-label": text.pdn, hidden: true });
  const copying =
    (words) =>
    async ({ currentTarget }) =>
      copy(await words(), currentTarget, area);
  const ways = {
    copyPdn: copying(words),
    savePdn: () => save(words(), PDN_TYPE, text.fileName),
    copyLink: copying(() => link.write(tree, current, tags())),
    ...(facts && {
      copyFen: copying(() => facts.fen),
      saveSvg: () => save(picture({ fen: facts.fen, move }, flipped), "image/svg+xml", text.svgName),
    }),
    print: async () => {
      shown.close();
      for (const id of chosen(tree)) tree.node(id).fen ??= (await rules.facts(tree.position(id))).fen;
      printSheet();
      print();
    },
  };
  const rows = Object.entries(ways).flatMap(([way, act]) => {
    const [name, help] = text.exports[way];
    return [button(name, act), h("p", { class: "soft", text: help })];
  });
  const shown = open(text.thisGame(namesOf(game)), box("exports", rows, area), [], text.close);
}
