//! The engine as a shared library for `CheckerBoard`, the standard checkers GUI on Windows, and compatible
//! programs (version 2 of the interface). `docs/checkerboard.md` describes it for users.
//!
//! `boundary` has the C functions, [`board`] converts boards and moves, `command` executes commands,
//! `settings` holds the settings, `storage` saves them, `driver` searches, and `system` queries the operating
//! system.

pub mod board;
mod boundary;
mod command;
mod driver;
mod settings;
mod storage;
mod system;

pub use board::{CbMove, Cells, Coordinate};
pub use boundary::{REPLY_BYTES, enginecommand, enginename, getmove, islegal, unload};
pub use driver::CbResult;
