//! Draw offers. The side to move offers, and the engine answers for the other side:
//!
//! 1. If the databases know the result, the engine accepts unless it is winning.
//! 2. With more than sixteen pieces on the board, the engine declines.
//! 3. Otherwise, the engine searches briefly, and accepts unless it is ahead by more than a fifth of a man.

use super::Engine;
use crate::search::{Control, Limits, Score};
use kelso_draughts::board::Game;
use kelso_draughts::referee::Referee;
use kelso_draughts::result::Wdl;

/// Maximum number of pieces on the board for a draw to be accepted.
const MAX_OFFER_PIECES: u32 = 16;
/// Maximum score at which the engine accepts, in hundredths of a man.
const MAX_ADVANTAGE: i32 = 20;
const SEARCH_NODES: u64 = 200_000;

/// The answer to a draw offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawOfferAnswer {
    /// The engine accepts the offer.
    pub accepted: bool,
    /// The reason for the answer.
    pub reason: DrawOfferReason,
}

/// The reason for the answer to a draw offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawOfferReason {
    /// The game is already over.
    Over,
    /// The result from the databases, for the side that received the offer.
    Known(Wdl),
    /// Too many pieces are on the board.
    Pieces(u32),
    /// The score of the search, for the side that received the offer.
    Score(Score),
}

impl Engine {
    /// Answers an offer by the side to move, on behalf of the other side.
    pub fn answer_offer(&self, game: &Game, control: &Control) -> DrawOfferAnswer {
        let position = game.position();
        if Referee::new(self.options.draws, None).end(game).is_some() {
            return DrawOfferAnswer { accepted: false, reason: DrawOfferReason::Over };
        }
        if let Some(value) = self.probe(game).known {
            let result = value.wdl.reversed();
            return DrawOfferAnswer { accepted: result != Wdl::Win, reason: DrawOfferReason::Known(result) };
        }
        let pieces = position.piece_count();
        if pieces > MAX_OFFER_PIECES {
            return DrawOfferAnswer { accepted: false, reason: DrawOfferReason::Pieces(pieces) };
        }
        // Moves of the opening book have no scores.
        let limits = Limits::nodes(SEARCH_NODES);
        let answer = self.search_without_book(game, &limits, control, None, &mut |_| {});
        let score = answer.score.map_or(Score::DRAW, |score| -score);
        let accepted = score <= Score::evaluation(MAX_ADVANTAGE);
        DrawOfferAnswer { accepted, reason: DrawOfferReason::Score(score) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::book::{Book, BookEntry, BookScore, ScoreDrop};
    use crate::options::Setting;
    use kelso_draughts::board::relative::Key;
    use kelso_draughts::notation::fen;

    fn answer(text: &str) -> DrawOfferAnswer {
        let engine = Engine::new([Setting::Hash(4)]).unwrap();
        engine.answer_offer(&Game::new(fen::parse(text).unwrap()), &Control::new())
    }

    #[test]
    fn draw_offers_are_decided_by_databases() {
        let known = |accepted, own| DrawOfferAnswer { accepted, reason: DrawOfferReason::Known(own) };
        assert_eq!(answer("B:WK32:BK1,K2"), known(true, Wdl::Loss));
        assert_eq!(answer("W:WK32:BK28,K20"), known(false, Wdl::Win));
        assert_eq!(answer("B:WK32:BK1"), known(true, Wdl::Draw));
    }

    #[test]
    fn draw_offers_are_declined_early_and_when_ahead() {
        let full = DrawOfferAnswer { accepted: false, reason: DrawOfferReason::Pieces(24) };
        assert_eq!(answer("B:W21-32:B1-12"), full);
        let ahead = |text| match answer(text) {
            DrawOfferAnswer { accepted, reason: DrawOfferReason::Score(score) } => (accepted, score.value()),
            other => panic!("{other:?}"),
        };
        // Twelve men against four; no piece is threatened.
        assert!(matches!(ahead("B:W21-32:B1,2,3,4"), (false, 1..)));
        assert!(matches!(ahead("B:W29,30,31,32:B1-12"), (true, ..0)));
        assert_eq!(answer("W:W:B14").reason, DrawOfferReason::Over);
    }

    #[test]
    fn a_book_move_does_not_accept_a_draw() {
        let position = fen::parse("B:W21-32:B1,2,3,4").unwrap();
        let drops = position.moves().iter().map(|_| ScoreDrop(0)).collect();
        let entry = BookEntry { score: BookScore::points(0), depth: 30, drops };
        let book = Book::make("a test", [(Key::of(&position), &entry)]).unwrap();
        let mut engine = Engine::new([Setting::Hash(4)]).unwrap();
        engine.apply(Setting::Book(true)).unwrap();
        engine.book = OnceLock::from(Some(book));
        assert!(!engine.answer_offer(&Game::new(position), &Control::new()).accepted);
    }
}
