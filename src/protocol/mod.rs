//! Talking to programs. A line comes in, a dialect's pure grammar makes a [`Command`] of it, the session does it, and
//! the dialect turns what happens into lines.

mod command;
mod input;
mod native;
mod output;
mod session;
mod worker;

pub use command::{Command, CommandError, Go};
pub use input::{Input, MAX_LINE, read_lines};
pub use native::Native;
pub use output::{Output, Write};
pub use session::Session;

/// A language for the same commands and the same outputs.
pub trait Dialect {
    /// Reads a line; a blank one is no command.
    ///
    /// # Errors
    ///
    /// When the line is no command. Then it is as if it had not been sent.
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError>;

    /// The lines that say what happened, each with its line end.
    fn write(&mut self, output: &Output<'_>) -> String;
}
