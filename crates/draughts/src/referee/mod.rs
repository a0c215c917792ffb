//! Decides when a game is over and what its result is: by the rules first, then by endgame databases if
//! available.
//!
//! Every game loop calls the [`Referee`] after each move. Clocks, crashes, agreed draws and resignations are
//! left to the caller. To add a draw rule, add a variant to [`ProgressRule`] and handle it in each of its
//! methods.
//!
//! ```
//! use draughts::Game;
//! use draughts::notation::{fen, movetext};
//! use draughts::board::Color;
//! use draughts::referee::{DrawRules, Referee};
//! use draughts::result::{EndReason, GameEnd};
//!
//! let mut game = Game::new(fen::parse("W:W14,13:B5")?);
//! let mut referee = Referee::new(DrawRules::STANDARD, None);
//! assert_eq!(referee.end(&game), None);
//!
//! let mv = movetext::parse(game.position(), "13-9")?;
//! game.play(mv);
//! referee.record(mv);
//! assert_eq!(referee.end(&game), Some(GameEnd::won_by(Color::White, EndReason::NoMove)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod rules;

pub use rules::{DrawRules, ProgressRule};

use crate::board::{Game, Move, Position};
use crate::result::{EndReason, GameEnd, GameResult};

/// A source of exact results, such as endgame databases.
pub trait Oracle: Send + Sync {
    /// Returns the result with best play, if it is known.
    fn result(&self, position: &Position) -> Option<GameResult>;
}

/// Follows one game and decides when it is over.
#[derive(Clone, Copy)]
pub struct Referee<'a> {
    draws: DrawRules,
    oracle: Option<&'a dyn Oracle>,
    /// Plies since the last progress.
    plies_without_progress: u32,
    plies: u32,
}

impl<'a> Referee<'a> {
    /// Creates a referee for a new game.
    #[must_use]
    pub const fn new(draws: DrawRules, oracle: Option<&'a dyn Oracle>) -> Self {
        Self { draws, oracle, plies_without_progress: 0, plies: 0 }
    }

    /// Records a move for the draw rule.
    pub fn record(&mut self, mv: Move) {
        self.plies_without_progress =
            if self.draws.rule.is_progress(mv) { 0 } else { self.plies_without_progress + 1 };
        self.plies = self.plies.saturating_add(1);
    }

    /// Returns the number of recorded moves.
    #[must_use]
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// Returns how the game ended, if it is over. The rules take priority over the oracle.
    #[must_use]
    pub fn end(&self, game: &Game) -> Option<GameEnd> {
        let DrawRules { plies, repetition, max_plies, .. } = self.draws;
        let draw = |reason| Some(GameEnd::draw(reason));
        match game.end() {
            Some(end) if end.reason == EndReason::NoMove => Some(end),
            Some(end) if end.reason == EndReason::Repetition && repetition => Some(end),
            _ if self.plies_without_progress >= plies => draw(EndReason::NoProgress),
            _ if max_plies.is_some_and(|max| self.plies >= max) => draw(EndReason::MaxPlies),
            _ => Some(GameEnd { result: self.oracle?.result(game.position())?, reason: EndReason::Database }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::notation::{fen, movetext};

    /// Plays the moves over and over until the game ends.
    fn play(draws: DrawRules, start: &str, moves: &[&str]) -> (u32, Option<GameEnd>) {
        let mut game = Game::new(fen::parse(start).unwrap());
        let mut referee = Referee::new(draws, None);
        for text in moves.iter().cycle().take(200) {
            if referee.end(&game).is_some() {
                break;
            }
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
            referee.record(mv);
        }
        (referee.plies(), referee.end(&game))
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
        let draws = |rule, plies| DrawRules { rule, plies, ..DrawRules::default() };
        // Seven moves of men, without captures or crownings.
        let men = ["9-13", "24-20", "5-9", "28-24", "1-5", "32-28", "10-14"];
        let start = "B:W24,28,32:B1,5,9,10";
        assert_eq!(play(draws(ProgressRule::Alex, 4), start, &men).0, 4);
        assert_eq!(play(draws(ProgressRule::Paper, 5), start, &men).0, 5);
        assert_eq!(play(draws(ProgressRule::Standard, 6), KINGS, &SHUFFLE).0, 6);
        // A crowning is progress for `Paper` but not for `Alex`.
        let crowning = ["28-24", "5-9", "25-30", "9-5"];
        let start = "B:WK5,13:B25,K28";
        assert_eq!(play(draws(ProgressRule::Alex, 4), start, &crowning).0, 4);
        let mut referee = Referee::new(draws(ProgressRule::Paper, 4), None);
        let mut game = Game::new(fen::parse(start).unwrap());
        for text in &crowning[..3] {
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
            referee.record(mv);
        }
        assert_eq!((referee.plies(), referee.plies_without_progress), (3, 0));
        let limited = DrawRules { max_plies: Some(3), ..DrawRules::default() };
        assert_eq!(play(limited, KINGS, &SHUFFLE), (3, Some(GameEnd::draw(EndReason::MaxPlies))));
    }

    #[test]
    fn a_side_without_moves_has_lost_whatever_else_holds() {
        let referee = Referee { plies_without_progress: 99, ..Referee::new(DrawRules::default(), None) };
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
