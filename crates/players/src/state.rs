//! The state of a game for referees and engines.

use draughts::board::{Game, Move, Position};

/// A game with its moves since the last irreversible one.
///
/// Engines are sent the position before these moves and the moves. Earlier moves have no effect on the future, and
/// omitting them keeps lines short.
#[derive(Clone, Debug)]
pub struct GameState {
    game: Game,
    base: Position,
    since: Vec<Move>,
    last: Option<Move>,
    plies: u32,
}

impl GameState {
    /// Creates a game that begins with a position.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { game: Game::new(start), base: start, since: Vec::new(), last: None, plies: 0 }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.game.play(mv);
        self.plies = self.plies.saturating_add(1);
        self.last = Some(mv);
        if mv.is_irreversible() {
            self.base = *self.game.position();
            self.since.clear();
        } else {
            self.since.push(mv);
        }
    }

    /// The position now.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    /// The game for the rules.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The position after the last irreversible move.
    #[must_use]
    pub const fn base(&self) -> &Position {
        &self.base
    }

    /// The moves played since.
    #[must_use]
    pub fn since(&self) -> &[Move] {
        &self.since
    }

    /// The last move.
    #[must_use]
    pub const fn last(&self) -> Option<Move> {
        self.last
    }

    /// The number of moves played.
    #[must_use]
    pub const fn plies(&self) -> u32 {
        self.plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::{fen, movetext};

    #[test]
    fn the_base_is_the_first_position_that_can_repeat() {
        let mut state = GameState::new(fen::parse("B:WK32,28:BK1,12").unwrap());
        for text in ["12-16", "32-27", "1-6", "27-32"] {
            let mv = movetext::parse(state.position(), text).unwrap();
            state.play(mv);
        }
        assert_eq!((state.since().len(), state.plies()), (3, 4));
        let replayed = state.since().iter().fold(*state.base(), |position, &mv| position.after(mv));
        assert_eq!(replayed, *state.position());
        assert_eq!(state.last(), state.since().last().copied());
    }
}
