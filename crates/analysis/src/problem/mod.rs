//! Problems: positions in which exactly one move wins, or holds the draw, with a proof.
//!
//! | for | see |
//! |---|---|
//! | proofs that a position is a problem | [`ProblemProver`], [`Proof`] |
//! | moves that are too easy | [`ShallowSearch`] |
//! | sacrifices that win pieces | [`Shot`], [`find_shot`] |
//! | problems from games, with solutions and grades | [`Finder`], [`Problem`], [`ProblemCollection`] |

mod collection;
mod find;
mod shot;

pub use collection::{Finder, Problem, ProblemCollection};
pub use find::{ProblemProver, Proof, ProofLimits, ProvedMove, ShallowSearch, only};
pub use shot::{Shot, find as find_shot};
