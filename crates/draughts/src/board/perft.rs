//! Perft: counting the leaves of the move tree, to verify the rules.
//!
//! Each path of a capture counts separately, although the search treats paths with the same result as one
//! move.
#![expect(clippy::inline_always, reason = "measured: the generator is faster if inlined into each sink")]

use super::generate::{Board, DOWN, MoveSink, UP};
use super::moves::{CapturePath, Move};
use super::piece::Color;
use super::position::Position;
use super::square::Bits;

/// Counts the leaves `depth` plies below a position. The last ply is counted, not played.
///
/// ```
/// use kelso_draughts::board::{Position, perft};
/// assert_eq!(perft(&Position::start(), 6), 36_768);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    let board = &position.board;
    match (depth, position.side()) {
        (0, _) => 1,
        (1, Color::Black) => last_ply::<UP>(board),
        (1, Color::White) => last_ply::<DOWN>(board),
        (_, Color::Black) => walk::<UP, DOWN>(board, depth),
        (_, Color::White) => walk::<DOWN, UP>(board, depth),
    }
}

/// A root move, or one path of a root capture, with the number of leaves below.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The root move.
    pub mv: Move,
    /// The landing squares in order.
    pub path: CapturePath,
    /// The number of leaves below the move.
    pub leaves: u64,
}

/// Counts the leaves below each move of a position, or each path of a capture, and calls `on_branch` with
/// each count.
///
/// `keep_going` is called every few thousand leaves. If it returns `false`, counting stops and the current
/// branch is dropped.
pub fn divide(
    position: &Position,
    depth: u32,
    keep_going: &mut dyn FnMut() -> bool,
    on_branch: &mut dyn FnMut(Branch),
) {
    for (mv, path) in position.traced_moves() {
        match interruptible_count(&position.after(mv), depth.saturating_sub(1), keep_going) {
            Some(leaves) => on_branch(Branch { mv, path, leaves }),
            None => return,
        }
    }
}

fn interruptible_count(position: &Position, depth: u32, keep_going: &mut dyn FnMut() -> bool) -> Option<u64> {
    /// Counting to this depth takes a few milliseconds at most and is not interrupted.
    const SHALLOW: u32 = 7;
    if !keep_going() {
        return None;
    }
    if depth <= SHALLOW {
        return Some(perft(position, depth));
    }
    position
        .traced_moves()
        .map(|(mv, _)| interruptible_count(&position.after(mv), depth - 1, keep_going))
        .sum()
}

fn walk<const FORWARD: bool, const BACK: bool>(board: &Board, depth: u32) -> u64 {
    let mut walker = Walker::<FORWARD, BACK> { board: *board, depth: depth - 1, leaves: 0 };
    board.moves::<FORWARD>(&mut walker);
    walker.leaves
}

#[inline(always)]
fn last_ply<const FORWARD: bool>(board: &Board) -> u64 {
    if board.can_capture::<FORWARD>() {
        count_captures::<FORWARD>(board)
    } else {
        board.quiet_count::<FORWARD>().into()
    }
}

/// Kept out of line, so that the common case is small enough to inline.
#[inline(never)]
fn count_captures<const FORWARD: bool>(board: &Board) -> u64 {
    let mut counter = Counter(0);
    board.captures::<FORWARD>(&mut counter);
    counter.0
}

struct Counter(u64);

impl MoveSink for Counter {
    #[inline(always)]
    fn capture(&mut self, _: Bits, _: Bits, _: Bits, _: bool) {
        self.0 += 1;
    }
}

struct Walker<const FORWARD: bool, const BACK: bool> {
    board: Board,
    depth: u32,
    leaves: u64,
}

impl<const FORWARD: bool, const BACK: bool> MoveSink for Walker<FORWARD, BACK> {
    #[inline(always)]
    fn capture(&mut self, from: Bits, to: Bits, captured: Bits, king: bool) {
        let next = self.board.after::<FORWARD>(from, to, captured, king);
        self.leaves += match self.depth {
            1 => last_ply::<BACK>(&next),
            depth => walk::<BACK, FORWARD>(&next, depth),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn counting_and_dividing_find_the_leaves() {
        let start = Position::start();
        for (depth, expected) in [1, 7, 49, 302, 1469, 7361, 36768, 179_740, 845_931].into_iter().enumerate()
        {
            let depth = u32::try_from(depth).unwrap();
            assert_eq!(perft(&start, depth), expected);
            if depth > 0 {
                let mut sum = 0;
                divide(&start, depth, &mut || true, &mut |branch| sum += branch.leaves);
                assert_eq!(sum, expected);
            }
        }
    }

    #[test]
    fn every_path_of_a_capture_is_counted() {
        for (text, depth, expected) in [
            ("B:W9,10,17,18:BK6", 1, 2),
            ("B:W9,10,17,18,32:BK6", 2, 4),
            ("B:W9,14:B5", 3, 0),
            ("W:W9:B5", 0, 1),
        ] {
            assert_eq!(perft(&fen::parse(text).unwrap(), depth), expected, "{text}");
        }
    }

    /// Counting by way of listed moves, which shares neither the sinks nor the counting of the last ply.
    fn listed(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        position.traced_moves().map(|(mv, _)| listed(&position.after(mv), depth - 1)).sum()
    }

    #[test]
    fn king_moves_are_counted_as_listed() {
        for text in ["B:WK1,K18,K22,30:B5,12,K24,K27", "W:WK4,K10,25:B3,K21,K32", "B:WK15,20,21:BK6,K8,K29"] {
            let position = fen::parse(text).unwrap();
            for position in [position, position.flipped()] {
                for depth in 0..5 {
                    assert_eq!(perft(&position, depth), listed(&position, depth));
                }
            }
        }
    }

    #[test]
    fn dividing_stops_on_request() {
        // Black has two moves, and White two replies to each.
        let position = fen::parse("B:WK32:BK1").unwrap();
        let divided = |depth, limit: usize| {
            let (mut asked, mut squares) = (0, Vec::new());
            let mut keep_going = || {
                asked += 1;
                asked <= limit
            };
            divide(&position, depth, &mut keep_going, &mut |branch| squares.push(branch.path[0].number()));
            (asked, squares)
        };
        assert_eq!(divided(1, 1), (2, vec![5]));
        // A branch of up to seven plies is counted as a whole, a deeper one move by move.
        assert_eq!(divided(8, 1), (2, vec![5]));
        for (limit, asked, squares) in [(2, 3, &[][..]), (3, 4, &[5]), (5, 6, &[5]), (6, 6, &[5, 6])] {
            assert_eq!(divided(9, limit), (asked, squares.to_vec()), "{limit}");
        }
    }
}
