//! The orientation of positions. Most clients send the position that they mean. pydraughts doesn't: in its games of English
//! draughts it sends the board turned round with the colours exchanged, `W` to move where Black is, while its moves, and
//! those that it reads, are those of the board as it is.
//!
//! The moves distinguish the two, since they hardly ever fit both, and so does the start, in which Black moves first. The
//! last orientation found is kept for positions that fit both.

use crate::CommandError;
use crate::command::play;
use draughts::board::{Game, Position};
use draughts::notation::HubMove;

/// The relation of a position to the one that is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Orientation {
    /// The same.
    Normal,
    /// Turned round, with the colours exchanged.
    Turned,
}

impl Orientation {
    /// The values of the parameter; `auto` detects the orientation.
    pub(super) const VALUES: [(&'static str, Option<Self>); 3] =
        [("auto", None), ("normal", Some(Self::Normal)), ("turned", Some(Self::Turned))];

    const fn other(self) -> Self {
        match self {
            Self::Normal => Self::Turned,
            Self::Turned => Self::Normal,
        }
    }

    fn game(self, position: Position, moves: &[HubMove]) -> Result<Game, CommandError> {
        let start = match self {
            Self::Normal => position,
            Self::Turned => position.flipped(),
        };
        play(start, moves, |mv, position| mv.resolve(position))
    }
}

/// Finds the orientation of a client's positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Detector {
    /// The orientation that the parameter sets.
    fixed: Option<Orientation>,
    /// The orientation found last.
    known: Option<Orientation>,
}

impl Detector {
    pub(super) const fn new(fixed: Option<Orientation>) -> Self {
        Self { fixed, known: None }
    }

    /// Returns the game that a client means by a position and moves.
    pub(super) fn game(&mut self, position: Position, moves: &[HubMove]) -> Result<Game, CommandError> {
        if let Some(orientation) = self.fixed {
            return orientation.game(position, moves);
        }
        let start = if position == Position::start() {
            Some(Orientation::Normal)
        } else if position.flipped() == Position::start() {
            Some(Orientation::Turned)
        } else {
            None
        };
        let first = self.known.or(start).unwrap_or(Orientation::Normal);
        match (first.game(position, moves), first.other().game(position, moves)) {
            (Ok(game), Ok(_)) => {
                self.known = self.known.or(start);
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

    const START: &str = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    const KINGS: &str = "eeeeeeeeeeeeWeeeeeeeeeBeeeebeeew";

    fn side(detector: &mut Detector, position: &str, moves: &str) -> Option<Color> {
        let position = hubposition::parse(position).unwrap();
        let moves: Vec<_> = moves.split_whitespace().map(|word| HubMove::parse(word).unwrap()).collect();
        detector.game(position, &moves).ok().map(|game| game.position().side())
    }

    #[test]
    fn the_orientation_is_detected() {
        let mut detector = Detector::default();
        let kings = format!("B{KINGS}");
        assert_eq!(side(&mut detector, &kings, ""), Some(Color::Black));
        // White to move at the start: it is really Black's turn.
        assert_eq!(side(&mut detector, &format!("W{START}"), ""), Some(Color::Black));
        assert_eq!(side(&mut detector, &format!("W{START}"), "11-15 22-18 15x22x18"), Some(Color::White));
        assert_eq!(side(&mut detector, &kings, ""), Some(Color::White));
        // Moves outweigh the last orientation.
        assert_eq!(side(&mut detector, &format!("B{START}"), "11-15"), Some(Color::White));
        assert_eq!(side(&mut detector, &kings, ""), Some(Color::Black));
        assert_eq!(side(&mut detector, &format!("W{START}"), "22-18"), Some(Color::Black));
        assert_eq!(side(&mut detector, &format!("W{START}"), ""), Some(Color::White));
        // A line that fits neither orientation is an error, and changes nothing.
        assert_eq!(side(&mut detector, &format!("W{START}"), "1-5"), None);
        assert_eq!(side(&mut detector, &format!("W{START}"), ""), Some(Color::White));
    }

    #[test]
    fn the_parameter_fixes_it() {
        for (orientation, expected) in
            [(Orientation::Normal, Color::White), (Orientation::Turned, Color::Black)]
        {
            let mut detector = Detector::new(Some(orientation));
            assert_eq!(side(&mut detector, &format!("W{START}"), ""), Some(expected));
            assert_eq!(side(&mut detector, &format!("W{KINGS}"), ""), Some(expected));
        }
        let mut normal = Detector::new(Some(Orientation::Normal));
        assert_eq!(side(&mut normal, &format!("W{START}"), "11-15"), None);
        let mut turned = Detector::new(Some(Orientation::Turned));
        assert_eq!(side(&mut turned, &format!("W{START}"), "22-18"), None);
    }
}
