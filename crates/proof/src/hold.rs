//! Holds. A hold gives Black a move in each of its positions, such that no reply by White wins.
//!
//! The search refutes a win for White. Since its refutations may depend on repetitions, they are verified
//! here: every reply to a chosen move is answered in turn, until no reply leaves the set. A position that
//! White turns out to win is removed, and the moves that lead to it are replaced.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};

use super::certificate::Choice;
use super::search::{Search, Stop, Watch};
use draughts::board::{Bitboard, Color, Move, Position};

/// Node limit for choosing a move.
const SHORT: u64 = 1_000;

/// The positions of a hold and their moves. Black, the holding side, is to move.
#[derive(Debug, Default)]
pub(crate) struct Hold {
    moves: HashMap<Position, Move>,
    /// For each position, the positions whose moves lead to it.
    parents: HashMap<Position, Vec<Position>>,
    /// Positions that still need a move. They remain open if a search ends too early.
    open: VecDeque<Position>,
    /// Positions in which every move is known to lose.
    lost: HashSet<Position>,
    /// The number of chosen moves that lead to each placement of Black's pieces.
    uses: HashMap<Placement, usize>,
}

/// A side's men and kings.
type Placement = [Bitboard; 2];

fn placement(position: &Position) -> Placement {
    [position.men(Color::Black), position.kings(Color::Black)]
}

/// The maximum number of attempts to make a hold smaller.
const ATTEMPTS: usize = 8;

/// The classes of moves: known to hold, and not known to hold.
const HOLDS: u8 = 0;
const UNKNOWN: u8 = 1;

/// A move by Black with its rating; lower is better.
type Rated = ((u8, (u64, Reverse<usize>, u64)), Move);

/// Returns the sort key of a position, which groups positions with the same pieces.
pub(crate) fn order(position: &Position) -> (u32, [u32; 4]) {
    let [white, black] = [Color::White, Color::Black];
    let kings = [position.kings(white), position.kings(black)].map(|set| set.0);
    let men = [position.men(white), position.men(black)].map(|set| set.0);
    (position.piece_count(), [men[0], men[1], kings[0], kings[1]])
}

impl Hold {
    /// Chooses moves for positions with Black to move and for all that may follow. Returns `false` if White
    /// wins one of them.
    pub(crate) fn close(
        &mut self,
        roots: &[Position],
        search: &mut Search<'_>,
        nodes: u64,
        watch: Watch<'_>,
    ) -> Result<bool, Stop> {
        let end = search.nodes.saturating_add(nodes);
        self.reopen(roots, search);
        // The number of positions examined, and the number at which unreachable ones are next dropped.
        let (mut looks, mut tidy): (usize, usize) = (0, usize::MAX);
        while let Some(&position) = self.open.front() {
            looks += 1;
            search.nodes += 1;
            if looks.is_multiple_of(256) && !watch(search.nodes) {
                return Err(Stop::Interrupt);
            }
            if search.nodes >= end {
                return Err(Stop::Nodes);
            }
            let settled = self.is_settled(&position, search);
            let chosen = if settled { None } else { Some(self.choose(&position, search, end, watch)?) };
            self.open.pop_front();
            match chosen {
                None => {}
                Some(Some(mv)) => self.add(position, mv, search),
                Some(None) if roots.contains(&position) => return Ok(false),
                Some(None) => {
                    self.take_out(&position);
                    tidy = tidy.min(looks + self.moves.len() / 2);
                }
            }
            if looks >= tidy {
                self.reopen(roots, search);
                tidy = usize::MAX;
            }
        }
        Ok(true)
    }

    /// Reopens exactly the positions that the chosen moves reach and that have no move.
    fn reopen(&mut self, roots: &[Position], search: &Search<'_>) {
        let mut reached: HashSet<Position> = roots.iter().copied().collect();
        let mut next: VecDeque<Position> = roots.iter().copied().collect();
        self.open.clear();
        while let Some(position) = next.pop_front() {
            match self.moves.get(&position) {
                None => self.open.push_back(position),
                Some(&mv) => {
                    let replies = open_replies(&position.after(mv), search);
                    next.extend(replies.into_iter().filter(|reply| reached.insert(*reply)));
                }
            }
        }
    }

    fn add(&mut self, position: Position, mv: Move, search: &Search<'_>) {
        let after = position.after(mv);
        self.moves.insert(position, mv);
        *self.uses.entry(placement(&after)).or_default() += 1;
        for reply in open_replies(&after, search) {
            self.parents.entry(reply).or_default().push(position);
            self.open.push_back(reply);
        }
    }

    /// Removes the moves that lead to a lost position.
    fn take_out(&mut self, lost: &Position) {
        for parent in self.parents.remove(lost).into_iter().flatten() {
            if let Some(mv) = self.moves.remove(&parent) {
                if let Some(uses) = self.uses.get_mut(&placement(&parent.after(mv))) {
                    *uses -= 1;
                }
                self.open.push_back(parent);
            }
        }
    }

    /// Returns whether a position needs no more work, because it has a move or ends the line.
    fn is_settled(&self, position: &Position, search: &Search<'_>) -> bool {
        self.moves.contains_key(position) || is_leaf(position, search)
    }

    /// Chooses a move after which White is not known to win. Returns `None` if White wins.
    fn choose(
        &mut self,
        position: &Position,
        search: &mut Search<'_>,
        end: u64,
        watch: Watch<'_>,
    ) -> Result<Option<Move>, Stop> {
        if self.is_lost(position, search) {
            return Ok(None);
        }
        let mut best = self.best(position, search);
        if best.is_some_and(|((class, _), _)| class == UNKNOWN) {
            search.forget(position);
            let left = end.saturating_sub(search.nodes);
            match search.solve(position, left.min(SHORT), watch) {
                Ok(true) => return Ok(None),
                Ok(false) => {}
                Err(Stop::Nodes) if left > SHORT => {}
                Err(stop) => return Err(stop),
            }
            best = self.best(position, search);
        }
        if best.is_none() {
            self.lost.insert(*position);
            search.prove(position);
        }
        Ok(best.map(|(_, mv)| mv))
    }

    fn is_lost(&self, position: &Position, search: &Search<'_>) -> bool {
        self.lost.contains(position) || search.is_won(position)
    }

    /// Returns the best move for Black, or `None` if all are known to lose. If no move is known to hold, this
    /// is the one that is hardest to refute. Otherwise, it is one that adds no position to the hold, or leads
    /// to the placement of Black's pieces that the hold uses most: the fewer placements a hold has, the
    /// smaller it is.
    fn best(&self, position: &Position, search: &mut Search<'_>) -> Option<Rated> {
        let mut best: Option<Rated> = None;
        for mv in position.moves() {
            let after = position.after(mv);
            let known = search.known(&after);
            if known == Some(true) || search.is_won(&after) {
                continue;
            }
            let replies = open_replies(&after, search);
            if known.is_none()
                && let Some(won) = replies.iter().find(|reply| self.is_lost(reply, search))
            {
                search.forget(&after);
                search.prove_by(&after, won);
                continue;
            }
            let new = replies.iter().filter(|reply| !self.parents.contains_key(reply)).count() as u64;
            let rate = if new == 0 || known == Some(false) || search.status(&after) == Some(false) {
                let uses = self.uses.get(&placement(&after)).copied().unwrap_or(0);
                (HOLDS, if new == 0 { (0, Reverse(0), 0) } else { (1, Reverse(uses), new) })
            } else {
                (UNKNOWN, (search.danger(&after), Reverse(0), new))
            };
            if best.is_none_or(|(least, _)| rate < least) {
                best = Some((rate, mv));
            }
        }
        best
    }

    /// Returns the moves for the given positions with Black to move and for all that may follow, on the
    /// flipped board.
    pub(crate) fn choices(&self, roots: &[Position], search: &Search<'_>) -> Vec<Choice> {
        let mut found = follow(roots, search, |position, _| self.moves.get(position).copied());
        for _ in 0..ATTEMPTS {
            let smaller = tightened(&found, roots, search);
            if smaller.len() >= found.len() {
                break;
            }
            found = smaller;
        }
        let mut choices: Vec<Choice> =
            found.into_iter().filter_map(|(position, mv)| flipped(&position, mv)).collect();
        choices.sort_by_key(|choice| order(&choice.position));
        choices
    }
}

/// Follows chosen moves and all replies. `choose` also receives the moves chosen so far.
fn follow(
    roots: &[Position],
    search: &Search<'_>,
    choose: impl Fn(&Position, &HashMap<Position, Move>) -> Option<Move>,
) -> HashMap<Position, Move> {
    let mut found = HashMap::new();
    let mut open: VecDeque<Position> = roots.iter().copied().collect();
    while let Some(position) = open.pop_front() {
        if !found.contains_key(&position)
            && let Some(mv) = choose(&position, &found)
        {
            found.insert(position, mv);
            open.extend(open_replies(&position.after(mv), search));
        }
    }
    found
}

/// Chooses moves again among those that stay in a hold, now that its placements are known.
fn tightened(
    hold: &HashMap<Position, Move>,
    roots: &[Position],
    search: &Search<'_>,
) -> HashMap<Position, Move> {
    let mut uses: HashMap<Placement, usize> = HashMap::new();
    for (position, &mv) in hold {
        *uses.entry(placement(&position.after(mv))).or_default() += 1;
    }
    follow(roots, search, |position, found| {
        hold.get(position)?;
        let rate = |mv: &Move| {
            let after = position.after(*mv);
            if search.known(&after) == Some(true) {
                return None;
            }
            let replies = open_replies(&after, search);
            let new = replies.iter().filter(|reply| !found.contains_key(reply)).count();
            let stays = replies.iter().all(|reply| hold.contains_key(reply));
            stays.then(|| (new > 0, Reverse(uses.get(&placement(&after)).copied().unwrap_or(0)), new))
        };
        let moves = position.moves();
        moves.iter().filter_map(|mv| Some((rate(mv)?, *mv))).min_by_key(|(rate, _)| *rate).map(|(_, mv)| mv)
    })
}

/// Returns whether a certificate needs no move for a position, because it may use the position's value.
fn is_leaf(position: &Position, search: &Search<'_>) -> bool {
    search.leaves.value(position).is_some() && search.known(position) == Some(false)
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
    use crate::search::{Entry, Numbers};
    use draughts::notation::fen;
    use endgames::{Databases, Wdl};

    /// A win known to the databases may have been refuted by a repetition.
    #[test]
    fn a_position_is_not_held_if_every_move_loses() {
        let databases = Databases::compiled_in();
        let root = fen::parse("B:WK22,K27,K31,K32:BK1,K18").unwrap();
        let mut search = Search::new(Leaves::none(&databases), 1_000_000);
        let refuted =
            Entry { numbers: Numbers { proof: u32::MAX / 4, disproof: 0 }, best: 0, tentative: true };
        for mv in root.moves() {
            let after = root.after(mv);
            assert_eq!(databases.probe(&after), Some(Wdl::Win));
            search.table.insert(after.key(), refuted);
        }
        search.table.insert(root.key(), refuted);
        let closed = Hold::default().close(&[root], &mut search, 100_000, &mut |_| true);
        assert_eq!(closed, Ok(false));
    }
}
