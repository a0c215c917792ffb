//! Values as stored in databases.

use std::ops::AddAssign;

use super::header::Content;
use kelso_draughts::result::{KnownValue, Wdl, WdlCounts};

/// A value of a position for the side to move, ordered from worst to best. It is stored as a byte or in fewer
/// bits.
pub trait StoredValue: Copy + Ord + Send + Sync {
    const CONTENT: Content;
    /// Number of bits of a value in memory.
    const BITS: usize;
    /// The value if the side to move has no pieces, which is the worst.
    const LOST: Self;
    /// The value if the other side has no pieces, which is the best.
    const WON: Self;

    fn from_byte(byte: u8) -> Self;

    #[cfg(feature = "build")]
    fn byte(self) -> u8;

    fn wdl(self) -> Wdl;

    /// Returns the value of a position whose only move leads to a position with this value.
    fn for_parent(self) -> Self;

    /// Takes the value of a position that the side can move to into account. Returns whether further values
    /// can still change the result.
    fn add(&mut self, child: Self) -> bool {
        *self = (*self).max(child.for_parent());
        *self != Self::WON
    }
}

/// Stored as 0 for a draw, 1 for a win and 2 for a loss.
impl StoredValue for Wdl {
    const CONTENT: Content = Content::Results;
    const BITS: usize = 2;
    const LOST: Self = Self::Loss;
    const WON: Self = Self::Win;

    fn from_byte(byte: u8) -> Self {
        match byte {
            1 => Self::Win,
            2 => Self::Loss,
            _ => Self::Draw,
        }
    }

    #[cfg(feature = "build")]
    fn byte(self) -> u8 {
        match self {
            Self::Draw => 0,
            Self::Win => 1,
            Self::Loss => 2,
        }
    }

    fn wdl(self) -> Wdl {
        self
    }

    fn for_parent(self) -> Self {
        self.reversed()
    }
}

/// A result with the plies to the end: 0 for a draw, 255 less the plies for a win, and minus this for a loss.
/// Stored as 0 for a draw and one more than the plies otherwise, which is odd for a loss and even for a win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Distance(i16);

impl Distance {
    #[cfg(feature = "build")]
    pub const DRAWN: Self = Self(0);

    pub fn known_value(self) -> KnownValue {
        KnownValue::new(self.wdl(), Some(255 - u32::from(self.0.unsigned_abs())))
    }
}

impl StoredValue for Distance {
    const CONTENT: Content = Content::Distances;
    const BITS: usize = 8;
    const LOST: Self = Self(-255);
    const WON: Self = Self(254);

    fn from_byte(byte: u8) -> Self {
        // 256 less the byte, except for a draw.
        let size = i16::from(byte.wrapping_neg());
        Self(if byte.is_multiple_of(2) { size } else { -size })
    }

    #[cfg(feature = "build")]
    #[expect(clippy::cast_possible_truncation, reason = "at most 255")]
    fn byte(self) -> u8 {
        (self.0.unsigned_abs() as u8).wrapping_neg()
    }

    fn wdl(self) -> Wdl {
        match self.0 {
            ..0 => Wdl::Loss,
            0 => Wdl::Draw,
            1.. => Wdl::Win,
        }
    }

    fn for_parent(self) -> Self {
        Self(self.0.signum() - self.0)
    }
}

/// The number of positions of a slice with each result.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Results for the side to move.
    pub results: WdlCounts,
    /// Positions, out of the total, in which the side to move must capture.
    pub captures: u64,
}

impl Counts {
    /// Creates counts from the numbers in a file: wins, losses, draws and captures.
    #[must_use]
    pub const fn from_numbers([wins, losses, draws, captures]: [u64; 4]) -> Self {
        Self { results: WdlCounts::new(wins, draws, losses), captures }
    }

    #[must_use]
    pub const fn numbers(self) -> [u64; 4] {
        let WdlCounts { wins, draws, losses } = self.results;
        [wins, losses, draws, self.captures]
    }

    /// Returns the number of positions.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.results.total()
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.results += other.results;
        self.captures += other.captures;
    }
}
