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

/// Finds the orientation of a client's positions, `true` if they are turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Detector {
    /// The orientation that the parameter sets.
    fixed: Option<bool>,
    /// The orientation found last.
    known: Option<bool>,
}

impl Detector {
    /// The values of the parameter; `auto` detects the orientation.
    pub(super) const VALUES: [(&'static str, Option<bool>); 3] =
        [("auto", None), ("normal", Some(false)), ("turned", Some(true))];

    pub(super) const fn new(fixed: Option<bool>) -> Self {
        Self { fixed, known: None }
    }

    /// Returns the game that a client means by a position and moves.
    pub(super) fn game(&mut self, position: Position, moves: &[HubMove]) -> Result<Game, CommandError> {
        let game = |turned| {
            let start = if turned { position.flipped() } else { position };
            play(start, moves, |mv, position| mv.resolve(position))
        };
        if let Some(turned) = self.fixed {
            return game(turned);
        }
        let by_start = [false, true]
            .into_iter()
            .find(|&turned| Position::start() == if turned { position.flipped() } else { position });
        let first = self.known.or(by_start).unwrap_or(false);
        let (found, evident) = match (game(first), game(!first)) {
            (Ok(game), Ok(_)) => (game, self.known.or(by_start)),
            (Ok(game), Err(_)) => (game, Some(first)),
            (Err(_), Ok(game)) => (game, Some(!first)),
            (Err(error), Err(_)) => return Err(error),
        };
        self.known = evident;
        Ok(found)
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
        for (turned, expected) in [(false, Color::White), (true, Color::Black)] {
            let mut detector = Detector::new(Some(turned));
            assert_eq!(side(&mut detector, &format!("W{START}"), ""), Some(expected));
            assert_eq!(side(&mut detector, &format!("W{KINGS}"), ""), Some(expected));
        }
        let mut normal = Detector::new(Some(false));
        assert_eq!(side(&mut normal, &format!("W{START}"), "11-15"), None);
        let mut turned = Detector::new(Some(true));
        assert_eq!(side(&mut turned, &format!("W{START}"), "22-18"), None);
    }
}
