//! The native protocol: the commands of UCI with the squares, moves and positions of checkers. `protocol.md`
//! specifies it.

mod client;
mod format;
mod grammar;

use super::{Command, CommandError, EngineOutput, Protocol};
use kelso_engine::Declaration;

pub(super) use client::NativeClient;

/// The engine's side of the native protocol. Keeps no state between lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Native {
    /// Formats [`EngineOutput::Identity`] with these options.
    pub fn identity(options: impl IntoIterator<Item = Declaration>) -> String {
        format::identity(options)
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
