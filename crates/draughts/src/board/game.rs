//! The state of a game: its current position and its history.

use super::moves::Move;
use super::position::Position;

/// Number of plies without a capture or a man's move after which a game is drawn: forty moves by each side.
pub const NO_PROGRESS_PLIES: u32 = 80;

/// A position and the history needed to detect repetition and lack of progress.
///
/// A game stores its moves, and the keys of the last few hundred positions.
///
/// ```
/// use kelso_draughts::Game;
/// use kelso_draughts::notation::movetext;
///
/// let mut game = Game::default();
/// let mv = movetext::parse(game.position(), "11-15")?;
/// game.play(mv);
/// assert_eq!((game.moves(), game.end()), (&[mv][..], None));
/// # Ok::<(), kelso_draughts::notation::MoveError>(())
/// ```
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    current: Position,
    /// The position after the last capture.
    base: Position,
    moves: Vec<Move>,
    /// The number of moves played since `base`.
    plies_without_capture: usize,
    /// The number of moves played since the last capture or man's move.
    reversible_plies: usize,
    keys: Vec<u64>,
}

/// Maximum number of keys, far more than a game accumulates before it is drawn for lack of progress.
const MAX_KEYS: usize = 512;

impl Game {
    /// Creates a game that starts from a position.
    pub fn new(start: Position) -> Self {
        let keys = vec![start.key()];
        Self {
            current: start,
            base: start,
            moves: Vec::new(),
            plies_without_capture: 0,
            reversible_plies: 0,
            keys,
        }
    }

    pub const fn position(&self) -> &Position {
        &self.current
    }

    /// Returns the moves played, first move first.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the game after a move that is [legal](Position::after) in the current position.
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// Plays a move that is [legal](Position::after) in the current position.
    pub fn play(&mut self, mv: Move) {
        self.current = self.current.after(mv);
        self.plies_without_capture += 1;
        if mv.is_capture() {
            self.base = self.current;
            self.plies_without_capture = 0;
        }
        if mv.is_irreversible() {
            self.reversible_plies = 0;
            self.keys.clear();
        } else {
            self.reversible_plies += 1;
        }
        self.moves.push(mv);
        if self.keys.len() >= MAX_KEYS {
            self.keys.drain(..MAX_KEYS / 2);
        }
        self.keys.push(self.current.key());
    }

    /// Returns the keys of the positions since the last capture or man's move, oldest first, ending with the
    /// current position.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Returns the number of plies since the last capture or man's move.
    #[must_use]
    pub const fn reversible_plies(&self) -> usize {
        self.reversible_plies
    }

    /// Returns the position after the last capture, and the moves since. Earlier moves do not affect the rest
    /// of the game under any draw rule.
    pub fn since_capture(&self) -> (&Position, &[Move]) {
        (&self.base, &self.moves[self.moves.len() - self.plies_without_capture..])
    }

    /// Returns the number of times that the current position has occurred, at least within the last 256
    /// plies.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let now = self.current.key();
        self.keys.iter().filter(|&&key| key == now).count()
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
    use crate::board::Color;
    use crate::notation::{fen, movetext};
    use crate::result::{EndReason, GameEnd};

    fn play(game: &mut Game, text: &str) {
        let mv = movetext::parse(game.position(), text).unwrap();
        game.play(mv);
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut game = Game::new(fen::parse("B:WK32,20:BK1,2").unwrap());
        for round in 1..=2 {
            assert_eq!((game.occurrences(), game.end()), (round, None));
            for text in ["1-5", "32-28", "5-1", "28-32"] {
                play(&mut game, text);
            }
        }
        assert_eq!(game.end(), Some(GameEnd::draw(EndReason::Repetition)));
        play(&mut game, "2-6");
        assert_eq!((game.reversible_plies(), game.end()), (0, None));
    }

    #[test]
    fn eighty_reversible_plies_are_a_draw_and_no_moves_a_loss() {
        let mut game = Game::new(fen::parse("B:WK32,29:BK1,2").unwrap());
        let (mut black, mut white) = (1, 32);
        // Kings that move in cycles of different lengths do not repeat a position three times in eighty
        // plies.
        let rounds = ([5, 9, 14, 10, 6, 1], [28, 24, 20, 16, 19, 23, 27, 32]);
        for ply in 0..80 {
            assert_eq!(game.end(), None, "{ply}");
            let (at, to) = if ply % 2 == 0 {
                (&mut black, rounds.0[ply / 2 % 6])
            } else {
                (&mut white, rounds.1[ply / 2 % 8])
            };
            play(&mut game, &format!("{at}-{to}"));
            *at = to;
        }
        assert_eq!(game.end(), Some(GameEnd::draw(EndReason::NoProgress)));
        let capturing = Game::new(fen::parse("B:W9:B5").unwrap());
        assert_eq!(capturing.end(), None);
        let blocked = Game::new(fen::parse("B:W9,14:B5").unwrap());
        assert_eq!(blocked.end(), Some(GameEnd::won_by(Color::White, EndReason::NoMove)));
    }

    #[test]
    fn moves_since_the_last_capture_are_kept() {
        let mut game = Game::new(fen::parse("B:WK32,28:BK1,12").unwrap());
        let first = game.position().key();
        assert_eq!(game.keys(), [first]);
        let mut keys = Vec::new();
        for text in ["12-16", "32-27", "1-6", "27-32"] {
            play(&mut game, text);
            keys.push(game.position().key());
        }
        assert_eq!(game.keys(), keys, "12-16 is irreversible");
        let (base, moves) = game.since_capture();
        assert_eq!((moves.len(), game.reversible_plies(), game.moves().len()), (4, 3, 4));
        assert_eq!(moves.iter().fold(*base, |position, &mv| position.after(mv)), *game.position());
        let mut game = Game::new(fen::parse("B:W18,32:B14,1").unwrap());
        play(&mut game, "14x23");
        let after_capture = *game.position();
        play(&mut game, "32-28");
        assert_eq!(game.since_capture(), (&after_capture, &game.moves()[1..]));
    }

    #[test]
    fn a_long_game_uses_little_memory() {
        let mut game = Game::new(fen::parse("B:WK32:BK1").unwrap());
        for _ in 0..1000 {
            for text in ["1-5", "32-28", "5-1", "28-32"] {
                play(&mut game, text);
            }
        }
        assert_eq!(game.reversible_plies(), 4000);
        assert!(game.keys().len() <= MAX_KEYS);
    }
}
