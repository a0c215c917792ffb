//! Holds. A hold gives Black a move in each of its positions, such that no reply by White wins.
//!
//! The search refutes a win for White. Since its refutations may depend on repetitions, they are verified
//! here: every reply to a chosen move is answered in turn, until no reply leaves the set. A position that
//! White turns out to win is removed, and the moves that lead to it are replaced.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasherDefault;

use super::certificate::Choice;
use super::placements::{PlacementCost, Placements, Region, placement};
use super::search::{KeyHasher, KeyMap, Search, Stop, Watch, white_wins};
use kelso_draughts::board::{Color, Move, Position};

/// Node limit for the first search of a position to choose a move.
const SHORT_SEARCH_NODES: u64 = 1_000;
/// The factor by which a growing hold raises the node limit for each further search of a position.
const NODES_FACTOR: u64 = 4;
/// A growing hold searches a position with at least this limit before it chooses an unproved move.
const LONG_SEARCH_NODES: u64 = 16_000;
/// The share of a growing hold's nodes for the longest search of one position.
const LONGEST_SHARE: u64 = 32;

/// The maximum number of positions in a hold, which limits memory.
const MAX_POSITIONS: usize = 4_000_000;
/// The maximum number of passes that make a hold smaller.
const MAX_TIGHTENINGS: usize = 8;

/// The positions of a hold and their moves. Black, the holding side, is to move.
#[derive(Debug, Default)]
pub(crate) struct Hold {
    moves: PositionMap<Move>,
    /// For each position, the positions whose moves lead to it.
    parents: PositionMap<Vec<Position>>,
    open: OpenPositions,
    /// Set if the hold [grows](Hold::growing) from call to call.
    is_growing: bool,
    /// Positions in which every move is known to lose.
    lost: PositionSet,
    /// Positions in which every move leads out of the region, or to such a position.
    lost_in_region: PositionSet,
    placements: Placements,
    /// Positions that were found not to return to the hold within this number of moves.
    non_returning: PositionMap<u8>,
}

/// Positions that still need a move, in the order in which they are answered. They remain open if a search
/// ends too early. Those that a search does not resolve wait until all others are done. By then, the hold is
/// larger and more replies lead to it.
#[derive(Debug, Default)]
struct OpenPositions {
    /// The positions by the number of searches that did not resolve them.
    waiting: Vec<VecDeque<Position>>,
    /// The number of searches that did not resolve a position.
    searches: PositionMap<u8>,
}

impl OpenPositions {
    fn is_empty(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
    }

    fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Adds a position after or before those that were searched as often.
    fn push(&mut self, position: Position, first: bool) {
        let searches = usize::from(self.searches_of(&position));
        if self.waiting.len() <= searches {
            self.waiting.resize(searches + 1, VecDeque::new());
        }
        let waiting = &mut self.waiting[searches];
        if first {
            waiting.push_front(position);
        } else {
            waiting.push_back(position);
        }
    }

    /// Removes the first of the positions that were searched the least.
    fn pop(&mut self) -> Option<Position> {
        self.waiting.iter_mut().find_map(VecDeque::pop_front)
    }

    fn searches_of(&self, position: &Position) -> u8 {
        self.searches.get(position).map_or(0, |&count| count)
    }

    /// Returns the node limit of the next search of a position.
    fn search_limit(&self, position: &Position) -> u64 {
        SHORT_SEARCH_NODES * NODES_FACTOR.pow(self.searches_of(position).into())
    }
}

/// A map of positions, each of which hashes as its key.
pub(crate) type PositionMap<T> = HashMap<Position, T, BuildHasherDefault<KeyHasher>>;

type PositionSet = HashSet<Position, BuildHasherDefault<KeyHasher>>;

/// The next step for a position of a hold.
enum HoldStep {
    /// Play a move that holds.
    Play(Move),
    /// Search: this move is the hardest to refute.
    Search(Move),
    /// Every move is known to lose.
    Lost,
    /// None: the position has a move or ends the line.
    Settled,
}

/// The prospect of a move without a search, in the order of preference. `new` is the number of positions that
/// the move adds to the hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Prospect {
    /// The move adds no position to the hold.
    Returns,
    /// The move holds, and is chosen for a growing hold.
    HoldsInGrowing { is_tentative: bool, new: usize },
    /// The move holds, and is chosen for another hold.
    Holds(PlacementCost),
    /// The result is unknown.
    Unknown { closeness_to_win: u64, new: usize },
}

/// A call of [`Hold::close`].
struct Closing<'a, 's> {
    hold: &'a mut Hold,
    roots: &'a [Position],
    search: &'a mut Search<'s>,
    /// The number of nodes at which the call ends.
    end: u64,
    /// An unproved move is chosen only after a search with at least this node limit.
    longest: u64,
    watch: Watch<'a>,
}

/// Returns the sort key of a position, which groups positions with the same pieces.
pub(crate) fn sort_key(position: &Position) -> (u32, [u32; 4]) {
    let [white, black] = [Color::White, Color::Black];
    let kings = [position.kings(white), position.kings(black)].map(|set| set.0);
    let men = [position.men(white), position.men(black)].map(|set| set.0);
    (position.piece_count(), [men[0], men[1], kings[0], kings[1]])
}

impl Hold {
    /// Starts over with different preferences, but keeps the positions known to be lost.
    pub(crate) fn restart(&mut self, region: Option<Region>) {
        *self = Self {
            lost: std::mem::take(&mut self.lost),
            placements: self.placements.of_next_attempt(region),
            ..Self::default()
        };
    }

    /// Returns whether every position has a move.
    pub(crate) fn is_closed(&self) -> bool {
        !self.moves.is_empty() && self.open.is_empty()
    }

    /// Returns the key of each position that has a move, and the index of the move.
    pub(crate) fn saved(&self) -> impl Iterator<Item = (u64, u8)> {
        self.moves.iter().filter_map(|(position, &mv)| {
            let index = position.moves().iter().position(|&other| other == mv)?;
            Some((position.key(), u8::try_from(index).ok()?))
        })
    }

    /// Chooses saved moves for positions with Black to move and for all positions that may follow.
    pub(crate) fn restore(&mut self, roots: &[Position], saved: &KeyMap<u8>, search: &mut Search<'_>) {
        let mut next = roots.to_vec();
        while let Some(position) = next.pop() {
            if !self.moves.contains_key(&position)
                && let Some(&index) = saved.get(&position.key())
                && let Some(&mv) = position.moves().get(usize::from(index))
            {
                self.add(position, mv, search);
                next.extend(open_replies(&position.after(mv), search));
            }
        }
    }

    /// Returns an empty hold that grows from call to call. It prefers certain refutations to frequent
    /// placements.
    pub(crate) fn growing() -> Self {
        Self { is_growing: true, ..Self::default() }
    }

    /// Chooses moves for positions with Black to move and for all positions that may follow. Returns `false`
    /// if White wins one of them, or Black cannot hold it in the region.
    pub(crate) fn close(
        &mut self,
        roots: &[Position],
        search: &mut Search<'_>,
        nodes: u64,
        watch: Watch<'_>,
    ) -> Result<bool, Stop> {
        search.release_all();
        let mut longest = 0;
        if self.is_growing {
            self.parents.keys().chain(roots).for_each(|position| search.hold(position));
            longest = LONG_SEARCH_NODES.max(nodes / LONGEST_SHARE);
        }
        let end = search.nodes.saturating_add(nodes);
        Closing { hold: self, roots, search, end, longest, watch }.run()
    }

    /// Returns a position that needs a move. At the end, looks for positions that were dropped when no move
    /// led to them, and are reached again.
    fn next(&mut self, roots: &[Position], search: &Search<'_>) -> Option<Position> {
        self.open.pop().or_else(|| {
            self.reopen(roots, search);
            self.open.pop()
        })
    }

    /// Reopens exactly the positions that are reached by the chosen moves but have no move themselves.
    fn reopen(&mut self, roots: &[Position], search: &Search<'_>) {
        let mut reached: PositionSet = roots.iter().copied().collect();
        let mut next: VecDeque<Position> = roots.iter().copied().collect();
        self.open.clear();
        while let Some(position) = next.pop_front() {
            match self.moves.get(&position) {
                None => self.open.push(position, self.is_growing),
                Some(&mv) => {
                    let replies = open_replies(&position.after(mv), search);
                    next.extend(replies.into_iter().filter(|reply| reached.insert(*reply)));
                }
            }
        }
    }

    fn add(&mut self, position: Position, mv: Move, search: &mut Search<'_>) {
        let after = position.after(mv);
        self.moves.insert(position, mv);
        self.placements.add(placement(&after));
        let mut new_replies = Vec::new();
        for reply in open_replies(&after, search) {
            let parents = self.parents.entry(reply).or_default();
            if parents.is_empty() {
                if self.is_growing {
                    search.hold(&reply);
                }
                new_replies.push(reply);
            }
            parents.push(position);
        }
        if self.is_growing {
            new_replies.reverse();
        }
        for reply in new_replies {
            self.open.push(reply, self.is_growing || self.placements.is_depth_first());
        }
    }

    /// Removes the moves that lead to a lost position.
    fn take_out(&mut self, lost: &Position, search: &mut Search<'_>) {
        search.release(lost);
        for parent in self.parents.remove(lost).into_iter().flatten() {
            if let Some(mv) = self.moves.remove(&parent) {
                self.placements.remove(placement(&parent.after(mv)));
                self.open.push(parent, self.is_growing);
            }
        }
    }

    fn is_lost(&self, position: &Position, search: &Search<'_>) -> bool {
        self.lost.contains(position) || self.lost_in_region.contains(position) || search.is_won(position)
    }

    /// Returns a move after which all replies lead to leaves or to the hold, or to positions with such a move
    /// within the remaining depth.
    fn move_that_returns(&mut self, position: &Position, depth: u8, search: &Search<'_>) -> Option<Move> {
        if self.non_returning.get(position).is_some_and(|&known| known >= depth) {
            return None;
        }
        for mv in position.moves() {
            let after = position.after(mv);
            if self.placements.allows(position, &after) && !search.is_won(&after) {
                if is_leaf(&after, search) {
                    return Some(mv);
                }
                let returns = after.moves().into_iter().all(|reply| {
                    let reply = after.after(reply);
                    !self.is_lost(&reply, search)
                        && (self.parents.contains_key(&reply)
                            || is_leaf(&reply, search)
                            || depth > 1 && self.move_that_returns(&reply, depth - 1, search).is_some())
                });
                if returns {
                    return Some(mv);
                }
            }
        }
        self.non_returning.insert(*position, depth);
        None
    }

    /// Determines the best step without a search. Prefers moves that add no position to the hold, then moves
    /// that the placements prefer.
    fn best_step(&self, position: &Position, search: &mut Search<'_>) -> HoldStep {
        let mut best: Option<(Prospect, Move)> = None;
        for mv in position.moves() {
            let Some(prospect) = self.prospect(position, mv, search) else { continue };
            if prospect == Prospect::Returns {
                return HoldStep::Play(mv);
            }
            if best.is_none_or(|(min, _)| prospect < min) {
                best = Some((prospect, mv));
            }
        }
        match best {
            None => HoldStep::Lost,
            Some((Prospect::Unknown { .. }, mv)) => HoldStep::Search(mv),
            Some((_, mv)) => HoldStep::Play(mv),
        }
    }

    /// Returns what is known about a move, or `None` if it is known to lose or not allowed.
    fn prospect(&self, position: &Position, mv: Move, search: &mut Search<'_>) -> Option<Prospect> {
        let after = position.after(mv);
        let verdict = search.result_with_hints(&after);
        let wins = verdict.or_else(|| search.result_in_table(&after));
        if wins == Some(true) || !self.placements.allows(position, &after) {
            return None;
        }
        let replies = open_replies(&after, search);
        if replies.iter().any(|reply| self.lost_in_region.contains(reply)) {
            return None;
        }
        if verdict.is_none()
            && let Some(won) = replies.iter().find(|reply| self.is_lost(reply, search))
        {
            search.forget(&after);
            search.prove_by(&after, won);
            return None;
        }
        let new = replies.iter().filter(|reply| !self.parents.contains_key(reply)).count();
        Some(if new == 0 {
            Prospect::Returns
        } else if wins.is_none() {
            Prospect::Unknown { closeness_to_win: search.closeness_to_win(&after), new }
        } else if self.is_growing {
            Prospect::HoldsInGrowing { is_tentative: search.is_tentative(&after), new }
        } else {
            Prospect::Holds(self.placements.cost(mv, placement(&after), new))
        })
    }
}

impl Closing<'_, '_> {
    fn run(mut self) -> Result<bool, Stop> {
        self.hold.reopen(self.roots, self.search);
        // The number of positions examined, and the number at which unreachable positions are next dropped.
        let (mut examined, mut next_cleanup): (usize, usize) = (0, usize::MAX);
        while let Some(position) = self.hold.next(self.roots, self.search) {
            examined += 1;
            self.search.count_node();
            let interrupted = examined.is_multiple_of(256) && !(self.watch)(self.search.nodes);
            match if interrupted { Err(Stop::Interrupt) } else { self.next_step(&position) } {
                Ok(HoldStep::Settled) => continue,
                Ok(HoldStep::Search(_)) if self.hold.open.search_limit(&position) < self.longest => {
                    *self.hold.open.searches.entry(position).or_default() += 1;
                    self.hold.open.push(position, true);
                }
                Ok(HoldStep::Play(mv) | HoldStep::Search(mv)) => self.hold.add(position, mv, self.search),
                Err(cause) => {
                    self.hold.open.push(position, self.hold.is_growing);
                    return Err(cause);
                }
                Ok(HoldStep::Lost) if self.roots.contains(&position) => return Ok(false),
                Ok(HoldStep::Lost) => {
                    self.hold.take_out(&position, self.search);
                    next_cleanup = next_cleanup.min(examined + self.hold.moves.len() / 2);
                }
            }
            if examined >= next_cleanup {
                self.hold.reopen(self.roots, self.search);
                next_cleanup = usize::MAX;
            }
        }
        Ok(true)
    }

    /// Determines the next step for a position. Searches it if no move is known to hold.
    fn next_step(&mut self, position: &Position) -> Result<HoldStep, Stop> {
        let Self { hold, search, .. } = self;
        if search.nodes >= self.end || hold.parents.len() >= MAX_POSITIONS {
            return Err(Stop::Nodes);
        }
        if hold.moves.contains_key(position) || is_leaf(position, search) {
            return Ok(HoldStep::Settled);
        }
        if hold.is_lost(position, search) {
            return Ok(HoldStep::Lost);
        }
        for depth in 1..=hold.placements.depth() {
            if let Some(mv) = hold.move_that_returns(position, depth, search) {
                return Ok(HoldStep::Play(mv));
            }
        }
        let mut step = hold.best_step(position, search);
        if let HoldStep::Search(_) = step {
            search.forget(position);
            let left = self.end.saturating_sub(search.nodes);
            let limit = hold.open.search_limit(position);
            match search.solve(position, left.min(limit), self.watch) {
                Ok(true) => return Ok(HoldStep::Lost),
                Ok(false) => {}
                Err(Stop::Nodes) if left > limit => {}
                Err(cause) => return Err(cause),
            }
            step = hold.best_step(position, search);
        }
        if let HoldStep::Lost = step {
            let lost =
                if hold.placements.is_restricted() { &mut hold.lost_in_region } else { &mut hold.lost };
            lost.insert(*position);
            search.prove(position);
        }
        Ok(step)
    }
}

/// Returns the moves of holds for their roots and for all positions that may follow, on the flipped board.
/// The roots are positions with Black to move. Each hold is followed on its own, since moves that it no
/// longer needs may lead to positions without a move.
///
/// Returns `None` if `watch` stops the work.
pub(crate) fn choices(
    holds: &[Hold; 2],
    roots: &[Vec<Position>; 2],
    search: &Search<'_>,
    watch: Watch<'_>,
) -> Option<Vec<Choice>> {
    let mut moves = PositionMap::default();
    for (hold, roots) in holds.iter().zip(roots) {
        for (position, mv) in follow(roots, search, watch, |position, _| hold.moves.get(position).copied())? {
            moves.entry(position).or_insert(mv);
        }
    }
    let roots = &roots.concat();
    for _ in 0..MAX_TIGHTENINGS {
        let smaller = tightened(&moves, roots, search, watch)?;
        if smaller.len() >= moves.len() {
            break;
        }
        moves = smaller;
    }
    let mut choices: Vec<Choice> =
        moves.into_iter().filter_map(|(position, mv)| flipped(&position, mv)).collect();
    choices.sort_by_key(|choice| sort_key(&choice.position));
    Some(choices)
}

/// Follows chosen moves and all replies, unless `watch` stops it. `choose` also receives the moves chosen so
/// far.
fn follow(
    roots: &[Position],
    search: &Search<'_>,
    watch: Watch<'_>,
    choose: impl Fn(&Position, &PositionMap<Move>) -> Option<Move>,
) -> Option<PositionMap<Move>> {
    let mut moves = PositionMap::default();
    let mut open: VecDeque<Position> = roots.iter().copied().collect();
    while let Some(position) = open.pop_front() {
        if !moves.contains_key(&position)
            && let Some(mv) = choose(&position, &moves)
        {
            if moves.len().is_multiple_of(256) && !watch(search.nodes) {
                return None;
            }
            moves.insert(position, mv);
            open.extend(open_replies(&position.after(mv), search));
        }
    }
    Some(moves)
}

/// Chooses moves again, among the moves that stay in a hold, now that its placements are known.
fn tightened(
    hold: &PositionMap<Move>,
    roots: &[Position],
    search: &Search<'_>,
    watch: Watch<'_>,
) -> Option<PositionMap<Move>> {
    let mut placements = Placements::default();
    for (position, &mv) in hold {
        placements.add(placement(&position.after(mv)));
    }
    follow(roots, search, watch, |position, chosen| {
        hold.get(position)?;
        let mut best = None;
        for mv in position.moves() {
            let after = position.after(mv);
            if search.result_by_leaf(&after) == Some(true) {
                continue;
            }
            let replies = open_replies(&after, search);
            if replies.iter().all(|reply| hold.contains_key(reply)) {
                let new = replies.iter().filter(|reply| !chosen.contains_key(reply)).count();
                let cost = (new > 0, Reverse(placements.uses(placement(&after))), new);
                if best.is_none_or(|(lowest, _)| cost < lowest) {
                    best = Some((cost, mv));
                }
            }
        }
        best.map(|(_, mv)| mv)
    })
}

/// Returns whether a certificate needs no move for a position, because it may use the position's value.
pub(crate) fn is_leaf(position: &Position, search: &Search<'_>) -> bool {
    search.leaves.value(position).is_some_and(|value| !white_wins(position, value))
}

/// Returns the positions that White's replies lead to and that need a move.
pub(crate) fn open_replies(after: &Position, search: &Search<'_>) -> Vec<Position> {
    if is_leaf(after, search) {
        return Vec::new();
    }
    let replies = after.moves().into_iter().map(|mv| after.after(mv));
    replies.filter(|reply| !is_leaf(reply, search)).collect()
}

/// Returns a position and a move on the flipped board.
fn flipped(position: &Position, mv: Move) -> Option<Choice> {
    let turned = position.flipped();
    let target = position.after(mv).flipped();
    let mv = turned.moves().into_iter().find(|&other| turned.after(other) == target)?;
    Some(Choice { position: turned, mv })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaves::Leaves;
    use crate::search::{Numbers, SearchEntry};
    use kelso_draughts::notation::fen;
    use kelso_draughts::result::Wdl;
    use kelso_endgames::Databases;

    /// A win known to the databases may have been refuted by a repetition.
    #[test]
    fn a_position_is_not_held_if_every_move_loses() {
        let databases = Databases::compiled_in();
        let root = fen::parse("B:WK22,K27,K31,K32:BK1,K18").unwrap();
        let mut search = Search::new(Leaves::up_to(&databases, 0), 1_000_000);
        let refuted =
            SearchEntry { numbers: Numbers { proof: u32::MAX / 4, disproof: 0 }, best: 0, tentative: true };
        for mv in root.moves() {
            let after = root.after(mv);
            assert_eq!(databases.probe(&after), Some(Wdl::Win));
            search.restore([(after.key(), refuted)]);
        }
        search.restore([(root.key(), refuted)]);
        let closed = Hold::default().close(&[root], &mut search, 100_000, &mut |_| true);
        assert_eq!(closed, Ok(false));
    }
}
