//! The native protocol: the commands of UCI with the squares, moves and positions of checkers. `protocol.md`
//! specifies it.

mod client;
mod format;
mod grammar;

use super::{Command, CommandError, EngineOutput, Protocol};
use kelso_engine::{Declaration, OptionKind};

pub(super) use client::NativeClient;

/// An option as an engine introduces it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredOption {
    pub name: &'static str,
    pub kind: OptionKind,
    /// The default as text.
    pub default: String,
}

impl From<&Declaration> for DeclaredOption {
    fn from(option: &Declaration) -> Self {
        Self { name: option.name, kind: option.kind.clone(), default: option.default() }
    }
}

/// The engine's side of the native protocol. Keeps no state between lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Native {
    /// Kelso's name and version.
    pub const KELSO: &str = concat!("Kelso ", env!("CARGO_PKG_VERSION"));

    /// Formats the introduction of an engine.
    pub fn introduction(name: &str, options: impl IntoIterator<Item = DeclaredOption>) -> String {
        format::introduction(name, options)
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
