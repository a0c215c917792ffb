//! A hand-made evaluation: material, advance, home row, centre, and trading down when ahead.

use super::Evaluate;
use crate::board::{Bitboard, Color, Position};

/// The default evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Classic;

const MAN: i32 = 100;
const KING: i32 = 130;
/// For each row that a man has advanced.
const ADVANCE: i32 = 2;
/// For each of the two home squares that together keep all but one crowning square shut.
const BRIDGE: i32 = 9;
const HOME: i32 = 3;
const CENTRE_MAN: i32 = 3;
const CENTRE_KING: i32 = 8;
/// A king caught on the edge.
const EDGE_KING: i32 = -6;
/// Being ahead weighs more the fewer pieces there are: this share of it, over the number of pieces.
const TRADE_DOWN: i32 = 60;

// Seen by Black; White looks at its rotated board.
const BRIDGE_SQUARES: Bitboard = Bitboard::from_numbers(&[1, 3]);
const CENTRE: Bitboard = Bitboard::from_numbers(&[10, 11, 14, 15, 18, 19, 22, 23]);
const EDGE: Bitboard = Bitboard::from_numbers(&[1, 2, 3, 5, 12, 13, 20, 21, 28, 30, 31, 32]);

impl Evaluate for Classic {
    fn evaluate(&self, position: &Position) -> i32 {
        let material = |color| {
            position.men(color).len().cast_signed() * MAN + position.kings(color).len().cast_signed() * KING
        };
        let (own, other) = (position.side(), !position.side());
        let balance = material(own) - material(other);
        let pieces = position.piece_count().cast_signed().max(1);
        balance + balance * TRADE_DOWN / (pieces * 10) + places(position, own) - places(position, other)
    }
}

fn places(position: &Position, color: Color) -> i32 {
    let seen = |set: Bitboard| if color == Color::Black { set } else { set.rotated() };
    let (men, kings) = (seen(position.men(color)), seen(position.kings(color)));
    let count = |set: Bitboard| set.len().cast_signed();
    let advance: i32 = (1..7).map(|row| i32::from(row) * count(men & Bitboard::row(row))).sum();
    advance * ADVANCE
        + count(men & BRIDGE_SQUARES) * BRIDGE
        + count(men & Bitboard::row(0)) * HOME
        + count(men & CENTRE) * CENTRE_MAN
        + count(kings & CENTRE) * CENTRE_KING
        + count(kings & EDGE) * EDGE_KING
}
