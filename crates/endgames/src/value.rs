//! Values as stored in databases, and the choice of the best value.
//!
//! A result is [`DRAW`], [`WIN`] or [`LOSS`] for the side to move. A distance is 0 for a draw and one more
//! than the plies to the end otherwise: odd for a loss, even for a win.

use std::ops::AddAssign;

use super::header::Content;
use kelso_draughts::result::{KnownValue, Wdl, WdlCounts};

pub const DRAW: u8 = 0;
pub const WIN: u8 = 1;
pub const LOSS: u8 = 2;

pub const fn wdl_of(result: u8) -> Wdl {
    match result {
        WIN => Wdl::Win,
        LOSS => Wdl::Loss,
        _ => Wdl::Draw,
    }
}

#[must_use]
pub const fn result_of(value: u8) -> u8 {
    match value {
        0 => DRAW,
        value if value % 2 == 0 => WIN,
        _ => LOSS,
    }
}

pub fn distance_of(value: u8) -> KnownValue {
    KnownValue::new(wdl_of(result_of(value)), value.checked_sub(1).map(u32::from))
}

/// The best of the values of all positions that a side can move to.
pub trait BestValue: Default + Send + Sync {
    const CONTENT: Content;
    /// Number of bits of a value in memory.
    const BITS: usize;
    /// The value if the side to move has no pieces.
    const LOST: u8;
    /// The value if the other side has no pieces.
    const WON: u8;

    /// Adds the value of a position that the side can move to. Returns whether further values can still
    /// change the result.
    fn add(&mut self, value: u8) -> bool;

    /// Returns the best value, or the value of an immediate loss if no value was added.
    fn value(&self) -> u8;
}

pub struct BestResult(u8);

impl Default for BestResult {
    fn default() -> Self {
        Self(LOSS)
    }
}

impl BestValue for BestResult {
    const CONTENT: Content = Content::Results;
    const BITS: usize = 2;
    const LOST: u8 = LOSS;
    const WON: u8 = WIN;

    fn add(&mut self, value: u8) -> bool {
        match value {
            LOSS => self.0 = WIN,
            WIN => {}
            _ => self.0 = DRAW,
        }
        self.0 != WIN
    }

    fn value(&self) -> u8 {
        self.0
    }
}

/// The rank of a value; larger is better. The first number is 0 if the opponent wins, 1 for a draw and 2 if
/// the opponent loses. The second is the value of the opponent's win, or the complement of the value of the
/// opponent's loss.
#[derive(Default)]
pub struct BestDistance((u8, u8));

impl BestValue for BestDistance {
    const CONTENT: Content = Content::Distances;
    const BITS: usize = 8;
    const LOST: u8 = 1;
    const WON: u8 = 2;

    fn add(&mut self, value: u8) -> bool {
        self.0 = self.0.max(match result_of(value) {
            DRAW => (1, 0),
            LOSS => (2, !value),
            _ => (0, value),
        });
        true
    }

    fn value(&self) -> u8 {
        match self.0 {
            (0, longest) => longest.saturating_add(1),
            (1, _) => 0,
            (_, shortest) => (!shortest).saturating_add(1),
        }
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
