//! Results of games.

use std::fmt;

use super::wld::Wld;
use crate::board::{Color, Outcome};

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameResult {
    /// Black won.
    #[cfg_attr(feature = "serde", serde(rename = "1-0"))]
    BlackWins,
    /// White won.
    #[cfg_attr(feature = "serde", serde(rename = "0-1"))]
    WhiteWins,
    /// Neither side won.
    #[cfg_attr(feature = "serde", serde(rename = "1/2-1/2"))]
    Draw,
}

impl GameResult {
    /// Returns a win of a side.
    #[must_use]
    pub const fn won_by(side: Color) -> Self {
        match side {
            Color::Black => Self::BlackWins,
            Color::White => Self::WhiteWins,
        }
    }

    /// Converts a value for the side to move.
    #[must_use]
    pub fn from_value(value: Wld, side: Color) -> Self {
        match value {
            Wld::Win => Self::won_by(side),
            Wld::Draw => Self::Draw,
            Wld::Loss => Self::won_by(!side),
        }
    }

    /// Returns the result as files write it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::BlackWins => "1-0",
            Self::WhiteWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// Returns the winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::BlackWins => Some(Color::Black),
            Self::WhiteWins => Some(Color::White),
            Self::Draw => None,
        }
    }

    /// Returns the points of a side in halves.
    #[must_use]
    pub const fn half_points(self, side: Color) -> u8 {
        match (self, side) {
            (Self::Draw, _) => 1,
            (Self::BlackWins, Color::Black) | (Self::WhiteWins, Color::White) => 2,
            _ => 0,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(winner) => Self::won_by(winner),
            Outcome::Repetition | Outcome::NoProgress => Self::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_for_the_side_to_move() {
        assert_eq!(GameResult::from_value(Wld::Win, Color::White), GameResult::WhiteWins);
        assert_eq!(GameResult::from_value(Wld::Loss, Color::White), GameResult::BlackWins);
        assert_eq!(GameResult::from_value(Wld::Draw, Color::Black).winner(), None);
        for side in Color::BOTH {
            assert_eq!(GameResult::won_by(side).winner(), Some(side));
            assert_eq!(GameResult::won_by(side).half_points(side), 2);
            assert_eq!(GameResult::won_by(side).half_points(!side), 0);
        }
    }
}
