//! Problems: positions in which exactly one move wins, or holds the draw, with a proof.
//!
//! | for | see |
//! |---|---|
//! | exhaustive proofs | [`Prover`] |
//! | proofs that a position is a problem | [`ProblemProver`], [`Proof`] |
//! | moves that are too easy | [`ShallowSearch`] |
//! | problems from games, with solutions and grades | [`Finder`], [`Problem`], [`ProblemCollection`] |

mod collection;
mod find;
mod proof;

pub use collection::{Finder, Problem, ProblemCollection};
pub use find::{ProblemProver, Proof, ProofLimits, ProvedMove, ShallowSearch, only};
pub use proof::{Goal, Prover, TooLarge};
