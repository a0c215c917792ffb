//! A search tree, as rows in the order in which its nodes were entered.
//!
//! A tree larger than the limit is sampled. The sample keeps all nodes down to a certain ply, and below that
//! the principal variation and randomly chosen complete branches. Nodes outside the sample are hidden. The
//! kept nodes store how many nodes are hidden below them, so kept and hidden nodes add up to the whole tree.
//!
//! The search runs three times and visits the same nodes each time: first to count the nodes of each ply,
//! then to measure the branches, then to record the kept nodes.

mod counts;
mod json;
mod page;
mod recorder;

pub use json::json;
pub use page::page;
pub use recorder::RecordedNode;

use super::player_spec::{PlayerKind, PlayerSpec};
use crate::observer::{EngineObserver, TreeObserver};
use crate::textbook::{Textbook, TextbookResult, Transpositions};
use crate::value::of_score;
use counts::{Branches, PlyCounts};
use kelso_draughts::board::{Game, Move, Position};
use kelso_engine::eval::EvaluationKind;
use kelso_engine::search::{Control, Limits};
use kelso_engine::{Engine, Setting};
use recorder::Recorder;

/// Maximum size, in moves or nodes, of a search that can be recorded.
pub const MAX_MOVES: u64 = 200_000_000;
/// Maximum number of nodes that may be kept.
pub const MAX_KEPT: usize = 500_000;

#[derive(Clone, Debug)]
pub struct Tree {
    /// The position at the root.
    pub root: Position,
    /// The player that searched.
    pub spec: PlayerSpec,
    /// The result of the search.
    pub found: TextbookResult,
    pub line: Vec<Move>,
    /// The kept nodes in the order in which they were entered, parents before children.
    pub nodes: Vec<RecordedNode>,
    /// Number of nodes of the search.
    pub total: u64,
    /// The sample of a tree that is larger than the limit.
    pub sample: Option<Sample>,
}

impl Tree {
    /// Returns the value of a man in the units of the evaluation.
    pub fn man(&self) -> i32 {
        match self.spec.kind {
            PlayerKind::AlphaBeta(_) => 100,
            _ => self.spec.evaluation.evaluation.man(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// All nodes down to this ply are kept.
    pub whole_to: usize,
    /// Number of branches one ply below `whole_to`.
    pub branches: usize,
    /// Number of branches that were kept.
    pub kept: usize,
}

/// The reason why a tree cannot be recorded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    #[error("only the tree of a search that is limited by its depth alone can be recorded")]
    NotToDepth,
    #[error("the search makes more than {MAX_MOVES} moves; use a smaller depth")]
    TooLarge,
    #[error("out of memory while recording the tree")]
    OutOfMemory,
}

/// Seed for choosing branches.
const SEED: u64 = 1;

/// Searches a position and records the tree, keeping at most `limit` nodes plus the principal variation.
///
/// # Errors
///
/// If the player has no fixed depth or its search is too large.
pub fn record(root: &Position, spec: PlayerSpec, limit: usize) -> Result<Tree, TreeError> {
    let depth = spec.limits.depth.filter(|&depth| spec.limits == Limits::depth(depth));
    let depth = depth.ok_or(TreeError::NotToDepth)?;
    let limit = limit.clamp(1, MAX_KEPT);
    let mut counts = PlyCounts::default();
    let found = watch(root, &spec, depth, &mut counts)?;
    let line = counts.line.moves(found.best);
    let mut recorder = Recorder::new(*root, line.clone());
    let mut sample = None;
    if counts.total() > limit as u64 {
        recorder.whole_to = counts.whole_plies((limit / 2) as u64);
        let mut branches = Branches::new(recorder.whole_to + 1, &line);
        watch(root, &spec, depth, &mut branches)?;
        let left = (limit as u64).saturating_sub(counts.down_to(recorder.whole_to));
        recorder.kept = branches.choose(left, &mut kelso_random::stream(&[SEED]));
        let kept_count = recorder.kept.iter().filter(|&&kept| kept).count();
        sample =
            Some(Sample { whole_to: recorder.whole_to, branches: recorder.kept.len(), kept: kept_count });
    }
    watch(root, &spec, depth, &mut recorder)?;
    Ok(Tree { root: *root, spec, found, line, nodes: recorder.nodes, total: counts.total(), sample })
}

fn watch(
    root: &Position,
    spec: &PlayerSpec,
    depth: usize,
    watcher: &mut dyn TreeObserver,
) -> Result<TextbookResult, TreeError> {
    let config = match spec.kind {
        PlayerKind::Random => return Err(TreeError::NotToDepth),
        PlayerKind::AlphaBeta(evaluation) => return watch_alphabeta(root, evaluation, depth, watcher),
        PlayerKind::Textbook(config) => config,
    };
    let mut table = Transpositions::for_depth(depth);
    let control = Control::new();
    let limits = Limits::nodes(MAX_MOVES);
    let evaluation = spec.evaluation.evaluation;
    let mut search = Textbook::new(config, evaluation, &mut table, &control, &limits).observed(watcher);
    let result = search.search(root, depth);
    if search.counts.explored >= MAX_MOVES { Err(TreeError::TooLarge) } else { Ok(result) }
}

/// Size of the transposition table, which affects the tree.
const TABLE_MEBIBYTES: usize = 16;

/// Searches a position to a depth, as if a new game began with it, with the compiled-in databases.
fn watch_alphabeta(
    root: &Position,
    evaluation: EvaluationKind,
    depth: usize,
    watcher: &mut dyn TreeObserver,
) -> Result<TextbookResult, TreeError> {
    let engine = Engine::new([Setting::Hash(TABLE_MEBIBYTES), Setting::Evaluation(evaluation)])
        .map_err(|_| TreeError::OutOfMemory)?;
    let limits = Limits { nodes: Some(MAX_MOVES), ..Limits::depth(depth) };
    let mut observer = EngineObserver(watcher);
    let game = Game::new(*root);
    let answer =
        engine.search_without_book(&game, &limits, &Control::new(), Some(&mut observer), &mut |_| {});
    if answer.nodes >= MAX_MOVES {
        return Err(TreeError::TooLarge);
    }
    let value = answer.score.map_or(0, of_score);
    let depth = answer.lines.first().map_or(depth, |best| best.depth);
    Ok(TextbookResult { best: answer.best, value, exact: true, depth })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_engine::search::NodeEnd::{self, Cut, Database, Depth, Pruned, Quiescence, Searched, Table};

    fn tree(player: &str, limit: usize) -> Tree {
        record(&Position::start(), PlayerSpec::parse(player).unwrap(), limit).unwrap()
    }

    /// Asserts that kept and hidden nodes add up to the whole tree, and that every node's parent precedes it
    /// and is one ply above.
    fn assert_sound(tree: &Tree) {
        let hidden: u64 = tree.nodes.iter().map(|node| node.hidden).sum();
        assert_eq!(tree.nodes.len() as u64 + hidden, tree.total);
        for (index, node) in tree.nodes.iter().enumerate() {
            let above = node.parent.map(|parent| tree.nodes[..index][parent].ply);
            assert_eq!(node.ply, above.map_or(0, |ply| ply + 1));
        }
    }

    /// Follows the best line down from the last root.
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
    fn a_small_tree_is_recorded_completely() {
        let tree = tree("searcher=negamax depth=3 eval=v1", 10_000);
        assert_eq!(tree.total, 1 + 7 + 49 + 302);
        assert_eq!((tree.nodes.len(), tree.sample), (359, None));
        assert_sound(&tree);
        assert!(tree.nodes.iter().all(|node| (node.end == NodeEnd::Depth) == (node.ply == 3)));
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
            "searcher=alphabeta depth=12 eval=network",
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
        let whole = tree("searcher=ab depth=7 eval=v2", MAX_KEPT);
        assert_eq!(whole.sample, None);
        let best = follow(&whole);
        assert_eq!(best.len(), 7);
        let line = kelso_draughts::notation::movetext::format_line(&whole.root, &whole.line);
        assert_eq!(line, best.join(" "));
        for limit in [1, 10, 1_000] {
            assert_eq!(follow(&tree("searcher=ab depth=7 eval=v2", limit)), best);
        }
    }

    #[test]
    fn recording_does_not_change_the_search() {
        let root = kelso_draughts::notation::fen::parse("W:W18,25,28,29,30:B1,2,6,11,23").unwrap();
        let spec = PlayerSpec::parse("searcher=alphabeta depth=14 eval=network").unwrap();
        let tree = record(&root, spec, MAX_KEPT).unwrap();
        assert_eq!(tree.sample, None);
        assert_sound(&tree);
        let engine = Engine::new([Setting::Hash(TABLE_MEBIBYTES)]).unwrap();
        let control = Control::new();
        let answer = engine.search(&Game::new(root), &Limits::depth(14), &control, &mut |_| {});
        assert_eq!((tree.found.best, Some(tree.found.value)), (answer.best, answer.score.map(of_score)));
        assert_eq!(tree.line, answer.line());
        // The engine counts attempts to prune a node, but not draws.
        assert!(tree.total.abs_diff(answer.nodes) < answer.nodes / 20, "{} {}", tree.total, answer.nodes);
        for why in [Searched, Cut, Table, Depth, Quiescence, Database, Pruned] {
            assert!(tree.nodes.iter().any(|node| node.end == why), "{why:?}");
        }
        let without_moves = tree.nodes.iter().filter(|node| node.end == NodeEnd::NoMoves);
        assert!(without_moves.map(|node| node.value).all(|value| value <= 0));
    }

    #[test]
    fn only_searches_to_a_depth_can_be_recorded() {
        for player in ["random", "searcher=ab nodes=100", "searcher=ab depth=3 time=0.1"] {
            let tree = record(&Position::start(), PlayerSpec::parse(player).unwrap(), 10);
            assert_eq!(tree.unwrap_err(), TreeError::NotToDepth, "{player}");
        }
    }
}
