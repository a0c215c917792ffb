//! The distance of squares.

use draughts::board::Square;

/// Returns the least number of steps of a king between two squares.
pub(super) fn distance(one: Square, other: Square) -> i32 {
    i32::from(one.row().abs_diff(other.row()).max(one.column().abs_diff(other.column())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_the_kings_steps() {
        let at = |number| Square::from_number(number).unwrap();
        for (one, other, steps) in [(1, 1, 0), (1, 6, 1), (1, 32, 7), (4, 29, 7), (13, 20, 7), (1, 5, 1)] {
            assert_eq!(distance(at(one), at(other)), steps, "{one} {other}");
        }
    }
}
