//! Evaluations of published studies, each in a file with its formula.

/// Declares an evaluation with weights that can be changed, and their [`WeightTable`](engine::eval::WeightTable). A line
/// has the name of a weight, its field and its published value.
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

        pub(crate) static WEIGHTS: engine::eval::WeightTable = engine::eval::WeightTable {
            names: || &[$($name),*],
            columns: 1,
            published: || vec![$($published),*],
            build: |values| {
                // Missing weights are as published.
                let mut values = values.iter().copied();
                std::sync::Arc::new($evaluation { $($weight: values.next().unwrap_or($published),)* })
            },
        };
    };
}

pub mod alex;
mod distance;
pub(crate) mod lam;
mod noise;
pub mod peterson;
pub(crate) mod presser;

pub use lam::Lam;
pub use presser::Presser;
