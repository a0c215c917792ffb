//! A person at a terminal: what it can show, and a game on it.

mod command;
mod history;
mod look;
mod opening;
mod play;
mod prompt;
mod save;
mod screen;
mod seat;
mod stopper;
mod words;

pub use look::ink;
pub use play::{Options, PlayError, play};
