//! What is said to engines and what they say, as pure functions from values to lines and back: one file a protocol.

mod hub;
mod native;

use std::time::Duration;

use super::limits::{Limits, Remaining};
use super::spec::Protocol;
use super::state::GameState;
use crate::ScoreKind;
use draughts::board::{Color, Move, Position};
use draughts::notation::hubline;

/// What an engine has said of itself before it was ready.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    /// Its name and version.
    pub name: String,
    /// Its author.
    pub author: String,
    /// The names of its options.
    pub options: Vec<String>,
}

/// What an engine has said of the search that is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Its score.
    pub score: Option<ScoreKind>,
    /// The depth it reached.
    pub depth: Option<u32>,
    /// The positions it searched.
    pub nodes: Option<u64>,
}

/// More options than any engine has.
const MOST_OPTIONS: usize = 1000;

impl Identity {
    /// Takes note of an option, within reason: an engine may print what it likes.
    fn add_option(&mut self, name: &str) {
        if self.options.len() < MOST_OPTIONS {
            self.options.push(name.chars().take(100).collect());
        }
    }
}

impl Info {
    /// Takes over what a later line says.
    pub fn update(&mut self, later: Self) {
        self.score = later.score.or(self.score);
        self.depth = later.depth.or(self.depth);
        self.nodes = later.nodes.or(self.nodes);
    }
}

/// A line from an engine, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// How the search is going.
    Info(Info),
    /// The end of the search: the move, and what the engine expects in reply.
    Best {
        /// The move; none if the engine has none to give.
        mv: Option<&'a str>,
        /// The reply that it would ponder on.
        ponder: Option<&'a str>,
    },
    /// The engine is there.
    Ready,
    /// The engine complains.
    Error(&'a str),
    /// Nothing that matters here.
    Other,
}

/// Clocks and limits of the search to ask for.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The engine's limits.
    pub limits: &'a Limits,
    /// Black's and White's clocks, where they have one.
    pub clocks: [Option<Remaining>; 2],
    /// Who is to move.
    pub side: Color,
}

impl Task<'_> {
    fn clock(&self, side: Color) -> Option<Remaining> {
        self.clocks.get(side.index()).copied().flatten()
    }

    /// The time after which an answer is late, without the margin.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        match (self.clock(self.side).map(|clock| clock.left()), self.limits.movetime) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }
}

impl Protocol {
    /// The first line.
    #[must_use]
    pub const fn greeting(self) -> &'static str {
        match self {
            Self::Native => "uci",
            Self::Hub => "hub",
        }
    }

    /// Takes note of a line that answers the greeting; true if it was the last.
    pub fn introduce(self, line: &str, identity: &mut Identity) -> bool {
        match self {
            Self::Native => native::introduce(line, identity),
            Self::Hub => hub::introduce(line, identity),
        }
    }

    /// Sets an option.
    #[must_use]
    pub fn set_option(self, name: &str, value: &str) -> String {
        match self {
            Self::Native => format!("setoption name {name} value {value}"),
            Self::Hub => format!("set-param name={} value={}", hubline::quoted(name), hubline::quoted(value)),
        }
    }

    /// The line after the options are set, answered by [`Reply::Ready`].
    #[must_use]
    pub const fn initialise(self) -> &'static str {
        match self {
            Self::Native => "isready",
            Self::Hub => "init",
        }
    }

    /// A line that is answered by [`Reply::Ready`] at any time.
    #[must_use]
    pub const fn ping(self) -> &'static str {
        match self {
            Self::Native => "isready",
            Self::Hub => "ping",
        }
    }

    /// Announces a new game.
    #[must_use]
    pub const fn new_game(self) -> &'static str {
        match self {
            Self::Native => "ucinewgame",
            Self::Hub => "new-game",
        }
    }

    /// The lines that ask for a move.
    #[must_use]
    pub fn ask(self, course: &GameState, task: &Task<'_>) -> String {
        match self {
            Self::Native => format!("{}\n{}", native::position(course), native::go(task, false)),
            Self::Hub => format!("{}\n{}\ngo think", hub::position(course), hub::level(task)),
        }
    }

    /// The lines that make it think on the other side's time, in the game as it expects it to go on.
    #[must_use]
    pub fn ask_to_ponder(self, course: &GameState, task: &Task<'_>) -> String {
        match self {
            Self::Native => format!("{}\n{}", native::position(course), native::go(task, true)),
            Self::Hub => format!("{}\n{}\ngo ponder", hub::position(course), hub::level(task)),
        }
    }

    /// The expected reply has been played: the clock runs from now on.
    #[must_use]
    pub const fn ponder_hit(self) -> &'static str {
        match self {
            Self::Native => "ponderhit",
            Self::Hub => "ponder-hit",
        }
    }

    /// Understands a line.
    #[must_use]
    pub fn understand(self, line: &str) -> Reply<'_> {
        match self {
            Self::Native => native::understand(line),
            Self::Hub => hub::understand(line),
        }
    }

    /// The moves of the best line, if an engine tells them here.
    #[must_use]
    pub fn best_line(self, line: &str) -> Option<&str> {
        match self {
            Self::Native => native::best_line(line),
            Self::Hub => hub::best_line(line),
        }
    }

    /// The legal move that an answer stands for.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn read_move(self, position: &Position, text: &str) -> Result<Move, String> {
        match self {
            Self::Native => {
                draughts::notation::movetext::parse(position, text).map_err(|error| error.to_string())
            }
            Self::Hub => hub::read_move(position, text),
        }
    }
}
