//! What the session and the engine's thread say to each other.

use std::sync::Arc;

use super::input::Input;
use super::output::Output;
use draughts::board::{Game, Position};
use engine::Setting;
use engine::search::{Control, Limits};

/// Something that the session hears: from outside, or from the engine's thread.
#[derive(Debug)]
pub(super) enum Message {
    Input(Input),
    /// What is to be said of a job.
    Output(Output),
    /// A job that can be stopped is over.
    Done,
    /// All jobs are over.
    Last,
}

/// Something for the engine to do.
#[derive(Debug)]
pub(super) enum Job {
    Apply(Setting),
    NewGame,
    Ready,
    Evaluate(Position),
    Probe(Position),
    Offer(Game, Arc<Control>),
    Search(Game, Limits, Arc<Control>),
    Perft(Position, u32, Arc<Control>),
    Bench(Option<usize>, Arc<Control>),
    /// There will be no more.
    Last,
}
