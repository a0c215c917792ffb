//! Probing.
//!
//! Captures are played out until the side to move has none: each takes a piece, so that this ends soon. Other positions
//! that are left out of a file are looked up one ply ahead: see [`super::coverage`].
#![expect(clippy::cast_possible_truncation, reason = "places in a block and its values are small")]

use std::sync::atomic::Ordering;

use super::cache::{Block, WORDS};
use super::databases::{Databases, Entry};
use super::file::SliceFile;
use super::header::Content;
use super::node::Node;
use super::value::{Best, BestDistance, BestResult, result_of, wld_of};
use draughts::board::Position;
use draughts::referee::{GameResult, Oracle, Wld};

impl Databases {
    /// Returns the result of a position for its side to move, without regard to draw rules.
    #[must_use]
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Wld> {
        if !self.covers(position.piece_count()) {
            return None;
        }
        self.result(&Node::of(position)).map(wld_of)
    }

    /// Does the same for a position in which the side to move has no capture. Returns `None` for any other.
    #[must_use]
    #[inline]
    pub fn probe_quiet(&self, position: &Position) -> Option<Wld> {
        if !self.covers(position.piece_count()) || position.must_capture() {
            return None;
        }
        self.quiet_value::<BestResult, 2, true>(Content::Results, &Node::of(position)).map(wld_of)
    }

    /// Does the same if no file must be read or decoded: for compiled-in databases and blocks in the cache.
    #[must_use]
    #[inline]
    pub fn probe_at_hand(&self, position: &Position) -> Option<Wld> {
        if !self.covers(position.piece_count()) || position.must_capture() {
            return None;
        }
        self.quiet_value::<BestResult, 2, false>(Content::Results, &Node::of(position)).map(wld_of)
    }

    /// Returns the result of a position and the plies to the end if the winner hurries and the loser delays, 0 for a
    /// draw.
    #[must_use]
    pub fn distance(&self, position: &Position) -> Option<(Wld, u32)> {
        if !self.covers(position.piece_count()) {
            return None;
        }
        self.distance_value::<true>(&Node::of(position))
    }

    /// Does the same if no file must be read or decoded.
    #[must_use]
    pub fn distance_at_hand(&self, position: &Position) -> Option<(Wld, u32)> {
        if !self.covers(position.piece_count()) {
            return None;
        }
        self.distance_value::<false>(&Node::of(position))
    }

    fn result(&self, node: &Node) -> Option<u8> {
        self.value::<BestResult, 2, true>(Content::Results, node)
    }

    fn distance_value<const WAIT: bool>(&self, node: &Node) -> Option<(Wld, u32)> {
        let value = self.value::<BestDistance, 8, WAIT>(Content::Distances, node)?;
        Some((wld_of(result_of(value)), u32::from(value).saturating_sub(1)))
    }

    #[inline]
    fn value<C: Best, const BITS: usize, const WAIT: bool>(
        &self,
        content: Content,
        node: &Node,
    ) -> Option<u8> {
        if node.can_capture() {
            self.by_captures::<C, BITS, WAIT>(content, node)
        } else {
            self.quiet_value::<C, BITS, WAIT>(content, node)
        }
    }

    fn by_captures<C: Best, const BITS: usize, const WAIT: bool>(
        &self,
        content: Content,
        node: &Node,
    ) -> Option<u8> {
        let mut best = Some(C::default());
        node.captures(&mut |child| {
            let value = self.value::<C, BITS, WAIT>(content, child);
            if let (Some(value), Some(best)) = (value, &mut best) {
                best.add(value)
            } else {
                best = None;
                false
            }
        });
        best.map(|best| best.value())
    }

    #[inline]
    fn quiet_value<C: Best, const BITS: usize, const WAIT: bool>(
        &self,
        content: Content,
        node: &Node,
    ) -> Option<u8> {
        if node.own() == 0 {
            return Some(C::LOST);
        }
        if node.enemy() == 0 {
            return Some(C::WON);
        }
        let entry = self.entry(content, node.slice())?;
        let file = self.file(entry)?;
        if file.coverage().leaves_out(node) {
            return self.look_ahead::<C, BITS, WAIT>(content, node);
        }
        self.stored::<BITS, WAIT>(entry, file, node)
    }

    /// Returns the value of a position that is left out of its file. Its successors must be stored or captures; files that
    /// both leave them out do not belong together.
    #[inline(never)]
    fn look_ahead<C: Best, const BITS: usize, const WAIT: bool>(
        &self,
        content: Content,
        node: &Node,
    ) -> Option<u8> {
        let twin = self.entry(content, node.slice().twin())?;
        let file = self.file(twin)?;
        let mut best = Some(C::default());
        node.quiet_moves(&mut |child| {
            let value = if child.can_capture() {
                self.by_captures::<C, BITS, WAIT>(content, child)
            } else if file.coverage().leaves_out(child) {
                None
            } else {
                self.stored::<BITS, WAIT>(twin, file, child)
            };
            if let (Some(value), Some(best)) = (value, &mut best) {
                best.add(value)
            } else {
                best = None;
                false
            }
        });
        best.map(|best| best.value())
    }

    #[inline]
    fn stored<const BITS: usize, const WAIT: bool>(
        &self,
        entry: &Entry,
        file: &SliceFile,
        node: &Node,
    ) -> Option<u8> {
        let content = file.header.content;
        let number = file.index.of(node);
        let (block, place) = (number / content.block(), (number % content.block()) as usize);
        let (word, shift) = (place * BITS / 64, place * BITS % 64);
        let key = entry.key | block;
        let word = match self.cache.get(key, word) {
            Some(word) => word,
            None if !WAIT && !file.is_in_memory() => return None,
            None => *self.load::<BITS>(entry, file, block)?.get(word)?,
        };
        Some((word >> shift & ((1 << BITS) - 1)) as u8)
    }

    #[cold]
    fn load<const BITS: usize>(&self, entry: &Entry, file: &SliceFile, block: u64) -> Option<Block> {
        if !entry.usable.load(Ordering::Relaxed) {
            return None;
        }
        match file.values(block) {
            Ok(values) => {
                let mut words = [0; WORDS];
                for (word, values) in words.iter_mut().zip(values.chunks(64 / BITS)) {
                    *word = values.iter().rev().fold(0, |word, &value| word << BITS | u64::from(value));
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
        if !self.covers(position.piece_count()) {
            return None;
        }
        self.probe(position).map(|value| GameResult::from_value(value, position.side()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::Counts;
    use super::super::databases::Sources;
    use super::*;
    use draughts::board::{Color, Kind, Piece, Setup, Square};
    use draughts::notation::fen;

    fn at(text: &str) -> Position {
        fen::parse(text).unwrap()
    }

    #[test]
    fn counts_of_five_pieces_are_the_known_ones() {
        let databases = Databases::compiled_in();
        let mut sum = Counts::default();
        for (header, _) in databases.files().filter(|(h, _)| h.slice.pieces() == 5) {
            sum += header.counts;
        }
        let known = Counts { wins: 71_334_772, losses: 56_993_144, draws: 11_122_892, captures: 36_584_364 };
        assert_eq!(sum, known);
    }

    #[test]
    fn positions_beyond_the_databases_are_unknown() {
        let databases = Databases::compiled_in();
        for (text, result, plies) in [
            ("W:W32:B", Wld::Win, Some(1)),
            ("B:W32:B", Wld::Loss, Some(0)),
            ("B:WK32:BK1", Wld::Draw, Some(0)),
            ("B:W10:B6", Wld::Win, Some(1)),
            ("W:WK32,31,30:B1,2", Wld::Win, None),
        ] {
            assert_eq!(databases.probe(&at(text)), Some(result), "{text}");
            assert_eq!(databases.distance(&at(text)).map(|(_, plies)| plies), plies, "{text}");
        }
        assert_eq!(databases.probe(&at("B:W32,31,30:B1,2,3")), None);
        assert_eq!(databases.probe(&Position::start()), None);
        let few = Databases::open(&Sources { folder: None, pieces: 3, ..Sources::default() });
        assert_eq!(few.max_pieces(), 3);
        assert_eq!(few.probe(&at("W:W32,31:B1,2")), None);
        let none = Databases::open(&Sources { folder: None, compiled_in: false, ..Sources::default() });
        assert!(none.covers(0) && !none.covers(1));
        assert_eq!(none.probe(&at("W:W32:B1")), None);
        assert_eq!(none.distance(&at("W:W32:B1")), None);
    }

    /// Twelve kings on one side reach more than any slice has.
    #[test]
    fn crowds_are_no_slice() {
        let databases = Databases::compiled_in();
        let mut setup = Setup::empty(Color::Black);
        for square in Square::all().take(12) {
            setup.put(square, Piece { color: Color::Black, kind: Kind::King });
        }
        assert_eq!(databases.probe(&Position::try_from(setup).unwrap()), None);
    }
}
