//! Results of games.

use std::fmt;

use super::wld::Wld;
use crate::board::Color;
use crate::notation::pdn::PdnResult;

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

    /// Converts a PDN result, if the game is finished.
    #[must_use]
    pub const fn from_pdn(result: PdnResult) -> Option<Self> {
        match result {
            PdnResult::BlackWins => Some(Self::BlackWins),
            PdnResult::WhiteWins => Some(Self::WhiteWins),
            PdnResult::Draw => Some(Self::Draw),
            PdnResult::Unknown => None,
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

impl From<GameResult> for PdnResult {
    fn from(result: GameResult) -> Self {
        match result {
            GameResult::BlackWins => Self::BlackWins,
            GameResult::WhiteWins => Self::WhiteWins,
            GameResult::Draw => Self::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PdnResult::from(*self).fmt(f)
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

    #[test]
    fn files_have_the_same_results() {
        for result in [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw] {
            assert_eq!(GameResult::from_pdn(result.into()), Some(result));
        }
        assert_eq!(GameResult::from_pdn(PdnResult::Unknown), None);
    }
}
