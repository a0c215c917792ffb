//! What a session has to say, in no particular language: its own answers, and what the engine's thread reports.

use std::time::Duration;

use super::command::CommandError;
use draughts::board::{Branch, Game, Position};
use engine::book::{Ballot, Deck};
use engine::eval::Explanation;
use engine::search::{Answer, Event};
use engine::{BenchResult, OfferAnswer, Probe};

/// Something to be said.
#[derive(Clone, Debug)]
pub enum Output {
    /// Who this is, and what can be set.
    Identity,
    /// The answer to [`Command::Ready`](super::Command::Ready).
    Ready,
    /// The answer to [`Command::Ping`](super::Command::Ping).
    Pong,
    /// A line was in error.
    Error(CommandError),
    /// What a search of a position found.
    Search(Position, Event),
    /// What it came to.
    Answer(Position, Answer),
    /// The legal moves.
    Moves(Position),
    /// The legal moves, with every path that they can take.
    Paths(Position),
    /// What endgame databases say of a position and of each move.
    Probe(Box<Probe>),
    /// What became of an offer of a draw.
    Offer(OfferAnswer),
    /// Ballots of a deck, all or one.
    Ballots(Deck, Vec<Ballot>),
    /// The position, and how the game stands.
    Show(Game),
    /// What an evaluation of some name says, and why.
    Evaluation(String, Box<Explanation>),
    /// Leaves below one move.
    PerftBranch(Branch),
    /// All leaves, the depth and the time; counting was stopped if there is no number.
    PerftTotal(u32, Option<u64>, Duration),
    /// One position of the bench.
    BenchLine(BenchResult),
    /// The whole bench: nodes and time, if it was not stopped.
    BenchTotal(Option<u64>, Duration),
    /// What can be said to the session.
    Help,
}

/// Where lines go.
pub trait Write {
    /// Writes whole lines, and sees to it that they arrive.
    ///
    /// # Errors
    ///
    /// When nobody listens any more.
    fn lines(&mut self, text: &str) -> std::io::Result<()>;
}

impl<W: std::io::Write> Write for W {
    fn lines(&mut self, text: &str) -> std::io::Result<()> {
        self.write_all(text.as_bytes())?;
        self.flush()
    }
}
