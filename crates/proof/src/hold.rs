//! Holds. A hold gives Black a move in each of its positions, so that White cannot win whatever it replies.
//!
//! The search refutes a win for White. Its refutations may depend on repetitions, so they are followed up here: every
//! reply to a chosen move is answered in turn, until no reply leaves the set. A position that White turns out to win is
//! removed, and other moves are chosen in place of those that lead to it.

use std::collections::{HashMap, VecDeque};

use super::certificate::Choice;
use super::search::{Search, Stop, Watch};
use draughts::board::{Color, Move, Position};

/// Node limit for choosing a move.
const SHORT: u64 = 1_000;

/// The positions of a hold and their moves. Black, the holding side, is to move.
#[derive(Debug, Default)]
pub(crate) struct Hold {
    moves: HashMap<Position, Move>,
    /// For each position, those whose moves lead to it.
    parents: HashMap<Position, Vec<Position>>,
    /// Positions that still need a move. They remain open if a search ends too early.
    open: VecDeque<Position>,
}

/// Returns the sort key of a position, which groups positions with the same pieces.
pub(crate) fn order(position: &Position) -> (u32, [u32; 4]) {
    let [white, black] = [Color::White, Color::Black];
    let kings = [position.kings(white), position.kings(black)].map(|set| set.0);
    let men = [position.men(white), position.men(black)].map(|set| set.0);
    (position.piece_count(), [men[0], men[1], kings[0], kings[1]])
}

impl Hold {
    /// Chooses moves for a position with Black to move and for all that may follow. Returns `false` if White wins.
    pub(crate) fn close(
        &mut self,
        root: &Position,
        search: &mut Search<'_>,
        nodes: u64,
        watch: Watch<'_>,
    ) -> Result<bool, Stop> {
        let end = search.nodes.saturating_add(nodes);
        self.open.push_back(*root);
        let mut looks: u64 = 0;
        while let Some(&position) = self.open.front() {
            looks += 1;
            if looks.is_multiple_of(256) && !watch(search.nodes) {
                return Err(Stop::Interrupt);
            }
            let settled = self.is_settled(&position, search);
            let chosen = if settled { None } else { Some(self.choose(&position, search, end, watch)?) };
            self.open.pop_front();
            match chosen {
                None => {}
                Some(Some(mv)) => self.add(position, mv, search),
                Some(None) => self.take_out(&position),
            }
        }
        Ok(!search.is_won(root))
    }

    fn add(&mut self, position: Position, mv: Move, search: &Search<'_>) {
        self.moves.insert(position, mv);
        for reply in open_replies(&position.after(mv), search) {
            self.parents.entry(reply).or_default().push(position);
            self.open.push_back(reply);
        }
    }

    /// Removes the moves that lead to a lost position.
    fn take_out(&mut self, lost: &Position) {
        for parent in self.parents.remove(lost).into_iter().flatten() {
            if self.moves.remove(&parent).is_some() {
                self.open.push_back(parent);
            }
        }
    }

    /// Returns whether a position needs no more work: it has a move or ends the line.
    fn is_settled(&self, position: &Position, search: &Search<'_>) -> bool {
        self.moves.contains_key(position) || is_leaf(position, search)
    }

    /// Chooses a move after which White is not known to win. Returns `None` if White wins.
    fn choose(
        &self,
        position: &Position,
        search: &mut Search<'_>,
        end: u64,
        watch: Watch<'_>,
    ) -> Result<Option<Move>, Stop> {
        if search.is_won(position) {
            return Ok(None);
        }
        if let Some(mv) = self.best(position, search, true) {
            return Ok(Some(mv));
        }
        search.forget(position);
        let left = end.saturating_sub(search.nodes);
        match search.solve(position, left.min(SHORT), watch) {
            Ok(true) => return Ok(None),
            Ok(false) => {}
            Err(Stop::Nodes) if left > SHORT => {}
            Err(stop) => return Err(stop),
        }
        match self.best(position, search, false) {
            Some(mv) => Ok(Some(mv)),
            // All moves are lost, but the search has not yet combined their results.
            None if left > SHORT => search.solve(position, left, watch).map(|_| None),
            None => Err(Stop::Nodes),
        }
    }

    /// Returns the best move for Black. Of the moves known to hold, this is the one that adds the fewest positions to
    /// the hold. If there are none, it is the move that is hardest to refute, or `None` with `known`.
    fn best(&self, position: &Position, search: &mut Search<'_>, known: bool) -> Option<Move> {
        let mut best = None;
        for mv in position.moves() {
            let after = position.after(mv);
            if search.is_won(&after) {
                continue;
            }
            let replies = open_replies(&after, search);
            if replies.iter().any(|reply| search.is_won(reply)) {
                search.forget(&after);
                continue;
            }
            let new = replies.iter().filter(|reply| !self.parents.contains_key(reply)).count();
            let holds = new == 0 || search.status(&after) == Some(false);
            let rate = if holds { (0, new as u64) } else { (1, search.danger(&after)) };
            if (holds || !known) && best.is_none_or(|(least, _)| rate < least) {
                best = Some((rate, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Returns the moves for some positions with Black to move and for all that may follow, on the flipped board.
    pub(crate) fn choices(&self, roots: &[Position], search: &Search<'_>) -> Vec<Choice> {
        let mut found: HashMap<Position, Move> = HashMap::new();
        let mut open = roots.to_vec();
        while let Some(position) = open.pop() {
            if found.contains_key(&position) {
                continue;
            }
            let Some(&mv) = self.moves.get(&position) else { continue };
            found.insert(position, mv);
            open.extend(open_replies(&position.after(mv), search));
        }
        let mut choices: Vec<Choice> =
            found.into_iter().filter_map(|(position, mv)| flipped(&position, mv)).collect();
        choices.sort_by_key(|choice| order(&choice.position));
        choices
    }
}

/// Returns whether a certificate needs no move for a position, because it may use its value.
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
