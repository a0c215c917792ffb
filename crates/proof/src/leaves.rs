//! Leaves: positions whose values certificates take from databases, without proof.

use std::collections::{BTreeSet, HashMap};

use super::certificate::LeafFile;
use kelso_draughts::board::Position;
use kelso_draughts::result::Wdl;
use kelso_endgames::{Content, Databases, Slice};

/// Returns the value of a leaf, or `None` if the position is not a leaf. `may_read` is asked whether the file
/// of a slice may be read, for every file that the value depends on.
///
/// A position is a leaf if the side to move
/// - must capture, and every capture leads to a leaf;
/// - has no pieces, and has lost;
/// - or neither, and a file that may be read stores the value. If the file leaves the position out, the
///   position is a leaf if every move leads to one.
pub(crate) fn leaf(
    databases: &Databases,
    position: &Position,
    may_read: &mut dyn FnMut(Slice) -> bool,
) -> Option<Wdl> {
    let moves = position.moves();
    let children = moves.iter().map(|&mv| position.after(mv));
    if position.must_capture() {
        let mut worst = Wdl::Win;
        for child in children {
            worst = worst.min(leaf(databases, &child, may_read)?);
        }
        return Some(worst.reversed());
    }
    if position.pieces(position.side()).is_empty() {
        return Some(Wdl::Loss);
    }
    let slice = Slice::of(position).filter(|&slice| may_read(slice))?;
    if databases.looks_ahead(position) {
        for child in children {
            let is_leaf = if child.must_capture() {
                leaf(databases, &child, may_read).is_some()
            } else {
                may_read(slice.twin())
            };
            if !is_leaf {
                return None;
            }
        }
    }
    databases.probe(position)
}

/// Databases whose values certificates may use without proof, up to a number of pieces. Values of positions
/// with more pieces only guide the search.
#[derive(Clone, Copy, Debug)]
pub struct Leaves<'a> {
    pub databases: &'a Databases,
    /// The maximum number of pieces in the databases that certificates may use.
    pub pieces: u32,
}

impl<'a> Leaves<'a> {
    /// Lets certificates use databases with at most this many pieces. With 0, they contain the whole proof.
    pub const fn up_to(databases: &'a Databases, pieces: u32) -> Self {
        Self { databases, pieces }
    }

    /// Returns the value of a position if certificates may use it.
    pub fn value(&self, position: &Position) -> Option<Wdl> {
        leaf(self.databases, position, &mut |slice| slice.pieces() <= self.pieces)
    }

    /// Returns the value of a position if the databases know it, whether or not certificates may use it.
    pub fn hint(&self, position: &Position) -> Option<Wdl> {
        self.databases.probe(position)
    }

    /// Returns the files that the values of leaves depend on.
    pub(crate) fn files(&self, leaves: &[Position]) -> Vec<LeafFile> {
        let mut slices = BTreeSet::new();
        for position in leaves {
            leaf(self.databases, position, &mut |slice| {
                slices.insert(slice);
                true
            });
        }
        let results = self.databases.files().filter(|(header, _)| header.content == Content::Results);
        let checksums: HashMap<Slice, u32> =
            results.map(|(header, _)| (header.slice, header.checksum())).collect();
        let files = slices.into_iter();
        files.filter_map(|slice| Some(LeafFile { slice, checksum: *checksums.get(&slice)? })).collect()
    }
}
