// The moves of the game with its variations. Each is a button that goes to its position.

import { h, put } from "./dom.js";
import { text } from "./text.js";
import { short } from "./score.js";

const DEEPEST = 30;

export class MoveList {
  constructor(go) {
    this.go = go;
    this.element = h("div", { class: "moves", role: "group", "aria-label": text.moves });
  }

  draw(tree, current) {
    this.tree = tree;
    this.current = current;
    const parts = [...this.comment(tree.node(0).comment)];
    this.line(0, parts, true, 0);
    if (parts.length && tree.result && tree.result !== "*") parts.push(h("span", { class: "result", text: tree.result }));
    put(this.element, parts.length ? parts : [h("p", { class: "soft", text: text.noMoves })]);
    this.follow();
  }

  /** Scrolls the current move into view, inside the list alone. */
  follow() {
    const move = this.element.querySelector("[aria-current]")?.getBoundingClientRect();
    if (!move) return void (this.element.scrollTop = 0);
    const box = this.element.getBoundingClientRect();
    if (move.top < box.top || move.bottom > box.bottom) this.element.scrollTop += (move.top + move.bottom - box.top - box.bottom) / 2;
  }

  /** Adds the moves after a node: the first child, then the others in brackets, then the moves after the first. */
  line(from, parts, numbered, depth) {
    for (let at = from; this.tree.node(at).children.length; ) {
      const [main, ...others] = this.tree.node(at).children;
      parts.push(this.entry(main, numbered));
      numbered = Boolean(this.tree.node(main).comment);
      for (const other of others) {
        const inner = [this.entry(other, true)];
        if (depth < DEEPEST) this.line(other, inner, Boolean(this.tree.node(other).comment), depth + 1);
        parts.push(h("span", { class: "variation" }, "(", inner, ")"));
        numbered = true;
      }
      at = main;
    }
  }

  comment(words) {
    return words ? [h("span", { class: "comment", text: words })] : [];
  }

  entry(id, numbered) {
    const node = this.tree.node(id);
    const side = this.tree.side(node.parent), number = this.tree.number(id);
    const label = side === "b" ? `${number}.` : numbered ? `${number}…` : "";
    const glyph = (node.glyphs ?? []).map((glyph) => text.glyphs[glyph] ?? "").join("");
    const name = text.moveTitle(number, text.sides[side], node.move);
    const move = h("button", { type: "button", class: "move", "aria-label": name, title: node.score ? short(node.score) : undefined, "aria-current": id === this.current && "step", onclick: () => this.go(id) }, node.move + glyph);
    return h("span", { class: "ply" }, this.comment(node.before), label && h("span", { class: "soft", text: label, "aria-hidden": "true" }), move, this.comment(node.comment));
  }
}
