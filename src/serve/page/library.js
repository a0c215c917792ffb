// The dialog for games as PDN: read them from a text or a file, choose one, copy or save the one on the board.

import { button, h, put } from "./dom.js";
import { copy, open } from "./dialog.js";
import { read, write } from "./pdn.js";
import { kept } from "./store.js";
import { text } from "./text.js";

const LARGEST = 16 * 1024 * 1024;
const SHOWN = 200;

/** Opens the dialog. `game` is {tree, tags, result} of the board, `load` takes a tree, `resume` a kept game's name. */
export function library({ game, load, resume, own, file }) {
  const area = h("textarea", { rows: "6", "aria-label": text.pdn, placeholder: text.pasteHelp, spellcheck: "false" });
  const chooser = h("input", { type: "file", accept: ".pdn,.txt,text/plain", class: "unseen", tabindex: "-1", "aria-hidden": "true", onchange: () => chooser.files[0] && take(chooser.files[0]) });
  const found = h("div", { class: "found" });
  const save = () => {
    const address = URL.createObjectURL(new Blob([words()], { type: "application/x-pdn" }));
    h("a", { href: address, download: text.fileName }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
  const words = () => write(game.tree, game.tags, game.result);
  const copier = button(text.copyPdn, () => copy(words(), copier));
  const earlier = kept().filter(({ name, game }) => name !== own && game.tree?.nodes.length > 1);
  const content = h("div", { class: "stack" },
    area, h("div", { class: "row" }, button(text.readIt, () => readText(area.value), { class: "primary" }), button(text.openFile, () => chooser.click()), chooser),
    found,
    h("h3", { text: text.thisGame }), h("div", { class: "row" }, copier, button(text.savePdn, save)),
    earlier.length > 0 && h("h3", { text: text.kept }),
    earlier.length > 0 && h("ul", { class: "plain" }, earlier.slice(0, 12).map(({ name, when, game }) => h("li", {}, button(`${new Date(when).toLocaleString()} · ${describe(game)}`, () => {
      shown.close();
      resume(name);
    }, { class: "link" })))));
  const shown = open(text.gamesTitle, content, [button(text.dismiss, () => shown.close())]);

  async function take(file) {
    if (file.size > LARGEST) return shown.fail(text.tooBig);
    await readText(await file.arrayBuffer());
  }

  async function readText(body) {
    shown.fail("");
    put(found, h("p", { text: text.loading }));
    try {
      const answer = await fetch("/games", { method: "POST", body });
      if (!answer.ok) throw new Error((await answer.text()).trim());
      list(await answer.json());
    } catch (error) {
      put(found);
      shown.fail(text.unreadable(error.message));
    }
  }

  function list({ games, faults, more }) {
    const tag = (game, name) => game.tags.find(([known]) => known === name)?.[1] ?? text.unknown;
    const rows = games.map((game) => ({ game, cells: [String(game.number), tag(game, "Black"), tag(game, "White"), tag(game, "Event"), tag(game, "Date"), game.result, text.length(game.plies.length, game.complete)] }));
    const body = h("tbody");
    const filter = h("input", { type: "search", "aria-label": text.filter, placeholder: text.filter, oninput: () => draw() });
    const draw = () => {
      const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fitting = rows.filter(({ cells }) => wanted.every((word) => cells.join(" ").toLowerCase().includes(word)));
      count.textContent = text.found(fitting.length, faults.length);
      put(body, fitting.slice(0, SHOWN).map(({ game, cells }) => h("tr", {}, h("td", {}, button(text.load, () => use(game), { "aria-label": `${text.load}: ${cells.join(", ")}` })), cells.map((cell) => h("td", { text: cell })))));
    };
    const count = h("p", { role: "status" });
    put(found, count, more && h("p", { text: text.manyMore }),
      faults.length > 0 && h("ul", { class: "faults", tabindex: "0" }, faults.slice(0, SHOWN).map((fault) => h("li", { text: text.faultAt(fault) }))),
      games.length > 1 && filter,
      games.length > 0 && h("div", { class: "wide", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, h("td"), text.columns.map((name) => h("th", { scope: "col", text: name })))), body)));
    draw();
    if (games.length === 1 && !faults.length) use(games[0]);
  }

  function use(game) {
    shown.close();
    load(read(game));
  }

  if (file) take(file);
}

const describe = (game) => `${text.opponentName(game.players?.b ?? {})} – ${text.opponentName(game.players?.w ?? {})}, ${game.tree.nodes.length - 1}`;
