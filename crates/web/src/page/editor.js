// Edits of the moves: the main line, deletion, marks and comments, each of which can be undone, and their controls.

import { button, field, h, select } from "./dom.js";
import { text } from "./text.js";
import { Tree } from "./tree.js";

const MOST_UNDONE = 100;

export class Editor {
  /** `shown` returns the node on the board, `go` shows another. */
  constructor(game, { shown, go }) {
    Object.assign(this, { game, shown, go });
    this.history = [];
    this.promoteButton = button(text.promote, () => this.promote(), { title: text.promoteHelp });
    this.removeButton = button(text.remove, () => this.remove(), { title: text.removeHelp });
    this.undoButton = button(text.undo, () => this.undo(), { title: text.undoHelp });
    const marks = Object.entries(text.glyphs).map(([id, glyph]) => [id, `${glyph} ${text.glyphNames[id]}`]);
    this.glyphs = select([["", text.noGlyph], ...marks], "", (id) => this.annotate({ glyphs: id ? [Number(id)] : undefined }));
    // The board may go on while a comment is typed. It belongs to the move that was shown at the beginning.
    let commented = 0;
    this.comment = h("input", {
      type: "text", autocomplete: "off", onfocus: () => { commented = this.shown(); },
      onchange: () => this.annotate({ comment: this.comment.value.trim() || undefined }, commented),
    });
    this.fields = [field(text.glyph, this.glyphs), field(text.comment, this.comment, { class: "field grow" })];
    this.buttons = [this.promoteButton, this.removeButton, this.undoButton];
  }

  /** Brings the controls up to date. */
  refresh() {
    const { tree } = this.game, id = this.shown(), node = tree.node(id);
    this.promoteButton.disabled = tree.isMain(id);
    this.removeButton.disabled = this.glyphs.disabled = id === 0;
    this.undoButton.disabled = !this.history.length;
    this.glyphs.value = node.glyphs?.find((glyph) => text.glyphs[glyph]) ?? "";
    if (document.activeElement !== this.comment) this.comment.value = node.comment ?? "";
  }

  /** Remembers the moves, so that a change can be undone. */
  remember() {
    const { tree, tip } = this.game;
    this.history.push({ tree: JSON.stringify(tree), current: this.shown(), tip });
    if (this.history.length > MOST_UNDONE) this.history.shift();
  }

  /** Forgets all changes, for another game. */
  forget() {
    this.history = [];
  }

  /** Changes the tree of moves. `change` returns the node to show. */
  edit(change) {
    this.remember();
    const shown = change(this.game.tree);
    // The end of the game may have been removed.
    if (!this.game.tree.has(this.game.tip)) this.game.playFrom(shown);
    return this.go(shown);
  }

  promote() {
    this.edit((tree) => {
      tree.promote(this.shown());
      return this.shown();
    });
  }

  remove() {
    this.edit((tree) => {
      tree.remove(this.shown());
      return tree.node(this.shown()).parent;
    });
  }

  annotate(change, id = this.shown()) {
    this.edit((tree) => {
      tree.annotate(id, change);
      return this.shown();
    });
  }

  /** Adds a line of the analysis to the tree and shows its first move. */
  addLine({ tree, node }, moves) {
    if (tree !== this.game.tree || !moves.length) return;
    this.edit(() => {
      moves.reduce((at, move) => tree.add(at, move), node);
      return tree.node(node).children.find((id) => tree.node(id).move === moves[0]);
    });
  }

  undo() {
    const before = this.history.pop();
    if (!before) return;
    this.game.halt();
    this.game.tree = Tree.revive(JSON.parse(before.tree));
    this.game.tip = before.tip;
    this.go(before.current);
  }
}
