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

/// Positions, the moves played from them, and the rule that engines may break in them: moves of other kinds
/// of draughts, or of the position before, are illegal.
pub(super) const RULES: [(&str, &[&str], &str); 10] = [
    ("B:W12:B25", &["25-30", "12-8"], "a black man was crowned"),
    ("W:W8:B21", &["8-3", "21-25"], "a white man was crowned"),
    ("B:W9,17,21:B4,K5", &[], "a capture is compulsory, even if it loses a king"),
    ("B:W14:B18", &[], "a man does not capture backwards"),
    ("B:W15:BK1", &[], "a king moves one square"),
    ("W:W11:B6,7", &[], "a capture that crowns ends the move"),
    ("B:W15,16,24:B11", &["11x18"], "a player may take fewer pieces"),
    ("B:W9,10,17,18:B6", &["6x13x22"], "a path with the same ends as another"),
    ("B:W9,10,17,18:B6", &["6x15x22"], "the other path with these ends"),
    ("B:W9,10,17,18,32:BK6", &["6x13x22x15x6"], "a king captured in a circle"),
];

/// Positions in which the side to move has lost: no move, or no piece.
pub(super) const LOST: [(&str, &str); 2] = [("B:W32:B28", "no legal move"), ("W:W:B1", "no pieces left")];

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::Position;
    use kelso_draughts::notation::{fen, movetext};

    #[test]
    fn positions_have_moves_unless_they_are_lost() {
        for (text, what) in POSITIONS {
            assert!(fen::parse(text).unwrap().can_move(), "{what}");
        }
        for (text, what) in LOST {
            assert!(!fen::parse(text).unwrap().can_move(), "{what}");
        }
    }

    #[test]
    fn moves_after_others_are_illegal_before_them() {
        let moves = |position: &Position| -> Vec<String> {
            position.moves().iter().map(|&mv| movetext::format(position, mv)).collect()
        };
        for (text, played, rule) in RULES {
            let start = fen::parse(text).unwrap();
            let position = played
                .iter()
                .fold(start, |position, text| position.after(movetext::parse(&position, text).unwrap()));
            let (before, after) = (moves(&start), moves(&position));
            assert!(!after.is_empty(), "{rule}");
            assert!(played.is_empty() || after.iter().all(|mv| !before.contains(mv)), "{rule}: {after:?}");
        }
        // An engine that confuses two paths makes an illegal move.
        let [.., first, second, _] = RULES;
        let ends = [first, second].map(|(text, played, _)| {
            let start = fen::parse(text).unwrap();
            moves(&start.after(movetext::parse(&start, played[0]).unwrap()))
        });
        assert!(ends[0].iter().all(|mv| !ends[1].contains(mv)), "{ends:?}");
    }
}
