//! Tests of the rules and of PDN through the public API, using a second implementation of the rules and the
//! files in `tests/data`.
//!
//! | file | tests |
//! |---|---|
//! | `moves` | legal moves, compared with a second implementation of the rules |
//! | `perft` | leaves of the move tree, compared with `tests/data/perft` |
//! | `properties` | properties of every position and text: hashes, symmetry, round trips |
//! | `pdn` | games in PDN: what is read, written and reported; damaged files |
//! | `pdn_variants` | PDN as typed by people: all ways to write moves and results, in every encoding |
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and a long one prints its progress"
)]

mod moves;
mod pdn;
mod pdn_variants;
mod perft;
mod properties;
mod shared;
