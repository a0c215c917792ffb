//! What the session and the engine's thread say to each other.

use std::sync::Arc;
use std::time::Duration;

use super::input::Input;
use crate::board::{Branch, Game, Position};
use crate::engine::{BenchResult, Probe, Setting};
use crate::eval::Explanation;
use crate::search::{Answer, Control, Event, Limits};

/// Something that the session hears: from outside, or from the engine's thread.
#[derive(Debug)]
pub(super) enum Message {
    Input(Input),
    News(News),
}

/// Something for the engine to do.
#[derive(Debug)]
pub(super) enum Job {
    Apply(Setting),
    NewGame,
    Ready,
    Evaluate(Position),
    Probe(Position),
    Search(Game, Limits, Arc<Control>),
    Perft(Position, u32, Arc<Control>),
    Bench(Option<usize>, Arc<Control>),
    /// There will be no more.
    Last,
}

/// What came of it.
#[derive(Debug)]
pub(super) enum News {
    Ready,
    Failed(String),
    /// The name of the evaluation, and what it says.
    Evaluation(String, Box<Explanation>),
    Probe(Box<Probe>),
    Search(Position, Event),
    Answer(Position, Answer),
    PerftBranch(Branch),
    PerftTotal(u32, Option<u64>, Duration),
    BenchLine(BenchResult),
    BenchTotal(Option<u64>, Duration),
    /// A job that can be stopped is over.
    Done,
    /// All jobs are over.
    Last,
}
