//! Win, loss or draw (WLD).

use std::fmt;

/// The value of a position for the side to move: win, loss or draw. The worst comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Wld {
    /// The side to move loses.
    #[cfg_attr(feature = "serde", serde(rename = "lost"))]
    Loss,
    /// Neither side can win.
    #[cfg_attr(feature = "serde", serde(rename = "drawn"))]
    Draw,
    /// The side to move wins.
    #[cfg_attr(feature = "serde", serde(rename = "won"))]
    Win,
}

impl Wld {
    /// Returns the value for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
        }
    }
}

impl fmt::Display for Wld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Draw => "draw",
        })
    }
}
