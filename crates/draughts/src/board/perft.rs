//! Perft: counting the leaves of the move tree, to verify the rules.
//!
//! Each path of a capture counts separately, although the search treats paths with the same result as one
//! move.
#![expect(clippy::inline_always, reason = "measured: the generator is faster if inlined into each sink")]

use super::generate::{BLACK, Board, MoveSink, WHITE};
use super::moves::{CapturePath, Move};
use super::piece::Color;
use super::position::Position;
use super::square::Bits;

/// Counts the leaves `depth` plies below a position. The last ply is counted, not played.
///
/// ```
/// use draughts::board::{Position, perft};
/// assert_eq!(perft(&Position::start(), 6), 36_768);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    leaves::<true>(&position.board, depth, position.side() == Color::Black)
}

/// Counts the leaves like [`perft`], but also plays the moves of the last ply, to test and time making moves.
#[must_use]
pub fn perft_played(position: &Position, depth: u32) -> u64 {
    leaves::<false>(&position.board, depth, position.side() == Color::Black)
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

fn leaves<const BULK: bool>(board: &Board, depth: u32, black: bool) -> u64 {
    match (depth, black) {
        (0, _) => 1,
        (1, true) if BULK => last_ply::<BLACK>(board),
        (1, false) if BULK => last_ply::<WHITE>(board),
        (_, true) => walk::<BULK, BLACK, WHITE>(board, depth),
        (_, false) => walk::<BULK, WHITE, BLACK>(board, depth),
    }
}

fn walk<const BULK: bool, const SIDE: bool, const OTHER: bool>(board: &Board, depth: u32) -> u64 {
    let mut walker = Walker::<BULK, SIDE, OTHER> { board: *board, depth: depth - 1, leaves: 0 };
    board.moves::<SIDE>(&mut walker);
    walker.leaves
}

#[inline(always)]
fn last_ply<const SIDE: bool>(board: &Board) -> u64 {
    if board.can_capture::<SIDE>() {
        count_captures::<SIDE>(board)
    } else {
        board.quiet_count::<SIDE>().into()
    }
}

/// Kept out of line, so that the common case is small enough to inline.
#[inline(never)]
fn count_captures<const SIDE: bool>(board: &Board) -> u64 {
    let mut counter = Counter(0);
    board.captures::<SIDE>(&mut counter);
    counter.0
}

struct Counter(u64);

impl MoveSink for Counter {
    #[inline(always)]
    fn capture(&mut self, _: Bits, _: Bits, _: Bits, _: bool) {
        self.0 += 1;
    }
}

struct Walker<const BULK: bool, const SIDE: bool, const OTHER: bool> {
    board: Board,
    depth: u32,
    leaves: u64,
}

impl<const BULK: bool, const SIDE: bool, const OTHER: bool> MoveSink for Walker<BULK, SIDE, OTHER> {
    #[inline(always)]
    fn capture(&mut self, from: Bits, to: Bits, captured: Bits, king: bool) {
        let next = self.board.after::<SIDE>(from, to, captured, king);
        self.leaves += match self.depth {
            0 => {
                // Prevents the compiler from optimising the move away.
                std::hint::black_box(&next);
                1
            }
            1 if BULK => last_ply::<OTHER>(&next),
            depth => walk::<BULK, OTHER, SIDE>(&next, depth),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_counting_agree_from_the_start() {
        let start = Position::start();
        for (depth, expected) in [1, 7, 49, 302, 1469, 7361, 36768, 179_740, 845_931].into_iter().enumerate()
        {
            let depth = u32::try_from(depth).unwrap();
            assert_eq!(perft(&start, depth), expected);
            assert_eq!(perft_played(&start, depth), expected);
            if depth > 0 {
                let mut sum = 0;
                divide(&start, depth, &mut || true, &mut |branch| sum += branch.leaves);
                assert_eq!(sum, expected);
            }
        }
    }
}
