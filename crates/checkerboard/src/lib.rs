//! `CheckerBoard`, the standard GUI for checkers on Windows, and other programs that load engines for it: the two
//! functions of an engine's shared library, version 2 of the interface. `docs/checkerboard.md` describes them for users.
//!
//! `boundary` has the C functions and all unsafe code. [`board`] converts boards and moves, `clock` the time, `command`
//! executes commands, and `driver` searches.

pub mod board;
mod boundary;
mod clock;
mod command;
mod driver;
mod scores;
mod status;
#[cfg(any(windows, target_os = "linux"))]
mod unloading;

pub use board::{CbMove, Cells, Coordinate};
pub use boundary::{REPLY_SIZE, enginecommand, getmove, unload};
pub use driver::Claim;
