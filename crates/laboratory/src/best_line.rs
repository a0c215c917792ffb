//! The principal variation of a search, recorded from its events.

use kelso_draughts::board::Move;

/// At each ply, the best move and its continuation.
#[derive(Clone, Debug, Default)]
pub(crate) struct BestLine {
    lines: Vec<Vec<Move>>,
}

impl BestLine {
    /// Called when a node at this ply is entered.
    pub(crate) fn enter(&mut self, ply: usize) {
        if self.lines.len() <= ply + 1 {
            self.lines.resize_with(ply + 2, Vec::new);
        }
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
    }

    /// Called when a better move is found at the node at this ply.
    pub(crate) fn improve(&mut self, ply: usize, mv: Move) {
        if let Some([line, rest]) = self.lines.get_mut(ply..ply + 2) {
            line.clear();
            line.push(mv);
            line.append(rest);
        }
    }

    /// Returns the line that begins with the best move. If no move exceeded alpha, the recorded line is
    /// meaningless, so this is only the best move.
    pub(crate) fn moves(&self, best: Option<Move>) -> Vec<Move> {
        match self.lines.first() {
            Some(line) if line.first() == best.as_ref() => line.clone(),
            _ => best.into_iter().collect(),
        }
    }
}
