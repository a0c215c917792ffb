//! The state of a node before its moves are searched, and how a move is searched.

use crate::search::window::Window;
use kelso_draughts::board::MoveId;

#[derive(Clone, Copy)]
pub(super) struct NodeState {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) window: Window,
    /// The side to move has no capture.
    pub(super) is_quiet: bool,
    /// Quiet moves after the first are pruned (futility pruning).
    pub(super) prune_quiets: bool,
    /// The best move in the transposition table, the table move.
    pub(super) tt_move: Option<MoveId>,
    /// The extension of the table move, in plies; negative for a reduction.
    pub(super) extension: i32,
    /// The table move, if it is excluded (singular extension search).
    pub(super) excluded: Option<MoveId>,
}

impl NodeState {
    pub(super) const fn new(depth: i32, ply: usize, window: Window, is_quiet: bool) -> Self {
        Self {
            depth,
            ply,
            window,
            is_quiet,
            prune_quiets: false,
            tt_move: None,
            extension: 0,
            excluded: None,
        }
    }
}

/// How a move of a node is searched.
#[derive(Clone, Copy)]
pub(super) struct ChildSearch {
    /// The place of the move in the order, from 0. Moves before it may have been deferred.
    pub(super) number: usize,
    /// The depth below the move.
    pub(super) depth: i32,
    /// The late move reduction, in plies.
    pub(super) reduction: i32,
    pub(super) ply: usize,
}
