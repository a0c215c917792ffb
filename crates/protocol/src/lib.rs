//! Talking to programs. A line comes in, a protocol's pure grammar makes a [`Command`] of it, the session does it, and
//! the protocol turns what happens into lines.

mod command;
mod first_line;
mod hub;
mod input;
mod message;
mod native;
mod output;
mod session;
mod worker;

pub use command::{Command, CommandError, Go};
pub use first_line::FirstLine;
pub use hub::Hub;
pub use input::{Input, MAX_LINE, read_lines};
pub use native::Native;
pub use output::{Output, Write};
pub use session::Session;

/// A language for the same commands and the same outputs.
pub trait Protocol {
    /// Reads a line; a blank one is no command.
    ///
    /// # Errors
    ///
    /// When the line is no command. Then it is as if it had not been sent.
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError>;

    /// The lines that say what happened, each with its line end.
    fn write(&mut self, output: &Output) -> String;

    /// Where its customs differ.
    fn habits(&self) -> Habits {
        Habits::default()
    }
}

/// Customs that a protocol's lines don't show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Habits {
    /// What the end of the input means.
    pub end_of_input: EndOfInput,
    /// What a `go` means to the searches before it.
    pub another_go: AnotherGo,
}

/// What the end of the input means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EndOfInput {
    /// Searches with a limit are finished first.
    #[default]
    Finish,
    /// The same as `quit`.
    Quit,
}

/// What a `go` means to the searches before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnotherGo {
    /// They go on, and it waits.
    #[default]
    Waits,
    /// Those that would not end by themselves end.
    EndsEndless,
}
