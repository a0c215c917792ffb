//! Evaluations from published studies, each in its own file with its formula.

/// Declares an evaluation with adjustable weights, and their [`WeightTable`](kelso_engine::eval::WeightTable). Each
/// line has a weight's name, its field and its published value.
macro_rules! weighted {
    ($(#[$doc:meta])* $evaluation:ident { $($name:literal $weight:ident: $published:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $evaluation {
            $($weight: i32,)*
        }

        impl $evaluation {
            /// The evaluation with its published weights.
            pub const PUBLISHED: Self = Self { $($weight: $published,)* };
        }

        pub(crate) static WEIGHTS: kelso_engine::eval::WeightTable = kelso_engine::eval::WeightTable {
            names: || &[$($name),*],
            columns: 1,
            defaults: || vec![$($published),*],
            build: |values| {
                // Missing weights keep their published values.
                let mut values = values.iter().copied();
                std::sync::Arc::new($evaluation { $($weight: values.next().unwrap_or($published),)* })
            },
        };
    };
}

pub mod alex;
pub(crate) mod lam;
pub mod peterson;
pub(crate) mod presser;

pub use lam::Lam;
pub use presser::Presser;

use kelso_draughts::board::Square;
use kelso_draughts::board::relative::RelativePosition;
use kelso_runtime::mix;

/// Returns the minimum number of king steps between two squares.
fn distance(one: Square, other: Square) -> i32 {
    i32::from(one.row().abs_diff(other.row()).max(one.column().abs_diff(other.column())))
}

/// Returns the random term of a published evaluation: a number from 0 to `bound - 1`, the same for a position
/// and its flip. In the studies the number differs from call to call; here it depends only on the position
/// and a fixed seed, so that runs are reproducible.
#[expect(clippy::expect_used, reason = "the published bounds are small")]
fn noise(bound: u64, seed: u64, view: RelativePosition) -> i32 {
    let join = |men: u32, kings: u32| u64::from(men) << 32 | u64::from(kings);
    let mut state = seed;
    for word in [join(view.us.men.0, view.us.kings.0), join(view.them.men.0, view.them.kings.0)] {
        state = mix(state ^ word);
    }
    i32::try_from(state % bound.max(1)).expect("the published bounds are small")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_engine::eval::testing;

    #[test]
    fn distances_are_the_kings_steps() {
        let at = |number| Square::from_number(number).unwrap();
        for (one, other, steps) in [(1, 1, 0), (1, 6, 1), (1, 32, 7), (4, 29, 7), (13, 20, 7), (1, 5, 1)] {
            assert_eq!(distance(at(one), at(other)), steps, "{one} {other}");
        }
    }

    #[test]
    fn every_value_occurs_about_equally_often() {
        let mut seen = [0u32; 10];
        let mut total = 0;
        testing::positions(|position| {
            let value = noise(10, 1, position.relative());
            seen[usize::try_from(value).unwrap()] += 1;
            total += 1;
        });
        assert!(seen.iter().all(|&count| (total / 14..total / 7).contains(&count)), "{seen:?}");
    }
}
