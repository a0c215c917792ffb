//! Problems: positions in which exactly one move wins, or holds the draw, with a proof.
//!
//! | for | see |
//! |---|---|
//! | proofs that try everything | [`Prover`] |
//! | what is a problem, and how that is known | [`ending`], [`middle`], [`Proof`] |
//! | what is too easy | [`ShallowSearch`] |
//! | problems from games, with solutions and grades | [`Finder`], [`Problem`], [`Collection`] |

mod collection;
mod find;
mod proof;
mod shallow;

pub use collection::{Collection, Finder, Problem};
pub use find::{Proof, ProofLimits, ProvedMove, ending, middle, only};
pub use proof::{Goal, Prover, TooLarge};
pub use shallow::ShallowSearch;
