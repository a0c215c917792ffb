//! The transposition table of the textbook searchers. A new entry always replaces the old one in its slot.
//!
//! Clearing a table only changes the salt of its keys, so it takes no time.

use crate::value::{Value, at_node, from_node};
use kelso_draughts::board::{GOLDEN, Move, MoveId};
use kelso_engine::search::Bound;

/// The data of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Transposition {
    pub(super) value: Value,
    pub(super) bound: Bound,
    pub(super) depth: u8,
    /// The best move, or the move that caused a cutoff.
    pub(super) best: Option<MoveId>,
}

#[derive(Clone, Copy, Debug)]
struct TextbookEntry {
    key: u64,
    /// The value in the entry is relative to the node.
    data: Transposition,
}

const _: () = assert!(size_of::<TextbookEntry>() == 16);

/// A transposition table.
#[derive(Clone, Debug)]
pub struct Transpositions {
    entries: Box<[TextbookEntry]>,
    /// Number of bits by which a key is shifted to get its slot.
    shift: u32,
    /// A number that changes each time the table is cleared.
    salt: u64,
}

/// Binary logarithm of the minimum number of entries, for searches of up to six plies. Each further ply adds
/// two, up to a limit. A table that fits into the processor's cache is twice as fast.
const MIN_BITS: u32 = 14;
const MAX_BITS: u32 = 20;
const EMPTY: TextbookEntry =
    TextbookEntry { key: 0, data: Transposition { value: 0, bound: Bound::Upper, depth: 0, best: None } };

impl Transpositions {
    /// Creates a table for searches to a depth: 16,384 entries (256 KiB) for six plies, at most a million.
    pub fn for_depth(depth: usize) -> Self {
        let extra_plies = u32::try_from(depth).unwrap_or(MAX_BITS).saturating_sub(6);
        let bits = (MIN_BITS + 2 * extra_plies.min(MAX_BITS)).min(MAX_BITS);
        Self { entries: vec![EMPTY; 1 << bits].into_boxed_slice(), shift: 64 - bits, salt: 1 }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.salt = self.salt.wrapping_add(GOLDEN);
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most twenty bits are left")]
    const fn slot(&self, key: u64) -> usize {
        (key >> self.shift) as usize
    }

    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Transposition> {
        let entry = self.entries.get(self.slot(key))?;
        let data = entry.data;
        (entry.key == key ^ self.salt).then(|| Transposition { value: from_node(data.value, ply), ..data })
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, ply: usize, data: Transposition) {
        let slot = self.slot(key);
        if let Some(entry) = self.entries.get_mut(slot) {
            let data = Transposition { value: at_node(data.value, ply), ..data };
            *entry = TextbookEntry { key: key ^ self.salt, data };
        }
    }
}

/// Moves the table move to the front. The others keep their order.
pub(super) fn first(moves: &mut [Move], best: Option<MoveId>) {
    if let Some(index) = moves.iter().position(|mv| Some(mv.id()) == best)
        && let Some(front) = moves.get_mut(..=index)
    {
        front.rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::loss_in;
    use kelso_draughts::board::Position;

    #[test]
    fn entries_are_found_until_the_table_is_cleared() {
        let mut memory = Transpositions::for_depth(6);
        let entry =
            Transposition { value: loss_in(12), bound: Bound::Lower, depth: 9, best: MoveId::new(77) };
        for key in (1..2000u64).map(|n| n.wrapping_mul(GOLDEN)) {
            memory.store(key, 3, entry);
            assert_eq!(memory.probe(key, 3), Some(entry));
            assert_eq!(memory.probe(key, 0).map(|entry| entry.value), Some(loss_in(9)));
            memory.clear();
            assert_eq!(memory.probe(key, 3), None);
        }
    }

    #[test]
    fn the_remembered_move_comes_first() {
        let mut moves = Position::start().moves();
        let expected = moves[4];
        first(&mut moves, Some(expected.id()));
        assert_eq!(moves[0], expected);
        let before = moves.clone();
        first(&mut moves, MoveId::new(0xffff));
        assert_eq!(moves, before);
    }
}
