//! `CheckerBoard`, the standard GUI for checkers on Windows, and other programs that load engines for it: the two
//! functions of an engine's shared library, version 2 of the interface. `docs/checkerboard.md` describes them for users.
//!
//! `boundary` has the C functions and all unsafe code. [`board`] converts boards and moves, `command` executes commands,
//! `settings` has what they can set, and `driver` searches.

pub mod board;
mod boundary;
mod command;
mod driver;
mod settings;

pub use board::{CbMove, Cells, Coordinate};
pub use boundary::{REPLY_SIZE, enginecommand, getmove, unload};
pub use driver::Claim;
