//! Engine protocols. Each protocol has a module with both sides:
//!
//! - the engine's side, [`Protocol`]: parses a line into a [`Command`], which a [`Session`] executes, and
//!   formats each [`EngineOutput`];
//! - the client's side, [`Client`]: formats requests, and parses a line from the engine into a [`Reply`].
//!
//! [`Dialect`] lists the protocols.
//!
//! ```
//! use kelso_protocol::{Dialect, Native, Protocol};
//!
//! let mut native = Native;
//! assert!(native.read("position startpos moves 11-15").is_ok());
//! assert!(native.read("go depth many").is_err());
//! assert_eq!("hub".parse(), Ok(Dialect::Hub));
//! ```

mod autodetect;
mod client;
mod command;
mod hub;
mod native;
mod session;
mod worker;

use std::str::FromStr;

use kelso_syntax::WordError;

pub use autodetect::Autodetect;
pub use client::{Client, Identity, IdentityOption, OptionFault, Reply, Verb};
pub use command::{Command, CommandError, EngineCommand, EngineOutput, GoParams};
pub use hub::Hub;
pub use native::{DeclaredOption, Native};
pub use session::{Session, SessionError, SingleThreadedSession};
pub use worker::{Emit, SessionEngine};

kelso_syntax::named! {
    /// The protocols, by name.
    #[derive(Default)]
    pub enum Dialect {
        /// UCI's commands, with the positions and moves of checkers; see `protocol.md`.
        #[default]
        Native: "native";
        /// Hub, as spoken by Scan and others.
        Hub: "hub";
    }
}

impl Dialect {
    pub fn names() -> String {
        Self::NAMES.join(" or ")
    }

    /// Describes the protocol in a phrase.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Native => "Kelso's own: UCI commands with checkers positions and moves",
            Self::Hub => "Hub, as spoken by Scan and others",
        }
    }

    pub fn client(self) -> &'static dyn Client {
        match self {
            Self::Native => &native::NativeClient,
            Self::Hub => &hub::HubClient,
        }
    }
}

impl FromStr for Dialect {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        Self::from_name(text).ok_or_else(|| WordError::unknown("protocol", text, Self::names()))
    }
}

/// The engine's side of a protocol.
pub trait Protocol {
    /// Parses a line, or returns `None` for a blank line. An invalid line has no effect.
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError>;

    /// Formats an output as lines, each ending with a newline.
    fn write(&mut self, output: &EngineOutput) -> String;

    /// Returns whether input interrupts searches. If so, a `go` stops earlier searches without a limit, and
    /// the end of the input stops all searches. Otherwise, a search waits for all earlier searches, and at
    /// the end of the input, searches with a limit are completed.
    fn interrupts(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_read_the_commands_of_clients() {
        let [native, hub] = [Dialect::Native, Dialect::Hub].map(Dialect::client);
        for (verb, command) in [
            (Verb::Identify, Command::Identify),
            (Verb::Ready, Command::Ready),
            (Verb::NewGame, Command::NewGame),
            (Verb::Stop, Command::Stop),
            (Verb::PonderHit, Command::PonderHit),
            (Verb::Quit, Command::Quit),
        ] {
            assert_eq!(Native.read(native.verb(verb)).unwrap(), Some(command.clone()));
            assert_eq!(Hub::default().read(hub.verb(verb)).unwrap(), Some(command));
        }
        assert_eq!(Native.read(native.verb(Verb::Ping)).unwrap(), Some(Command::Ready));
        assert_eq!(Hub::default().read(hub.verb(Verb::Ping)).unwrap(), Some(Command::Ping));
    }

    #[test]
    fn protocols_are_found_by_name() {
        assert_eq!(Dialect::names(), "native or hub");
        for dialect in Dialect::ALL {
            assert_eq!(dialect.name().parse(), Ok(dialect));
        }
        let error = "uci".parse::<Dialect>().unwrap_err().to_string();
        assert_eq!(error, "unknown protocol \"uci\": expected native or hub");
    }
}
