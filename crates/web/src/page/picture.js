// The position as a picture: a self-contained SVG file.

import { boardMarkup, ends, readFen } from "./diagram.js";

/** Returns the styles and the pieces that a picture needs. */
export function pictureDefinitions() {
  const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith("/style.css"));
  const style = [...sheet.cssRules].map(({ cssText }) => cssText).join("\n");
  return `<style>${style}</style>${document.querySelector("svg.unseen").innerHTML}`;
}

/** Returns a position as SVG, with the last move, oriented as on the page. */
export function picture(fen, { flipped, move }) {
  const [from, to] = move ? ends(move) : [];
  const board = boardMarkup({ ...readFen(fen), from, to }, { flipped });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="640" height="640">${pictureDefinitions()}${board}</svg>\n`;
}
