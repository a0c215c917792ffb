//! The outputs of a session, independent of the protocol.

use std::time::Duration;

use super::command::CommandError;
use kelso_draughts::ballot::{Ballot, Deck};
use kelso_draughts::board::{Branch, Game, Position};
use kelso_engine::eval::Explanation;
use kelso_engine::search::{SearchAnswer, SearchEvent};
use kelso_engine::{BenchResult, DrawOfferAnswer, Probe};

#[derive(Clone, Debug)]
pub enum EngineOutput {
    /// The engine's name and its options.
    Identity,
    /// The answer to [`Command::Ready`](super::Command::Ready).
    Ready,
    /// The answer to [`Command::Ping`](super::Command::Ping).
    Pong,
    Error(CommandError),
    /// The progress of a search of a position.
    Search(Position, SearchEvent),
    /// The end of a search of a position.
    Answer(Position, SearchAnswer),
    Moves(Position),
    /// The legal moves, with every path that they can take.
    Paths(Position),
    /// The database results of a position and its moves.
    Probe(Box<Probe>),
    Offer(DrawOfferAnswer),
    Ballots(Deck, Vec<Ballot>),
    /// The position and the state of the game.
    Show(Game),
    /// The name of an evaluation, and its explained value.
    Evaluation(String, Box<Explanation>),
    /// The number of leaves after a move.
    PerftBranch(Branch),
    /// The end of a count, without leaves if it was stopped.
    PerftTotal {
        depth: u32,
        leaves: Option<u64>,
        time: Duration,
    },
    /// The result of a benchmark position.
    BenchLine(BenchResult),
    /// The end of the benchmark, without nodes if it was stopped.
    BenchTotal {
        nodes: Option<u64>,
        time: Duration,
    },
    /// The list of commands.
    Help,
}
