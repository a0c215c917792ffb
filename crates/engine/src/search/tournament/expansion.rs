//! What a node is expanded with.

use crate::search::score::Score;
use crate::search::window::Window;

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Expansion {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) window: Window<Score>,
    /// Nothing can be captured.
    pub(super) calm: bool,
    /// Quiet moves can hardly lift the score into the window.
    pub(super) futile: bool,
    /// The signature of the move to try first, 0 if there is none.
    pub(super) best: u16,
    /// Plies more that this move gets.
    pub(super) extension: i32,
    /// This move is left out.
    pub(super) others: bool,
}

impl Expansion {
    /// The same node without its best move, to ask what the others are worth.
    pub(super) const fn others(self, depth: i32, window: Window<Score>) -> Self {
        Self { depth, window, futile: false, others: true, ..self }
    }
}
