//! The search that plays, for whoever watches its tree.

use super::{MOST_MOVES, TreeError};
use crate::textbook::Found;
use draughts::board::{Game, Position};
use endgames::Databases;
use engine::eval::Evaluate;
use engine::search::{Control, Event, Limits, Score, SearchOptions, Table, Task, Watch, watched};

/// A size that depends on nothing, since the tree depends on it.
const TABLE_MEBIBYTES: usize = 16;

/// Searches a position to a depth, as the first of a game, with the databases that are compiled in.
pub(super) fn watch(
    root: &Position,
    evaluation: &dyn Evaluate,
    depth: usize,
    watcher: &mut dyn Watch<Score>,
) -> Result<Found, TreeError> {
    let table = Table::new(TABLE_MEBIBYTES).map_err(|_| TreeError::NoMemory)?;
    let (game, databases, control) = (Game::new(*root), Databases::compiled_in(), Control::new(false));
    let limits = Limits { nodes: Some(MOST_MOVES), ..Limits::depth(depth) };
    let task = Task {
        game: &game,
        limits: &limits,
        table: &table,
        databases: &databases,
        control: &control,
        options: &SearchOptions::default(),
    };
    let mut last = (Score::DRAW, 0);
    let mut tell = |event| {
        if let Event::Line(report) = event {
            last = (report.score, report.depth);
        }
    };
    let answer = watched(&task, evaluation, watcher, &mut tell);
    if answer.nodes >= MOST_MOVES {
        return Err(TreeError::TooLarge);
    }
    let (score, depth) = last;
    Ok(Found { best: answer.best, value: score.into(), exact: true, depth })
}
