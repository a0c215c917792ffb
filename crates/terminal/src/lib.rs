//! The terminal: its capabilities, and a game played on it.

mod history;
pub mod opening;
mod play;
mod player;
mod prompt;
mod save;
mod screen;
mod words;

pub use opening::GameStart;
pub use play::{PlaySettings, play};
pub use player::SidePlayer;
pub use screen::detect_ink;
