//! `CheckerBoard`, the standard GUI for checkers on Windows, and other programs that load engines for it: the two
//! functions of an engine's shared library, version 2 of the interface. `docs/checkerboard.md` describes them for users.
//!
//! `boundary` is where C comes in, and the only place with unsafe code; it trusts no pointer and lets no panic out. Behind
//! it all is plain Rust: [`board`] translates boards and moves, `clock` the GUI's clock, `command` the commands, and
//! `driver` has the engine and thinks.

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
