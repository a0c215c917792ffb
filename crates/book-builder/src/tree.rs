//! The positions of a growing book. They form a graph, since several move orders lead to the same position.
//!
//! A position is a leaf until it is expanded. A leaf has the value from its search, and an expanded position
//! that of its best move. Quiet king moves can be reversed, so values are never propagated across them;
//! otherwise positions could support each other's values. The value of a position after such a move comes
//! from its own search, and the move does not cause it to be expanded. All other moves are irreversible, so
//! propagation terminates.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use kelso_draughts::board::relative::Key;
use kelso_engine::book::file::{GROUP, RECORD};
use kelso_engine::book::{BookEntry, BookScore, moves};

/// The cost of a move that is as good as the best, in units fine enough for fractions of [`BookTree::width`].
const PLY_COST: u64 = 1000;

/// The reason why a position cannot be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExpandError {
    /// The position is not in the tree.
    #[error("no earlier step reaches this position")]
    Unreached,
    /// The position has already been expanded.
    #[error("an earlier step has expanded this position")]
    Expanded,
    /// The numbers of values and moves differ.
    #[error("expected {moves} moves, got {values}")]
    Moves { moves: usize, values: usize },
}

/// The cost of a position below which nothing can be expanded.
const CLOSED: u64 = u64::MAX;

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookJudgement {
    pub score: BookScore,
    pub depth: u8,
    /// Whether the result is known, in which case expansion cannot change it.
    pub settled: bool,
}

/// A move of a position.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The position after the move.
    pub to: Key,
    /// Whether the move can be reversed.
    pub reversible: bool,
}

#[derive(Debug)]
struct BookNode {
    /// The value from the position's own search.
    searched: BookJudgement,
    now: BookJudgement,
    /// The moves in book order. Empty for a leaf.
    edges: Vec<Edge>,
    /// The positions whose values depend on this one.
    parents: Vec<Key>,
    /// The cost to the cheapest leaf below this position.
    cost: u64,
    /// A worker is expanding this position.
    busy: bool,
}

impl BookNode {
    const fn is_open(&self) -> bool {
        self.edges.is_empty() && !self.busy && !self.now.settled
    }
}

/// The positions of a book.
#[derive(Debug)]
pub struct BookTree {
    nodes: HashMap<Key, BookNode>,
    pub roots: Vec<Key>,
    /// The number of expanded positions.
    pub expanded: usize,
    /// The cost of one ply, in hundredths of a man.
    width: u64,
}

impl BookTree {
    /// Creates an empty tree in which one ply costs `width` hundredths of a man.
    pub fn new(width: u32) -> Self {
        Self { nodes: HashMap::new(), roots: Vec::new(), expanded: 0, width: width.max(1).into() }
    }

    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// Returns a position, which must be in the tree.
    fn node(&self, key: Key) -> &BookNode {
        &self.nodes[&key]
    }

    /// Returns the current value of a position, or `None` if it is not in the tree.
    pub fn judgement(&self, key: Key) -> Option<BookJudgement> {
        self.nodes.get(&key).map(|node| node.now)
    }

    /// Adds a root with the value of its search.
    pub fn add_root(&mut self, key: Key, searched: BookJudgement) {
        self.add(key, searched);
        self.set_root(key);
    }

    /// Adds a position, unless it is already in the tree.
    fn add(&mut self, key: Key, searched: BookJudgement) {
        let cost = if searched.settled { CLOSED } else { 0 };
        let edges = Vec::new();
        let parents = Vec::new();
        let leaf = BookNode { searched, now: searched, edges, parents, cost, busy: false };
        self.nodes.entry(key).or_insert(leaf);
    }

    /// Returns the position to expand next, and its cost from its root.
    pub fn next(&self) -> Option<(Key, u64)> {
        let mut key = *self.roots.iter().min_by_key(|&&root| self.node(root).cost)?;
        let min = Some(self.node(key).cost).filter(|&min| min < CLOSED)?;
        loop {
            let node = self.node(key);
            if node.edges.is_empty() {
                return node.is_open().then_some((key, min));
            }
            let prices = node.edges.iter().map(|&edge| (self.price(node.now.score, edge), edge.to));
            let (price, cheapest) = prices.min_by_key(|&(price, _)| price)?;
            if price == CLOSED {
                return None;
            }
            key = cheapest;
        }
    }

    /// Returns the cost from a position through a move to the cheapest leaf below it.
    fn price(&self, score: BookScore, edge: Edge) -> u64 {
        if edge.reversible {
            return CLOSED;
        }
        let child = self.node(edge.to);
        child.cost.saturating_add(self.cost_of(score, -child.now.score))
    }

    /// Creates the tree of a verified book, in which every entry is expanded. Positions that no entry's move
    /// reaches are roots. The values of leaves come from the entries whose moves reach them; a bound counts
    /// as the value.
    pub fn of(entries: &BTreeMap<Key, BookEntry>, width: u32) -> Self {
        let mut tree = Self::new(width);
        for (&key, &BookEntry { score, depth, .. }) in entries {
            tree.add(key, BookJudgement { score, depth, settled: false });
        }
        // Exact values come before bounds, since a leaf keeps its first value.
        for exact in [true, false] {
            for (&key, entry) in entries {
                let moves = Self::edges(key).into_iter().zip(&entry.drops);
                for (edge, &drop) in moves.filter(|(_, drop)| drop.is_most() != exact) {
                    let score = -entry.score.below(drop);
                    let depth = entry.depth.saturating_sub(1);
                    tree.add(edge.to, BookJudgement { score, depth, settled: score.is_known() });
                }
            }
        }
        for &key in entries.keys() {
            tree.link(key);
        }
        let keys = entries.keys().copied();
        tree.roots = keys.filter(|&key| tree.node(key).parents.is_empty()).collect();
        for &key in entries.keys() {
            tree.refresh(key);
        }
        tree
    }

    /// Expands a position: links it to the positions after its moves, which must be in the tree.
    fn link(&mut self, key: Key) {
        let edges = Self::edges(key);
        for edge in edges.iter().filter(|edge| !edge.reversible) {
            self.nodes.entry(edge.to).and_modify(|child| child.parents.push(key));
        }
        self.nodes.entry(key).and_modify(|node| (node.edges, node.busy) = (edges, false));
        self.expanded += 1;
    }

    /// Returns each expanded position's cost from its root.
    fn costs(&self) -> HashMap<Key, u64> {
        let mut costs: HashMap<Key, u64> = HashMap::new();
        let mut queue: BTreeSet<(u64, Key)> = self.roots.iter().map(|&root| (0, root)).collect();
        while let Some((cost, key)) = queue.pop_first() {
            let node = self.node(key);
            if node.edges.is_empty() || costs.contains_key(&key) {
                continue;
            }
            costs.insert(key, cost);
            for edge in node.edges.iter().filter(|edge| !edge.reversible) {
                let score = self.value_of_move(*edge).score;
                queue.insert((cost + self.cost_of(node.now.score, score), edge.to));
            }
        }
        costs
    }

    /// Returns the cost of a move with this score if the best move has the score `best`, both for the side to
    /// move.
    fn cost_of(&self, best: BookScore, score: BookScore) -> u64 {
        let drop = i32::from(best.number()) - i32::from(score.number());
        PLY_COST + u64::from(drop.max(0).unsigned_abs()) * PLY_COST / self.width
    }

    /// Sets whether a worker is expanding a position. A busy position is hidden from other workers.
    pub fn set_busy(&mut self, key: Key, busy: bool) {
        if let Some(node) = self.nodes.get_mut(&key) {
            node.busy = busy;
            self.refresh(key);
        }
    }

    /// Returns the moves of a position, in book order.
    pub fn edges(key: Key) -> Vec<Edge> {
        let Some(position) = key.position() else { return Vec::new() };
        let moves = moves(&position).into_iter();
        moves.map(|mv| Edge { to: Key::of(&position.after(mv)), reversible: !mv.is_irreversible() }).collect()
    }

    /// Expands a position, given the values of the positions after its moves, in book order and from the
    /// point of view of their sides to move. Positions already in the tree keep their values. The position
    /// must be in the tree, be unexpanded, and have as many moves as there are values.
    pub(super) fn expand(&mut self, key: Key, searched: &[BookJudgement]) -> Result<(), ExpandError> {
        let node = self.nodes.get(&key).ok_or(ExpandError::Unreached)?;
        if !node.edges.is_empty() {
            return Err(ExpandError::Expanded);
        }
        let edges = Self::edges(key);
        if edges.len() != searched.len() || edges.is_empty() {
            return Err(ExpandError::Moves { moves: edges.len(), values: searched.len() });
        }
        for (edge, &judgement) in edges.into_iter().zip(searched) {
            self.add(edge.to, judgement);
        }
        self.link(key);
        self.refresh(key);
        Ok(())
    }

    /// Recomputes the value and the cost of a position, and propagates changes.
    fn refresh(&mut self, key: Key) {
        let mut changed = vec![key];
        while let Some(key) = changed.pop() {
            let (now, cost) = self.recomputed(self.node(key));
            let Some(node) = self.nodes.get_mut(&key) else { continue };
            if (node.now, node.cost) != (now, cost) {
                (node.now, node.cost) = (now, cost);
                changed.extend_from_slice(&node.parents);
            }
        }
    }

    fn recomputed(&self, node: &BookNode) -> (BookJudgement, u64) {
        let values = node.edges.iter().map(|&edge| self.value_of_move(edge));
        // If several moves are best, the shallowest determines the depth.
        let Some(best) = values.clone().max_by_key(|value| (value.score, Reverse(value.depth))) else {
            return (node.now, if node.is_open() { 0 } else { CLOSED });
        };
        if best.score == BookScore::WON || values.clone().all(|value| value.settled) {
            return (BookJudgement { settled: true, ..best }, CLOSED);
        }
        let cost = node.edges.iter().map(|&edge| self.price(best.score, edge)).min();
        (BookJudgement { settled: false, ..best }, cost.unwrap_or(CLOSED))
    }

    /// Returns the value of a move for the side that makes it.
    fn value_of_move(&self, edge: Edge) -> BookJudgement {
        let child = self.node(edge.to);
        let judgement = if edge.reversible { child.searched } else { child.now };
        BookJudgement { score: -judgement.score, depth: judgement.depth.saturating_add(1), ..judgement }
    }

    /// Returns all entries of the book, one for each expanded position.
    pub fn entries(&self) -> BTreeMap<Key, BookEntry> {
        let mut entries = BTreeMap::new();
        for (&key, node) in self.nodes.iter().filter(|(_, node)| !node.edges.is_empty()) {
            let BookJudgement { score, depth, .. } = node.now;
            let drops =
                node.edges.iter().map(|&edge| score.drop_to(self.value_of_move(edge).score)).collect();
            entries.insert(key, BookEntry { score, depth, drops });
        }
        entries
    }

    /// Returns the line of best play from a position, as move indices in book order.
    pub fn best_line(&self, mut key: Key) -> Vec<usize> {
        let mut line = Vec::new();
        // Kings could repeat moves forever.
        while let Some(node) = self.nodes.get(&key).filter(|_| line.len() < 200) {
            let edges = node.edges.iter().enumerate().rev();
            let Some((number, edge)) = edges.max_by_key(|&(_, &edge)| self.value_of_move(edge).score) else {
                break;
            };
            line.push(number);
            key = edge.to;
        }
        line
    }

    fn set_root(&mut self, key: Key) {
        if self.nodes.contains_key(&key) && !self.roots.contains(&key) {
            self.roots.push(key);
        }
    }
}

/// Merges the entries of several books. If several books have a position, the deepest entry is used. Values
/// are then recomputed.
pub fn merge(books: impl IntoIterator<Item = BTreeMap<Key, BookEntry>>) -> BTreeMap<Key, BookEntry> {
    let mut merged: BTreeMap<Key, BookEntry> = BTreeMap::new();
    for (key, entry) in books.into_iter().flatten() {
        match merged.get_mut(&key) {
            Some(older) if older.depth >= entry.depth => {}
            Some(older) => *older = entry,
            None => drop(merged.insert(key, entry)),
        }
    }
    BookTree::of(&merged, 1).entries()
}

/// Returns the cheapest entries, limited in total size including their drops. The roots are
/// `roots` and the positions that no move reaches. Remaining entries are unchanged, even if the positions
/// after their moves are removed.
pub fn prune(
    entries: BTreeMap<Key, BookEntry>,
    roots: &[Key],
    width: u32,
    max_bytes: usize,
) -> BTreeMap<Key, BookEntry> {
    let mut tree = BookTree::of(&entries, width);
    for &root in roots {
        tree.set_root(root);
    }
    let costs = tree.costs();
    let mut order: Vec<_> =
        entries.into_iter().filter_map(|(key, entry)| Some((*costs.get(&key)?, key, entry))).collect();
    order.sort_by_key(|&(cost, key, _)| (cost, key));
    let mut bytes = 0;
    let mut kept = BTreeMap::new();
    for (_, key, entry) in order {
        bytes += RECORD + entry.drops.len() + if kept.len().is_multiple_of(GROUP) { 4 } else { 0 };
        if bytes > max_bytes {
            break;
        }
        kept.insert(key, entry);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::Position;
    use kelso_engine::book::{BookScore, ScoreDrop, moves};
    use kelso_random::{Random, RngExt};

    fn judged(points: i32) -> BookJudgement {
        BookJudgement { score: BookScore::points(points), depth: 10, settled: false }
    }

    fn start() -> Key {
        Key::of(&Position::start())
    }

    /// Returns a pseudo-random value that depends only on the position.
    fn random_judgement(key: Key) -> BookJudgement {
        if BookTree::edges(key).is_empty() {
            return BookJudgement { score: BookScore::LOST, depth: 0, settled: true };
        }
        let mut random: Random = kelso_random::stream(&[key.own.into(), key.enemy.into(), key.kings.into()]);
        judged(random.random_range(-30..=30))
    }

    fn grow(tree: &mut BookTree, count: usize) {
        for _ in 0..count {
            let Some((key, _)) = tree.next() else { break };
            let searched: Vec<_> =
                BookTree::edges(key).into_iter().map(|edge| random_judgement(edge.to)).collect();
            tree.expand(key, &searched).unwrap();
        }
    }

    #[test]
    fn an_expanded_position_has_the_value_of_its_best_move() {
        let mut tree = BookTree::new(10);
        tree.add_root(start(), judged(0));
        let scores = [3, -8, 5, 5, 1, 0, 2];
        tree.expand(start(), &scores.map(judged)).unwrap();
        let now = tree.judgement(start()).unwrap();
        assert_eq!((now.score, now.depth), (BookScore::points(8), 11));
        let entry = &tree.entries()[&start()];
        assert_eq!(entry.drops.iter().map(|drop| drop.0).collect::<Vec<_>>(), [11, 0, 13, 13, 9, 8, 10]);
        assert_eq!((tree.best_line(start()), tree.positions(), tree.expanded), (vec![1], 8, 1));
        // The best move is refuted, and another is best.
        let best = BookTree::edges(start())[1].to;
        assert_eq!(tree.next().unwrap().0, best);
        let replies = BookTree::edges(best).len();
        let mut searched = vec![judged(20); replies];
        searched[2] = judged(-40);
        tree.expand(best, &searched).unwrap();
        assert_eq!(tree.judgement(start()).unwrap().score, BookScore::points(0));
        assert_eq!(tree.best_line(start()), [5]);
    }

    #[test]
    fn the_leaf_with_the_lowest_cost_is_next() {
        for width in [1, 5, 50, 1000] {
            let mut tree = BookTree::new(width);
            tree.add_root(start(), judged(0));
            for _ in 0..150 {
                let (key, cost) = tree.next().unwrap();
                assert_eq!(cost, cheapest(&tree, tree.roots[0]));
                assert!(tree.node(key).edges.is_empty());
                grow(&mut tree, 1);
            }
        }
    }

    /// Computes the cost by exhaustive search.
    fn cheapest(tree: &BookTree, key: Key) -> u64 {
        let node = tree.node(key);
        if node.edges.is_empty() {
            return if node.is_open() { 0 } else { CLOSED };
        }
        let best = node.edges.iter().map(|edge| (-tree.node(edge.to).now.score).number()).max().unwrap();
        let ways = node.edges.iter().map(|edge| {
            let child = tree.node(edge.to);
            let drop = u64::from(best.abs_diff((-child.now.score).number()));
            cheapest(tree, edge.to).saturating_add(1000 + drop * 1000 / tree.width)
        });
        ways.min().unwrap()
    }

    /// Returns the depth of the expanded position farthest from its root.
    fn deepest(tree: &BookTree) -> usize {
        let (mut seen, mut row, mut plies) = (HashMap::new(), tree.roots.clone(), 0);
        while !row.is_empty() {
            row.retain(|&id| seen.insert(id, plies).is_none());
            let edges = row.iter().flat_map(|&id| tree.node(id).edges.iter());
            row = edges.map(|edge| edge.to).filter(|&id| !tree.node(id).edges.is_empty()).collect();
            plies += 1;
        }
        plies
    }

    #[test]
    fn a_narrow_book_is_deep_and_a_wide_one_is_not() {
        let depth = |width| {
            let mut tree = BookTree::new(width);
            tree.add_root(start(), judged(0));
            grow(&mut tree, 300);
            deepest(&tree)
        };
        let (narrow, wide) = (depth(2), depth(1000));
        assert!(narrow > wide + 2, "{narrow} {wide}");
    }

    #[test]
    fn a_position_is_assigned_to_one_worker() {
        let mut tree = BookTree::new(10);
        tree.add_root(start(), judged(0));
        grow(&mut tree, 20);
        let (first, cost) = tree.next().unwrap();
        tree.set_busy(first, true);
        let (second, more) = tree.next().unwrap();
        assert!(second != first && more >= cost);
        tree.set_busy(first, false);
        assert_eq!(tree.next(), Some((first, cost)));
    }

    #[test]
    fn a_position_with_a_winning_move_is_not_expanded() {
        let mut tree = BookTree::new(10);
        tree.add_root(start(), judged(0));
        let won = BookJudgement { score: BookScore::LOST, depth: 20, settled: true };
        let mut searched = [judged(0); 7];
        searched[4] = won;
        tree.expand(start(), &searched).unwrap();
        assert_eq!(tree.judgement(start()).unwrap().score, BookScore::WON);
        assert_eq!(tree.next(), None);
    }

    #[test]
    fn invalid_expansions_are_rejected() {
        let mut tree = BookTree::new(10);
        tree.add_root(start(), judged(0));
        let mut error = |key, count| tree.expand(key, &vec![judged(0); count]);
        let unknown = Key { own: 1, enemy: 1 << 20, kings: 0 };
        for (key, count, part) in [(start(), 6, "7 moves"), (unknown, 0, "no earlier step")] {
            assert!(error(key, count).unwrap_err().to_string().contains(part));
        }
        error(start(), 7).unwrap();
        assert_eq!(error(start(), 7), Err(ExpandError::Expanded));
    }

    /// Values settle although reversible king moves form cycles.
    #[test]
    fn cycles_of_king_moves_terminate() {
        let ending = Key { own: 1 << 9, enemy: 1 << 22, kings: 1 << 9 | 1 << 22 };
        let mut tree = BookTree::new(10);
        tree.add_root(ending, judged(0));
        grow(&mut tree, 50);
        assert_eq!(tree.expanded, 1, "nothing is expanded for the sake of a king's move");
        let near = Key { own: 1 << 5 | 1 << 26, enemy: 1 << 22 | 1 << 20, kings: 1 << 22 };
        tree.add_root(near, judged(0));
        grow(&mut tree, 200);
        assert!(tree.expanded > 20, "{}", tree.expanded);
    }

    #[test]
    fn a_merge_keeps_the_deeper_entry_and_updates_its_parents() {
        let start = Position::start();
        let entry = |position: &Position, score: i32, depth: u8, best: usize| {
            let drops = (0..moves(position).len()).map(|index| ScoreDrop(if index == best { 0 } else { 20 }));
            (Key::of(position), BookEntry { score: BookScore::points(score), depth, drops: drops.collect() })
        };
        let after = start.after(moves(&start)[0]);
        let one = BTreeMap::from([entry(&start, 5, 12, 0), entry(&after, -5, 11, 0)]);
        let other = BTreeMap::from([entry(&after, 30, 25, 2)]);
        let merged = merge([one.clone(), other.clone()]);
        assert_eq!(merged, merge([other, one.clone()]));
        // The best move from the start is refuted, so another is best.
        let now = &merged[&Key::of(&start)];
        assert_eq!(now.score, BookScore::points(-15));
        assert_eq!((now.drops[0], now.drops[1]), (ScoreDrop(15), ScoreDrop(0)));
        assert_eq!(merged[&Key::of(&after)].depth, 25);
        assert_eq!(merge([one.clone(), one.clone()]), one);
    }
}
