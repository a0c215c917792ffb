//! The client's side of a protocol, for programs that use an engine.

use std::fmt;
use std::time::Duration;

use super::Go;
use draughts::board::{Color, Move, Position};
use draughts::notation::MoveError;
use engine::search::ScoreKind;

/// The client's side of a protocol: formats requests and parses the engine's lines. Requests have no line end.
pub trait Client: fmt::Debug + Sync {
    /// The first line of a session, by which the engine is asked to introduce itself.
    fn identify(&self) -> &'static str;

    /// Parses a line of the introduction; returns true if it is the last one.
    fn parse_identity(&self, line: &str, identity: &mut Identity) -> bool;

    /// Returns the name and the default of an option that a line declares, if setting it has no other effect.
    ///
    /// # Errors
    ///
    /// When the declaration is invalid.
    fn option_default(&self, line: &str) -> Result<Option<(String, String)>, String>;

    /// Sets an option.
    fn set_option(&self, name: &str, value: &str) -> String;

    /// The line after the options, answered by [`Reply::Ready`].
    fn initialise(&self) -> &'static str;

    /// A line that is answered by [`Reply::Ready`] at any time.
    fn ping(&self) -> &'static str;

    /// Announces a new game.
    fn new_game(&self) -> &'static str;

    /// Sets the position and starts a search.
    fn search(&self, request: &SearchRequest<'_>) -> String;

    /// Reports that the expected move was played, so that a pondering search becomes a normal one.
    fn ponder_hit(&self) -> &'static str;

    /// Parses a line of the engine.
    fn parse_reply<'a>(&self, line: &'a str) -> Reply<'a>;

    /// Parses a move of a position.
    ///
    /// # Errors
    ///
    /// When the text is not a legal move.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError>;

    /// Checks the values of an `info` line, which [`Client::parse_reply`] skips if they are invalid.
    ///
    /// # Errors
    ///
    /// When a value is invalid.
    fn check_info(&self, _line: &str) -> Result<(), String> {
        Ok(())
    }
}

/// A search to ask for: a position, the moves played since, and limits.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest<'a> {
    /// The position before the moves.
    pub start: &'a Position,
    /// The moves played since, all of them legal.
    pub moves: &'a [Move],
    /// The limits.
    pub go: &'a Go,
}

impl SearchRequest<'_> {
    /// The side to move after the moves.
    pub(super) fn side(&self) -> Color {
        let side = self.start.side();
        if self.moves.len().is_multiple_of(2) { side } else { !side }
    }
}

/// An engine's introduction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    /// Its name and version.
    pub name: String,
    /// Its author.
    pub author: String,
    /// The names of its options.
    pub options: Vec<String>,
}

impl Identity {
    const MAX_OPTIONS: usize = 1000;
    const MAX_NAME: usize = 100;

    /// Adds the name of an option. An engine may declare any number of names of any length; both are cut.
    pub(super) fn add_option(&mut self, name: &str) {
        if self.options.len() < Self::MAX_OPTIONS {
            self.options.push(name.chars().take(Self::MAX_NAME).collect());
        }
    }
}

/// The progress of a search, as far as the engine reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// The score.
    pub score: Option<ScoreKind>,
    /// The depth reached.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time used.
    pub time: Option<Duration>,
}

impl Info {
    /// Takes over the values of a later line.
    pub fn update(&mut self, later: Self) {
        self.score = later.score.or(self.score);
        self.depth = later.depth.or(self.depth);
        self.nodes = later.nodes.or(self.nodes);
        self.time = later.time.or(self.time);
    }
}

/// A parsed line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// The progress of a search, with the text of the best line.
    Info(Info, Option<&'a str>),
    /// The end of a search.
    BestMove {
        /// The move, if there is one.
        mv: Option<&'a str>,
        /// The expected reply.
        ponder: Option<&'a str>,
    },
    /// The answer to [`Client::initialise`] or [`Client::ping`].
    Ready,
    /// An error message.
    Error(&'a str),
    /// Any other line.
    Other,
}
