//! Material:
//!
//! ```text
//! (my men - your men) + 3 * (my kings - your kings)
//! ```

use crate::evaluation::Evaluation;
use kelso_draughts::board::Position;
use kelso_draughts::board::relative::count;

/// Peterson's first evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct V1;

impl Evaluation for V1 {
    #[inline]
    fn value(&self, position: &Position) -> i32 {
        let me = position.side();
        let you = !me;
        count(position.men(me)) - count(position.men(you))
            + 3 * (count(position.kings(me)) - count(position.kings(you)))
    }

    fn man(&self) -> i32 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_engine::eval::testing::value;

    #[test]
    fn men_are_one_and_kings_three() {
        assert_eq!(value(|position| V1.value(position), "B:W21-32:B1-12"), 0);
        assert_eq!(value(|position| V1.value(position), "B:W21,22,K5:B1,K32,K31,K30"), (1 - 2) + 3 * (3 - 1));
        assert_eq!(value(|position| V1.value(position), "W:W21,22,K5:B1,K32,K31,K30"), -5);
    }
}
