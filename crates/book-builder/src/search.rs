//! Searches positions for a book.

use super::tree::{BookJudgement, BookTree};
use kelso_draughts::board::relative::Key;
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::result::Wdl;
use kelso_engine::book::BookScore;
use kelso_engine::search::{Control, Limits, Score};
use kelso_engine::{Engine, EngineSettings, Setting, SettingError};

/// Default size of the transposition table in MiB. It is small, since searches are short and the table is
/// cleared for each position.
const HASH_MEBIBYTES: usize = 8;

/// An engine that searches positions for a book.
#[derive(Debug)]
pub struct BookSearcher {
    pub engine: Engine,
    limits: Limits,
}

impl BookSearcher {
    /// Creates a searcher.
    pub fn new(settings: &EngineSettings, nodes: u64) -> Result<Self, SettingError> {
        let settings = settings.clone().with_default(Setting::Hash(HASH_MEBIBYTES));
        Ok(Self { engine: Engine::checked(settings)?, limits: Limits::nodes(nodes) })
    }

    /// Searches a position. Returns `None` if the search was stopped.
    fn judge(&self, key: Key, control: &Control) -> Option<BookJudgement> {
        let lost = BookJudgement { score: BookScore::LOST, depth: 0, settled: true };
        let Some(position) = key.position().filter(Position::can_move) else {
            return Some(lost);
        };
        // Repetitions could change the result of an ending, but the book ends here.
        if let Some(value) = self.engine.probe(&Game::new(position)).known {
            let score = match value.wdl {
                Wdl::Win => BookScore::WON,
                Wdl::Loss => BookScore::LOST,
                Wdl::Draw => BookScore::default(),
            };
            return Some(BookJudgement { score, depth: 0, settled: true });
        }
        best(&self.engine, &position, &self.limits, control).map(|(_, judgement)| judgement)
    }

    /// Searches a root or, for any other position, those of its successors that are not yet in the tree.
    /// Returns `None` if stopped. The table is cleared first, so that the result does not depend on earlier
    /// searches.
    pub fn search(
        &mut self,
        key: Key,
        root: bool,
        judged: &dyn Fn(Key) -> Option<BookJudgement>,
        control: &Control,
    ) -> Option<Vec<BookJudgement>> {
        self.engine.new_game();
        if root {
            return Some(vec![self.judge(key, control)?]);
        }
        let children = BookTree::edges(key).into_iter().map(|edge| edge.to);
        children.map(|child| judged(child).or_else(|| self.judge(child, control))).collect()
    }
}

/// Searches a position. Returns its best move, if there is one, and its value, or `None` if the search was
/// stopped.
pub(crate) fn best(
    engine: &Engine,
    position: &Position,
    limits: &Limits,
    control: &Control,
) -> Option<(Option<Move>, BookJudgement)> {
    let answer = engine.search(&Game::new(*position), limits, control, &mut |_| {});
    if control.is_stopped() {
        return None;
    }
    let score = answer.score.unwrap_or_else(|| Score::evaluation(engine.evaluate(position)));
    // Without a complete iteration, the score is an evaluation, of depth 0.
    let depth = answer.info().depth.map_or(0, |depth| u8::try_from(depth).unwrap_or(u8::MAX));
    Some((answer.best, judgement(score, depth)))
}

fn judgement(score: Score, depth: u8) -> BookJudgement {
    if score.is_evaluation() {
        return BookJudgement { score: BookScore::points(score.value()), depth, settled: false };
    }
    let score = if score > Score::DRAW { BookScore::WON } else { BookScore::LOST };
    BookJudgement { score, depth, settled: true }
}
