//! The three evaluations of Peterson, "Checking in on Checkers" (2023), under the names used in the paper.

mod v1;
mod v2;
mod v3;

pub use v1::V1;
pub use v2::V2;
pub use v3::V3;

use kelso_draughts::board::Bitboard;

/// The centre as defined in the paper. Seen from the other side, it is a different set of squares, so terms
/// that use it may give a position and its flip different values.
const CENTRE: Bitboard = Bitboard::from_numbers(&[10, 11, 14, 15, 18, 19]);
