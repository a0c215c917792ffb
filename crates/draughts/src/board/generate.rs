//! Generation of legal moves.
//!
//! Moves go to a [`MoveSink`], so that counting, listing and playing share one generator. During a capture
//! the start square counts as empty, and a jumped piece is removed immediately. Removing it early is
//! harmless: jumped squares and landing squares lie on rows of opposite parity.
#![expect(clippy::inline_always, reason = "measured: faster if inlined into each sink")]

use super::piece::Color;
use super::square::{Bits, CROWN_ROWS, SQUARES, lowest};

/// The pieces by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Board {
    pub(super) men: [Bits; 2],
    pub(super) kings: [Bits; 2],
}

/// The board from one side's point of view.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) men: Bits,
    pub(super) kings: Bits,
    pub(super) enemy: Bits,
    pub(super) empty: Bits,
}

/// Receives moves. `from`, `to` and each landing are single bits.
pub(super) trait MoveSink {
    #[inline(always)]
    fn quiet(&mut self, from: Bits, to: Bits, king: bool) {
        self.capture(from, to, 0, king);
    }
    fn capture(&mut self, from: Bits, to: Bits, captured: Bits, king: bool);
    /// Called when a capture continues from this landing square.
    #[inline]
    fn enter(&mut self, _landing: Bits) {}
    /// Called when the search backs out of the most recently entered landing square.
    #[inline]
    fn leave(&mut self) {}
}

/// Up the board: forward for Black. The const parameter `FORWARD` is the direction of the men of the side to
/// move.
pub(super) const UP: bool = true;
/// Down the board: forward for White.
pub(super) const DOWN: bool = false;

/// Moves pieces one step up or down the board.
#[inline(always)]
pub(super) const fn step(up: bool, bits: Bits, by: u32) -> Bits {
    if up { bits << by } else { bits >> by }
}

/// Returns the landing squares of single jumps.
#[inline(always)]
pub(super) const fn jumps(up: bool, pieces: Bits, enemy: Bits, empty: Bits, by: u32) -> Bits {
    step(up, step(up, pieces, by) & enemy, by) & empty
}

impl Board {
    #[inline(always)]
    pub(super) const fn all(&self, color: Color) -> Bits {
        self.men[color.index()] | self.kings[color.index()]
    }

    #[inline(always)]
    pub(super) const fn view<const FORWARD: bool>(&self) -> View {
        let (me, you) = if FORWARD == UP { (0, 1) } else { (1, 0) };
        let enemy = self.men[you] | self.kings[you];
        let own = self.men[me] | self.kings[me];
        View { men: self.men[me], kings: self.kings[me], enemy, empty: SQUARES & !(own | enemy) }
    }

    #[inline]
    pub(super) const fn can_capture_of(&self, color: Color) -> bool {
        match color {
            Color::Black => self.can_capture::<UP>(),
            Color::White => self.can_capture::<DOWN>(),
        }
    }

    #[inline(always)]
    pub(super) const fn can_capture<const FORWARD: bool>(&self) -> bool {
        let View { men, kings, enemy, empty } = self.view::<FORWARD>();
        let pieces = men | kings;
        let mut landings = jumps(FORWARD, pieces, enemy, empty, 4) | jumps(FORWARD, pieces, enemy, empty, 5);
        if kings != 0 {
            landings |= jumps(!FORWARD, kings, enemy, empty, 4) | jumps(!FORWARD, kings, enemy, empty, 5);
        }
        landings != 0
    }

    /// Returns whether there is a quiet move, even if there is a capture.
    #[inline]
    pub(super) const fn has_quiet<const FORWARD: bool>(&self) -> bool {
        let View { men, kings, empty, .. } = self.view::<FORWARD>();
        let pieces = men | kings;
        let ahead = step(FORWARD, pieces, 4) | step(FORWARD, pieces, 5);
        let back = step(!FORWARD, kings, 4) | step(!FORWARD, kings, 5);
        (ahead | back) & empty != 0
    }

    /// Returns the number of quiet moves, even if there is a capture.
    #[inline(always)]
    pub(super) const fn quiet_count<const FORWARD: bool>(&self) -> u32 {
        let View { men, kings, empty, .. } = self.view::<FORWARD>();
        let pieces = men | kings;
        let mut count =
            (step(FORWARD, pieces, 4) & empty).count_ones() + (step(FORWARD, pieces, 5) & empty).count_ones();
        if kings != 0 {
            count += (step(!FORWARD, kings, 4) & empty).count_ones()
                + (step(!FORWARD, kings, 5) & empty).count_ones();
        }
        count
    }

    #[inline]
    pub(super) fn moves_of(&self, color: Color, sink: &mut impl MoveSink) {
        match color {
            Color::Black => self.moves::<UP>(sink),
            Color::White => self.moves::<DOWN>(sink),
        }
    }

    #[inline(always)]
    pub(super) fn moves<const FORWARD: bool>(&self, sink: &mut impl MoveSink) {
        if self.can_capture::<FORWARD>() {
            self.captures::<FORWARD>(sink);
        } else {
            self.quiets::<FORWARD>(sink);
        }
    }

    /// Generates the quiet moves, which are legal unless a capture is possible.
    #[inline(always)]
    fn quiets<const FORWARD: bool>(&self, sink: &mut impl MoveSink) {
        let View { men, kings, empty, .. } = self.view::<FORWARD>();
        for by in [4, 5] {
            each(step(FORWARD, men, by) & empty, |to| sink.quiet(step(!FORWARD, to, by), to, false));
        }
        if kings != 0 {
            for (by, direction) in [(4, FORWARD), (4, !FORWARD), (5, FORWARD), (5, !FORWARD)] {
                each(step(direction, kings, by) & empty, |to| sink.quiet(step(!direction, to, by), to, true));
            }
        }
    }

    /// Generates the captures, once per path.
    #[inline(always)]
    pub(super) fn captures<const FORWARD: bool>(&self, sink: &mut impl MoveSink) {
        let view = self.view::<FORWARD>();
        let View { men, kings, enemy, empty } = view;
        for by in [4, 5] {
            each(jumps(FORWARD, men, enemy, empty, by), |to| {
                let jumped = step(!FORWARD, to, by);
                continue_man::<FORWARD, _>(&view, step(!FORWARD, jumped, by), to, jumped, sink);
            });
        }
        if kings != 0 {
            for (by, direction) in [(4, FORWARD), (4, !FORWARD), (5, FORWARD), (5, !FORWARD)] {
                each(jumps(direction, kings, enemy, empty, by), |to| {
                    let jumped = step(!direction, to, by);
                    let from = step(!direction, jumped, by);
                    continue_king(from, to, jumped, enemy ^ jumped, empty | from, sink);
                });
            }
        }
    }

    #[inline(always)]
    pub(super) fn after<const FORWARD: bool>(
        &self,
        from: Bits,
        to: Bits,
        captured: Bits,
        king: bool,
    ) -> Self {
        let (me, you) = if FORWARD == UP { (0, 1) } else { (1, 0) };
        let mut board = *self;
        board.men[you] &= !captured;
        board.kings[you] &= !captured;
        if king {
            board.kings[me] ^= from ^ to;
        } else if to & CROWN_ROWS[me] == 0 {
            board.men[me] ^= from ^ to;
        } else {
            board.men[me] ^= from;
            board.kings[me] |= to;
        }
        board
    }
}

#[inline(always)]
fn each(mut bits: Bits, mut f: impl FnMut(Bits)) {
    while bits != 0 {
        f(lowest(bits));
        bits &= bits - 1;
    }
}

/// Continues a man's capture from `at`, or ends it there; `captured` holds the jumped pieces. A man only
/// moves forward, so it cannot jump a piece twice, and its capture ends on the crown row.
#[inline(always)]
fn continue_man<const FORWARD: bool, S: MoveSink>(
    view: &View,
    from: Bits,
    at: Bits,
    captured: Bits,
    sink: &mut S,
) {
    let jumps = [4, 5].map(|by| jumps(FORWARD, at, view.enemy, view.empty, by));
    if jumps == [0; 2] {
        sink.capture(from, at, captured, false);
    } else {
        man_branches::<FORWARD, S>(view, from, at, captured, sink);
    }
}

/// Kept out of line, so that the common case can be inlined.
fn man_branches<const FORWARD: bool, S: MoveSink>(
    view: &View,
    from: Bits,
    at: Bits,
    captured: Bits,
    sink: &mut S,
) {
    sink.enter(at);
    for by in [4, 5] {
        let to = jumps(FORWARD, at, view.enemy, view.empty, by);
        if to != 0 {
            continue_man::<FORWARD, S>(view, from, to, captured | step(FORWARD, at, by), sink);
        }
    }
    sink.leave();
}

/// Continues or ends a king's capture. The pieces that it has jumped have been removed from `enemy`, and its
/// start square is in `empty`.
fn continue_king<S: MoveSink>(from: Bits, at: Bits, captured: Bits, enemy: Bits, empty: Bits, sink: &mut S) {
    let directions = [(4, UP), (5, UP), (4, DOWN), (5, DOWN)];
    let landings = directions.map(|(by, direction)| jumps(direction, at, enemy, empty, by));
    if landings == [0; 4] {
        sink.capture(from, at, captured, true);
        return;
    }
    sink.enter(at);
    for (to, (by, direction)) in landings.into_iter().zip(directions) {
        if to != 0 {
            let jumped = step(direction, at, by);
            continue_king(from, to, captured | jumped, enemy ^ jumped, empty, sink);
        }
    }
    sink.leave();
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::moves::MAX_MOVES;
    use super::super::square::bit_index;
    use super::*;

    #[derive(Default)]
    struct Distinct(HashSet<(Bits, Bits, Bits)>, usize);

    impl MoveSink for Distinct {
        fn capture(&mut self, from: Bits, to: Bits, captured: Bits, _: bool) {
            self.0.insert((from, to, captured));
            self.1 += 1;
        }
    }

    /// Jumps preserve the parity of a piece's row and column, and the colour of its square on the coarser
    /// board of that parity. This gives four classes of eight squares. Captures in different classes do not
    /// share landing squares, so the number of moves in any position is at most the sum over the classes of
    /// their worst case: the maximum over all sets of own kings in the class and of enemy pieces that they
    /// can jump. (Men have fewer moves than kings, and there are at most 48 quiet moves.)
    #[test]
    fn no_position_has_more_captures_than_a_list_holds() {
        let mut classes: Vec<Bits> = Vec::new();
        for bit in (0..35).filter(|p| SQUARES >> p & 1 == 1) {
            if classes.iter().any(|c| c >> bit & 1 == 1) {
                continue;
            }
            let mut class = 1 << bit;
            loop {
                let wider = class
                    | (class << 8 & (SQUARES << 4 & SQUARES) << 4
                        | class << 10 & (SQUARES << 5 & SQUARES) << 5
                        | class >> 8 & (SQUARES >> 4 & SQUARES) >> 4
                        | class >> 10 & (SQUARES >> 5 & SQUARES) >> 5)
                        & SQUARES;
                if wider == class {
                    break;
                }
                class = wider;
            }
            classes.push(class);
        }
        assert_eq!(classes.iter().fold(0, |a, b| a | b), SQUARES);
        let total: usize = classes.iter().map(|&class| most_captures(class)).sum();
        assert!((48..=MAX_MOVES).contains(&total), "{total}");
    }

    fn most_captures(class: Bits) -> usize {
        let jumpable = (class << 4 | class << 5) & (class >> 4 | class >> 5) & SQUARES;
        let subsets = |set: Bits| {
            let mut subset: Bits = 0;
            std::iter::from_fn(move || {
                subset = subset.wrapping_sub(set) & set;
                (subset != 0).then_some(subset)
            })
        };
        let mut max = 0;
        for enemies in subsets(jumpable) {
            for kings in subsets(class) {
                let board = Board { men: [0, enemies], kings: [kings, 0] };
                let mut distinct = Distinct::default();
                board.captures::<UP>(&mut distinct);
                max = max.max(distinct.0.len());
            }
        }
        max
    }

    #[test]
    fn a_king_may_capture_in_a_circle_in_both_directions() {
        let bits = |numbers: &[u32]| numbers.iter().map(|n| 1 << bit_index(n - 1)).sum::<Bits>();
        let board = Board { men: [0, bits(&[9, 10, 17, 18])], kings: [bits(&[6]), 0] };
        let mut distinct = Distinct::default();
        board.captures::<UP>(&mut distinct);
        let round = (bits(&[6]), bits(&[6]), bits(&[9, 10, 17, 18]));
        assert_eq!(distinct.0.into_iter().collect::<Vec<_>>(), [round]);
        assert_eq!(distinct.1, 2);
    }
}
