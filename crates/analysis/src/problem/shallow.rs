//! Textbook searches of a few plies. A move that they find is too easy for a problem; they stay the same when the engine changes.

use draughts::board::{Game, Move, Position};
use engine::search::{Control, Limits};
use engine::{Engine, Setting, SettingError};
use laboratory::CATALOG;

/// A search of a fixed number of plies.
#[derive(Debug)]
pub struct ShallowSearch {
    engine: Engine,
    depth: usize,
}

impl ShallowSearch {
    /// Creates a search of a depth.
    ///
    /// # Errors
    ///
    /// When there is not enough memory.
    pub fn new(depth: usize) -> Result<Self, SettingError> {
        let mut engine = Engine::with_catalog(CATALOG, 1)?;
        if let (Some(searcher), Some(evaluation)) = (CATALOG.searcher("ab-tt-q"), CATALOG.evaluation("v3")) {
            engine.apply(Setting::Searcher(searcher))?;
            engine.apply(Setting::Evaluation(evaluation))?;
        }
        Ok(Self { engine, depth })
    }

    /// Returns true if a search to two plies, four plies and so on up to the depth finds a move.
    pub fn finds(&self, position: &Position, best: Move) -> bool {
        let game = Game::new(*position);
        let answer =
            |depth| self.engine.search(&game, &Limits::depth(depth), &Control::new(false), &mut |_| {});
        (2..=self.depth).step_by(2).any(|depth| answer(depth).best == Some(best))
    }
}
