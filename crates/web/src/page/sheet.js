// Pictures of positions as SVG files; and a game on paper, with diagrams of the positions that are marked.

import { boardMarkup, ends, readFen } from "./diagram.js";
import { box, h, s } from "./dom.js";
import { arrowsOf, remarks, shownGlyphs } from "./marks.js";
import { MoveList } from "./movelist.js";
import { text } from "./text.js";

const EVERY = 10;
const COLUMNS = 3,
  SIZE = 320,
  GAP = 24,
  CAPTION = 28;

/** Returns the nodes of the main line that get diagrams: the marked ones, or else every tenth move; and the last. */
function chosen(tree) {
  const line = tree.whole(0),
    last = line.length - 1;
  const isMarked = (id) =>
    remarks(tree.node(id)) || shownGlyphs(tree.node(id)).length || arrowsOf(tree.node(id)).length;
  const marked = line.filter(isMarked);
  const some = marked.length ? marked : line.filter((_, ply) => ply && ply % (2 * EVERY) === 0);
  return line.filter((id, ply) => some.includes(id) || ply === last);
}

function markup({ fen, move }, options) {
  const [from, to] = move ? ends(move) : [];
  return boardMarkup({ ...readFen(fen), from, to }, options);
}

/** Returns a self-contained SVG file, with the styles and the pieces of boards. */
function svgFile(box, width, height, contents) {
  const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith("/style.css")),
    style = [...sheet.cssRules].map(({ cssText }) => cssText).join("\n"),
    pieces = document.querySelector("svg.unseen").innerHTML;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${box}" width="${width}" height="${height}"><style>${style}</style>${pieces}${contents}</svg>\n`;
}

/** Returns a position as an SVG file, oriented as on the page. */
export const picture = (node, flipped) => svgFile(`${SIZE} ${SIZE}`, 640, 640, markup(node, { flipped }));

/** Returns the diagrams of a game, as far as its positions are known: {title, markup} of each. */
function diagrams(tree, flipped) {
  const diagram = (id) => ({
    title: text.moveTitle(tree, id),
    markup: markup(tree.node(id), { flipped, arrows: arrowsOf(tree.node(id)) }),
  });
  return chosen(tree)
    .filter((id) => tree.node(id).fen)
    .map(diagram);
}

export async function prepare(tree, rules) {
  for (const id of chosen(tree)) tree.node(id).fen ??= (await rules.facts(tree.position(id))).fen;
}

export function sheetPicture(tree, flipped) {
  const all = diagrams(tree, flipped);
  const columns = Math.min(COLUMNS, all.length),
    rows = Math.ceil(all.length / COLUMNS);
  const [wide, high] = [columns * (SIZE + GAP) + GAP, rows * (SIZE + CAPTION + GAP) + GAP];
  const parts = all.map(({ title, markup }, at) => {
    const [x, y] = [GAP + (at % COLUMNS) * (SIZE + GAP), GAP + Math.floor(at / COLUMNS) * (SIZE + CAPTION + GAP)];
    return `<g transform="translate(${x} ${y})"><text x="${SIZE / 2}" y="18" text-anchor="middle" font-family="sans-serif" font-size="16">${title}</text><svg y="${CAPTION}" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}">${markup}</svg></g>`;
  });
  const ground = `<rect width="${wide}" height="${high}" fill="#fff"/>`;
  return svgFile(`${wide} ${high}`, wide, high, ground + parts.join(""));
}

/** Puts a game on a sheet, which is visible only on paper. */
export function drawSheet(game, tags, flipped) {
  const all = diagrams(game.tree, flipped);
  const list = new MoveList(() => {});
  list.draw(game, -1);
  const figures = all.map(({ title, markup }) => {
    const picture = s("svg", { viewBox: `0 0 ${SIZE} ${SIZE}` });
    picture.innerHTML = markup;
    return h("figure", {}, h("figcaption", { text: title }), picture);
  });
  const details = [tags.Event, tags.Date, tags.Round, tags.Result]
    .filter((value) => value && value !== text.unknown)
    .join(" · ");
  const title = h("h1", { text: `${tags.Black} – ${tags.White}` }),
    sheet = box("sheet", title, h("p", { text: details }), list.element, box("figures", figures));
  document.querySelector(".sheet")?.remove();
  document.body.append(sheet);
}
