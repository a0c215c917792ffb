// Opens the dialogs with what they need of the game on the board, and does what they choose.

import * as games from "./games.js";
import { library } from "./library.js";
import * as link from "./link.js";
import { go } from "./navigate.js";
import { newGame } from "./newgame.js";
import { picture } from "./picture.js";
import { changePlayers } from "./players.js";
import { preferences, prefer } from "./preferences.js";
import { rules } from "./program.js";
import { setUp } from "./setup.js";
import { state, update } from "./state.js";
import { START, Tree } from "./tree.js";

export function openNewGame() {
  const { game, facts, flipped, engines, declared } = state;
  const { players, pace } = preferences;
  newGame({ players, pace, flipped, engines, declared, here: game.tree && facts?.fen, rules, begin: (chosen) => {
    update({ mode: "play" });
    games.beginNew(chosen);
  } });
}

export function openPlayers() {
  const { game, engines, declared } = state;
  changePlayers(game.players, engines, declared, (players) => {
    game.change(players);
    prefer({ players });
    go(state.current);
  });
}

export function openSetUp() {
  setUp(state.facts?.fen ?? START, state.flipped, rules, {
    study: (fen) => {
      update({ mode: "study" });
      games.study(new Tree(fen));
    },
    play: (fen) => {
      update({ mode: "play" });
      games.begin({ tree: new Tree(fen), players: state.game.players, pace: state.game.pace });
    },
  });
}

/** Opens the dialog for games, with PDN as a text or a file if there is any. */
export function openLibrary(input) {
  const { game: { tree }, facts, current, name, flipped } = state;
  const { move } = tree.node(current);
  library({
    game: { tree, tags: games.tags(), fen: facts?.fen, link: link.write(tree, current), picture: () => picture(facts.fen, { flipped, move }) },
    own: name, input, load: games.load, resume: games.resume,
  });
}
