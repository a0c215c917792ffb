//! Searches of a few plies by the textbook, which don't change with the search that plays: what they find is no problem.

use draughts::board::{Game, Move, Position};
use engine::search::{Control, Limits};
use engine::{Engine, Setting, SettingError};
use laboratory::CATALOG;

/// A shallow who looks so many plies ahead.
#[derive(Debug)]
pub struct ShallowSearch {
    engine: Engine,
    depth: usize,
}

impl ShallowSearch {
    /// A shallow of a depth.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    pub fn new(depth: usize) -> Result<Self, SettingError> {
        let mut engine = Engine::with_catalog(CATALOG, 1)?;
        if let (Some(searcher), Some(evaluation)) = (CATALOG.searcher("ab-tt-q"), CATALOG.evaluation("v3")) {
            engine.apply(Setting::Searcher(searcher))?;
            engine.apply(Setting::Evaluation(evaluation))?;
        }
        Ok(Self { engine, depth })
    }

    /// Whether one of the searches, to two plies, to four and so on, finds a move.
    #[must_use]
    pub fn finds(&self, position: &Position, best: Move) -> bool {
        let game = Game::new(*position);
        let answer =
            |depth| self.engine.search(&game, &Limits::depth(depth), &Control::new(false), &mut |_| {});
        (2..=self.depth).step_by(2).any(|depth| answer(depth).best == Some(best))
    }
}
