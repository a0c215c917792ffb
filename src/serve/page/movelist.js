// The moves of the game, with its variations, each a button that goes there.

import { h, put } from "./dom.js";
import { text } from "./text.js";
import { short } from "./score.js";

const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

/** The list; `go` hears which position is wanted. */
export class MoveList {
  constructor(go) {
    this.go = go;
    this.element = h("div", { class: "moves", role: "group", "aria-label": text.moves });
  }

  draw(tree, current) {
    this.tree = tree;
    this.current = current;
    const parts = [];
    if (tree.node(0).comment) parts.push(h("span", { class: "comment", text: tree.node(0).comment }));
    this.line(0, parts, true, 0);
    if (parts.length && tree.result && tree.result !== "*") parts.push(h("span", { class: "result", text: tree.result }));
    put(this.element, parts.length ? parts : [h("p", { class: "soft", text: text.noMoves })]);
    const on = this.element.querySelector("[aria-current]");
    if (on) {
      const box = this.element, top = on.offsetTop - box.offsetTop;
      if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 30) box.scrollTop = top - box.clientHeight / 2;
    }
  }

  /** The moves after a node: the first child, then the others in brackets, then what follows the first. */
  line(from, parts, numbered, depth) {
    for (let at = from; this.tree.node(at).children.length; ) {
      const [main, ...others] = this.tree.node(at).children;
      parts.push(this.entry(main, numbered));
      numbered = Boolean(this.tree.node(main).comment);
      for (const other of others) {
        const inner = [this.entry(other, true)];
        if (depth < 30) this.line(other, inner, Boolean(this.tree.node(other).comment), depth + 1);
        parts.push(h("span", { class: "variation" }, "(", inner, ")"));
        numbered = true;
      }
      at = main;
    }
  }

  entry(id, numbered) {
    const node = this.tree.node(id);
    const side = this.tree.side(node.parent), number = this.tree.number(id);
    const label = side === "b" ? `${number}.` : numbered ? `${number}…` : "";
    const glyph = (node.glyphs ?? []).map((glyph) => GLYPHS[glyph] ?? "").join("");
    const name = text.moveTitle(number, text.sides[side], node.move);
    const move = h("button", { type: "button", class: "move", "aria-label": name, title: node.score ? short(node.score) : undefined, "aria-current": id === this.current && "step", onclick: () => this.go(id) }, node.move + glyph);
    const comment = node.comment ? h("span", { class: "comment", text: node.comment }) : null;
    return h("span", { class: "ply" }, label && h("span", { class: "soft", text: label, "aria-hidden": "true" }), move, comment);
  }
}
