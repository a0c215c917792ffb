//! How a position is meant. Most clients send the position that they mean. pydraughts doesn't: in its games of English
//! draughts it sends the board turned round with the colours exchanged, `W` to move where Black is, while its moves, and
//! those that it wants to hear, are those of the board as it is.
//!
//! Moves tell the two apart, since they hardly ever fit both, and so does the array of the start, in which Black moves
//! first. What they told is remembered for positions that tell nothing.

use crate::CommandError;
use draughts::board::{Game, Position};
use draughts::notation::HubMove;

/// What the parameter of the same name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Orientation {
    /// As the lines themselves tell.
    #[default]
    Auto,
    /// As it is sent.
    Normal,
    /// Turned round, with the colours exchanged.
    Turned,
}

impl Orientation {
    pub(super) const ALL: [(&'static str, Self); 3] =
        [("auto", Self::Auto), ("normal", Self::Normal), ("turned", Self::Turned)];
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    Normal,
    Turned,
}

impl Reading {
    const fn other(self) -> Self {
        match self {
            Self::Normal => Self::Turned,
            Self::Turned => Self::Normal,
        }
    }

    fn apply(self, position: Position, moves: &[HubMove]) -> Result<Game, CommandError> {
        let start = match self {
            Self::Normal => position,
            Self::Turned => position.flipped(),
        };
        let mut game = Game::new(start);
        for (index, mv) in moves.iter().enumerate() {
            let error = |error| CommandError::Move { number: index + 1, error };
            let mv = mv.resolve(game.position()).map_err(error)?;
            game.play(mv);
        }
        Ok(game)
    }
}

/// The readings of one client's positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Readings {
    orientation: Orientation,
    /// What a line has told.
    known: Option<Reading>,
}

impl Readings {
    pub(super) const fn new(orientation: Orientation) -> Self {
        Self { orientation, known: None }
    }

    /// The game that a position and moves are meant to be.
    pub(super) fn read(&mut self, position: Position, moves: &[HubMove]) -> Result<Game, CommandError> {
        match self.orientation {
            Orientation::Normal => return Reading::Normal.apply(position, moves),
            Orientation::Turned => return Reading::Turned.apply(position, moves),
            Orientation::Auto => {}
        }
        let array = if position == Position::start() {
            Some(Reading::Normal)
        } else if position.flipped() == Position::start() {
            Some(Reading::Turned)
        } else {
            None
        };
        let first = self.known.or(array).unwrap_or(Reading::Normal);
        match (first.apply(position, moves), first.other().apply(position, moves)) {
            (Ok(game), Ok(_)) => {
                self.known = self.known.or(array);
                Ok(game)
            }
            (Ok(game), Err(_)) => {
                self.known = Some(first);
                Ok(game)
            }
            (Err(_), Ok(game)) => {
                self.known = Some(first.other());
                Ok(game)
            }
            (Err(error), Err(_)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::board::Color;
    use draughts::notation::hubposition;

    const ARRAY: &str = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    const KINGS: &str = "eeeeeeeeeeeeWeeeeeeeeeBeeeebeeew";

    fn side(readings: &mut Readings, position: &str, moves: &str) -> Option<Color> {
        let position = hubposition::parse(position).unwrap();
        let moves: Vec<_> = moves.split_whitespace().map(|word| HubMove::parse(word).unwrap()).collect();
        readings.read(position, &moves).ok().map(|game| game.position().side())
    }

    #[test]
    fn lines_tell_how_they_are_meant() {
        let mut readings = Readings::default();
        let kings = format!("B{KINGS}");
        assert_eq!(side(&mut readings, &kings, ""), Some(Color::Black));
        // White to move in the array of the start: it is really Black's turn.
        assert_eq!(side(&mut readings, &format!("W{ARRAY}"), ""), Some(Color::Black));
        assert_eq!(side(&mut readings, &format!("W{ARRAY}"), "11-15 22-18 15x22x18"), Some(Color::White));
        assert_eq!(side(&mut readings, &kings, ""), Some(Color::White));
        // Moves are a better witness than memory.
        assert_eq!(side(&mut readings, &format!("B{ARRAY}"), "11-15"), Some(Color::White));
        assert_eq!(side(&mut readings, &kings, ""), Some(Color::Black));
        assert_eq!(side(&mut readings, &format!("W{ARRAY}"), "22-18"), Some(Color::Black));
        assert_eq!(side(&mut readings, &format!("W{ARRAY}"), ""), Some(Color::White));
        // What fits no reading is an error, and tells nothing.
        assert_eq!(side(&mut readings, &format!("W{ARRAY}"), "1-5"), None);
        assert_eq!(side(&mut readings, &format!("W{ARRAY}"), ""), Some(Color::White));
    }

    #[test]
    fn a_parameter_settles_it() {
        for (orientation, expected) in
            [(Orientation::Normal, Color::White), (Orientation::Turned, Color::Black)]
        {
            let mut readings = Readings::new(orientation);
            assert_eq!(side(&mut readings, &format!("W{ARRAY}"), ""), Some(expected));
            assert_eq!(side(&mut readings, &format!("W{KINGS}"), ""), Some(expected));
        }
        assert_eq!(side(&mut Readings::new(Orientation::Normal), &format!("W{ARRAY}"), "11-15"), None);
        assert_eq!(side(&mut Readings::new(Orientation::Turned), &format!("W{ARRAY}"), "22-18"), None);
    }
}
