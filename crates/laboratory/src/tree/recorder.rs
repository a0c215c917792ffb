//! Records a search tree.

use super::counts::matching;
use crate::observer::TreeObserver;
use crate::value::{Value, ValueWindow};
use kelso_draughts::board::{Bitboard, Move, Position};
use kelso_draughts::notation::movetext;
use kelso_engine::search::{Bound, NodeEnd};

/// A recorded node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedNode {
    /// Index of the parent, or `None` for a root. A search may enter its root several times.
    pub parent: Option<usize>,
    /// The move that led to the node. Empty for a root.
    pub text: String,
    /// The squares captured by that move.
    pub captured: Bitboard,
    /// Plies from the root.
    pub ply: usize,
    /// Remaining search depth.
    pub depth: usize,
    /// The window, as the side to move sees it.
    pub window: ValueWindow,
    /// The value, as the side to move sees it.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// How the value was determined.
    pub end: NodeEnd,
    /// Whether this is the best of the siblings searched.
    pub best: bool,
    /// Number of hidden nodes below this node that are not below another kept node.
    pub hidden: u64,
}

/// A node that has been entered but not left.
#[derive(Debug)]
struct Open {
    /// Index of the node, if it is kept.
    index: Option<usize>,
    /// The position, if the node is kept.
    position: Option<Position>,
    /// The kept node that counts hidden nodes here: this node or an ancestor.
    counted_to: Option<usize>,
    best: Option<usize>,
    /// How the value was determined, if known so far.
    end: NodeEnd,
}

/// Records the nodes to keep.
#[derive(Debug)]
pub(super) struct Recorder {
    root: Position,
    /// The principal variation, whose nodes are always kept.
    line: Vec<Move>,
    /// All nodes down to this ply are kept.
    pub(super) whole_to: usize,
    /// For each branch that begins one ply below `whole_to`, whether it is kept.
    pub(super) kept: Vec<bool>,
    pub(super) nodes: Vec<RecordedNode>,
    open: Vec<Open>,
    matching: usize,
    branches: usize,
    in_kept: bool,
    /// Index of the node left most recently, if that node was kept.
    left: Option<usize>,
}

impl Recorder {
    pub(super) fn new(root: Position, line: Vec<Move>) -> Self {
        Self {
            root,
            line,
            whole_to: usize::MAX,
            kept: Vec::new(),
            nodes: Vec::new(),
            open: Vec::new(),
            matching: 0,
            branches: 0,
            in_kept: false,
            left: None,
        }
    }

    fn is_kept(&mut self, ply: usize) -> bool {
        if ply <= self.whole_to {
            return true;
        }
        if ply == self.whole_to + 1 {
            self.in_kept = self.kept.get(self.branches).copied().unwrap_or(false);
            self.branches += 1;
        }
        self.in_kept || self.matching == ply
    }
}

impl TreeObserver for Recorder {
    fn enter(&mut self, mv: Option<Move>, ply: usize, depth: usize, window: ValueWindow) {
        self.matching = matching(self.matching, &self.line, mv, ply);
        let index = self.is_kept(ply).then_some(self.nodes.len());
        let above = self.open.last();
        let (parent, before) = above.map_or((None, None), |open| (open.index, open.position));
        let counted_to = index.or(above.and_then(|open| open.counted_to));
        let mut position = None;
        if index.is_some() {
            let (text, after) = match (mv, before) {
                (Some(mv), Some(before)) => (movetext::format(&before, mv), before.after(mv)),
                _ => (String::new(), self.root),
            };
            position = Some(after);
            self.nodes.push(RecordedNode {
                parent,
                text,
                captured: mv.map_or(Bitboard::EMPTY, Move::captured),
                ply,
                depth,
                window,
                value: 0,
                bound: Bound::Exact,
                end: NodeEnd::Searched,
                best: false,
                hidden: 0,
            });
        } else if let Some(node) = counted_to.and_then(|index| self.nodes.get_mut(index)) {
            node.hidden += 1;
        }
        self.open.push(Open { index, position, counted_to, best: None, end: NodeEnd::Searched });
    }

    fn improve(&mut self, _: usize, _: Move) {
        if let Some(open) = self.open.last_mut() {
            open.best = self.left;
        }
    }

    fn end(&mut self, end: NodeEnd) {
        if let Some(open) = self.open.last_mut() {
            open.end = end;
        }
    }

    fn leave(&mut self, value: Value) {
        let Some(open) = self.open.pop() else { return };
        self.left = open.index;
        if let Some(best) = open.best.and_then(|index| self.nodes.get_mut(index)) {
            best.best = true;
        }
        if let Some(node) = open.index.and_then(|index| self.nodes.get_mut(index)) {
            node.value = value;
            node.end = open.end;
            node.bound = match open.end {
                end if estimates(end) && value >= node.window.beta => Bound::Lower,
                end if estimates(end) && value <= node.window.alpha => Bound::Upper,
                _ => Bound::Exact,
            };
        }
    }
}

/// Returns whether a value outside the window is only a bound.
fn estimates(end: NodeEnd) -> bool {
    matches!(end, NodeEnd::Searched | NodeEnd::Cut | NodeEnd::Table | NodeEnd::Bounds | NodeEnd::Pruned)
}
