//! Proof-number search: whether White wins a position.
//!
//! Each position has two numbers: the minimum number of positions that must still be proved to prove a win
//! for White, and the minimum number that must be refuted to refute a win. The search expands the
//! most-proving position depth first, within limits on these numbers (df-pn). If several positions must all
//! be proved, their numbers are not added, since the positions often share successors. Instead, the result is
//! the largest number, plus one for each other position.
//!
//! A repetition does not count as a win. Such refutations are tentative, since the repeated position may turn
//! out to be won; either a hold ([`super::hold`]) confirms them, or they are searched again. Proofs do not
//! depend on the path.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::leaves::Leaves;
use kelso_draughts::board::{Color, Position};
use kelso_draughts::result::{KnownValue, Wdl};
use kelso_endgames::Databases;

/// The proof or disproof number of a resolved position whose other number is 0.
const INFINITE: u32 = u32::MAX / 4;
/// Maximum number of plies of a path.
const MAX_DEPTH: usize = 400;
/// Added to the disproof number for each piece that must still be exchanged to reach a leaf.
const EXTRA_PIECE_WEIGHT: u32 = 6;
/// Added to the disproof number for each point by which White is ahead. A man is 2 points, a king 3.
const WHITE_POINT_WEIGHT: u32 = 40;
/// Added to the proof number for each point by which Black is ahead.
const BLACK_POINT_WEIGHT: u32 = 6;
/// Number of positions between calls of `watch`.
const CHECK_INTERVAL: u64 = 1024;

/// A map of position keys.
pub(crate) type KeyMap<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;
type KeySet = HashSet<u64, BuildHasherDefault<KeyHasher>>;

/// The hasher of positions and their keys, which are already hashes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The proof numbers of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    /// Number of positions still to be proved to prove a win for White, or 0 once it is proved.
    pub(crate) proof: u32,
    /// Number of positions still to be refuted to refute a win for White, or 0 once it is refuted.
    pub(crate) disproof: u32,
}

impl Numbers {
    const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    const REFUTED: Self = Self { proof: INFINITE, disproof: 0 };

    const fn of(wins: bool) -> Self {
        if wins { Self::PROVED } else { Self::REFUTED }
    }

    /// Returns whether White wins, if the position is resolved.
    pub(crate) const fn wins(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Returns the numbers from a side's point of view: the work to reach its goal, and the work to stop it.
    const fn seen_by(self, white: bool) -> (u32, u32) {
        if white { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    const fn from_view((reach, stop): (u32, u32), white: bool) -> Self {
        if white { Self { proof: reach, disproof: stop } } else { Self { proof: stop, disproof: reach } }
    }
}

/// A table entry: the numbers of a position and the decisive move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchEntry {
    pub(crate) numbers: Numbers,
    /// Index of the decisive move.
    pub(crate) best: u8,
    /// Whether a refutation depends on a repetition.
    pub(crate) tentative: bool,
}

/// The reason why a search ended without a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// The node limit of this call was reached.
    Nodes,
    /// The caller interrupted the search.
    Interrupt,
}

/// Called with the number of nodes so far; returns `false` to interrupt the search.
pub(crate) type Watch<'w> = &'w mut dyn FnMut(u64) -> bool;

/// A search and its table. It always asks whether White wins; flip the board for Black.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    pub(crate) leaves: Leaves<'a>,
    /// Databases with the distances of an ending, which only guide the search.
    pub(crate) distances: Option<Databases>,
    pub(crate) table: KeyMap<SearchEntry>,
    path: KeySet,
    /// Positions with Black to move that a hold already contains. They count as refuted, but tentatively.
    held: KeySet,
    /// The first numbers of a position depend on its pieces.
    material: bool,
    pub(crate) nodes: u64,
    /// The node limit of the current call.
    end: u64,
    interrupted: bool,
    /// The maximum number of positions in the table.
    capacity: usize,
}

pub(crate) fn white_wins(position: &Position, value: Wdl) -> bool {
    value == if position.side() == Color::White { Wdl::Win } else { Wdl::Loss }
}

struct Child {
    position: Position,
    numbers: Numbers,
    tentative: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(leaves: Leaves<'a>, capacity: usize) -> Self {
        Self {
            leaves,
            distances: None,
            table: KeyMap::default(),
            path: KeySet::default(),
            held: KeySet::default(),
            material: false,
            nodes: 0,
            end: 0,
            interrupted: false,
            capacity,
        }
    }

    /// Returns the value of a position with its distance, if it is known, whether or not certificates may use
    /// it.
    pub(crate) fn distance(&self, position: &Position) -> Option<KnownValue> {
        self.distances.as_ref().unwrap_or(self.leaves.databases).distance(position)
    }

    /// Adds the entries of a saved table.
    pub(crate) fn restore(&mut self, entries: impl IntoIterator<Item = (u64, SearchEntry)>) {
        self.table.extend(entries);
    }

    /// Counts a position that a hold examines without a search.
    pub(crate) const fn count_node(&mut self) {
        self.nodes += 1;
    }

    /// Adds a position to those that a hold contains.
    pub(crate) fn hold(&mut self, position: &Position) {
        self.held.insert(position.key());
    }

    /// Removes a position from those that a hold contains.
    pub(crate) fn release(&mut self, position: &Position) {
        self.held.remove(&position.key());
    }

    pub(crate) fn release_all(&mut self) {
        self.held.clear();
    }

    /// Searches at most `nodes` nodes to determine whether White wins.
    pub(crate) fn solve(&mut self, position: &Position, nodes: u64, watch: Watch<'_>) -> Result<bool, Stop> {
        if let Some(wins) = self.known_result(position) {
            return Ok(wins);
        }
        self.path.clear();
        self.interrupted = false;
        self.end = self.nodes.saturating_add(nodes);
        let limits = Numbers { proof: INFINITE, disproof: INFINITE };
        self.path.insert(position.key());
        let numbers = self.expand(position, limits, watch).0;
        numbers.wins().ok_or(if self.interrupted { Stop::Interrupt } else { Stop::Nodes })
    }

    /// Returns whether White wins, if known without a search. Only `Some(true)` is a proof: a refutation may
    /// depend on a repetition.
    pub(crate) fn known_result(&self, position: &Position) -> Option<bool> {
        self.result_by_leaf(position).or_else(|| self.result_in_table(position))
    }

    /// Returns whether White is known to win, with or without a proof.
    pub(crate) fn is_won(&self, position: &Position) -> bool {
        self.result_with_hints(position).or_else(|| self.result_in_table(position)) == Some(true)
    }

    /// Returns whether White wins, with or without a proof, by the rules or the databases.
    pub(crate) fn result_with_hints(&self, position: &Position) -> Option<bool> {
        if !position.can_move() {
            return Some(position.side() == Color::Black);
        }
        let value = self.leaves.hint(position).or_else(|| self.leaves.value(position))?;
        Some(white_wins(position, value))
    }

    /// Returns whether White wins according to the table. A refutation may depend on a repetition.
    pub(crate) fn result_in_table(&self, position: &Position) -> Option<bool> {
        self.table.get(&position.key()).and_then(|entry| entry.numbers.wins())
    }

    /// Returns whether the refutation of a position depends on a repetition or on a hold.
    pub(crate) fn is_tentative(&self, position: &Position) -> bool {
        self.table.get(&position.key()).is_some_and(|entry| entry.tentative)
    }

    /// Returns how close White is to a win; larger is closer.
    pub(crate) fn closeness_to_win(&self, position: &Position) -> u64 {
        let Numbers { proof, disproof } = self.numbers_of(position).0;
        u64::from(disproof) * 1_000 / u64::from(proof.max(1))
    }

    /// Forgets all refutations that depend on a repetition or on a hold.
    pub(crate) fn forget_tentative(&mut self) {
        self.table.retain(|_, entry| !entry.tentative);
    }

    /// Forgets a refutation.
    pub(crate) fn forget(&mut self, position: &Position) {
        if self.table.get(&position.key()).is_some_and(|entry| entry.numbers.wins() == Some(false)) {
            self.table.remove(&position.key());
        }
    }

    /// Records that White wins a position with Black to move, if White is proved to win after every move.
    pub(crate) fn prove(&mut self, position: &Position) {
        if position.moves().into_iter().all(|mv| self.known_result(&position.after(mv)) == Some(true)) {
            self.table
                .insert(position.key(), SearchEntry { numbers: Numbers::PROVED, best: 0, tentative: false });
        }
    }

    /// Records that White wins a position with White to move, if White is proved to win after one of the
    /// moves.
    pub(crate) fn prove_by(&mut self, position: &Position, won: &Position) {
        let best = position.moves().into_iter().position(|mv| position.after(mv) == *won);
        if let Some(Ok(best)) = best.map(u8::try_from)
            && self.known_result(won) == Some(true)
        {
            self.table
                .insert(position.key(), SearchEntry { numbers: Numbers::PROVED, best, tentative: false });
        }
    }

    /// Changes whether the first numbers of a position depend on its pieces. Forgets the numbers of
    /// unresolved positions.
    pub(crate) fn weigh_material(&mut self, material: bool) {
        if self.material != material {
            self.material = material;
            self.table.retain(|_, entry| entry.numbers.wins().is_some());
        }
    }

    /// Returns whether White wins by the rules or the databases. A win from the databases counts only if the
    /// position is a leaf or its distance is known.
    pub(crate) fn result_by_leaf(&self, position: &Position) -> Option<bool> {
        if !position.can_move() {
            return Some(position.side() == Color::Black);
        }
        if let Some(value) = self.leaves.value(position) {
            return Some(white_wins(position, value));
        }
        if !white_wins(position, self.leaves.hint(position)?) {
            return Some(false);
        }
        self.distance(position).map(|_| true)
    }

    /// Returns the numbers of a position, and whether they are tentative.
    fn numbers_of(&self, position: &Position) -> (Numbers, bool) {
        if let Some(entry) = self.table.get(&position.key()) {
            return (entry.numbers, entry.tentative);
        }
        if let Some(wins) = self.result_by_leaf(position) {
            return (Numbers::of(wins), false);
        }
        (self.estimate(position), false)
    }

    /// Returns the first numbers of a position. They grow with the pieces that must still be exchanged, and
    /// with the material of the side that would have to be stopped, so the holder prefers exchanges and
    /// avoids being down material. Material does not count in the middle of an exchange.
    fn estimate(&self, position: &Position) -> Numbers {
        let moves = u32::try_from(position.moves().len()).unwrap_or(INFINITE);
        let mut numbers = Numbers::from_view((1, moves), position.side() == Color::White);
        if !self.material || position.must_capture() {
            return numbers;
        }
        let [white, black] = [Color::White, Color::Black]
            .map(|side| 2 * position.men(side).len() + 3 * position.kings(side).len());
        let extra = position.piece_count().saturating_sub(self.leaves.pieces);
        numbers.disproof += EXTRA_PIECE_WEIGHT * extra + WHITE_POINT_WEIGHT * white.saturating_sub(black);
        numbers.proof += BLACK_POINT_WEIGHT * black.saturating_sub(white);
        numbers
    }

    fn children(&mut self, position: &Position) -> Vec<Child> {
        let moves = position.moves();
        self.nodes += moves.len() as u64;
        moves.iter().map(|&mv| self.child(position.after(mv))).collect()
    }

    fn child(&self, position: Position) -> Child {
        let key = position.key();
        if self.path.contains(&key) || self.held.contains(&key) || self.path.len() >= MAX_DEPTH {
            return Child { position, numbers: Numbers::REFUTED, tentative: true };
        }
        let (numbers, tentative) = self.numbers_of(&position);
        Child { position, numbers, tentative }
    }

    /// Searches a position until its numbers exceed their limits, or the call ends. Returns the numbers and
    /// whether they are tentative.
    fn expand(&mut self, position: &Position, limits: Numbers, watch: Watch<'_>) -> (Numbers, bool) {
        let white = position.side() == Color::White;
        let limits = limits.seen_by(white);
        let before = self.nodes / CHECK_INTERVAL;
        let mut children = self.children(position);
        if self.nodes / CHECK_INTERVAL != before {
            self.interrupted |= !watch(self.nodes);
            self.trim_table();
        }
        loop {
            let selection = ChildSelection::of(&children, white);
            let numbers = Numbers::from_view((selection.reach, selection.stop), white);
            let is_finished = selection.reach >= limits.0 || selection.stop >= limits.1;
            if is_finished || selection.reach == 0 || selection.stop == 0 || self.is_over() {
                let tentative = numbers.wins() == Some(false) && selection.is_tentative(&children, white);
                let best = u8::try_from(selection.best).unwrap_or(u8::MAX);
                self.table.insert(position.key(), SearchEntry { numbers, best, tentative });
                return (numbers, tentative);
            }
            let limits = Numbers::from_view(selection.limits(limits), white);
            let Some(child) = children.get_mut(selection.best) else { return (numbers, false) };
            let next = child.position;
            self.path.insert(next.key());
            (child.numbers, child.tentative) = self.expand(&next, limits, watch);
            self.path.remove(&next.key());
        }
    }

    const fn is_over(&self) -> bool {
        self.interrupted || self.nodes >= self.end
    }

    /// Removes entries with small numbers until the table is at most half full, once it is full.
    fn trim_table(&mut self) {
        if self.table.len() >= self.capacity {
            let mut min = 4;
            while self.table.len() > self.capacity / 2 {
                self.table.retain(|_, SearchEntry { numbers, .. }| {
                    numbers.wins().is_some() && min < INFINITE / 2
                        || numbers.proof.saturating_add(numbers.disproof) > min
                });
                min *= 2;
            }
        }
    }
}

/// The child to search next, and the numbers of the position from the point of view of the side to move.
struct ChildSelection {
    best: usize,
    reach: u32,
    stop: u32,
    /// The second smallest number among the children.
    second: u32,
    /// Number of unresolved children.
    open: u32,
}

impl ChildSelection {
    fn of(children: &[Child], white: bool) -> Self {
        let mut selection = Self { best: 0, reach: INFINITE, stop: 0, second: INFINITE, open: 0 };
        for (index, child) in children.iter().enumerate() {
            let (reach, stop) = child.numbers.seen_by(white);
            if reach < selection.reach {
                (selection.second, selection.reach, selection.best) = (selection.reach, reach, index);
            } else {
                selection.second = selection.second.min(reach);
            }
            selection.stop = selection.stop.max(stop);
            selection.open += u32::from(stop > 0);
        }
        if selection.reach == 0 {
            selection.stop = INFINITE;
        } else if selection.stop > 0 {
            selection.stop = (selection.stop + selection.open - 1).min(INFINITE - 1);
        }
        selection
    }

    /// Returns the limits of the best child.
    fn limits(&self, (reach, stop): (u32, u32)) -> (u32, u32) {
        let max_reach = (self.second.saturating_add(self.second / 4)).saturating_add(1);
        (reach.min(max_reach), stop.saturating_sub(self.open.saturating_sub(1)).max(1))
    }

    /// Returns whether a refutation depends on tentative refutations: of any child if White is to move, of
    /// the best child if Black is.
    fn is_tentative(&self, children: &[Child], white: bool) -> bool {
        if white {
            children.iter().any(|child| child.tentative)
        } else {
            children.get(self.best).is_some_and(|child| child.tentative)
        }
    }
}
