//! All tests that drive the library or the program from outside, as one program: each further one would be linked, and
//! optimised as a whole, by itself. `cargo test --release NAME::` runs the tests of one file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that can't go on says so, and a long one says how far it is"
)]

mod analyse;
mod book;
mod browser;
mod builds;
mod checkerboard;
mod clients;
mod documents;
mod egdb;
mod endings;
mod evaluations;
mod fuzz;
mod games;
mod lab;
mod lines;
mod machines;
mod measure;
mod outputs;
mod pdn;
mod perft;
mod places;
mod play;
mod process;
mod properties;
mod record;
mod refusals;
mod repeats;
mod replay;
mod rules;
mod serve;
mod session;
mod shared;
mod styles;
mod support;
mod tactics;
mod textbook;
mod tournament;
mod train;
mod transcripts;
