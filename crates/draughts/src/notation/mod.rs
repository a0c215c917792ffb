//! Parsing and formatting of positions, moves and games.

pub mod encoding;
pub mod fen;
pub mod movetext;
pub mod pdn;

pub use fen::PositionError;
pub use movetext::{MoveError, MoveText};

use nom::Parser;

use crate::board::Square;
use kelso_syntax::grammar::{Parsed, number};

/// The rule for the number of a square.
fn square(input: &str) -> Parsed<'_, Square> {
    number("a square from 1 to 32", Square::from_number).parse(input)
}
