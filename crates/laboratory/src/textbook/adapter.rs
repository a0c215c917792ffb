//! The textbook searchers behind the interface of the engine's searchers.

use super::{Config, SearchCounts, Textbook, TextbookResult, Transpositions};
use draughts::board::Move;
use engine::eval::{Evaluate, hundredths};
use engine::search::{
    Answer, BestLine, Bound, Event, Limits, MAX_PLY, Report, Score, ScoreKind, Search, SearchObserver, Task,
};

/// With a limit of depth alone, that depth is searched directly unless the configuration deepens; with any other limit,
/// depths are searched one after the other, so that the search can be stopped at any time.
///
/// The task's table and the moves before its position are not used.
impl Search for Config {
    fn search(&self, task: &Task<'_>, evaluation: &dyn Evaluate, on_event: &mut dyn FnMut(Event)) -> Answer {
        let Limits { depth, nodes, time, infinite, ponder, .. } = *task.limits;
        let bare = depth.is_some() && nodes.is_none() && time.is_none() && !infinite && !ponder;
        let config = Config { deepening: self.deepening || !bare, ..*self };
        let deepest = depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
        let root = task.game.position();
        let mut table = Transpositions::for_depth(deepest);
        let mut variation = BestLine::default();
        let mut search =
            Textbook::new(config, evaluation, &mut table, task.control, task.limits, Some(&mut variation));
        let report = |found: &TextbookResult, counts: &SearchCounts, line: Vec<Move>| {
            Event::Line(Report {
                depth: if found.best.is_some() { found.depth } else { 0 },
                selective_depth: counts.deepest.max(found.depth),
                rank: 1,
                score: match found.value.kind() {
                    ScoreKind::Cp(value) => Score::evaluation(hundredths(value, evaluation.man())),
                    _ => found.value,
                },
                bound: if found.exact { Bound::Exact } else { Bound::Lower },
                nodes: counts.explored,
                table_hits: 0,
                hash_full: 0,
                time: task.control.elapsed(),
                line,
            })
        };
        let mut line = None;
        let found = if config.deepening {
            search.deepen(root, deepest, &mut |found, counts, moves| {
                on_event(report(found, counts, moves.clone()));
                line = Some(moves);
            })
        } else {
            search.search(root, deepest)
        };
        let counts = search.counts();
        let line = line.unwrap_or_else(|| {
            let moves = variation.principal_variation(found.best);
            on_event(report(&found, &counts, moves.clone()));
            moves
        });
        task.control.wait(infinite);
        Answer { best: found.best, ponder: line.get(1).copied(), nodes: counts.explored }
    }
}
