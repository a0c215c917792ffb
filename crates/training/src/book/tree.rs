//! The positions of a growing book: a graph, since many orders of moves lead to the same one.
//!
//! A position is a leaf until it is expanded. A leaf is worth what a search says; an expanded position what its best move leads to.
//! Quiet moves of kings can be taken back, so what lies behind them is never passed up, or positions would prop up each other:
//! a position that such a move leads to counts as its own search says, and is not expanded for the sake of that move. All
//! other moves lead on for ever, so that what is passed up comes to rest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use engine::book::{BookScore, Drop, Entry, Key, moves};

/// What a ply costs on the way to a position.
const PLY: u64 = 1000;
/// There is nothing to expand this way.
const CLOSED: u64 = u64::MAX;

/// What a search says of a position, for its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// What it is worth.
    pub worth: BookScore,
    /// The depth of the search.
    pub depth: u8,
    /// Whether the result is known, so that nothing below can change it.
    pub settled: bool,
}

/// A position of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move to a position.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: NodeId,
    /// It can be taken back.
    reversible: bool,
}

#[derive(Debug)]
struct Node {
    key: Key,
    /// What its own search said.
    searched: Judgement,
    /// What is known by now.
    now: Judgement,
    /// Its moves in the order of books; none if it isn't expanded.
    edges: Vec<Edge>,
    /// The positions that are worth what they are because of this one.
    parents: Vec<NodeId>,
    /// What it costs to come from here to the cheapest leaf.
    cost: u64,
    /// Somebody is expanding it.
    busy: bool,
}

impl Node {
    const fn is_open(&self) -> bool {
        self.edges.is_empty() && !self.busy && !self.now.settled
    }
}

/// Why an expansion doesn't fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// The position isn't in the tree.
    Unknown,
    /// It has been expanded already.
    Expanded,
    /// It has another number of moves.
    Moves {
        /// How many were given.
        given: usize,
        /// How many there are.
        there: usize,
    },
    /// There are no more numbers for positions.
    Full,
}

impl std::error::Error for Misfit {}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => write!(f, "this position isn't reached by any step before"),
            Self::Expanded => write!(f, "this position has been expanded by an earlier step"),
            Self::Moves { given, there } => write!(f, "{given} moves, expected {there}"),
            Self::Full => write!(f, "more positions than can be numbered"),
        }
    }
}

/// The positions of a book.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    numbers: HashMap<Key, NodeId>,
    roots: Vec<NodeId>,
    expanded: usize,
    /// Hundredths of a man that cost as much as a ply.
    width: u64,
}

impl Tree {
    /// A tree without positions, in which so many hundredths of a man weigh as much as a ply.
    #[must_use]
    pub fn new(width: u32) -> Self {
        Self {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            roots: Vec::new(),
            expanded: 0,
            width: u64::from(width.max(1)),
        }
    }

    /// Positions that are worth something.
    #[must_use]
    pub const fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// Those whose moves have all been searched.
    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    /// Where a position is.
    #[must_use]
    pub fn find(&self, key: Key) -> Option<NodeId> {
        self.numbers.get(&key).copied()
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    /// A position.
    #[must_use]
    pub fn key(&self, id: NodeId) -> Key {
        self.node(id).map(|node| node.key).unwrap_or_default()
    }

    /// What is known of it by now.
    #[must_use]
    pub fn judgement(&self, id: NodeId) -> Option<Judgement> {
        self.node(id).map(|node| node.now)
    }

    /// Adds a position where the book begins, with what a search says of it.
    ///
    /// # Errors
    ///
    /// When there are too many positions.
    pub fn add_root(&mut self, key: Key, searched: Judgement) -> Result<NodeId, Misfit> {
        let id = self.add(key, searched)?;
        if !self.roots.contains(&id) {
            self.roots.push(id);
        }
        Ok(id)
    }

    fn add(&mut self, key: Key, searched: Judgement) -> Result<NodeId, Misfit> {
        if let Some(id) = self.find(key) {
            return Ok(id);
        }
        let id = NodeId(u32::try_from(self.nodes.len()).map_err(|_| Misfit::Full)?);
        let cost = if searched.settled { CLOSED } else { 0 };
        let node =
            Node { key, searched, now: searched, edges: Vec::new(), parents: Vec::new(), cost, busy: false };
        self.nodes.push(node);
        self.numbers.insert(key, id);
        Ok(id)
    }

    /// The position to expand next, and what it costs to come there from its root.
    #[must_use]
    pub fn next(&self) -> Option<(NodeId, u64)> {
        let cost = |id: NodeId| self.node(id).map_or(CLOSED, |node| node.cost);
        let root = self.roots.iter().copied().min_by_key(|&root| cost(root))?;
        let least = Some(cost(root)).filter(|&least| least < CLOSED)?;
        let mut id = root;
        while let Some(node) = self.node(id) {
            if node.edges.is_empty() {
                return node.is_open().then_some((id, least));
            }
            let price = |edge: &Edge| self.price(node.now.worth, *edge);
            let edge =
                node.edges.iter().min_by_key(|edge| price(edge)).filter(|edge| price(edge) < CLOSED)?;
            id = edge.to;
        }
        None
    }

    /// What it costs to come from a position that is worth so much through a move to the cheapest leaf behind it.
    fn price(&self, worth: BookScore, edge: Edge) -> u64 {
        let Some(child) = self.node(edge.to).filter(|_| !edge.reversible) else { return CLOSED };
        child.cost.saturating_add(self.cost_of(worth, -child.now.worth))
    }

    /// The tree of a book, in which every entry is expanded. Positions that no move of an entry leads to are its roots. Of leaves is
    /// known what the entries before them say; where that is only a bound they count as that.
    ///
    /// # Errors
    ///
    /// When an entry's position is none, or has another number of moves.
    pub fn of(entries: &BTreeMap<Key, Entry>, width: u32) -> Result<Self, (Key, Misfit)> {
        let mut tree = Self::new(width);
        for (&key, entry) in entries {
            let Entry { worth, depth, .. } = *entry;
            tree.add(key, Judgement { worth, depth, settled: false }).map_err(|misfit| (key, misfit))?;
        }
        // What is known exactly comes first, since the first judgement of a leaf is kept.
        for exact in [true, false] {
            for (&key, entry) in entries {
                let children = Self::children(key);
                if children.len() != entry.drops.len() || children.is_empty() {
                    let misfit = Misfit::Moves { given: entry.drops.len(), there: children.len() };
                    return Err((key, misfit));
                }
                for ((child, _), &drop) in children.into_iter().zip(&entry.drops) {
                    if drop.is_most() != exact {
                        let worth = -entry.worth.below(drop);
                        let leaf = Judgement {
                            worth,
                            depth: entry.depth.saturating_sub(1),
                            settled: worth.is_known(),
                        };
                        tree.add(child, leaf).map_err(|misfit| (key, misfit))?;
                    }
                }
            }
        }
        for &key in entries.keys() {
            let Some(id) = tree.find(key) else { continue };
            tree.link(id);
        }
        tree.expanded = entries.len();
        tree.roots = (0..entries.len())
            .filter_map(|index| Some(NodeId(u32::try_from(index).ok()?)))
            .filter(|&id| tree.node(id).is_some_and(|node| node.parents.is_empty()))
            .collect();
        for id in (0..entries.len()).filter_map(|index| Some(NodeId(u32::try_from(index).ok()?))) {
            tree.refresh(id);
        }
        Ok(tree)
    }

    /// Makes a position an expanded one, whose moves' positions are all there.
    fn link(&mut self, id: NodeId) {
        let mut edges = Vec::new();
        for (child, reversible) in Self::children(self.key(id)) {
            let Some(to) = self.find(child) else { continue };
            edges.push(Edge { to, reversible });
            if let Some(child) = self.nodes.get_mut(to.index()).filter(|_| !reversible) {
                child.parents.push(id);
            }
        }
        if let Some(node) = self.nodes.get_mut(id.index()) {
            node.edges = edges;
            node.busy = false;
        }
    }

    /// What it costs to come to each expanded position from its root.
    #[must_use]
    pub fn costs(&self) -> HashMap<Key, u64> {
        let mut costs: HashMap<Key, u64> = HashMap::new();
        let mut queue: BTreeSet<(u64, NodeId)> = self.roots.iter().map(|&root| (0, root)).collect();
        while let Some((cost, id)) = queue.pop_first() {
            let Some(node) = self.node(id).filter(|node| !node.edges.is_empty()) else { continue };
            if costs.contains_key(&node.key) {
                continue;
            }
            costs.insert(node.key, cost);
            for edge in node.edges.iter().filter(|edge| !edge.reversible) {
                let Some(known) = self.behind(*edge) else { continue };
                queue.insert((cost + self.cost_of(node.now.worth, known.worth), edge.to));
            }
        }
        costs
    }

    /// What a move costs that leads to `worth`, where the best leads to `best`; both for whoever makes it.
    fn cost_of(&self, best: BookScore, worth: BookScore) -> u64 {
        let less = i32::from(best.number()) - i32::from(worth.number());
        PLY + u64::try_from(less).unwrap_or(0) * PLY / self.width
    }

    /// Somebody begins, or gives up, to expand a position: as long as he does, it is not the next one for others.
    pub fn set_busy(&mut self, id: NodeId, busy: bool) {
        if let Some(node) = self.nodes.get_mut(id.index()) {
            node.busy = busy;
            self.refresh(id);
        }
    }

    /// Positions after a position's moves, in the order of books, with what is known of them.
    #[must_use]
    pub fn children(key: Key) -> Vec<(Key, bool)> {
        let Some(position) = key.position() else { return Vec::new() };
        let moves = moves(&position).into_iter();
        moves.map(|mv| (Key::of(&position.after(mv)), !mv.is_irreversible())).collect()
    }

    /// Expands a position: `searched` says of each of its moves, in the order of books, what the position after it is
    /// worth to the side that is then to move. Of positions that are known already the older judgement is kept.
    ///
    /// # Errors
    ///
    /// When it isn't in the tree, has been expanded, or has other moves.
    pub fn expand(&mut self, key: Key, searched: &[Judgement]) -> Result<(), Misfit> {
        let id = self.find(key).ok_or(Misfit::Unknown)?;
        if self.node(id).is_none_or(|node| !node.edges.is_empty()) {
            return Err(Misfit::Expanded);
        }
        let children = Self::children(key);
        if children.len() != searched.len() || children.is_empty() {
            return Err(Misfit::Moves { given: searched.len(), there: children.len() });
        }
        for ((child, _), &judgement) in children.into_iter().zip(searched) {
            self.add(child, judgement)?;
        }
        self.link(id);
        self.expanded += 1;
        self.refresh(id);
        Ok(())
    }

    /// Works out what a position is worth and what it costs, and passes on what has changed.
    fn refresh(&mut self, id: NodeId) {
        let mut changed = vec![id];
        while let Some(id) = changed.pop() {
            let Some(node) = self.node(id) else { continue };
            let (now, cost) = self.work_out(node);
            let Some(node) = self.nodes.get_mut(id.index()) else { continue };
            if (node.now, node.cost) != (now, cost) {
                (node.now, node.cost) = (now, cost);
                changed.extend_from_slice(&node.parents);
            }
        }
    }

    fn work_out(&self, node: &Node) -> (Judgement, u64) {
        if node.edges.is_empty() {
            return (node.now, if node.is_open() { 0 } else { CLOSED });
        }
        let behind = || node.edges.iter().filter_map(|&edge| self.behind(edge));
        // Of several best moves the one that was looked at least decides how deep all this is.
        let best = behind().max_by_key(|known| (known.worth, Reverse(known.depth))).unwrap_or(node.now);
        if best.worth == BookScore::WON || behind().all(|known| known.settled) {
            return (Judgement { settled: true, ..best }, CLOSED);
        }
        let cost = node.edges.iter().map(|&edge| self.price(best.worth, edge)).min();
        (Judgement { settled: false, ..best }, cost.unwrap_or(CLOSED))
    }

    /// What a move is worth to whoever makes it.
    fn behind(&self, edge: Edge) -> Option<Judgement> {
        let child = self.node(edge.to)?;
        let known = if edge.reversible { child.searched } else { child.now };
        Some(Judgement { worth: -known.worth, depth: known.depth.saturating_add(1), ..known })
    }

    /// What a book says of a position: nothing of a leaf.
    fn entry(&self, node: &Node) -> Option<Entry> {
        let Judgement { worth, depth, .. } = node.now;
        let drop = |&edge: &Edge| Some(worth.drop_to(self.behind(edge)?.worth));
        let drops: Option<Vec<Drop>> = node.edges.iter().map(drop).collect();
        drops.filter(|drops| !drops.is_empty()).map(|drops| Entry { worth, depth, drops })
    }

    /// All that the book says.
    #[must_use]
    pub fn entries(&self) -> BTreeMap<Key, Entry> {
        self.nodes.iter().filter_map(|node| Some((node.key, self.entry(node)?))).collect()
    }

    /// The line of best play from a position on, as numbers of moves in the order of books.
    #[must_use]
    pub fn best_line(&self, id: NodeId) -> Vec<usize> {
        let (mut id, mut line) = (id, Vec::new());
        // Kings that go to and fro would go on for ever.
        while line.len() < 200 {
            let Some(node) = self.node(id) else { break };
            let worth = |&edge: &Edge| self.behind(edge).map(|known| known.worth);
            let best = node.edges.iter().enumerate().rev().max_by_key(|(_, edge)| worth(edge));
            let Some((number, edge)) = best else { break };
            line.push(number);
            id = edge.to;
        }
        line
    }

    /// Makes a position a root that is there already.
    pub fn set_root(&mut self, key: Key) {
        if let Some(id) = self.find(key).filter(|id| !self.roots.contains(id)) {
            self.roots.push(id);
        }
    }

    /// The roots.
    #[must_use]
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::chance::{self, Random, RngExt};
    use draughts::board::Position;

    fn judged(points: i32) -> Judgement {
        Judgement { worth: BookScore::points(points), depth: 10, settled: false }
    }

    fn start() -> Key {
        Key::of(&Position::start())
    }

    /// Judges every position by chance, but the same one always alike.
    fn by_chance(key: Key) -> Judgement {
        if Tree::children(key).is_empty() {
            return Judgement { worth: BookScore::LOST, depth: 0, settled: true };
        }
        let mut random: Random = chance::stream(&[key.own.into(), key.other.into(), key.kings.into()]);
        judged(random.random_range(-30..=30))
    }

    fn grow(tree: &mut Tree, count: usize) {
        for _ in 0..count {
            let Some((id, _)) = tree.next() else { break };
            let key = tree.key(id);
            let searched: Vec<_> = Tree::children(key).into_iter().map(|(key, _)| by_chance(key)).collect();
            tree.expand(key, &searched).unwrap();
        }
    }

    #[test]
    fn an_expanded_position_is_worth_what_its_best_move_leads_to() {
        let mut tree = Tree::new(10);
        let root = tree.add_root(start(), judged(0)).unwrap();
        let worths = [3, -8, 5, 5, 1, 0, 2];
        tree.expand(start(), &worths.map(judged)).unwrap();
        let now = tree.judgement(root).unwrap();
        assert_eq!((now.worth, now.depth), (BookScore::points(8), 11));
        let entry = &tree.entries()[&start()];
        assert_eq!(entry.drops.iter().map(|drop| drop.0).collect::<Vec<_>>(), [11, 0, 13, 13, 9, 8, 10]);
        assert_eq!((tree.best_line(root), tree.positions(), tree.expanded()), (vec![1], 8, 1));
        // The best is refuted, and the choice changes.
        let best = Tree::children(start())[1].0;
        assert_eq!(tree.next().unwrap().0, tree.find(best).unwrap());
        let replies = Tree::children(best).len();
        let mut searched = vec![judged(20); replies];
        searched[2] = judged(-40);
        tree.expand(best, &searched).unwrap();
        assert_eq!(tree.judgement(root).unwrap().worth, BookScore::points(0));
        assert_eq!(tree.best_line(root), [5]);
    }

    #[test]
    fn the_cheapest_leaf_is_next() {
        for width in [1, 5, 50, 1000] {
            let mut tree = Tree::new(width);
            tree.add_root(start(), judged(0)).unwrap();
            for _ in 0..150 {
                let (id, cost) = tree.next().unwrap();
                assert_eq!(cost, cheapest(&tree, tree.roots()[0]));
                assert!(tree.node(id).unwrap().edges.is_empty());
                grow(&mut tree, 1);
            }
        }
    }

    /// The same by looking at every way.
    fn cheapest(tree: &Tree, id: NodeId) -> u64 {
        let node = tree.node(id).unwrap();
        if node.edges.is_empty() {
            return if node.is_open() { 0 } else { CLOSED };
        }
        let best =
            node.edges.iter().map(|edge| (-tree.node(edge.to).unwrap().now.worth).number()).max().unwrap();
        let ways = node.edges.iter().map(|edge| {
            let child = tree.node(edge.to).unwrap();
            let drop = u64::from(best.abs_diff((-child.now.worth).number()));
            cheapest(tree, edge.to).saturating_add(1000 + drop * 1000 / tree.width)
        });
        ways.min().unwrap()
    }

    /// The most plies on the shortest way to an expanded position.
    fn deepest(tree: &Tree) -> usize {
        let (mut seen, mut row, mut plies) = (HashMap::new(), tree.roots().to_vec(), 0);
        while !row.is_empty() {
            row.retain(|&id| seen.insert(id, plies).is_none());
            let edges = row.iter().flat_map(|&id| tree.node(id).unwrap().edges.iter());
            row = edges.map(|edge| edge.to).filter(|&id| !tree.node(id).unwrap().edges.is_empty()).collect();
            plies += 1;
        }
        plies
    }

    #[test]
    fn a_narrow_book_is_deep_and_a_wide_one_is_not() {
        let depth = |width| {
            let mut tree = Tree::new(width);
            tree.add_root(start(), judged(0)).unwrap();
            grow(&mut tree, 300);
            deepest(&tree)
        };
        let (narrow, wide) = (depth(2), depth(1000));
        assert!(narrow > wide + 2, "{narrow} {wide}");
    }

    #[test]
    fn whoever_is_expanding_a_position_has_it_for_himself() {
        let mut tree = Tree::new(10);
        tree.add_root(start(), judged(0)).unwrap();
        grow(&mut tree, 20);
        let (first, cost) = tree.next().unwrap();
        tree.set_busy(first, true);
        let (second, more) = tree.next().unwrap();
        assert!(second != first && more >= cost);
        tree.set_busy(first, false);
        assert_eq!(tree.next(), Some((first, cost)));
    }

    #[test]
    fn what_is_settled_is_left_alone() {
        let mut tree = Tree::new(10);
        let root = tree.add_root(start(), judged(0)).unwrap();
        let won = Judgement { worth: BookScore::LOST, depth: 20, settled: true };
        let mut searched = [judged(0); 7];
        searched[4] = won;
        tree.expand(start(), &searched).unwrap();
        assert_eq!(tree.judgement(root).unwrap().worth, BookScore::WON);
        assert_eq!(tree.next(), None);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut tree = Tree::new(10);
        tree.add_root(start(), judged(0)).unwrap();
        assert_eq!(tree.expand(start(), &[judged(0); 6]), Err(Misfit::Moves { given: 6, there: 7 }));
        assert_eq!(tree.expand(Key { own: 1, other: 1 << 20, kings: 0 }, &[]), Err(Misfit::Unknown));
        tree.expand(start(), &[judged(0); 7]).unwrap();
        assert_eq!(tree.expand(start(), &[judged(0); 7]), Err(Misfit::Expanded));
    }

    /// Kings that go to and fro lead back to where they were.
    #[test]
    fn circles_come_to_rest() {
        let ending = Key { own: 1 << 9, other: 1 << 22, kings: 1 << 9 | 1 << 22 };
        let mut tree = Tree::new(10);
        tree.add_root(ending, judged(0)).unwrap();
        grow(&mut tree, 50);
        assert_eq!(tree.expanded(), 1, "nothing is expanded for the sake of a king's move");
        let near = Key { own: 1 << 5 | 1 << 26, other: 1 << 22 | 1 << 20, kings: 1 << 22 };
        tree.add_root(near, judged(0)).unwrap();
        grow(&mut tree, 200);
        assert!(tree.expanded() > 20, "{}", tree.expanded());
    }
}
