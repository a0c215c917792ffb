// A game with all its variations: a tree of positions, each reached by a move.

export const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

/** @type {Record<import('./types.d.ts').Side, import('./types.d.ts').Side>} */
export const OTHER_SIDE = { b: "w", w: "b" };

/** @type {Record<string, import('./types.d.ts').Side>} the winner of a game by its result */
export const WINNERS = { "1-0": "b", "0-1": "w" };

/** The tags of PDN that name the players. */
export const PLAYER_TAGS = { b: "Black", w: "White" };

/** The fields of a node that a review sets. */
const REVIEWED = "verdict words better checked score by nodes depth accuracy best lines listed reviewed".split(" ");

export class Tree {
  constructor(start) {
    this.start = start;
    this.first = 1;
    /** @type {import('./types.d.ts').TreeNode[]} */
    this.nodes = [{ id: 0, parent: -1, move: "", children: [], fen: start }];
    this.tags = {};
    this.result = undefined;
    /** Whether the game was read from PDN, in which case its main line, tags and result are kept. */
    this.loaded = false;
    /** The text that the game was read from. */
    this.source = undefined;
    /** Whether the game was changed after it was read. */
    this.edited = false;
  }

  static revive({ start, nodes, tags, result, loaded = false, source, edited = !source }) {
    const tree = new Tree(start);
    tree.nodes = nodes.map(([parent, move, more], id) => ({ id, parent, move, children: [], ...more }));
    for (const node of tree.nodes.slice(1)) tree.nodes[node.parent].children.push(node.id);
    for (const node of tree.nodes) if (node.order) node.children = node.order;
    return Object.assign(tree, { tags: tags ?? {}, result, loaded, source, edited });
  }

  toJSON() {
    const { start, tags, result, loaded, source, edited } = this;
    const entry = ({ id, parent, move, children, ...more }) => [parent, move, { ...more, order: children }];
    return { start, tags, result, loaded, source, edited, nodes: this.nodes.map(entry) };
  }

  node(id) {
    return this.nodes[id];
  }

  child(parent, move) {
    return this.nodes[parent]?.children.find((id) => this.nodes[id].move === move);
  }

  /** Returns the node after a move, and adds it if it is new. */
  add(parent, move, more) {
    return this.child(parent, move) ?? this.append(parent, move, more);
  }

  /** Adds moves after a node, as far as they are new; returns the last one. */
  extend(from, moves, more) {
    return moves.reduce((at, move) => this.add(at, move, more), from);
  }

  /** Adds a node, even if another one has the same move, as is possible in PDN. */
  append(parent, move, more) {
    const id = this.nodes.length;
    this.nodes.push({ id, parent, move, children: [], ...more });
    this.nodes[parent].children.push(id);
    this.edited = true;
    return id;
  }

  line(id) {
    const line = [];
    for (let at = id; at >= 0; at = this.nodes[at].parent) line.unshift(at);
    return line;
  }

  /** Returns the line through a node, continued to its end by the children that `next` chooses, by default the first ones. */
  whole(id, next = (children) => children[0]) {
    const line = this.line(id);
    for (let at = id; this.nodes[at].children.length;) line.push((at = next(this.nodes[at].children)));
    return line;
  }

  /** Returns the reviewed line that a node is on or leaves; without a review, the line through the node. */
  reviewedLine(id) {
    const isReviewed = (at) => this.nodes[at].reviewed,
      start = this.line(id).findLast(isReviewed) ?? 0,
      line = this.whole(start, (children) => children.find(isReviewed) ?? children[0]);
    return line.some(isReviewed) ? line : this.whole(id);
  }

  /** Returns the place on a line of a node, or of the position at which its variation leaves the line. */
  placeOn(line, id) {
    const moves = this.line(id);
    return line.findLastIndex((at) => moves.includes(at));
  }

  ply(id) {
    return this.line(id).length - 1;
  }

  /** Returns the node that moves lead to, or the root if the game lacks one of them. */
  end(moves) {
    return moves.reduce((at, move) => this.child(at, move), 0) ?? 0;
  }

  /** Makes the line to a node the main line wherever it branches. */
  promote(id) {
    for (const at of this.line(id).slice(1)) {
      const siblings = this.nodes[this.nodes[at].parent].children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
    this.edited = true;
  }

  /** Returns whether a node is part of the game and has not been removed. */
  has(id) {
    return this.line(id).every((at) => !at || this.nodes[this.nodes[at].parent].children.includes(at));
  }

  /** Returns whether a node and all nodes after it are a line of a review that the user has not changed. */
  isUntouched(id) {
    const { engine, comment, glyphs, arrows, children } = this.nodes[id];
    return (
      Boolean(engine) && !comment && !glyphs?.length && !arrows && children.every((child) => this.isUntouched(child))
    );
  }

  /** Removes a node and all nodes after it. Their numbers are not reused. */
  remove(id) {
    const { parent } = this.nodes[id];
    this.nodes[parent].children = this.nodes[parent].children.filter((child) => child !== id);
    this.edited = true;
  }

  annotate(id, change) {
    Object.assign(this.nodes[id], change);
    this.edited = true;
  }

  /** Returns the nodes per position of the review that has the moves after a node; 0 without one. */
  reviewedNodes(id) {
    return Math.max(0, ...this.nodes[id].children.map((at) => this.nodes[at].nodes ?? 0));
  }

  /** Removes what a review says about the moves after a node, with its lines that the user has not changed. */
  dropReview(id) {
    for (const at of this.nodes[id].children) {
      if (this.isUntouched(at)) this.remove(at);
      else if (this.nodes[at].reviewed) for (const field of REVIEWED) delete this.nodes[at][field];
    }
  }

  /** Adds the contents of another copy of the game. Different comments are joined; of two reviews, the deeper one stays. */
  merge(other) {
    const found = [0];
    for (const { id, parent, move, children, ...more } of other.nodes) {
      if (id && (found[parent] === undefined || !other.has(id))) continue;
      const node = this.nodes[(found[id] = id ? this.add(found[parent], move) : 0)],
        { comment = "" } = node,
        [own, others] = [this.reviewedNodes(node.id), other.reviewedNodes(id)];
      if (others > own) this.dropReview(node.id);
      else if (own) other.dropReview(id);
      Object.assign(node, { ...more, ...node });
      if (more.comment?.includes(comment)) node.comment = more.comment;
      else if (more.comment && !comment.includes(more.comment)) node.comment = `${comment} / ${more.comment}`;
    }
    this.tags = { ...other.tags, ...this.tags };
    this.result ??= other.result;
    return this;
  }

  isMain(id) {
    return this.line(id).every((at) => !at || this.nodes[this.nodes[at].parent].children[0] === at);
  }

  moves(id) {
    const nodes = this.line(id).slice(1);
    return nodes.map((at) => this.nodes[at].move);
  }

  position(id) {
    const moves = this.moves(id);
    return `position fen ${this.start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
  }

  /** Returns the side to move at a node: "b" or "w". */
  side(id) {
    return (this.ply(id) % 2 === 0) === (this.start[0] === "B") ? "b" : "w";
  }

  mover(id) {
    return this.side(this.nodes[id].parent);
  }

  /** Returns the number of the move that leads to a node, or of one that is played `later` plies after it. */
  number(id, later = 0) {
    return Math.floor((this.ply(id) - 1 + later + Number(this.start[0] === "W")) / 2) + this.first;
  }
}
