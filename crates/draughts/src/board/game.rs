//! A game: where it began, what was played, and whether it is over.

use std::fmt;

use super::moves::Move;
use super::piece::Color;
use super::position::Position;

/// Plies without a capture or a man's move after which a game is drawn: forty moves by each side.
pub const NO_PROGRESS_PLIES: usize = 80;
/// How often a position must occur for the game to be drawn.
pub const REPETITIONS: usize = 3;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The other side has no legal move.
    Win(Color),
    /// The same position, with the same side to move, for the third time.
    Repetition,
    /// Eighty plies without a capture or a man's move.
    NoProgress,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(winner) => write!(f, "{winner} wins: {} has no move", !*winner),
            Self::Repetition => write!(f, "draw: third repetition"),
            Self::NoProgress => {
                write!(f, "draw: {NO_PROGRESS_PLIES} plies without a capture or a man's move")
            }
        }
    }
}

/// A position with what has gone before, as far as repetition and lack of progress depend on it.
///
/// Small whatever the length of the game: it remembers the keys since the last irreversible move, and of a game that
/// goes on for ever without one, the last few hundred.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    current: Position,
    /// Keys of the latest positions, the current one last.
    keys: Vec<u64>,
    quiet_plies: usize,
}

/// Keys are forgotten beyond this many, far above what a game can have before lack of progress ends it.
const MOST_KEYS: usize = 512;

impl Game {
    /// A game that begins with a position.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { current: start, keys: vec![start.key()], quiet_plies: 0 }
    }

    /// The position now.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.current
    }

    /// Plays a legal move of the current position.
    pub fn play(&mut self, mv: Move) {
        self.current = self.current.after(mv);
        if mv.is_irreversible() {
            self.keys.clear();
            self.quiet_plies = 0;
        } else {
            self.quiet_plies += 1;
        }
        if self.keys.len() >= MOST_KEYS {
            self.keys.drain(..MOST_KEYS / 2);
        }
        self.keys.push(self.current.key());
    }

    /// Keys of the positions since the last capture or man's move, oldest first, the current one last.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plies since the last capture or man's move.
    #[must_use]
    pub const fn quiet_plies(&self) -> usize {
        self.quiet_plies
    }

    /// How often the current position has occurred.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let now = self.current.key();
        self.keys.iter().filter(|&&key| key == now).count()
    }

    /// How the game ended, if it has: a side without moves loses even where a draw rule is met at once.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.current.can_move() {
            Some(Outcome::Win(!self.current.side()))
        } else if self.repetitions() >= REPETITIONS {
            Some(Outcome::Repetition)
        } else if self.quiet_plies >= NO_PROGRESS_PLIES {
            Some(Outcome::NoProgress)
        } else {
            None
        }
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, movetext};

    fn play(game: &mut Game, text: &str) {
        let mv = movetext::parse(game.position(), text).unwrap();
        game.play(mv);
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut game = Game::new(fen::parse("B:WK32,20:BK1,2").unwrap());
        for round in 1..=2 {
            assert_eq!((game.repetitions(), game.outcome()), (round, None));
            for text in ["1-5", "32-28", "5-1", "28-32"] {
                play(&mut game, text);
            }
        }
        assert_eq!(game.outcome(), Some(Outcome::Repetition));
        play(&mut game, "2-6");
        assert_eq!((game.quiet_plies(), game.outcome()), (0, None));
    }

    #[test]
    fn eighty_quiet_plies_are_a_draw_and_no_moves_a_loss() {
        let mut game = Game::new(fen::parse("B:WK32,29:BK1,2").unwrap());
        let (mut black, mut white) = (1, 32);
        // Kings that walk rounds of different lengths don't repeat a position three times in eighty plies.
        let rounds = ([5, 9, 14, 10, 6, 1], [28, 24, 20, 16, 19, 23, 27, 32]);
        for ply in 0..80 {
            assert_eq!(game.outcome(), None, "{ply}");
            let (at, to) = if ply % 2 == 0 {
                (&mut black, rounds.0[ply / 2 % 6])
            } else {
                (&mut white, rounds.1[ply / 2 % 8])
            };
            play(&mut game, &format!("{at}-{to}"));
            *at = to;
        }
        assert_eq!(game.outcome(), Some(Outcome::NoProgress));
        let capturing = Game::new(fen::parse("B:W9:B5").unwrap());
        assert_eq!(capturing.outcome(), None);
        let blocked = Game::new(fen::parse("B:W9,14:B5").unwrap());
        assert_eq!(blocked.outcome(), Some(Outcome::Win(Color::White)));
    }

    #[test]
    fn a_game_without_end_stays_small() {
        let mut game = Game::new(fen::parse("B:WK32:BK1").unwrap());
        for _ in 0..1000 {
            for text in ["1-5", "32-28", "5-1", "28-32"] {
                play(&mut game, text);
            }
        }
        assert_eq!(game.quiet_plies(), 4000);
        assert!(game.keys().len() <= MOST_KEYS);
    }
}
