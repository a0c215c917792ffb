//! The terminal: its capabilities, and a game played on it.

mod history;
mod opening;
mod play;
mod player;
mod prompt;
mod save;
mod screen;
mod words;

pub use play::play;
pub use screen::detect_ink;
