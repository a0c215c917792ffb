//! Problems: positions in which exactly one move wins, or holds the draw, with a proof. A [`Finder`] finds
//! them in games, with solutions and grades ([`Problem`]).

mod finder;
mod proof;

pub use finder::{Finder, GRADES, Problem};
pub use proof::MoveSearch;
