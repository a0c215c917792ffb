//! Problems: positions in which exactly one move wins, or holds the draw, with a proof. A [`Finder`] finds them
//! in games, with solutions and grades ([`Problem`]), and a [`ProblemCollection`] collects them.

mod collection;
mod find;

pub use collection::{Finder, Problem, ProblemCollection};
pub(crate) use find::only;
