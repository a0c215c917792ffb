//! Chooses book moves, and answers searches from the book.

use super::Engine;
use crate::book::{Book, BookMove, BookPosition};
use crate::search::{BookReport, Control, Limits, SearchAnswer, SearchEvent};
use kelso_draughts::board::{Game, Move, mix};
use kelso_runtime::platform;

/// Minimum depth at which a book move is played. In 124 positions of lower depth, a one-second search was
/// right more often than the book, and its errors cost less. From this depth on, the book was better.
const MIN_DEPTH: u8 = 21;

/// Chooses by a random number among the allowed moves that are at most `variety` hundredths of a man worse
/// than the best; better moves are chosen more often. Returns `None` if the entry's depth is too small or
/// there is no such move.
fn choose(
    entry: &BookPosition,
    variety: u8,
    random: u64,
    allowed: &dyn Fn(Move) -> bool,
) -> Option<BookMove> {
    if entry.depth < MIN_DEPTH {
        return None;
    }
    let mut choices = entry.moves.clone();
    choices.retain(|choice| choice.drop.0 <= variety && !choice.drop.is_most() && allowed(choice.mv));
    let total: u32 = choices.iter().map(|choice| tickets(*choice, variety)).sum();
    if total == 0 {
        return None;
    }
    // The remainder is nearly uniform, since there are few tickets.
    let mut ticket = u32::try_from(random % u64::from(total)).ok()?;
    for choice in choices {
        match ticket.checked_sub(tickets(choice, variety)) {
            Some(rest) => ticket = rest,
            None => return Some(choice),
        }
    }
    None
}

/// Returns the weight of a move in the choice: the further it falls behind the best, the less often it is
/// played.
fn tickets(choice: BookMove, variety: u8) -> u32 {
    u32::from(variety - choice.drop.0) + 1
}

impl Engine {
    /// Returns a move from the opening book, if the book is in use and has a move to play.
    pub(crate) fn answer_by_book(
        &self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> Option<SearchAnswer> {
        let uses_book = self.options.book && self.options.is_full_strength() && !control.is_pondering();
        // A search without limits is an analysis, not a move in a game.
        if !uses_book || !limits.is_limited() || !limits.search_moves.is_empty() {
            return None;
        }
        let book = self.book()?;
        let position = game.position();
        let entry = book.look_up(position)?;
        let seed = match self.options.book_seed {
            0 => platform::seed(),
            seed => seed,
        };
        let random = mix(mix(seed) ^ position.key());
        // The book knows only the position, not the game, so a book move could repeat an earlier position.
        let allowed = |mv| !game.keys().contains(&position.after(mv).key());
        let BookMove { mv, drop } = choose(&entry, self.options.book_variety, random, &allowed)?;
        let score = entry.score.below(drop);
        on_event(SearchEvent::Book(BookReport { mv, score, depth: entry.depth }));
        let reply = book
            .look_up(&position.after(mv))
            .and_then(|entry| entry.moves.first().map(|book_move| book_move.mv));
        Some(SearchAnswer { best: Some(mv), ponder: reply, ..SearchAnswer::default() })
    }

    /// Returns the user's book or the built-in book, which is opened on first use.
    pub fn book(&self) -> Option<&Book> {
        let book = self.book.get_or_init(|| {
            let bytes = Some(self.embedded.book).filter(|bytes| !bytes.is_empty())?;
            Book::in_memory(bytes)
                .inspect_err(|error| log::warn!("cannot load the built-in opening book: {error}"))
                .ok()
        });
        book.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookScore, ScoreDrop, moves};
    use kelso_draughts::board::Position;

    fn found(drops: &[u8], depth: u8) -> BookPosition {
        let all = moves(&Position::start()).into_iter().zip(drops);
        let moves = all.map(|(mv, &drop)| BookMove { mv, drop: ScoreDrop(drop) }).collect();
        BookPosition { score: BookScore::points(5), depth, moves }
    }

    /// Counts how often each move is chosen in 6,000 trials.
    fn counts(found: &BookPosition, variety: u8, allowed: &dyn Fn(Move) -> bool) -> Vec<u32> {
        let mut counts = vec![0; found.moves.len()];
        for seed in 0..6000 {
            if let Some(chosen) = choose(found, variety, mix(seed), allowed) {
                counts[found.moves.iter().position(|known| known.mv == chosen.mv).unwrap()] += 1;
            }
        }
        counts
    }

    #[test]
    fn worse_book_moves_are_chosen_less_often() {
        let known = found(&[0, 0, 3, 9, 10, 255], 30);
        let best = counts(&known, 0, &|_| true);
        assert!(best[0] > 2800 && best[1] > 2800 && best[2..] == [0; 4], "{best:?}");
        // The probabilities are 10/28, 10/28, 7/28 and 1/28.
        let good = counts(&known, 9, &|_| true);
        for (count, share) in good.iter().zip([10, 10, 7, 1]) {
            assert!(count.abs_diff(6000 * share / 28) < 150, "{good:?}");
        }
        assert_eq!(good[4..], [0, 0]);
        assert_eq!(counts(&known, 255, &|_| true)[5], 0, "its drop is unknown");
        let first = known.moves[0].mv;
        assert_eq!(counts(&known, 0, &|mv| mv != first)[..2], [0, 6000]);
    }

    #[test]
    fn shallow_book_entries_are_not_played() {
        assert_eq!(counts(&found(&[0], MIN_DEPTH - 1), 0, &|_| true), [0]);
        assert_eq!(counts(&found(&[0], MIN_DEPTH), 0, &|_| true), [6000]);
        assert_eq!(counts(&found(&[0], 99), 0, &|_| false), [0]);
        assert_eq!(counts(&found(&[], 99), 0, &|_| true), [0; 0]);
    }
}
