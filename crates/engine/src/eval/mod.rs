//! Evaluation of positions without a search.
//!
//! [`Network`], the default, is trained; [`Classic`] is handcrafted, with weights that can be changed
//! ([`TermWeights`]); the third counts material only. Values are in hundredths of a man, for the side to
//! move. A position and its [flip](Position::flipped) have the same value.

mod added_error;
pub mod classic;
mod explain;
pub(crate) mod material;
pub mod network;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub(crate) use added_error::evaluation_error;
pub use classic::{Classic, TermWeights, TermWeightsError};
pub use explain::{EvalPart, Explanation, PieceValue};
pub(crate) use material::MAN;
pub use network::{EvalCache, Network, NetworkError};

use kelso_draughts::board::Position;

/// Maximum value of an evaluation; the minimum is its negative.
pub const LIMIT: i32 = 15_000;

kelso_syntax::named! {
    /// The evaluations of the engine, in the order in which they are listed.
    #[derive(Default)]
    pub enum EvaluationKind {
        /// The trained network.
        #[default]
        Network: "network";
        /// The handcrafted evaluation.
        Classic: "classic";
        /// Material only, for teaching and comparison.
        Material: "material";
    }
}

impl EvaluationKind {
    /// Returns the evaluation with its compiled-in weights.
    #[must_use]
    pub fn evaluation(self) -> Evaluation<'static> {
        match self {
            Self::Network => Evaluation::Network(Network::compiled_in()),
            Self::Classic => Evaluation::Classic(Classic::fitted()),
            Self::Material => Evaluation::Material,
        }
    }
}

/// An evaluation with its weights.
#[derive(Clone, Copy)]
pub enum Evaluation<'a> {
    Network(&'a Network),
    Classic(&'a Classic),
    Material,
    /// A function of a test.
    #[cfg(test)]
    Function(&'a (dyn Fn(&Position) -> i32 + Sync)),
}

impl Evaluation<'_> {
    /// Returns the value for the side to move.
    #[must_use]
    pub fn evaluate(self, position: &Position) -> i32 {
        match self {
            Self::Network(network) => network.evaluate(position),
            Self::Classic(classic) => classic.evaluate(position),
            Self::Material => material::evaluate(position),
            #[cfg(test)]
            Self::Function(evaluate) => evaluate(position),
        }
    }

    /// Like [`evaluate`](Self::evaluate), but faster in a search, whose positions are similar: the network
    /// reuses the sums and values in `cache`.
    #[inline]
    pub(crate) fn evaluate_incremental(self, cache: &mut EvalCache, position: &Position, ply: usize) -> i32 {
        match self {
            Self::Network(network) => network.evaluate_incremental(cache, position, ply),
            _ => self.evaluate(position),
        }
    }

    /// Returns the parts of the value of a position. The parts are rounded, so their sum may differ slightly
    /// from the value. This is slow.
    #[must_use]
    pub fn parts(self, position: &Position) -> Vec<EvalPart> {
        match self {
            Self::Network(network) => network.parts(position),
            Self::Classic(classic) => classic.parts(position),
            Self::Material => material::parts(position),
            #[cfg(test)]
            Self::Function(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    impl Evaluation<'static> {
        /// Returns the handcrafted evaluation, which is faster to load than the network.
        pub(crate) fn classic() -> Self {
            EvaluationKind::Classic.evaluation()
        }
    }

    #[test]
    fn a_man_more_is_worth_about_a_hundred_and_a_flip_has_the_same_value() {
        let position = fen::parse("B:W22-32:B1-12").unwrap();
        for kind in EvaluationKind::ALL {
            let value = kind.evaluation().evaluate(&position);
            assert!((50..300).contains(&value), "{kind:?}: {value}");
            testing::assert_symmetric(|position| kind.evaluation().evaluate(position));
        }
    }
}
