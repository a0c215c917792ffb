//! Placements: the squares of the holder's pieces. The fewer placements a hold uses, the smaller it is.
//!
//! The size of a hold varies widely with the first choices, so each attempt has different preferences.

use std::collections::HashMap;

use draughts::board::{Bitboard, Color, Position};

/// The number of attempts without random preferences.
const PLAIN: u64 = 4;

/// Black's men and kings.
pub(crate) type Placement = [Bitboard; 2];

pub(crate) fn placement(position: &Position) -> Placement {
    [position.men(Color::Black), position.kings(Color::Black)]
}

/// The placements that an attempt at a hold uses, and its preferences.
#[derive(Debug, Default)]
pub(crate) struct Placements {
    /// The number of moves to each placement.
    uses: HashMap<Placement, u64>,
    /// The number of attempts before this one.
    attempt: u64,
}

impl Placements {
    pub(crate) fn of_next_attempt(&self) -> Self {
        Self { uses: HashMap::new(), attempt: self.attempt + 1 }
    }

    pub(crate) fn add(&mut self, placement: Placement) {
        *self.uses.entry(placement).or_default() += 1;
    }

    pub(crate) fn remove(&mut self, placement: Placement) {
        if let Some(uses) = self.uses.get_mut(&placement) {
            *uses -= 1;
        }
    }

    /// Returns the number of moves to a placement.
    pub(crate) fn uses(&self, placement: Placement) -> u64 {
        self.uses.get(&placement).copied().unwrap_or(0)
    }

    /// Returns whether to answer the latest replies first.
    pub(crate) const fn is_depth_first(&self) -> bool {
        self.attempt.is_multiple_of(2)
    }

    /// Returns the number of moves within which to look for a return to the hold.
    pub(crate) const fn depth(&self) -> u8 {
        if self.attempt % 4 < 2 { 2 } else { 1 }
    }

    /// Rates a move to a placement that adds `new` positions to the hold; lower is better. The most used
    /// placement comes first.
    pub(crate) fn rate(&self, placement: Placement, new: u64) -> (u64, u64) {
        (u64::MAX - self.uses(placement), new * self.preference(placement))
    }

    /// Returns a random number between 16 and 31.
    fn preference(&self, [men, kings]: Placement) -> u64 {
        if self.attempt < PLAIN {
            return 16;
        }
        let seed = u64::from(men.0) << 32 | u64::from(kings.0);
        let mixed =
            (seed ^ self.attempt.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        16 + ((mixed ^ mixed >> 31).wrapping_mul(0x94d0_49bb_1331_11eb) >> 60)
    }
}
