// A game with all its variations: a tree of positions, each reached by a move.

export class Tree {
  constructor(start) {
    this.start = start;
    this.nodes = [{ id: 0, parent: -1, move: "", children: [], fen: start }];
    this.tags = {};
    /** The result of a game that was read; none once it is played on. */
    this.result = undefined;
  }

  static revive({ start, nodes, tags, result }) {
    const tree = new Tree(start);
    tree.nodes = nodes.map(([parent, move, more], id) => ({ id, parent, move, children: [], ...more }));
    for (const node of tree.nodes.slice(1)) tree.nodes[node.parent].children.push(node.id);
    for (const node of tree.nodes) if (node.order) node.children = node.order;
    tree.tags = tags ?? {};
    tree.result = result;
    return tree;
  }

  /** What is kept of it, as plain data. */
  toJSON() {
    const entry = ({ parent, move, fen, comment, glyphs, score, squares, clock, children }) => [parent, move, { fen, comment, glyphs, score, squares, clock, order: children }];
    return { start: this.start, tags: this.tags, result: this.result, nodes: this.nodes.map(entry) };
  }

  node(id) {
    return this.nodes[id];
  }

  /** The node after a move, made if it isn't there. */
  add(parent, move, more) {
    const known = this.nodes[parent].children.find((id) => this.nodes[id].move === move);
    if (known !== undefined) return known;
    const id = this.nodes.length;
    this.nodes.push({ id, parent, move, children: [], ...more });
    this.nodes[parent].children.push(id);
    return id;
  }

  /** The nodes from the root to a node, both included. */
  line(id) {
    const line = [];
    for (let at = id; at >= 0; at = this.nodes[at].parent) line.unshift(at);
    return line;
  }

  /** The line through a node, followed by first children to its end. */
  whole(id) {
    const line = this.line(id);
    for (let at = id; this.nodes[at].children.length; ) line.push(at = this.nodes[at].children[0]);
    return line;
  }

  /** Plies from the start to a node. */
  ply(id) {
    return this.line(id).length - 1;
  }

  /** Makes the line to a node the main one wherever it branches. */
  promote(id) {
    for (const at of this.line(id).slice(1)) {
      const siblings = this.nodes[this.nodes[at].parent].children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** The protocol's line for a node's position, with the moves that lead to it. */
  position(id) {
    const moves = this.line(id).slice(1).map((at) => this.nodes[at].move);
    return `position fen ${this.start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
  }

  /** Whose move it is at a node: "b" or "w". */
  side(id) {
    const black = this.start[0] === "B";
    return (this.ply(id) % 2 === 0) === black ? "b" : "w";
  }

  /** The number of the move that leads to a node, as games are numbered. */
  number(id) {
    const first = this.start[0] === "B" ? 0 : 1;
    return Math.floor((this.ply(id) - 1 + first) / 2) + 1;
  }
}
