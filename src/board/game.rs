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

/// A position with the moves that led to it, which repetition and lack of progress depend on.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    current: Position,
    moves: Vec<Move>,
    /// Keys of the positions since the last irreversible move, the current one last.
    keys: Vec<u64>,
}

impl Game {
    /// A game that begins with a position.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { start, current: start, moves: Vec::new(), keys: vec![start.key()] }
    }

    /// The position that it began with.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position now.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.current
    }

    /// What was played.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move of the current position.
    pub fn play(&mut self, mv: Move) {
        self.current = self.current.after(mv);
        self.moves.push(mv);
        if mv.is_irreversible() {
            self.keys.clear();
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
    pub fn quiet_plies(&self) -> usize {
        self.keys.len() - 1
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
        } else if self.quiet_plies() >= NO_PROGRESS_PLIES {
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
