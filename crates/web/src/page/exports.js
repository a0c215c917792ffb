// The ways to copy, save and print the game on the board.

import { copy, open, save } from "./dialog.js";
import { box, button, h } from "./dom.js";
import { tags } from "./games.js";
import { PDN_TYPE, namesOf } from "./kept.js";
import * as link from "./link.js";
import * as pdn from "./pdn.js";
import { rules } from "./program.js";
import { drawSheet, picture, prepare, sheetPicture } from "./sheet.js";
import { state } from "./state.js";
import { text } from "./text.js";

const SVG_TYPE = "image/svg+xml";

/** Puts the game on the board on the sheet for the printer. */
export const printSheet = () => drawSheet(state.game, tags(), state.flipped);

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
      saveSvg: () => save(picture({ fen: facts.fen, move }, flipped), SVG_TYPE, text.svgName),
    }),
    saveDiagrams: async () => {
      await prepare(tree, rules);
      save(sheetPicture(tree, flipped), SVG_TYPE, text.diagramsName);
    },
    print: async () => {
      shown.close();
      await prepare(tree, rules);
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
