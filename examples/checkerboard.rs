//! The shared library that CheckerBoard loads: `cargo build --release --example checkerboard`.

pub use kelso::checkerboard::{enginecommand, getmove};
