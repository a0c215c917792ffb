//! The tree that a search saw, as rows in the order in which its nodes were entered.
//!
//! A tree that is larger than a limit is sampled, and says so: all nodes down to some ply are kept, and below it some
//! branches, whole, chosen by chance, with the principal variation in any case. Every node that is kept tells how many
//! nodes right below it are not, so that kept and hidden nodes always add up to the whole tree.
//!
//! To know what to keep, the search is run several times, which sees the same nodes each time: once to count the nodes
//! of each ply, once to measure the branches, and once to write down.

mod census;
mod json;
mod page;
mod recorder;
mod tournament;

pub use json::json;
pub use page::page;
pub use recorder::Node;

use std::fmt;

use super::spec::{Brain, Spec};
use crate::textbook::{Found, Textbook, Transpositions, Value};
use census::{Branches, Census};
use common::chance;
use draughts::board::{Move, Position};
use engine::search::{Control, Limits, Score, Watch};
use recorder::Recorder;

/// The largest search whose tree is looked at.
pub const MOST_MOVES: u64 = 200_000_000;
/// The most nodes that may be kept.
pub const MOST_KEPT: usize = 500_000;

/// A tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The position at its root.
    pub root: Position,
    /// What searched.
    pub spec: Spec,
    /// What the search came to.
    pub found: Found,
    /// The best line.
    pub line: Vec<Move>,
    /// The nodes that were kept, parents before children, in the order in which they were entered.
    pub nodes: Vec<Node>,
    /// All nodes of the search.
    pub total: u64,
    /// What was kept of a tree that is larger than the limit.
    pub sample: Option<Sample>,
}

impl Tree {
    /// What a man is worth in the units of its values.
    #[must_use]
    pub fn man(&self) -> i32 {
        match self.spec.brain {
            Brain::Engine(_) => 100,
            _ => self.spec.evaluation.evaluator().man(),
        }
    }
}

/// How a tree was sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// All nodes down to this ply are kept.
    pub whole_to: usize,
    /// The branches one ply further down.
    pub branches: usize,
    /// Those of them that are kept whole.
    pub kept: usize,
}

/// Why there is no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeError {
    /// The player doesn't tell what it does.
    Silent,
    /// The player has no depth.
    NoDepth,
    /// The player has a limit of time or nodes, so no search is like another.
    Limited,
    /// The search is too large.
    TooLarge,
    /// There is no memory for the search.
    NoMemory,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => write!(
                f,
                "searcher random does not tell of its tree, expected tournament or one of the textbook: negamax, ab, deepening, mtdf, bns"
            ),
            Self::NoDepth => write!(f, "no depth, expected one"),
            Self::Limited => write!(f, "a limit of time or nodes, expected a depth alone"),
            Self::TooLarge => {
                write!(f, "the search makes more than {MOST_MOVES} moves, expected a smaller depth")
            }
            Self::NoMemory => write!(f, "no memory for the search, expected some"),
        }
    }
}

impl std::error::Error for TreeError {}

/// Chance that chooses branches: the same ones in every run.
const SEED: u64 = 1;

/// Searches a position and keeps so many nodes of the tree at the most (and the principal variation).
///
/// # Errors
///
/// When the player is no searcher that tells of its tree, with a depth, or its search is too large.
pub fn grow(root: &Position, spec: Spec, limit: usize) -> Result<Tree, TreeError> {
    if spec.brain == Brain::Random {
        return Err(TreeError::Silent);
    }
    let Some(depth) = spec.depth else { return Err(TreeError::NoDepth) };
    if spec.time.is_some() || spec.nodes.is_some() {
        return Err(TreeError::Limited);
    }
    let limit = limit.clamp(1, MOST_KEPT);
    let mut census = Census::default();
    let found = watch(root, &spec, depth, &mut census)?;
    let line = census.line(found.best);
    let (plan, sample) = if census.total() <= limit as u64 {
        (recorder::Recording::everything(line.clone()), None)
    } else {
        let half = (limit / 2) as u64;
        let whole_to = census.whole_plies(half);
        let mut branches = Branches::new(whole_to + 1, &line);
        watch(root, &spec, depth, &mut branches)?;
        let left = (limit as u64).saturating_sub(census.down_to(whole_to));
        let kept = branches.choose(left, &mut chance::stream(&[SEED]));
        let count = kept.iter().filter(|&&kept| kept).count();
        let sample = Sample { whole_to, branches: kept.len(), kept: count };
        (recorder::Recording::sampled(whole_to, kept, line.clone()), Some(sample))
    };
    let mut recorder = Recorder::new(*root, plan);
    watch(root, &spec, depth, &mut recorder)?;
    Ok(Tree { root: *root, spec, found, line, nodes: recorder.finish(), total: census.total(), sample })
}

fn watch(
    root: &Position,
    spec: &Spec,
    depth: usize,
    watcher: &mut (impl Watch<Value> + Watch<Score>),
) -> Result<Found, TreeError> {
    let evaluation = spec.evaluation.evaluator();
    let Brain::Textbook(config) = spec.brain else {
        return tournament::watch(root, evaluation, depth, watcher);
    };
    let mut table = Transpositions::for_depth(depth);
    let (control, limits) = (Control::new(false), Limits::nodes(MOST_MOVES));
    let mut search = Textbook::new(config, evaluation, &mut table, &control, &limits, watcher);
    let found = search.search(root, depth);
    if search.counts().explored >= MOST_MOVES { Err(TreeError::TooLarge) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::search::End;

    fn tree(player: &str, limit: usize) -> Tree {
        grow(&Position::start(), Spec::parse(player).unwrap(), limit).unwrap()
    }

    /// Kept and hidden nodes are the whole tree, and every node has its parent before it, one ply above.
    fn assert_sound(tree: &Tree) {
        let hidden: u64 = tree.nodes.iter().map(|node| node.hidden).sum();
        assert_eq!(tree.nodes.len() as u64 + hidden, tree.total);
        for (index, node) in tree.nodes.iter().enumerate() {
            match node.parent {
                None => assert_eq!(node.ply, 0),
                Some(parent) => {
                    assert!(parent < index);
                    assert_eq!(tree.nodes[parent].ply + 1, node.ply);
                }
            }
        }
    }

    /// The best line can be followed from the last root down.
    fn follow(tree: &Tree) -> Vec<String> {
        let mut at = tree.nodes.iter().rposition(|node| node.ply == 0).unwrap();
        let mut moves = Vec::new();
        while let Some(next) =
            (at + 1..tree.nodes.len()).rev().find(|&n| tree.nodes[n].parent == Some(at) && tree.nodes[n].best)
        {
            moves.push(tree.nodes[next].text.clone());
            at = next;
        }
        moves
    }

    #[test]
    fn a_small_tree_is_kept_whole() {
        let tree = tree("searcher=negamax depth=3 eval=v1", 10_000);
        assert_eq!(tree.total, 1 + 7 + 49 + 302);
        assert_eq!((tree.nodes.len(), tree.sample), (359, None));
        assert_sound(&tree);
        assert!(tree.nodes.iter().all(|node| (node.end == End::Depth) == (node.ply == 3)));
        assert_eq!(follow(&tree).len(), 3);
    }

    #[test]
    fn a_large_tree_is_sampled_within_its_limit() {
        for player in [
            "searcher=negamax depth=6 eval=v1",
            "searcher=ab q=on depth=8 eval=v2",
            "searcher=ab tt=on depth=9 eval=v3",
            "searcher=mtdf depth=8 eval=v2",
            "searcher=bns depth=7 eval=v2",
            "searcher=deepening depth=8 eval=v1",
            "searcher=tournament depth=12 eval=network",
        ] {
            for limit in [1, 50, 3_000] {
                let tree = tree(player, limit);
                assert!(tree.total > limit as u64);
                // The principal variation is kept beyond the limit.
                assert!(tree.nodes.len() <= limit + 200, "{player}: {}", tree.nodes.len());
                assert!(limit < 3_000 || tree.nodes.len() > limit / 4, "{player}: {}", tree.nodes.len());
                assert!(tree.sample.is_some());
                assert_sound(&tree);
            }
        }
    }

    #[test]
    fn the_best_line_is_in_every_sample() {
        let whole = tree("searcher=ab depth=7 eval=v2", MOST_KEPT);
        assert_eq!(whole.sample, None);
        let best = follow(&whole);
        assert_eq!(best.len(), 7);
        let line = draughts::notation::movetext::format_line(&whole.root, &whole.line);
        assert_eq!(line, best.join(" "));
        for limit in [1, 10, 1_000] {
            assert_eq!(follow(&tree("searcher=ab depth=7 eval=v2", limit)), best);
        }
    }

    #[test]
    fn the_search_that_plays_is_seen_as_it_is() {
        let spec = |text: &str| Spec::parse(text).unwrap();
        let root = draughts::notation::fen::parse("W:W18,25,28,29,30:B1,2,6,11,23").unwrap();
        let tree = grow(&root, spec("searcher=tournament depth=14 eval=network"), MOST_KEPT).unwrap();
        assert_eq!(tree.sample, None);
        assert_sound(&tree);
        let engine = engine::Engine::with_table(16).unwrap();
        let mut told = None;
        let answer = engine.search(
            &draughts::board::Game::new(root),
            &Limits::depth(14),
            &Control::new(false),
            &mut |event| {
                if let engine::search::Event::Line(report) = event {
                    told = Some(report);
                }
            },
        );
        let told = told.unwrap();
        assert_eq!(tree.found.best, answer.best);
        assert_eq!(tree.found.value.kind(), told.score.kind());
        assert_eq!(tree.line, told.line);
        // The engine counts looks whether to give a node up, but no draws.
        assert!(tree.total.abs_diff(answer.nodes) < answer.nodes / 20, "{} {}", tree.total, answer.nodes);
        for why in
            [End::Searched, End::Cut, End::Table, End::Depth, End::Quiescence, End::Database, End::Pruned]
        {
            assert!(tree.nodes.iter().any(|node| node.end == why), "{why:?}");
        }
        assert!(tree.nodes.iter().all(|node| node.end != End::Stuck || node.value <= Value::of(0)));
    }

    #[test]
    fn who_does_not_tell_has_no_tree() {
        for (player, message) in [
            (
                "random",
                "searcher random does not tell of its tree, expected tournament or one of the textbook",
            ),
            ("searcher=ab nodes=100", "no depth, expected one"),
            ("searcher=ab depth=3 time=100", "a limit of time or nodes, expected a depth alone"),
        ] {
            let error = grow(&Position::start(), Spec::parse(player).unwrap(), 10).unwrap_err();
            assert!(error.to_string().starts_with(message), "{error}");
        }
    }
}
