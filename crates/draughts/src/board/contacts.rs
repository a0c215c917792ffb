//! The captures and the safe moves of the pieces, one move ahead.

use super::Position;
use super::generate::{Board, DOWN, UP, View, jumps, step};
use super::square::{Bitboard, pack};

/// The contacts of one side. It does not matter whose move it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contacts {
    /// The pieces that can capture.
    pub attackers: Bitboard,
    /// The other side's pieces that can be captured.
    pub targets: Bitboard,
    /// The empty squares to which a piece can move without being captured there.
    pub safe: Bitboard,
}

impl Position {
    /// Returns the contacts of both sides, indexed by colour.
    #[inline]
    #[must_use]
    pub fn contacts(&self) -> [Contacts; 2] {
        [self.board.contacts::<UP>(), self.board.contacts::<DOWN>()]
    }
}

impl Board {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled for the instructions of the caller")]
    fn contacts<const FORWARD: bool>(&self) -> Contacts {
        let View { men, kings, enemy, empty } = self.view::<FORWARD>();
        let pieces = men | kings;
        let enemy_kings = self.kings[usize::from(FORWARD == UP)];
        let mut attackers = 0;
        let mut targets = 0;
        let mut safe = 0;
        for by in [4, 5] {
            let jumped = step(!FORWARD, jumps(FORWARD, pieces, enemy, empty, by), by);
            targets |= jumped;
            attackers |= step(!FORWARD, jumped, by);
        }
        // The squares in front of which an enemy stands, and those behind which a square is empty, by
        // diagonal.
        let faced = [step(!FORWARD, enemy, 4), step(!FORWARD, enemy, 5)];
        let open = [step(FORWARD, empty, 4), step(FORWARD, empty, 5)];
        // The squares behind which a king stands that can capture.
        let chased = [step(FORWARD, enemy_kings, 4), step(FORWARD, enemy_kings, 5)];
        let ahead = [step(!FORWARD, empty, 4), step(!FORWARD, empty, 5)];
        let taken = [faced[0] & open[0], faced[1] & open[1]];
        let caught = [chased[0] & ahead[0], chased[1] & ahead[1]];
        let by_kings = caught[0] | caught[1];
        // A piece leaves the square behind it empty.
        safe |= step(FORWARD, pieces, 4) & empty & !(faced[0] | taken[1] | by_kings);
        safe |= step(FORWARD, pieces, 5) & empty & !(faced[1] | taken[0] | by_kings);
        if kings != 0 {
            for by in [4, 5] {
                let jumped = step(FORWARD, jumps(!FORWARD, kings, enemy, empty, by), by);
                targets |= jumped;
                attackers |= step(FORWARD, jumped, by);
            }
            let by_any = taken[0] | taken[1];
            safe |= step(!FORWARD, kings, 4) & empty & !(by_any | chased[0] | caught[1]);
            safe |= step(!FORWARD, kings, 5) & empty & !(by_any | chased[1] | caught[0]);
        }
        Contacts { attackers: pack(attackers), targets: pack(targets), safe: pack(safe) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, PieceKind, Square};
    use crate::notation::fen;

    /// Returns the contacts of the side to move, one square at a time.
    fn slow(position: &Position) -> Contacts {
        let side = position.side();
        let neighbour = |square: Square, rows: i8, columns: i8| {
            let row = square.row().checked_add_signed(rows)?;
            Square::at(row, square.column().checked_add_signed(columns)?)
        };
        let forward = if side == Color::Black { 1 } else { -1 };
        let can_step = |square: Square, rows: i8| {
            position.piece_at(square).is_some_and(|piece| {
                let ahead = if piece.color == side { forward } else { -forward };
                piece.kind == PieceKind::King || rows == ahead
            })
        };
        let mut contacts = Contacts::default();
        for from in position.pieces(side) {
            for (rows, columns) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                if !can_step(from, rows) {
                    continue;
                }
                let Some(near) = neighbour(from, rows, columns) else { continue };
                if position.pieces(!side).contains(near) {
                    if neighbour(near, rows, columns).is_some_and(|to| !position.occupied().contains(to)) {
                        contacts.attackers = contacts.attackers.with(from);
                        contacts.targets = contacts.targets.with(near);
                    }
                } else if !position.occupied().contains(near) {
                    let captured = [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().any(|(rows, columns)| {
                        let enemy = neighbour(near, rows, columns);
                        let landing = neighbour(near, -rows, -columns);
                        enemy.is_some_and(|enemy| {
                            position.pieces(!side).contains(enemy) && can_step(enemy, -rows)
                        }) && landing.is_some_and(|to| to == from || !position.occupied().contains(to))
                    });
                    if !captured {
                        contacts.safe = contacts.safe.with(near);
                    }
                }
            }
        }
        contacts
    }

    #[test]
    fn contacts_equal_those_found_square_by_square() {
        let mut state = 1u64;
        let mut kings = 0;
        for _ in 0..200 {
            let mut position = Position::start();
            for _ in 0..120 {
                let moves = position.moves();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let Some(&mv) = moves.get((state >> 33) as usize % moves.len().max(1)) else { break };
                position = position.after(mv);
                assert_eq!(position.contacts()[position.side().index()], slow(&position), "{position:?}");
                kings += u32::from(!position.kings(position.side()).is_empty());
            }
        }
        assert!(kings > 1000, "{kings}");
    }

    #[test]
    fn a_piece_moves_safely_where_nothing_can_capture_it() {
        let position = fen::parse("B:W18,32:B10,1").unwrap();
        let black = position.contacts()[0];
        // 10-14 would be captured by 18x9; 10-15 would be captured by 18x11.
        assert_eq!(black.safe, Bitboard::from_numbers(&[5, 6]));
        assert_eq!(black.attackers, Bitboard::from_numbers(&[]));
        let position = fen::parse("W:W18,32:B14,1").unwrap();
        let white = position.contacts()[1];
        assert_eq!(white.attackers, Bitboard::from_numbers(&[18]));
        assert_eq!(white.targets, Bitboard::from_numbers(&[14]));
    }
}
