//! The client's side of a protocol.

use std::fmt;

use super::GoParams;
use kelso_draughts::board::{Color, Game, Move, Position};
use kelso_draughts::notation::MoveError;
use kelso_draughts::record::SearchInfo;
use kelso_draughts::score::ReportedScore;
use kelso_syntax::Quoted;

/// A command without arguments that every protocol has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    Identify,
    Ready,
    Ping,
    NewGame,
    Stop,
    PonderHit,
    Quit,
}

/// The client's side of a protocol: formats requests and parses the engine's lines. Requests do not end with
/// a newline. A session begins with [`Verb::Identify`], which the engine answers with its introduction. The
/// client then sets options and ends with [`Verb::Ready`].
pub trait Client: fmt::Debug + Sync {
    fn verb(&self, verb: Verb) -> &'static str;

    /// Parses a line of the introduction. Returns `true` for the last line.
    fn parse_identity(&self, line: &str, identity: &mut Identity) -> bool;

    /// Returns the name and the default of the option that a line declares, if setting the option has no side
    /// effects.
    fn option_default(&self, line: &str) -> Result<Option<(String, String)>, OptionFault>;

    /// Returns the declared options that this client must change from their defaults.
    fn required_options(&self, _identity: &Identity) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    fn set_option(&self, name: &str, value: &str) -> String;

    /// Returns the lines that set the position: the position after the last capture, and the moves
    /// since. Earlier moves have no effect.
    fn position(&self, game: &Game) -> String;

    /// Returns the lines that start a search of the last position set, in which `side` is to move.
    fn go(&self, side: Color, go: &GoParams) -> String;

    /// Returns the lines that set the position and start a search.
    fn search(&self, game: &Game, go: &GoParams) -> String {
        format!("{}\n{}", self.position(game), self.go(game.position().side(), go))
    }

    /// Parses a line from the engine.
    fn parse_reply<'a>(&self, line: &'a str) -> Reply<'a>;

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError>;

    /// Parses the moves of a line, up to the first illegal one.
    fn parse_line(&self, position: &Position, line: &str) -> Vec<Move> {
        let mut position = *position;
        let moves = line.split_whitespace().map_while(|text| {
            let mv = self.parse_move(&position, text).ok()?;
            position = position.after(mv);
            Some(mv)
        });
        moves.collect()
    }

    /// Returns the names of the `info` values that differ from run to run.
    fn measured_values(&self) -> &'static [&'static str] {
        &["time", "nps", "hashfull"]
    }
}

/// A fault in the declaration of an option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionFault {
    /// An option has no type.
    #[error("invalid option {}: missing type", Quoted(.0))]
    Type(String),
    /// An option has an invalid value.
    #[error("invalid option {}: {name} is {}, expected {expected}", Quoted(line), Quoted(value))]
    Value { line: String, name: &'static str, value: String, expected: &'static str },
}

/// An engine's introduction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    /// Name and version.
    pub name: String,
    pub author: String,
    pub options: Vec<IdentityOption>,
}

/// An option in an engine's introduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdentityOption {
    pub name: String,
    /// The line that declares the option.
    pub line: String,
}

impl Identity {
    const MAX_OPTIONS: usize = 1000;
    const MAX_NAME_CHARS: usize = 100;
    const MAX_LINE_CHARS: usize = 10_000;

    /// Returns the name of an option as the engine writes it, ignoring case.
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut names = self.options.iter().map(|option| option.name.as_str());
        names.find(|option| option.eq_ignore_ascii_case(name))
    }

    /// Adds an option and the line that declares it. The number of options and the length of their lines are
    /// limited.
    pub(super) fn add_option(&mut self, name: &str, line: &str) {
        if self.options.len() < Self::MAX_OPTIONS {
            let name = name.chars().take(Self::MAX_NAME_CHARS).collect();
            let line = line.chars().take(Self::MAX_LINE_CHARS).collect();
            self.options.push(IdentityOption { name, line });
        }
    }
}

/// A parsed line from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// The progress of a search, with the text of the best line.
    Info(SearchInfo, Option<&'a str>),
    /// The end of a search.
    BestMove {
        /// The move, if there is one.
        mv: Option<&'a str>,
        /// The expected reply.
        ponder: Option<&'a str>,
    },
    /// The answer to [`Verb::Ready`] or [`Verb::Ping`].
    Ready,
    Error(&'a str),
    /// Any other line.
    Other,
}

/// Parses a database result, which Kelso adds to a score.
pub(super) fn database_result(word: &str) -> Option<ReportedScore> {
    match word {
        "win" => Some(ReportedScore::Win(None)),
        "loss" => Some(ReportedScore::Loss(None)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_introduction_has_a_limited_length() {
        let mut identity = Identity::default();
        let long = "\u{e9}".repeat(20_000);
        for _ in 0..=Identity::MAX_OPTIONS {
            identity.add_option(&long, &long);
        }
        assert_eq!(identity.options.len(), 1000);
        let lengths = identity
            .options
            .iter()
            .map(|option| [&option.name, &option.line].map(|text| text.chars().count()));
        assert_eq!(lengths.max(), Some([100, 10_000]));
    }

    #[test]
    fn faults_quote_the_line() {
        let text = str::to_owned;
        for (fault, message) in [
            (OptionFault::Type(text("option\x1b")), "invalid option \"option\\u{1b}\": missing type"),
            (
                OptionFault::Value {
                    line: text("o"),
                    name: "default",
                    value: text("x"),
                    expected: "a whole number",
                },
                "invalid option \"o\": default is \"x\", expected a whole number",
            ),
        ] {
            assert_eq!(fault.to_string(), message);
        }
    }
}
