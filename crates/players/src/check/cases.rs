//! Positions and lines for the steps.

use protocol::Dialect;

/// Positions, each with a description of its difficulty.
pub(super) const POSITIONS: [(&str, &str); 12] = [
    ("B:W21-32:B1-12", "the start"),
    ("W:W21-32:B1-12", "the start with White to move"),
    ("B:W18:B14,5", "a compulsory capture"),
    ("B:W15,22,23:B11", "captures of several pieces"),
    ("B:W9,10,17,18,32:B6", "two captures with the same ends"),
    ("W:W10:B6,12", "a capture that crowns"),
    ("B:W32,24:B27,20", "a man about to be crowned"),
    ("B:W10,17,18,9:BK6", "a king that captures in a circle"),
    ("W:WK32,K28:BK1", "kings only"),
    ("B:WK19,K23:BK15,12", "a king that must capture"),
    ("B:WK2:BK31", "a king each"),
    ("W:W30:B1", "a man each"),
];

/// Positions in which the side to move has lost: no move, or no piece.
pub(super) const LOST: [(&str, &str); 2] = [("B:W32:B28", "no move left"), ("W:W:B1", "no piece left")];

/// Returns invalid lines. An engine may report an error or ignore them, but must not answer with a move, change its
/// position, or end.
pub(super) fn invalid_lines(protocol: Dialect) -> &'static [&'static str] {
    match protocol {
        Dialect::Native => &[
            "",
            "   ",
            "hello",
            "go depth x",
            "go depth -1",
            "go nodes 99999999999999999999999999",
            "go wtime",
            "go depth",
            "position",
            "position startpos moves 1-32",
            "position startpos moves 11-15 11-15",
            "position startpos moves hello",
            "position fen",
            "position fen X:W1:B2",
            "position fen B:W21,21:B1",
            "setoption",
            "setoption name",
            "setoption name No Such Option value 1",
            "ponderhit",
            "stop",
            "\u{0}\u{1}\u{7f}",
            "äöü 漢字 🙂",
        ],
        Dialect::Hub => &[
            "",
            "   ",
            "hello world=1",
            "level depth=x",
            "level bogus=1",
            "pos",
            "pos pos=",
            "pos pos=Bxyz",
            "set-param",
            "set-param name=no-such-parameter value=1",
            "ponder-hit",
            "stop",
            "=",
            "pos pos=\"",
            "\u{0}\u{1}\u{7f}",
            "äöü=漢字 🙂",
        ],
    }
}

pub(super) fn illegal_positions(protocol: Dialect) -> &'static [&'static str] {
    match protocol {
        Dialect::Native => &[
            "position fen B:W:B",
            "position fen B:W21-32:B1-13",
            "position fen B:W1:B12",
            "position fen B:W21:B32",
            "position fen B:W33:B1",
            "position fen B:W0:B1",
        ],
        Dialect::Hub => &[
            "pos pos=Beeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            "pos pos=Bbbbbbbbbbbbbbeeeeeeewwwwwwwwwwww",
            "pos pos=Bweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb",
            "pos pos=Bbbb",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::fen;

    #[test]
    fn positions_have_moves_unless_they_are_lost_or_illegal() {
        for (text, what) in POSITIONS {
            assert!(fen::parse(text).unwrap().can_move(), "{what}");
        }
        for (text, what) in LOST {
            assert!(!fen::parse(text).unwrap().can_move(), "{what}");
        }
        for line in illegal_positions(Dialect::Native) {
            assert!(fen::parse(line.strip_prefix("position fen ").unwrap()).is_err(), "{line}");
        }
    }
}
