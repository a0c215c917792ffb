//! The engine's own search with an observer.

use super::{MAX_MOVES, TreeError};
use crate::textbook::TextbookResult;
use draughts::board::{Game, Position};
use endgames::Databases;
use engine::eval::Evaluate;
use engine::search::{Control, Event, Limits, Score, SearchObserver, SearchOptions, Table, Task, observed};

/// A size that depends on nothing, since the tree depends on it.
const TABLE_MEBIBYTES: usize = 16;

/// Searches a position to a depth, as the first of a game, with the databases that are compiled in.
pub(super) fn watch(
    root: &Position,
    evaluation: &dyn Evaluate,
    depth: usize,
    watcher: &mut dyn SearchObserver<Score>,
) -> Result<TextbookResult, TreeError> {
    let table = Table::new(TABLE_MEBIBYTES).map_err(|_| TreeError::OutOfMemory)?;
    let (game, databases, control) = (Game::new(*root), Databases::compiled_in(), Control::new(false));
    let limits = Limits { nodes: Some(MAX_MOVES), ..Limits::depth(depth) };
    let task = Task {
        game: &game,
        limits: &limits,
        table: &table,
        databases: &databases,
        control: &control,
        options: &SearchOptions::default(),
    };
    let mut last = (Score::DRAW, 0);
    let mut on_event = |event| {
        if let Event::Line(report) = event {
            last = (report.score, report.depth);
        }
    };
    let answer = observed(&task, evaluation, watcher, &mut on_event);
    if answer.nodes >= MAX_MOVES {
        return Err(TreeError::TooLarge);
    }
    let (score, depth) = last;
    Ok(TextbookResult { best: answer.best, value: score.into(), exact: true, depth })
}
