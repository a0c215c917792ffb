// The page: creates its parts and connects them. Their shared state is in `state.js`.

import { Analysis } from "./analysis.js";
import { describePosition } from "./describe.js";
import { forget } from "./editor.js";
import { h, labelButton } from "./dom.js";
import { Explorer } from "./explorer.js";
import { openExports, printSheet } from "./exports.js";
import * as games from "./games.js";
import { Library, openImport, recentGames } from "./library.js";
import { flip, go, STEP_KEYS } from "./navigate.js";
import { openNewGame, openPlayOut } from "./newgame.js";
import { giveHint, showThreat } from "./play.js";
import { PlayPanel } from "./playpanel.js";
import { preferences } from "./preferences.js";
import { identify } from "./program.js";
import { Puzzles } from "./puzzle.js";
import { Review } from "./review.js";
import { openSettings } from "./settings.js";
import { openSetUp } from "./setup.js";
import { Shell, addressed, showMode, wide } from "./shell.js";
import { state, subscribe, update } from "./state.js";
import { statusLine } from "./status.js";
import { StudyPanel } from "./studypanel.js";
import { Table } from "./table.js";
import { text } from "./text.js";

const table = new Table();
const explorer = new Explorer(() => library.openConditions());
const review = new Review((mistakes, node) => puzzles.solve(mistakes, node));
const analysis = new Analysis();
const exporter = (props) =>
  labelButton("save", text.exportGame, () => openExports(), { title: text.exportHelp, ...props });
const playPanel = new PlayPanel({
  rematch: games.rematch,
  review: () => {
    update({ tab: "review" });
    showMode("study");
    review.run();
  },
  exporter: exporter({ class: "on-phone" }),
});
const studyPanel = new StudyPanel({
  analysis,
  contents: { explorer: explorer.element, review: review.element },
});
const puzzles = new Puzzles();
/** The user's games, next to the board on a wide page. */
const recent = h("section", { class: "aside recent", "aria-label": text.kept });
const library = new Library();

new Shell({
  views: {
    play: { table: table.element, side: [statusLine, playPanel.element], aside: recent },
    study: {
      table: table.element,
      side: [statusLine, studyPanel.element],
      aside: studyPanel.aside,
      slot: studyPanel.slot,
    },
    puzzles: { table: puzzles.table, side: [puzzles.panel], aside: puzzles.aside, slot: puzzles.slot },
    library: { side: [library.element] },
  },
  actions: {
    play: [labelButton("plus", text.newGame, () => openNewGame(), { class: "primary" }), exporter({ class: "spare" })],
    study: [
      exporter(),
      labelButton("setUp", text.setUp, () => openSetUp()),
      labelButton("play", text.playOut, () => openPlayOut(), { title: text.playOutHelp }),
    ],
    puzzles: [],
    library: [labelButton("plus", text.importGames, () => openImport(), { class: "primary" })],
  },
  settings: openSettings,
  again: (mode) => state.retrying && (mode === "study" ? puzzles.leave() : mode === "puzzles" && puzzles.leaveGame()),
});

subscribe(["mode", "name"], () => {
  const { mode, game, current } = state;
  if (state.hint) update({ hint: null });
  if (mode === "puzzles") puzzles.open();
  else puzzles.close();
  // A game resumes where it was left.
  if (mode === "play" && game.tree && current !== game.tip) go(game.tip);
});
subscribe(["left"], forget);
// The pieces may have another form.
subscribe(["flipped"], () => puzzles.board.draw());
subscribe(["offline"], () => !state.offline && state.game.tree && go(state.current));

const game = { ...STEP_KEYS, f: flip };
/** The actions of the keys in each mode. */
const KEYS = {
  play: { ...game, h: giveHint },
  study: { ...game, a: () => analysis.toggle(!analysis.active), n: () => review.next(), x: showThreat },
  puzzles: { ...puzzles.keys, f: () => puzzles.flip() },
};

const dialogOpen = () => document.querySelector("dialog[open]");
const typing = (event) => event.target.closest?.("input, select, textarea");

/** Handles the keys, and games that are pasted or dropped anywhere on the page. */
function onInput() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event) || dialogOpen())
      return;
    const action = KEYS[state.mode]?.[event.key];
    if (!action || (event.key.length === 1 && !preferences.shortcuts)) return;
    event.preventDefault();
    action();
  });
  const take = (event, data) => {
    const input = data?.files.length ? [...data.files] : data?.getData("text/plain");
    if (!input || event.defaultPrevented || (dialogOpen() && !dialogOpen().querySelector("textarea"))) return;
    event.preventDefault();
    openImport(input);
  };
  document.addEventListener("paste", (event) => typing(event) || take(event, event.clipboardData));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    take(event, event.dataTransfer);
    event.preventDefault();
  });
}

async function start() {
  onInput();
  addEventListener("hashchange", async () => {
    if (addressed()) return games.enter(addressed());
    const link = await games.linked();
    if (link) games.openLink(link);
  });
  games.keepStored();
  const list = () => state.mode === "play" && wide.matches && recentGames(recent);
  subscribe(["mode", "name", "saved"], list);
  wide.addEventListener("change", list);
  addEventListener("beforeprint", printSheet);
  describePosition();
  await games.first(addressed());
  await identify();
}

start();
