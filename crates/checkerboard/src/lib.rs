//! `CheckerBoard`, the standard GUI for checkers on Windows, and other programs that load engines for it: the functions of
//! an engine's shared library, version 2 of the interface. `docs/checkerboard.md` describes them for users.
//!
//! `boundary` has the C functions. [`board`] converts boards and moves, `command` executes commands, `settings` has what they
//! can set, `storage` saves it, and `driver` searches. `system` asks the operating system.

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
