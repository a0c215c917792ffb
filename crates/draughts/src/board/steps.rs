//! Diagonal steps of whole sets of squares, for evaluations that compare neighbouring squares.
//!
//! Sets have the layout of move generation: 35 bits with a gap after every second row, at bits 8, 17 and 26.
//! Each of the four diagonal steps is one shift for all squares, and pieces that leave the board at the side
//! fall into a gap.

pub use super::square::{Bits, SQUARES, pack, unpack};

/// The four directions. The first two lead to higher square numbers.
pub const STEPS: [Direction; 4] =
    [Direction::Up(4), Direction::Up(5), Direction::Down(4), Direction::Down(5)];

/// A diagonal step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To higher square numbers, by a shift of this many bits.
    Up(u32),
    /// To lower square numbers, by a shift of this many bits.
    Down(u32),
}

impl Direction {
    /// Returns the squares one step away from a set. They may include gaps and bits outside the board.
    #[must_use]
    #[inline]
    pub const fn step(self, set: Bits) -> Bits {
        match self {
            Self::Up(by) => set << by,
            Self::Down(by) => set >> by,
        }
    }

    /// Returns the squares from which one step leads to a set.
    #[must_use]
    #[inline]
    pub const fn unstep(self, set: Bits) -> Bits {
        match self {
            Self::Up(by) => set >> by,
            Self::Down(by) => set << by,
        }
    }
}

/// Returns the number of squares in a set.
#[must_use]
#[inline]
pub const fn count_bits(set: Bits) -> i32 {
    (set & SQUARES).count_ones().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn a_step_leads_to_the_next_square_or_off_the_board() {
        let bit = |square: Square| unpack(square.into());
        for square in Square::all() {
            let mut reached: Vec<Bits> =
                STEPS.iter().map(|step| step.step(bit(square)) & SQUARES).filter(|&set| set != 0).collect();
            let mut expected: Vec<Bits> = Square::all()
                .filter(|other| {
                    other.row().abs_diff(square.row()) == 1 && other.column().abs_diff(square.column()) == 1
                })
                .map(bit)
                .collect();
            reached.sort_unstable();
            expected.sort_unstable();
            assert_eq!(reached, expected, "{square}");
            for step in STEPS {
                assert_eq!(step.unstep(step.step(bit(square)) & SQUARES) & !bit(square), 0);
            }
        }
    }

    #[test]
    fn count_ignores_bits_without_squares() {
        assert_eq!([0, SQUARES, !SQUARES, Bits::MAX].map(count_bits), [0, 32, 0, 32]);
    }
}
