//! Positions used by the protocol checks.

/// Positions, with a description of what makes each difficult.
pub(super) const POSITIONS: [(&str, &str); 12] = [
    ("B:W21-32:B1-12", "the start"),
    ("W:W21-32:B1-12", "the start with White to move"),
    ("B:W18:B14,5", "a compulsory capture"),
    ("B:W15,22,23:B11", "captures of several pieces"),
    ("B:W9,10,17,18,32:B6", "two captures with the same start and end"),
    ("W:W10:B6,12", "a capture that crowns"),
    ("B:W32,24:B27,20", "a man about to be crowned"),
    ("B:W10,17,18,9:BK6", "a king that captures in a circle"),
    ("W:WK32,K28:BK1", "kings only"),
    ("B:WK19,K23:BK15,12", "a king that must capture"),
    ("B:WK2:BK31", "a king each"),
    ("W:W30:B1", "a man each"),
];

/// Positions in which the side to move has lost: no move, or no piece.
pub(super) const LOST: [(&str, &str); 2] = [("B:W32:B28", "no legal move"), ("W:W:B1", "no pieces left")];

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn positions_have_moves_unless_they_are_lost() {
        for (text, what) in POSITIONS {
            assert!(fen::parse(text).unwrap().can_move(), "{what}");
        }
        for (text, what) in LOST {
            assert!(!fen::parse(text).unwrap().can_move(), "{what}");
        }
    }
}
