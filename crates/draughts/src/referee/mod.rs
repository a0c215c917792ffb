//! Decides when a game is over and what its result is: by the rules first, then by endgame databases if
//! available.
//!
//! Every game loop asks the [`Referee`] after each move. Clocks, crashes, agreed draws and resignations are
//! left to the caller. To add a draw rule, add a variant to [`ProgressRule`] and handle it in each of its
//! methods.
//!
//! ```
//! use kelso_draughts::Game;
//! use kelso_draughts::notation::{fen, movetext};
//! use kelso_draughts::board::Color;
//! use kelso_draughts::referee::{DrawRules, Referee};
//! use kelso_draughts::result::{EndReason, GameEnd};
//!
//! let mut game = Game::new(fen::parse("W:W14,13:B5")?);
//! let referee = Referee::new(DrawRules::STANDARD, None);
//! assert_eq!(referee.end(&game), None);
//!
//! game.play(movetext::parse(game.position(), "13-9")?);
//! assert_eq!(referee.end(&game), Some(GameEnd::won_by(Color::White, EndReason::NoMove)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod rules;

pub use rules::{DrawRules, ProgressRule};

use crate::board::{Game, Position};
use crate::result::{EndReason, GameEnd, GameResult};

/// A source of exact results, such as endgame databases.
pub trait Oracle: Send + Sync {
    /// Returns the result with best play, if it is known.
    fn result(&self, position: &Position) -> Option<GameResult>;
}

/// The number of times that a position occurs in a game drawn by repetition.
const DRAWING_OCCURRENCES: usize = 3;

/// Decides when a game is over.
#[derive(Clone, Copy)]
pub struct Referee<'a> {
    draws: DrawRules,
    oracle: Option<&'a dyn Oracle>,
    max_plies: Option<u32>,
    /// Number of moves at the beginning of the game that the draw rule does not count.
    uncounted: usize,
}

impl<'a> Referee<'a> {
    /// Creates a referee.
    #[must_use]
    pub const fn new(draws: DrawRules, oracle: Option<&'a dyn Oracle>) -> Self {
        Self { draws, oracle, max_plies: None, uncounted: 0 }
    }

    /// Draws games of this many plies.
    #[must_use]
    pub const fn limited_to(self, max_plies: Option<u32>) -> Self {
        Self { max_plies, ..self }
    }

    /// Does not count the moves of an opening for the numbers of plies.
    #[must_use]
    pub fn after(self, opening: &Game) -> Self {
        Self { uncounted: opening.moves().len(), ..self }
    }

    /// Returns how the game ended, if it is over. The rules take priority over the oracle, and a side without
    /// moves loses even if a draw rule also applies.
    #[must_use]
    pub fn end(&self, game: &Game) -> Option<GameEnd> {
        let DrawRules { no_progress_plies, repetition, .. } = self.draws;
        let position = game.position();
        let plies = game.moves().len().saturating_sub(self.uncounted);
        let plies_without_progress = self.draws.plies_without_progress(game).min(plies);
        Some(if !position.can_move() {
            GameEnd::won_by(!position.side(), EndReason::NoMove)
        } else if repetition && game.occurrences() >= DRAWING_OCCURRENCES {
            GameEnd::draw(EndReason::Repetition)
        } else if plies_without_progress >= no_progress_plies as usize {
            GameEnd::draw(EndReason::NoProgress)
        } else if self.max_plies.is_some_and(|max| plies >= max as usize) {
            GameEnd::draw(EndReason::MaxPlies)
        } else {
            GameEnd { result: self.oracle?.result(position)?, reason: EndReason::Database }
        })
    }
}

impl Game {
    /// Returns how the game ended, if it is over by the rules.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        Referee::new(DrawRules::STANDARD, None).end(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::notation::{fen, movetext};

    /// Plays the moves over and over until the game ends.
    fn play(draws: DrawRules, start: &str, moves: &[&str]) -> (usize, Option<GameEnd>) {
        play_to(None, draws, start, moves)
    }

    fn play_to(
        max_plies: Option<u32>,
        draws: DrawRules,
        start: &str,
        moves: &[&str],
    ) -> (usize, Option<GameEnd>) {
        let mut game = Game::new(fen::parse(start).unwrap());
        let referee = Referee::new(draws, None).limited_to(max_plies);
        for text in moves.iter().cycle().take(200) {
            if referee.end(&game).is_some() {
                break;
            }
            game.play(movetext::parse(game.position(), text).unwrap());
        }
        (game.moves().len(), referee.end(&game))
    }

    /// Draws a game after this number of plies without a capture.
    fn draws_after(no_progress_plies: u32) -> DrawRules {
        DrawRules { no_progress_plies, ..DrawRules::of(ProgressRule::Capture) }
    }

    const KINGS: &str = "B:WK32:BK1";
    const SHUFFLE: [&str; 4] = ["1-5", "32-28", "5-1", "28-32"];

    #[test]
    fn repetition_is_the_third_occurrence_where_it_counts() {
        let draw = |reason| Some(GameEnd::draw(reason));
        assert_eq!(play(DrawRules::default(), KINGS, &SHUFFLE), (8, draw(EndReason::Repetition)));
        let endless = DrawRules { repetition: false, ..DrawRules::default() };
        assert_eq!(play(endless, KINGS, &SHUFFLE), (80, draw(EndReason::NoProgress)));
    }

    #[test]
    fn counted_plies_depend_on_the_draw_rule() {
        let draws =
            |progress, no_progress_plies| DrawRules { progress, no_progress_plies, ..DrawRules::default() };
        // Seven moves of men, without captures or crownings.
        let men = ["9-13", "24-20", "5-9", "28-24", "1-5", "32-28", "10-14"];
        let start = "B:W24,28,32:B1,5,9,10";
        assert_eq!(play(draws(ProgressRule::Capture, 4), start, &men).0, 4);
        assert_eq!(play(draws(ProgressRule::CaptureOrCrowning, 5), start, &men).0, 5);
        assert_eq!(play(draws(ProgressRule::Standard, 6), KINGS, &SHUFFLE).0, 6);
        // A crowning is progress for `CaptureOrCrowning` but not for `Capture`.
        let crowning = ["28-24", "5-9", "25-30", "9-5"];
        let start = "B:WK5,13:B25,K28";
        assert_eq!(play(draws(ProgressRule::Capture, 4), start, &crowning).0, 4);
        let ended_by_length = (3, Some(GameEnd::draw(EndReason::MaxPlies)));
        let rule = draws(ProgressRule::CaptureOrCrowning, 3);
        assert_eq!(play_to(Some(3), rule, start, &crowning), ended_by_length);
        assert_eq!(play_to(Some(3), DrawRules::default(), KINGS, &SHUFFLE), ended_by_length);
    }

    #[test]
    fn moves_of_an_opening_do_not_count() {
        let mut game = Game::new(fen::parse(KINGS).unwrap());
        let referee = Referee::new(draws_after(3), None);
        for (text, end) in SHUFFLE.into_iter().zip([None, None, Some(GameEnd::draw(EndReason::NoProgress))]) {
            game.play(movetext::parse(game.position(), text).unwrap());
            assert_eq!((referee.end(&game), referee.after(&game).end(&game)), (end, None));
        }
    }

    #[test]
    fn a_side_without_moves_has_lost_whatever_else_holds() {
        let referee = Referee::new(draws_after(0), None);
        let end = referee.end(&Game::new(fen::parse("B:W9,14:B5").unwrap()));
        assert_eq!(end, Some(GameEnd::won_by(Color::White, EndReason::NoMove)));
    }

    #[test]
    fn adjudication_does_not_override_the_rules() {
        struct Knows;
        impl Oracle for Knows {
            fn result(&self, position: &Position) -> Option<GameResult> {
                (position.piece_count() < 3).then_some(GameResult::BlackWins)
            }
        }
        let referee = Referee::new(DrawRules::default(), Some(&Knows));
        let end = |text| referee.end(&Game::new(fen::parse(text).unwrap()));
        assert_eq!(end("B:WK32:BK1"), Some(GameEnd::won_by(Color::Black, EndReason::Database)));
        assert_eq!(end("B:WK32,K31:BK1"), None);
        assert_eq!(end("B:WK32:B28"), Some(GameEnd::won_by(Color::White, EndReason::NoMove)));
    }
}
