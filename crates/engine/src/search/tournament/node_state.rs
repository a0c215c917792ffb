//! The state of a node before its moves are tried.

use crate::search::window::Window;

/// The state of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct NodeState {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) window: Window,
    /// Nothing can be captured.
    pub(super) no_capture: bool,
    /// Quiet moves can hardly lift the score into the window.
    pub(super) futile: bool,
    /// The signature of the move to try first, 0 if there is none.
    pub(super) best: u16,
    /// Plies more that this move gets.
    pub(super) extension: i32,
    /// This move is left out.
    pub(super) exclude_best: bool,
}

impl NodeState {
    /// Returns the same node without its best move, to ask what the others are worth.
    pub(super) const fn excluding_best(self, depth: i32, window: Window) -> Self {
        Self { depth, window, futile: false, exclude_best: true, ..self }
    }
}
