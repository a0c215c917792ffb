// Opens the dialogs with the data that they need from the game on the board, and acts on the user's choices.

import * as games from "./games.js";
import { library } from "./library.js";
import * as link from "./link.js";
import { go } from "./navigate.js";
import { newGame } from "./newgame.js";
import { picture } from "./picture.js";
import { PERSON, changePlayers } from "./players.js";
import { preferences, prefer } from "./preferences.js";
import { rules } from "./program.js";
import { setUp } from "./setup.js";
import { drawSheet, prepare, sheetPicture } from "./sheet.js";
import { state, update } from "./state.js";
import { START, Tree } from "./tree.js";

/** The opponent's level when a position is played out, unless the user chooses another one. */
const OPPONENT = { kind: "level", level: 7 };

/** Opens the dialog for a game from the position on the board. The user plays the side to move. */
export function openPlayOut() {
  const side = state.facts?.side ?? "b";
  const players = side === "b" ? { b: PERSON, w: OPPONENT } : { b: OPPONENT, w: PERSON };
  openNewGame({ players, from: "continued", flipped: side === "b" });
}

export function openNewGame({ players = preferences.players, from = "start", flipped = state.flipped } = {}) {
  const { game, facts, engines, declared } = state;
  const { pace } = preferences;
  const begin = (chosen) => {
    // Changing the mode goes to the end of the game, so save the current node first.
    const { current } = state;
    update({ mode: "play" });
    games.beginNew({ ...chosen, current });
  };
  newGame({ players, pace, from, flipped, engines, declared, here: game.tree && facts?.fen, rules, begin });
}

export function openPlayers() {
  const { game, engines, declared } = state;
  changePlayers(game.players, engines, declared, (players) => {
    game.change(players);
    prefer({ players });
    go(state.current);
  });
}

const studyFen = (fen) => games.study(new Tree(fen));

export function openSetUp() {
  setUp(state.facts?.fen ?? START, state.flipped, rules, {
    study: studyFen,
    play: (fen) => {
      update({ mode: "play" });
      games.begin({ tree: new Tree(fen), players: state.game.players, pace: state.game.pace });
    },
  });
}

/** Puts the game on the board on the sheet for the printer. */
export const printSheet = () => drawSheet(state.game, games.tags(), state.flipped);

/** Opens the dialog for games, optionally with PDN as a text or a file. */
export function openLibrary(input) {
  const { game, facts, current, name, flipped } = state;
  const { tree } = game,
    { move } = tree.node(current);
  library({
    game: {
      tree,
      tags: games.tags(),
      fen: facts?.fen,
      link: () => link.write(tree, current, games.tags()),
      picture: () => picture(facts.fen, { flipped, move }),
      diagrams: () => prepare(tree, rules).then(() => sheetPicture(tree, flipped)),
      print: async () => {
        await prepare(tree, rules);
        printSheet();
        print();
      },
    },
    own: name,
    input,
    load: games.load,
    resume: games.resume,
    study: studyFen,
    check: async (fen) => (await rules.check(fen.trim())).fen,
  });
}
