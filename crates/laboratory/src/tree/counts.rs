//! Node counts of a tree, taken before it is recorded.

use crate::best_line::BestLine;
use crate::observer::TreeObserver;
use crate::value::ValueWindow;
use kelso_draughts::board::Move;
use kelso_random::{Random, SliceRandom};

/// Counts the nodes of each ply, and keeps the best line.
#[derive(Debug, Default)]
pub(super) struct PlyCounts {
    plies: Vec<u64>,
    pub(super) line: BestLine,
}

impl TreeObserver for PlyCounts {
    fn enter(&mut self, _: Option<Move>, ply: usize, _: usize, _: ValueWindow) {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, 0);
        }
        if let Some(count) = self.plies.get_mut(ply) {
            *count += 1;
        }
        self.line.enter(ply);
    }

    fn improve(&mut self, ply: usize, mv: Move) {
        self.line.improve(ply, mv);
    }
}

impl PlyCounts {
    pub(super) fn total(&self) -> u64 {
        self.plies.iter().sum()
    }

    pub(super) fn down_to(&self, ply: usize) -> u64 {
        self.plies.iter().take(ply + 1).sum()
    }

    /// Returns the deepest ply for which the tree has at most `max` nodes down to and including it.
    pub(super) fn whole_plies(&self, max: u64) -> usize {
        (1..self.plies.len()).take_while(|&ply| self.down_to(ply) <= max).count()
    }
}

/// Measures the sizes of the branches that begin at one ply.
#[derive(Debug)]
pub(super) struct Branches<'a> {
    ply: usize,
    line: &'a [Move],
    /// The number of moves that the path shares with the best line.
    matching: usize,
    sizes: Vec<u64>,
    /// Branches that begin on the best line.
    best: Vec<usize>,
}

impl<'a> Branches<'a> {
    pub(super) fn new(ply: usize, line: &'a [Move]) -> Self {
        Self { ply, line, matching: 0, sizes: Vec::new(), best: Vec::new() }
    }

    /// Chooses branches with at most `left` nodes in total: first those on the best line, starting with the
    /// last, then random branches that fit. Returns whether to keep each branch.
    pub(super) fn choose(self, mut left: u64, random: &mut Random) -> Vec<bool> {
        let mut kept = vec![false; self.sizes.len()];
        let mut order: Vec<usize> = (0..self.sizes.len()).collect();
        order.shuffle(random);
        for index in self.best.into_iter().rev().chain(order) {
            if let (Some(&size), Some(kept)) = (self.sizes.get(index), kept.get_mut(index))
                && !*kept
                && size <= left
            {
                *kept = true;
                left -= size;
            }
        }
        kept
    }
}

impl TreeObserver for Branches<'_> {
    fn enter(&mut self, mv: Option<Move>, ply: usize, _: usize, _: ValueWindow) {
        self.matching = matching(self.matching, self.line, mv, ply);
        if ply == self.ply {
            if self.matching == ply {
                self.best.push(self.sizes.len());
            }
            self.sizes.push(0);
        }
        if ply >= self.ply
            && let Some(size) = self.sizes.last_mut()
        {
            *size += 1;
        }
    }
}

/// Returns how many moves the current path shares with a line after `mv` leads to a node at `ply`.
pub(super) fn matching(before: usize, line: &[Move], mv: Option<Move>, ply: usize) -> usize {
    match ply.checked_sub(1) {
        None => 0,
        Some(above) if before.min(above) == above && line.get(above) == mv.as_ref() && mv.is_some() => ply,
        Some(above) => before.min(above),
    }
}
