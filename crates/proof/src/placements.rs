//! Placements: the squares of the holder's pieces. The fewer placements a hold uses, the smaller it is.
//!
//! The size of a hold varies widely with the first choices, so each attempt has different preferences. Most
//! attempts also restrict the holder's kings to a region, which makes holds much smaller if it succeeds.

use std::cmp::Reverse;
use std::collections::HashMap;

use kelso_draughts::board::{Bitboard, Color, GOLDEN, Move, Position, Square};

/// The number of attempts without random preferences.
const PLAIN_ATTEMPTS: u64 = 4;

/// Black's men and kings.
pub(crate) type Placement = [Bitboard; 2];

pub(crate) fn placement(position: &Position) -> Placement {
    [position.men(Color::Black), position.kings(Color::Black)]
}

/// The placements used in an attempt at a hold, and the preferences of the attempt.
#[derive(Debug, Default)]
pub(crate) struct Placements {
    /// The number of moves to each placement.
    uses: HashMap<Placement, u64>,
    /// The number of attempts before this one.
    attempt: u64,
    /// The region to which an attempt restricts the holder's kings.
    region: Option<Region>,
}

/// The cost of a move to a placement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlacementCost {
    /// In a region, men move only if no king can.
    moves_man: bool,
    /// The most used placement comes first.
    uses: Reverse<u64>,
    /// The number of positions added to the hold, multiplied by the preference for the placement.
    new: u64,
}

/// The squares within a distance of a home square. Black's kings approach them and then stay there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    home: Square,
    radius: u8,
}

/// The regions to try: corners, where Black's men are crowned, and the centre.
const REGIONS: [(u8, u8); 11] =
    [(32, 1), (32, 2), (4, 1), (29, 1), (27, 1), (1, 1), (18, 1), (32, 3), (29, 2), (15, 1), (23, 2)];

/// Returns the regions for the attempts of a round. `None` means the whole board.
pub(crate) fn regions() -> impl Iterator<Item = Option<Region>> {
    let regions = REGIONS.into_iter();
    [None, None]
        .into_iter()
        .chain(regions.map(|(home, radius)| Some(Region { home: Square::from_number(home)?, radius })))
}

impl Region {
    /// Returns whether a move by Black stays in the region or approaches it. Men may always move.
    fn allows(self, before: &Position, after: &Position) -> bool {
        if before.kings(Color::Black) == after.kings(Color::Black)
            || before.kings(Color::Black).len() != after.kings(Color::Black).len()
        {
            return true;
        }
        let left = self.excess(after);
        left == 0 || left < self.excess(before)
    }

    /// Returns the total distance of Black's kings from the region.
    fn excess(self, position: &Position) -> u32 {
        let kings = position.kings(Color::Black).into_iter();
        kings.map(|square| u32::from(square.distance(self.home).saturating_sub(self.radius))).sum()
    }
}

impl Placements {
    /// Returns the preferences of the next attempt.
    pub(crate) fn of_next_attempt(&self, region: Option<Region>) -> Self {
        let attempt = self.attempt + u64::from(region.is_none());
        Self { uses: HashMap::new(), attempt, region }
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

    /// Returns whether Black may move, according to the region.
    pub(crate) fn allows(&self, before: &Position, after: &Position) -> bool {
        self.region.is_none_or(|region| region.allows(before, after))
    }

    /// Returns whether some moves are not allowed.
    pub(crate) const fn is_restricted(&self) -> bool {
        self.region.is_some()
    }

    /// Returns whether to answer the latest replies first.
    pub(crate) const fn is_depth_first(&self) -> bool {
        self.region.is_none() && self.attempt.is_multiple_of(2)
    }

    /// Returns the number of moves within which to look for a return to the hold.
    pub(crate) const fn depth(&self) -> u8 {
        if self.region.is_none() && self.attempt % 4 < 2 { 2 } else { 1 }
    }

    /// Returns the cost of a move to a placement that adds `new` positions to the hold.
    pub(crate) fn cost(&self, mv: Move, placement: Placement, new: usize) -> PlacementCost {
        PlacementCost {
            moves_man: self.is_restricted() && !mv.is_king(),
            uses: Reverse(self.uses(placement)),
            new: new as u64 * self.preference(placement),
        }
    }

    /// Returns a random number between 16 and 31.
    fn preference(&self, [men, kings]: Placement) -> u64 {
        if self.attempt < PLAIN_ATTEMPTS {
            return 16;
        }
        let seed = u64::from(men.0) << 32 | u64::from(kings.0);
        let mixed = (seed ^ self.attempt.wrapping_mul(GOLDEN)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        16 + ((mixed ^ mixed >> 31).wrapping_mul(0x94d0_49bb_1331_11eb) >> 60)
    }
}
