//! The protocols by which programs talk to an engine. Each protocol has one folder with both directions:
//!
//! - The engine's side, [`Protocol`]: a line becomes a [`Command`], the [`Session`] executes it, and an [`EngineOutput`] becomes
//!   lines.
//! - The client's side, [`Client`]: a request becomes lines, and a line of the engine becomes a [`Reply`].
//!
//! [`Dialect`] lists the protocols.
//!
//! ```
//! use protocol::{Dialect, Native, Protocol};
//!
//! let mut native = Native::default();
//! assert!(native.read("position startpos moves 11-15").is_ok());
//! assert!(native.read("go depth many").is_err());
//! assert_eq!("hub".parse(), Ok(Dialect::Hub));
//! ```

mod autodetect;
mod client;
mod command;
mod hub;
mod input;
mod native;
mod output;
mod session;
mod worker;

use std::str::FromStr;

pub use autodetect::Autodetect;
pub use client::{Client, Identity, Info, Reply};
pub use command::{Command, CommandError, GoParams};
pub use hub::Hub;
pub use input::{InputLine, MAX_LINE, read_lines};
pub use native::Native;
pub use output::EngineOutput;
pub use session::{Session, SingleThreadedSession};

/// The protocols, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// The verbs of UCI with the positions and moves of checkers; `protocol.md` specifies it.
    #[default]
    Native,
    /// Hub, as spoken by Scan and others.
    Hub,
}

impl Dialect {
    /// All protocols.
    pub const ALL: [Self; 2] = [Self::Native, Self::Hub];

    /// The name, as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Hub => "hub",
        }
    }

    /// Returns the names of all protocols.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(" or ")
    }

    /// Describes the protocol in a phrase.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Native => "UCI's verbs with the positions and moves of checkers: Kelso's own",
            Self::Hub => "Hub, as spoken by Scan and others",
        }
    }

    /// Returns the client's side.
    pub fn client(self) -> &'static dyn Client {
        match self {
            Self::Native => &native::NativeClient,
            Self::Hub => &hub::HubClient,
        }
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|dialect| dialect.name() == text);
        found.ok_or_else(|| format!("unknown protocol \"{text}\": expected {}", Self::names()))
    }
}

/// The word of a command without arguments, and the command.
pub type Verb = (&'static str, Command);

/// The engine's side of a protocol.
pub trait Protocol {
    /// Parses a line; a blank one has none.
    /// An invalid line has no effect.
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError>;

    /// Formats an output as lines, each with its line end.
    fn write(&mut self, output: &EngineOutput) -> String;

    /// Returns whether input interrupts searches: a `go` stops earlier ones without a limit, and the end of the input stops
    /// all. Otherwise a search waits for all earlier ones, and those with a limit are completed at the end.
    fn interrupts(&self) -> bool {
        false
    }
}
