//! The shared library that `CheckerBoard`, the standard GUI for checkers on Windows, and compatible programs load as an
//! engine (version 2 of the interface). `docs/checkerboard.md` describes it for users.
//!
//! `boundary` has the C functions, [`board`] converts boards and moves, `command` executes commands, `settings` holds
//! the settings, `storage` saves them, `driver` searches, and `system` queries the operating system.

pub mod board;
mod boundary;
mod command;
mod driver;
mod settings;
mod storage;
mod system;

pub use board::{CbMove, Cells, Coordinate};
pub use boundary::{REPLY_SIZE, enginecommand, enginename, getmove, islegal, unload};
pub use driver::Claim;
