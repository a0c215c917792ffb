//! The native protocol: the commands of UCI with the squares, moves and positions of checkers. `protocol.md`
//! specifies it.

mod client;
mod format;
mod grammar;

use super::{Command, CommandError, EngineOutput, Protocol};

pub(super) use client::NativeClient;

/// The engine's side of the native protocol. Keeps no state between lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Native {
    /// Returns the name and the value in a `setoption` line, or `None` for another line. An engine with
    /// options of its own reads them so.
    ///
    /// # Errors
    ///
    /// If the line does not follow the grammar.
    pub fn assignment(line: &str) -> Result<Option<(String, Option<&str>)>, CommandError> {
        let line = line.trim();
        let is_setoption = line.split_whitespace().next() == Some("setoption");
        is_setoption.then(|| grammar::assignment(line)).transpose()
    }
}

impl Protocol for Native {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        grammar::parse(line)
    }

    fn write(&mut self, output: &EngineOutput) -> String {
        format::format(output)
    }
}
