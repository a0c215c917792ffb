//! Databases whose results end a proof. They also guide the search.

use std::collections::{BTreeSet, HashMap};

use super::certificate::LeafFile;
use draughts::board::{Color, Position};
use endgames::{Content, Databases, Slice, Wdl};

/// Databases whose values certificates may use without proof, up to a number of pieces. Values of positions
/// with more pieces only guide the search.
#[derive(Clone, Copy, Debug)]
pub struct Leaves<'a> {
    databases: &'a Databases,
    pieces: u32,
}

impl<'a> Leaves<'a> {
    /// Lets certificates use databases with at most this many pieces.
    pub const fn up_to(databases: &'a Databases, pieces: u32) -> Self {
        // No database covers a single piece, and a certificate without files has no leaves.
        Self { databases, pieces: if pieces < 2 { 0 } else { pieces } }
    }

    /// Uses no databases as leaves, so that certificates contain the whole proof.
    pub const fn none(databases: &'a Databases) -> Self {
        Self { databases, pieces: 0 }
    }

    pub const fn databases(&self) -> &'a Databases {
        self.databases
    }

    /// Returns the maximum number of pieces in a leaf.
    pub const fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns the value of a position if certificates may use it. Captures that lead to leaves are played
    /// out.
    pub fn value(&self, position: &Position) -> Option<Wdl> {
        if position.piece_count() <= self.pieces {
            return self.databases.probe(position);
        }
        if self.pieces == 0 || !position.must_capture() {
            return None;
        }
        let mut worst = Wdl::Win;
        for mv in position.moves() {
            worst = worst.min(self.value(&position.after(mv))?);
        }
        Some(worst.reversed())
    }

    /// Returns the value of a position if the databases know it, whether or not certificates may use it.
    pub fn hint(&self, position: &Position) -> Option<Wdl> {
        self.databases.probe(position)
    }

    /// Returns the files that are needed to look up the values of these positions.
    pub fn files(&self, positions: &[Position]) -> Vec<LeafFile> {
        let mut slices = BTreeSet::new();
        for position in positions {
            add_slices(position, &mut slices);
        }
        let results = self.databases.files().filter(|(header, _)| header.content == Content::Results);
        let checksums: HashMap<Slice, u32> =
            results.map(|(header, _)| (header.slice, header.checksum())).collect();
        let file = |slice| Some(LeafFile { slice, checksum: *checksums.get(&slice)? });
        slices.into_iter().filter_map(file).collect()
    }
}

/// Adds the slices that are read to look up a position. Captures are played out. A position in which the
/// other side threatens to capture may be missing from its file, and is looked up one ply ahead.
fn add_slices(position: &Position, slices: &mut BTreeSet<Slice>) {
    if position.must_capture() {
        for mv in position.moves() {
            add_slices(&position.after(mv), slices);
        }
        return;
    }
    let Some(slice) = slice_of(position) else { return };
    slices.insert(slice);
    if position.is_threatened() {
        slices.insert(slice.twin());
        let children = position.moves().into_iter().map(|mv| position.after(mv));
        for child in children.filter(Position::must_capture) {
            add_slices(&child, slices);
        }
    }
}

/// Returns the slice of a position, or `None` if a side has no pieces or more than a slice can have.
pub(crate) fn slice_of(position: &Position) -> Option<Slice> {
    let sides = [position.side(), !position.side()];
    let count = |pieces: u32| u8::try_from(pieces).ok();
    let [men, other_men] = sides.map(|side: Color| count(position.men(side).len()));
    let [kings, other_kings] = sides.map(|side: Color| count(position.kings(side).len()));
    let slice = Slice { men: [men?, other_men?], kings: [kings?, other_kings?] };
    sides.iter().all(|&side| !position.pieces(side).is_empty()).then_some(slice)
}
