//! A person at a terminal: what it can show, and a game on it.

mod look;

pub use look::ink;
