//! The benchmark: searches the same positions to the same depth on every machine. The total number of nodes
//! is a signature, which changes only if the search or the evaluation does.

use std::time::Duration;

use super::{Engine, EngineSettings, SettingError};
use crate::options::{Options, Setting};
use crate::search::{Control, Limits};
use kelso_draughts::board::{Game, Position};
use kelso_draughts::notation::fen;

/// Default depth of the searches.
pub const BENCH_DEPTH: usize = 20;
/// Size of the transposition table, which affects the number of nodes.
const TABLE_MEBIBYTES: usize = 16;

/// The positions, one FEN per line: openings, middle games with and without kings, and endings.
const POSITIONS: &str = include_str!("bench.fen");

pub fn bench_positions() -> impl Iterator<Item = Position> {
    POSITIONS.lines().filter_map(|text| fen::parse(text).ok())
}

/// The result for one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Number in the list, from 1.
    pub number: usize,
    pub position: Position,
    pub nodes: u64,
    /// Duration of the search.
    pub time: Duration,
}

impl Engine {
    /// Lazily searches every bench position, each as the start of a new game. The iterator ends early if
    /// `control` stops it.
    ///
    /// # Errors
    ///
    /// If the table cannot be allocated.
    pub fn bench<'a>(
        &self,
        depth: usize,
        control: &'a Control,
    ) -> Result<impl Iterator<Item = BenchResult> + use<'a>, SettingError> {
        let Options { evaluation, margins, .. } = self.options.clone();
        let table = Setting::Hash(TABLE_MEBIBYTES);
        let options = vec![table, Setting::Evaluation(evaluation), Setting::Margins(margins)];
        let mut engine =
            Self::new(EngineSettings { options, embedded: self.embedded, default_folder: None })?;
        engine.network.clone_from(&self.network);
        engine.loaded_terms.clone_from(&self.loaded_terms);
        Ok((1..).zip(bench_positions()).map_while(move |(number, position)| {
            engine.new_game();
            let before = control.elapsed();
            let answer = engine.search(&Game::new(position), &Limits::depth(depth), control, &mut |_| {});
            let time = control.elapsed().saturating_sub(before);
            (!control.is_stopped()).then_some(BenchResult { number, position, nodes: answer.nodes, time })
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::EvaluationKind;

    #[test]
    fn bench_nodes_depend_on_evaluation_and_search_only() {
        let nodes = |setting: Option<Setting>| {
            let options = setting.into_iter().collect();
            let engine = Engine::new(EngineSettings { options, ..EngineSettings::default() }).unwrap();
            engine.bench(4, &Control::new()).unwrap().map(|result| result.nodes).sum::<u64>()
        };
        let usual = nodes(None);
        for setting in [
            Setting::Margins("rfp_margin=200 futility_margin=200".parse().unwrap()),
            Setting::Evaluation(EvaluationKind::Material),
        ] {
            assert_ne!(nodes(Some(setting.clone())), usual, "{setting:?}");
        }
        for setting in [Setting::Hash(2), Setting::Threads(2), Setting::MultiPv(3), Setting::EgdbPieces(0)] {
            assert_eq!(nodes(Some(setting.clone())), usual, "{setting:?}");
        }
    }
}
