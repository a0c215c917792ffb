//! The captures and the safe moves of the pieces, one move ahead.

use kelso_draughts::board::steps::{Bits, Direction, SQUARES};
use kelso_draughts::board::{Color, Position};

/// The contacts of one side, as sets in the layout of [`kelso_draughts::board::steps`]. It does not matter
/// whose move it is.
#[derive(Clone, Copy, Default)]
pub(super) struct Contacts {
    /// The pieces that can capture.
    pub(super) attackers: Bits,
    /// The other side's pieces that can be captured.
    pub(super) targets: Bits,
    /// The empty squares to which a piece can move without being captured there.
    pub(super) safe: Bits,
}

impl Contacts {
    /// Returns the contacts of both sides, indexed by colour.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled for the instructions of the caller")]
    pub(super) fn of(position: &Position) -> [Self; 2] {
        let [black, white] = Color::BOTH.map(|color| position.men_and_kings(color));
        [
            Self::of_side(black, white, [Direction::Up(4), Direction::Up(5)]),
            Self::of_side(white, black, [Direction::Down(4), Direction::Down(5)]),
        ]
    }

    /// Returns the contacts of a side, given its men and kings, the other side's, and the steps of its men.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled for the instructions of the caller")]
    fn of_side([men, kings]: [Bits; 2], [enemy_men, enemy_kings]: [Bits; 2], steps: [Direction; 2]) -> Self {
        let pieces = men | kings;
        let enemy = enemy_men | enemy_kings;
        let empty = SQUARES & !(pieces | enemy);
        // The squares in front of which an enemy stands, and those behind which a square is empty, by
        // diagonal.
        let faced = steps.map(|step| step.unstep(enemy));
        let open = steps.map(|step| step.step(empty));
        // The squares behind which a king stands that can capture.
        let chased = steps.map(|step| step.step(enemy_kings));
        let ahead = steps.map(|step| step.unstep(empty));
        let taken = [faced[0] & open[0], faced[1] & open[1]];
        let caught = [chased[0] & ahead[0], chased[1] & ahead[1]];
        let by_kings = caught[0] | caught[1];
        // A piece leaves the square behind it empty.
        let mut safe = steps[0].step(pieces) & empty & !(faced[0] | taken[1] | by_kings);
        safe |= steps[1].step(pieces) & empty & !(faced[1] | taken[0] | by_kings);
        let mut attackers = 0;
        let mut targets = 0;
        for step in steps {
            let jumped = step.step(pieces) & enemy & step.unstep(empty);
            targets |= jumped;
            attackers |= step.unstep(jumped);
        }
        if kings != 0 {
            for step in steps {
                let jumped = step.unstep(kings) & enemy & step.step(empty);
                targets |= jumped;
                attackers |= step.step(jumped);
            }
            let by_any = taken[0] | taken[1];
            safe |= steps[0].unstep(kings) & empty & !(by_any | chased[0] | caught[1]);
            safe |= steps[1].unstep(kings) & empty & !(by_any | chased[1] | caught[0]);
        }
        Self { attackers, targets, safe }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classic::terms::safe_steps;
    use crate::eval::testing::games;
    use kelso_draughts::board::steps::pack;
    use kelso_draughts::board::{Bitboard, PieceKind, Square};
    use kelso_draughts::notation::fen;

    /// Returns the attackers, the targets and the safe squares of a side.
    fn sets(position: &Position, color: Color) -> [Bitboard; 3] {
        let Contacts { attackers, targets, safe } = Contacts::of(position)[color.index()];
        [attackers, targets, safe].map(pack)
    }

    /// Returns the same sets for the side to move, one square at a time.
    fn slow(position: &Position) -> [Bitboard; 3] {
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
        let [mut attackers, mut targets, mut safe] = [Bitboard::EMPTY; 3];
        for from in position.pieces(side) {
            for (rows, columns) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                if !can_step(from, rows) {
                    continue;
                }
                let Some(near) = neighbour(from, rows, columns) else { continue };
                if position.pieces(!side).contains(near) {
                    if neighbour(near, rows, columns).is_some_and(|to| !position.occupied().contains(to)) {
                        attackers = attackers.with(from);
                        targets = targets.with(near);
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
                        safe = safe.with(near);
                    }
                }
            }
        }
        [attackers, targets, safe]
    }

    #[test]
    fn contacts_equal_those_found_square_by_square() {
        let mut kings = 0;
        for position in games(12, 200).flatten() {
            assert_eq!(sets(&position, position.side()), slow(&position), "{position:?}");
            kings += u32::from(!position.kings(position.side()).is_empty());
        }
        assert!(kings > 1000, "{kings}");
    }

    #[test]
    fn the_safe_steps_of_men_are_those_of_the_handcrafted_evaluation() {
        let mut enemy_has_king = 0;
        for position in games(12, 200).flatten() {
            let [[men, kings], [enemy_men, enemy_kings]] =
                Color::BOTH.map(|color| position.men_and_kings(color));
            if kings != 0 {
                continue;
            }
            let enemy = enemy_men | enemy_kings;
            let [safe_4, safe_5] = safe_steps(enemy, enemy_kings, SQUARES & !(men | enemy));
            let safe = Contacts::of(&position)[Color::Black.index()].safe;
            assert_eq!(safe, men << 4 & safe_4 | men << 5 & safe_5, "{position:?}");
            enemy_has_king += u32::from(enemy_kings != 0);
        }
        assert!(enemy_has_king > 100, "{enemy_has_king}");
    }

    #[test]
    fn a_piece_moves_safely_where_nothing_can_capture_it() {
        let position = fen::parse("B:W18,32:B10,1").unwrap();
        let [attackers, _, safe] = sets(&position, Color::Black);
        // 10-14 would be captured by 18x9; 10-15 would be captured by 18x11.
        assert_eq!(safe, Bitboard::from_numbers(&[5, 6]));
        assert_eq!(attackers, Bitboard::EMPTY);
        let position = fen::parse("W:W18,32:B14,1").unwrap();
        let [attackers, targets, _] = sets(&position, Color::White);
        assert_eq!(attackers, Bitboard::from_numbers(&[18]));
        assert_eq!(targets, Bitboard::from_numbers(&[14]));
    }
}
