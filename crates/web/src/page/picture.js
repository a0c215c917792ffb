// The position as a picture: an SVG file that needs nothing else.

import { boardMarkup, ends, readFen } from "./diagram.js";

/** Returns a position as SVG, with the last move and the board turned as they are shown. */
export function picture(fen, { flipped, move }) {
  const [from, to] = move ? ends(move) : [];
  const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith("/style.css"));
  const style = [...sheet.cssRules].map(({ cssText }) => cssText).join("\n");
  const pieces = document.querySelector("svg.unseen").innerHTML;
  const board = boardMarkup({ ...readFen(fen), from, to }, { flipped });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="640" height="640"><style>${style}</style>${pieces}${board}</svg>\n`;
}
