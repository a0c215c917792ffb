//! The referee: when a game is over, and how it has ended.
//!
//! Whoever plays games inside this program asks here after every move: matches, the laboratory, and games to learn from.
//! By the rules first, then by the endgame databases if there are any. What else ends a game (clocks, crashes, agreed draws,
//! resignations) is the business of whoever adds it.
//!
//! A new rule of draws is a variant of [`DrawRule`] with its answer in each of its functions.

mod knowledge;
mod reason;
mod result;
mod rules;
mod wld;

pub use knowledge::Oracle;
pub use reason::Reason;
pub use result::GameResult;
pub use rules::{DrawRule, DrawRuleError, Draws};
pub use wld::Wld;

use crate::board::{Game, Move, Outcome};

/// Follows one game and says when it is over.
#[derive(Clone, Copy)]
pub struct Referee<'a> {
    draws: Draws,
    oracle: Option<&'a dyn Oracle>,
    /// Plies since the last progress.
    idle: u32,
    plies: u32,
}

impl<'a> Referee<'a> {
    /// For a game about to begin, with someone who knows endgames or without.
    #[must_use]
    pub const fn new(draws: Draws, oracle: Option<&'a dyn Oracle>) -> Self {
        Self { draws, oracle, idle: 0, plies: 0 }
    }

    /// Takes note of a move: to be called for every one that counts for the draw rule.
    pub fn saw(&mut self, mv: Move) {
        self.idle = if self.draws.rule.is_progress(mv) { 0 } else { self.idle + 1 };
        self.plies = self.plies.saturating_add(1);
    }

    /// Moves seen.
    #[must_use]
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// How the game has ended, if it has: by the rules first, then by what is certain.
    #[must_use]
    pub fn verdict(&self, game: &Game) -> Option<(GameResult, Reason)> {
        let Draws { plies, repetition, most, .. } = self.draws;
        let draw = |reason| Some((GameResult::Draw, reason));
        match game.outcome() {
            Some(Outcome::Win(winner)) => Some((GameResult::won_by(winner), Reason::NoMove)),
            Some(Outcome::Repetition) if repetition => draw(Reason::Repetition),
            _ if self.idle >= plies => draw(Reason::NoProgress),
            _ if most.is_some_and(|most| self.plies >= most) => draw(Reason::MaxPlies),
            _ => Some((self.oracle?.result(game.position())?, Reason::Database)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::{fen, movetext};

    /// Plays moves in turn until the referee speaks.
    fn play(draws: Draws, start: &str, moves: &[&str]) -> (u32, Option<(GameResult, Reason)>) {
        let mut game = Game::new(fen::parse(start).unwrap());
        let mut referee = Referee::new(draws, None);
        for text in moves.iter().cycle().take(200) {
            if referee.verdict(&game).is_some() {
                break;
            }
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
            referee.saw(mv);
        }
        (referee.plies(), referee.verdict(&game))
    }

    const KINGS: &str = "B:WK32:BK1";
    const SHUFFLE: [&str; 4] = ["1-5", "32-28", "5-1", "28-32"];

    #[test]
    fn repetition_is_the_third_occurrence_where_it_counts() {
        let verdict = |reason| Some((GameResult::Draw, reason));
        assert_eq!(play(Draws::default(), KINGS, &SHUFFLE), (8, verdict(Reason::Repetition)));
        let endless = Draws { repetition: false, ..Draws::default() };
        assert_eq!(play(endless, KINGS, &SHUFFLE), (80, verdict(Reason::NoProgress)));
    }

    #[test]
    fn progress_is_what_the_rule_says() {
        let draws = |rule, plies| Draws { rule, plies, ..Draws::default() };
        // Seven moves of men, none of which captures or crowns.
        let men = ["9-13", "24-20", "5-9", "28-24", "1-5", "32-28", "10-14"];
        let start = "B:W24,28,32:B1,5,9,10";
        assert_eq!(play(draws(DrawRule::Alex, 4), start, &men).0, 4);
        assert_eq!(play(draws(DrawRule::Paper, 5), start, &men).0, 5);
        assert_eq!(play(draws(DrawRule::Standard, 6), KINGS, &SHUFFLE).0, 6);
        // A crowning counts for the paper, but not for those who wait for a capture.
        let crowning = ["28-24", "5-9", "25-30", "9-5"];
        let start = "B:WK5,13:B25,K28";
        assert_eq!(play(draws(DrawRule::Alex, 4), start, &crowning).0, 4);
        let mut referee = Referee::new(draws(DrawRule::Paper, 4), None);
        let mut game = Game::new(fen::parse(start).unwrap());
        for text in &crowning[..3] {
            let mv = movetext::parse(game.position(), text).unwrap();
            game.play(mv);
            referee.saw(mv);
        }
        assert_eq!((referee.plies(), referee.idle), (3, 0));
        let limited = Draws { most: Some(3), ..Draws::default() };
        assert_eq!(play(limited, KINGS, &SHUFFLE), (3, Some((GameResult::Draw, Reason::MaxPlies))));
    }

    #[test]
    fn a_side_without_moves_has_lost_whatever_else_holds() {
        let referee = Referee { idle: 99, ..Referee::new(Draws::default(), None) };
        let verdict = referee.verdict(&Game::new(fen::parse("B:W9,14:B5").unwrap()));
        assert_eq!(verdict, Some((GameResult::WhiteWins, Reason::NoMove)));
    }

    #[test]
    fn what_is_known_for_certain_ends_a_game_but_not_against_the_rules() {
        struct Knows;
        impl Oracle for Knows {
            fn result(&self, position: &Position) -> Option<GameResult> {
                (position.piece_count() < 3).then_some(GameResult::BlackWins)
            }
        }
        let referee = Referee::new(Draws::default(), Some(&Knows));
        let verdict = |text| referee.verdict(&Game::new(fen::parse(text).unwrap()));
        assert_eq!(verdict("B:WK32:BK1"), Some((GameResult::BlackWins, Reason::Database)));
        assert_eq!(verdict("B:WK32,K31:BK1"), None);
        assert_eq!(verdict("B:WK32:B28"), Some((GameResult::WhiteWins, Reason::NoMove)));
    }
}
