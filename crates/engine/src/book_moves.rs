//! Moves from the opening book.

use super::Engine;
use crate::book::{Book, BookMove, BookScore, choice};
use crate::search::{Answer, BookReport, Event, Limits};
use common::{chance, host};
use draughts::board::{Game, Move};

impl Engine {
    /// Returns the move of the opening book, if it is in use and has one.
    pub(super) fn answer_by_book(
        &self,
        game: &Game,
        limits: &Limits,
        on_event: &mut dyn FnMut(Event),
    ) -> Option<Answer> {
        let asked = self.options.book && self.options.level.is_none();
        // Without a limit the search is an analysis.
        if !asked || !limits.is_limited() || !limits.search_moves.is_empty() {
            return None;
        }
        let book = self.book()?;
        let position = game.position();
        let found = book.look_up(position)?;
        let seed = match self.options.book_seed {
            0 => host::seed(),
            seed => seed as u64,
        };
        let mut random = chance::stream(&[seed, position.key()]);
        // A position that occurred before leads to a draw by repetition, which the book does not know of.
        let is_new = |mv: Move| !game.keys().contains(&position.after(mv).key());
        let variety = u8::try_from(self.options.book_variety).unwrap_or(u8::MAX);
        let BookMove { mv, drop } = choice::choose(&found, variety, &mut random, &is_new)?;
        let score = found.score.less(drop).unwrap_or(BookScore::LOWEST);
        on_event(Event::Book(BookReport { mv, score, depth: found.depth }));
        let reply =
            book.look_up(&position.after(mv)).and_then(|found| found.moves.first().map(|known| known.mv));
        Some(Answer { best: Some(mv), ponder: reply, nodes: 0 })
    }

    /// Returns the book that was chosen, or the one in memory, opened when it is first needed.
    fn book(&self) -> Option<&Book> {
        let open = || {
            let bytes = Some(self.embedded.book).filter(|bytes| !bytes.is_empty())?;
            Book::compiled_in(bytes).inspect_err(|error| log::warn!("no opening book: {error}")).ok()
        };
        self.book.get_or_init(open).as_ref()
    }
}
