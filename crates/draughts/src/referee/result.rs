//! Who has won.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::wld::Wld;
use crate::board::Color;
use crate::notation::pdn::PdnResult;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// Black won.
    #[serde(rename = "1-0")]
    BlackWins,
    /// White won.
    #[serde(rename = "0-1")]
    WhiteWins,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win by a side.
    #[must_use]
    pub const fn won_by(side: Color) -> Self {
        match side {
            Color::Black => Self::BlackWins,
            Color::White => Self::WhiteWins,
        }
    }

    /// What a database's value means, with a side to move.
    #[must_use]
    pub fn of(value: Wld, side: Color) -> Self {
        match value {
            Wld::Win => Self::won_by(side),
            Wld::Draw => Self::Draw,
            Wld::Loss => Self::won_by(!side),
        }
    }

    /// The result of a game in a file, if it has one.
    #[must_use]
    pub const fn of_pdn(result: PdnResult) -> Option<Self> {
        match result {
            PdnResult::BlackWins => Some(Self::BlackWins),
            PdnResult::WhiteWins => Some(Self::WhiteWins),
            PdnResult::Draw => Some(Self::Draw),
            PdnResult::Unknown => None,
        }
    }

    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::BlackWins => Some(Color::Black),
            Self::WhiteWins => Some(Color::White),
            Self::Draw => None,
        }
    }

    /// A side's points, counted in halves.
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
        assert_eq!(GameResult::of(Wld::Win, Color::White), GameResult::WhiteWins);
        assert_eq!(GameResult::of(Wld::Loss, Color::White), GameResult::BlackWins);
        assert_eq!(GameResult::of(Wld::Draw, Color::Black).winner(), None);
        for side in Color::BOTH {
            assert_eq!(GameResult::won_by(side).winner(), Some(side));
            assert_eq!(GameResult::won_by(side).half_points(side), 2);
            assert_eq!(GameResult::won_by(side).half_points(!side), 0);
        }
    }

    #[test]
    fn files_have_the_same_results() {
        for result in [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw] {
            assert_eq!(GameResult::of_pdn(result.into()), Some(result));
        }
        assert_eq!(GameResult::of_pdn(PdnResult::Unknown), None);
    }
}
