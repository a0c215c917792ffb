//! The order of moves in books.

use kelso_draughts::board::{Color, Move, Position};

/// Returns the legal moves in the order used by books: by start square, end square and captured squares, from
/// the point of view of the side to move.
#[must_use]
pub fn moves(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = position.moves().into_iter().collect();
    moves.sort_by_key(|mv| match position.side() {
        Color::Black => (mv.from(), mv.to(), mv.captured().0),
        Color::White => (mv.from().rotated(), mv.to().rotated(), mv.captured().rotated().0),
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::testing;
    use kelso_draughts::board::relative::Key;

    #[test]
    fn a_position_and_its_flip_share_a_key_and_their_moves() {
        testing::positions(|position| {
            let key = Key::of(position);
            assert_eq!(key, Key::of(&position.flipped()));
            let black_to_move = if position.side() == Color::Black { *position } else { position.flipped() };
            assert_eq!(key.position(), Some(black_to_move));
            assert_eq!(Key::from_bytes(key.to_bytes()), key);
            let after = |position: &Position| -> Vec<Key> {
                moves(position).into_iter().map(|mv| Key::of(&position.after(mv))).collect()
            };
            assert_eq!(after(position), after(&position.flipped()));
            assert_eq!(moves(position).len(), position.moves().len());
        });
    }
}
