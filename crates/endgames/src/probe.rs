//! Looks up positions.
//!
//! Captures are played out until the side to move has none, which ends soon, since each capture removes a
//! piece. Other positions that a file leaves out are looked up one ply ahead: see [`super::coverage`].
#![expect(clippy::cast_possible_truncation, reason = "indices in a block and its values are small")]

use std::sync::atomic::Ordering;

use super::Content;
use super::cache::{BLOCK_WORDS, CachedBlock};
use super::databases::{Databases, SliceEntry};
use super::file::SliceFile;
use super::header::GROUP;
use super::node::Node;
use super::value::{Distance, StoredValue};
use kelso_draughts::board::Position;
use kelso_draughts::referee::Oracle;
use kelso_draughts::result::{GameResult, KnownValue, Wdl};

impl Databases {
    /// Returns the result of a position for the side to move, ignoring draw rules.
    #[must_use]
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        self.node_value::<_, false>(&self.node(position)?)
    }

    /// Like [`Self::probe`], but returns `None` if the side to move has a capture.
    #[must_use]
    #[inline]
    pub fn probe_quiet(&self, position: &Position) -> Option<Wdl> {
        self.quiet_value::<_, false>(&self.quiet_node(position)?)
    }

    /// Returns whether the file of a position's slice exists but leaves the position out, since the other
    /// side threatens to capture. The value then follows from the positions after every move.
    #[must_use]
    pub fn looks_ahead(&self, position: &Position) -> bool {
        let Some(node) = self.quiet_node(position) else { return false };
        let file = self.entry(Content::Results, node.slice()).and_then(|entry| self.file(entry));
        file.is_some_and(|file| file.header.coverage.leaves_out(&node))
    }

    /// Like [`Self::probe_quiet`], but uses only what is in memory: compiled-in databases and cached blocks.
    /// The first probe of a file opens it, but does not read or decode its blocks.
    #[must_use]
    #[inline]
    pub fn probe_quiet_in_memory(&self, position: &Position) -> Option<Wdl> {
        self.quiet_value::<_, true>(&self.quiet_node(position)?)
    }

    /// Returns the result of a position, and the number of plies to the end if the winner hurries and the
    /// loser delays.
    #[must_use]
    pub fn distance(&self, position: &Position) -> Option<KnownValue> {
        self.node_value::<_, false>(&self.node(position)?).map(Distance::known_value)
    }

    /// Returns the value of a position, with its distance if it is known.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<KnownValue> {
        if !position.can_move() {
            // A side that cannot move has lost.
            return Some(KnownValue::LOST);
        }
        self.distance(position).or_else(|| self.probe(position).map(|result| KnownValue::new(result, None)))
    }

    /// Like [`Self::distance`], but uses only what is in memory.
    #[must_use]
    pub fn distance_in_memory(&self, position: &Position) -> Option<KnownValue> {
        self.node_value::<_, true>(&self.node(position)?).map(Distance::known_value)
    }

    #[inline]
    fn node(&self, position: &Position) -> Option<Node> {
        self.covers(position.piece_count()).then(|| Node::of(position))
    }

    #[inline]
    fn quiet_node(&self, position: &Position) -> Option<Node> {
        (self.covers(position.piece_count()) && !position.must_capture()).then(|| Node::of(position))
    }

    #[inline]
    fn node_value<V: StoredValue, const IN_MEMORY: bool>(&self, node: &Node) -> Option<V> {
        if node.can_capture() {
            self.by_captures::<V, IN_MEMORY>(node)
        } else {
            self.quiet_value::<V, IN_MEMORY>(node)
        }
    }

    fn by_captures<V: StoredValue, const IN_MEMORY: bool>(&self, node: &Node) -> Option<V> {
        let mut best = V::LOST;
        let mut is_complete = true;
        node.captures(&mut |child| {
            let value = self.node_value::<V, IN_MEMORY>(child);
            is_complete = value.is_some();
            value.is_some_and(|value| best.add(value))
        });
        is_complete.then_some(best)
    }

    #[inline]
    fn quiet_value<V: StoredValue, const IN_MEMORY: bool>(&self, node: &Node) -> Option<V> {
        if node.own() == 0 {
            return Some(V::LOST);
        }
        if node.enemy() == 0 {
            return Some(V::WON);
        }
        let entry = self.entry(V::CONTENT, node.slice())?;
        let file = self.file(entry)?;
        if file.header.coverage.leaves_out(node) {
            return self.look_ahead::<V, IN_MEMORY>(node);
        }
        self.stored::<V, IN_MEMORY>(entry, file, node)
    }

    /// Returns the value of a position that its file omits, from the values of its successors. Unless a
    /// successor can capture, the file of the other side must store it; if that file omits it too, the files
    /// do not match.
    #[inline(never)]
    fn look_ahead<V: StoredValue, const IN_MEMORY: bool>(&self, node: &Node) -> Option<V> {
        let twin = self.entry(V::CONTENT, node.slice().twin())?;
        let file = self.file(twin)?;
        let mut best = V::LOST;
        let mut is_complete = true;
        node.quiet_moves(&mut |child| {
            let value = if child.can_capture() {
                self.by_captures::<V, IN_MEMORY>(child)
            } else if file.header.coverage.leaves_out(child) {
                None
            } else {
                self.stored::<V, IN_MEMORY>(twin, file, child)
            };
            is_complete = value.is_some();
            value.is_some_and(|value| best.add(value))
        });
        is_complete.then_some(best)
    }

    #[inline]
    fn stored<V: StoredValue, const IN_MEMORY: bool>(
        &self,
        entry: &SliceEntry,
        file: &SliceFile,
        node: &Node,
    ) -> Option<V> {
        let number = file.index.number(node);
        let size = V::CONTENT.block();
        let block = number / size;
        let index = (number % size) as usize;
        let word = index * V::BITS / 64;
        let shift = index * V::BITS % 64;
        let key = entry.key | block;
        let word = match self.cache.get(key, word) {
            Some(word) => word,
            None if IN_MEMORY && !file.is_in_memory() => return None,
            None => *self.load::<V>(entry, file, block)?.get(word)?,
        };
        Some(V::from_byte((word >> shift & ((1 << V::BITS) - 1)) as u8))
    }

    #[cold]
    fn load<V: StoredValue>(&self, entry: &SliceEntry, file: &SliceFile, block: u64) -> Option<CachedBlock> {
        if !entry.usable.load(Ordering::Relaxed) {
            return None;
        }
        match file.group(block / GROUP).and_then(|group| file.decode(&group, block)) {
            Ok(values) => {
                let mut words = [0; BLOCK_WORDS];
                for (word, values) in words.iter_mut().zip(values.chunks(64 / V::BITS)) {
                    *word = values.iter().rev().fold(0, |word, &value| word << V::BITS | u64::from(value));
                }
                self.cache.insert(entry.key | block, &words);
                Some(words)
            }
            Err(error) => {
                self.give_up(entry, error);
                None
            }
        }
    }
}

impl Oracle for Databases {
    fn result(&self, position: &Position) -> Option<GameResult> {
        self.probe(position).map(|value| GameResult::from_wdl(value, position.side()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use crate::{Counts, DatabaseOptions, Slice};
    use kelso_batch::testing::Folder;
    use kelso_draughts::board::{Color, Piece, PieceKind, Setup, Square};
    use kelso_draughts::notation::fen;

    fn at(text: &str) -> Position {
        fen::parse(text).unwrap()
    }

    #[test]
    fn five_piece_counts_equal_published_ones() {
        let databases = Databases::compiled_in();
        let mut sum = Counts::default();
        for (header, _) in databases.files().filter(|(h, _)| h.slice.pieces() == 5) {
            sum += header.counts;
        }
        let known = Counts::from_numbers([71_334_772, 56_993_144, 11_122_892, 36_584_364]);
        assert_eq!(sum, known);
    }

    #[test]
    fn counts_of_king_against_king_equal_published_ones() {
        let databases = Databases::compiled_in();
        let [mut positions, mut won, mut drawn, mut lost, mut jumps] = [0; 5];
        for white in Square::all() {
            for black in Square::all().filter(|&square| square != white) {
                let mut setup = Setup::empty(Color::White);
                setup.put(white, Piece { color: Color::White, kind: PieceKind::King });
                setup.put(black, Piece { color: Color::Black, kind: PieceKind::King });
                let position = Position::try_from(setup).unwrap();
                positions += 1;
                jumps += u32::from(position.must_capture());
                match databases.probe(&position).unwrap() {
                    Wdl::Win => won += 1,
                    Wdl::Draw => drawn += 1,
                    Wdl::Loss => lost += 1,
                }
            }
        }
        assert_eq!([positions, won, drawn, lost, jumps], [992, 230, 654, 108, 72]);
    }

    /// Returns a folder with the compiled-in results of two and three pieces, and distances of two.
    fn folder() -> Folder {
        let folder = Folder::new();
        for (name, bytes) in Databases::compiled_in_bytes() {
            let (slice, kind) = name.split_once('.').unwrap();
            let pieces = slice.parse::<Slice>().unwrap().pieces();
            if pieces == 2 || pieces == 3 && kind == Content::Results.extension() {
                folder.write(&name, bytes);
            }
        }
        folder
    }

    #[test]
    fn probes_return_known_results_and_distances() {
        let databases = Databases::compiled_in();
        let (win, loss, draw) = (Wdl::Win, Wdl::Loss, Wdl::Draw);
        for (text, wdl, plies) in [
            // White's man is blocked, or can be blocked by 4-8.
            ("W:W12:B3,8", loss, Some(0)),
            ("B:W12:B3,4", win, Some(1)),
            // Wherever White's man goes, it is captured.
            ("W:W30:B22", loss, Some(2)),
            ("B:W30:B18", win, Some(3)),
            // A capture is compulsory, and here takes the last piece.
            ("W:W10:B6", win, Some(1)),
            ("B:WK19:BK15,12", win, Some(1)),
            // Two kings drive one out of the double corner.
            ("W:WK28,K24:BK1", win, Some(31)),
            ("B:WK28:BK1", draw, None),
            ("B:W32:BK22,K23", win, Some(5)),
            ("W:W30:B1", draw, None),
        ] {
            let position = at(text);
            assert_eq!(databases.probe(&position), Some(wdl), "{text}");
            assert_eq!(databases.distance(&position), Some(KnownValue { wdl, plies }), "{text}");
            let quiet = (!position.must_capture()).then_some(wdl);
            assert_eq!(databases.probe_quiet(&position), quiet, "{text}");
            assert_eq!(databases.probe_quiet_in_memory(&position), quiet, "{text}");
            assert_eq!(databases.distance_in_memory(&position), databases.distance(&position), "{text}");
            let winner = match wdl {
                Wdl::Win => GameResult::won_by(position.side()),
                Wdl::Loss => GameResult::won_by(!position.side()),
                Wdl::Draw => GameResult::Draw,
            };
            assert_eq!(Oracle::result(&databases, &position), Some(winner), "{text}");
        }
    }

    #[test]
    fn probe_quiet_in_memory_returns_only_values_already_read() {
        let folder = folder();
        let paths = || DatabaseOptions {
            folder: Some(folder.as_ref().to_owned()),
            embedded: &[],
            ..DatabaseOptions::default()
        };
        let (databases, compiled_in) = (Databases::open(&paths()), Databases::compiled_in());
        let (two, three) = (at("B:WK28:BK1"), at("W:WK28,K24:BK1"));
        assert_eq!((databases.probe_quiet_in_memory(&two), databases.distance_in_memory(&two)), (None, None));
        assert_eq!(
            (databases.probe(&two), databases.probe_quiet_in_memory(&two)),
            (Some(Wdl::Draw), Some(Wdl::Draw))
        );
        assert_eq!(databases.distance_in_memory(&two), None, "only results have been read");
        assert_eq!(databases.distance(&two), databases.distance_in_memory(&two));
        assert_eq!(databases.distance(&two), Some(KnownValue::new(Wdl::Draw, None)));
        assert_eq!((databases.probe(&three), databases.distance(&three)), (Some(Wdl::Win), None));
        // A cache of one set loses blocks, which are read again.
        let small = Databases::open(&DatabaseOptions { cache: 0, ..paths() });
        let mut known = 0;
        for slice in Slice::all(2..=3) {
            let index = Index::new(slice);
            for number in (0..index.len()).step_by(23) {
                let position = index.node(number).position().unwrap();
                let value = compiled_in.probe(&position);
                assert_eq!(small.probe(&position), value, "{slice} {number}");
                assert_eq!(databases.probe(&position.flipped()), value, "{slice} {number}");
                known += usize::from(value.is_some());
            }
        }
        assert!(known > 8000, "{known}");
    }

    #[test]
    fn positions_beyond_the_databases_are_unknown() {
        let databases = Databases::compiled_in();
        for (text, wdl, plies) in [
            ("W:W32:B", Wdl::Win, Some(Some(1))),
            ("B:W32:B", Wdl::Loss, Some(Some(0))),
            ("B:WK32:BK1", Wdl::Draw, Some(None)),
            ("B:W10:B6", Wdl::Win, Some(Some(1))),
            ("W:WK32,31,30:B1,2", Wdl::Win, None),
        ] {
            assert_eq!(databases.probe(&at(text)), Some(wdl), "{text}");
            let known = plies.map(|plies| KnownValue { wdl, plies });
            assert_eq!(databases.distance(&at(text)), known, "{text}");
        }
        assert_eq!(databases.probe(&at("B:W32,31,30:B1,2,3")), None);
        assert_eq!(databases.probe(&Position::start()), None);
        let few = Databases::open(&DatabaseOptions { pieces: 3, ..DatabaseOptions::default() });
        assert_eq!(few.max_pieces(), 3);
        assert_eq!(few.probe(&at("W:W32,31:B1,2")), None);
        let none = Databases::open(&DatabaseOptions { embedded: &[], ..DatabaseOptions::default() });
        assert!(none.covers(0) && !none.covers(1));
        assert_eq!(none.probe(&at("W:W32:B1")), None);
        assert_eq!(none.distance(&at("W:W32:B1")), None);
    }

    /// No slice has twelve kings on one side.
    #[test]
    fn too_many_pieces_have_no_slice() {
        let databases = Databases::compiled_in();
        let mut setup = Setup::empty(Color::Black);
        for square in Square::all().take(12) {
            setup.put(square, Piece { color: Color::Black, kind: PieceKind::King });
        }
        assert_eq!(databases.probe(&Position::try_from(setup).unwrap()), None);
    }
}
