//! Messages between the session and the engine's thread.

use std::sync::Arc;

use super::input::Input;
use super::output::Output;
use draughts::board::{Game, Position};
use engine::Setting;
use engine::search::{Control, Limits};

/// A message to the session.
#[derive(Debug)]
pub(super) enum Message {
    Input(Input),
    Output(Output),
    /// A job that can be stopped is done.
    Done,
    /// All jobs are done.
    Finished,
}

/// A task of the engine.
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
    /// There are no more jobs.
    Finish,
}
