//! A fixed amount of work: the same positions to the same depth on every machine. The total number of nodes is the
//! signature of the search and its evaluation; it changes only when they do.

use std::time::Duration;

use super::Engine;
use crate::search::{Control, Limits, OutOfMemory};
use draughts::board::{Game, Position};

/// The default depth.
pub const BENCH_DEPTH: usize = 20;
/// The size of the table, which the number of nodes depends on.
const TABLE_MEBIBYTES: usize = 16;

/// The positions as FEN: openings, middle games with and without kings, and endings.
pub const BENCH_POSITIONS: &[&str] = &[
    "B:W21-32:B1-12",
    "B:W18,19,21,23,25,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,9,10,11,12,13",
    "B:W19,21,22,23,24,25,26,27,28,29,30,31:B1,2,3,4,5,6,8,9,11,12,14,16",
    "W:W18,21,23,24,25,26,27,28,29,31,32:B1,2,3,5,6,7,8,9,10,11,12",
    "B:W18,20,21,22,25,26,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,16",
    "B:W17,20,22,23,25,26,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,12,13",
    "W:W18,20,21,22,23,24,26,29,30,32:B1,3,4,8,9,10,11,14,15,16",
    "B:W18,19,20,21,22,23,26,28,29,30:B1,3,4,9,10,11,12,14,15,16",
    "B:W14,21,22,24,25,28,29,30,31:B1,2,3,4,5,6,8,9,12,K32",
    "B:W18,19,20,21,22,23,26,29,30:B1,3,4,9,10,11,12,14,16",
    "B:W14,18,20,25,27,28,29,31,32:B1,2,4,5,7,8,9,11,12",
    "B:W11,12,17,21,25,26,29,30,31,32:B1,2,3,4,5,6,7,8",
    "B:W14,21,22,24,26,28,30,31,32:B1,2,4,5,6,10,11,16",
    "W:W12,15,18,20,23,29,30,32:B2,3,5,8,9,11,16,17,K27",
    "W:W12,14,21,22,23,29,30,31,32:B1,3,4,5,7,10,11,16",
    "W:W20,25,27,29,30,31,32:B1,2,3,4,5,9,14,15,28",
    "B:W12,22,27,30,31,32:B1,2,3,4,5,14,15,28",
    "B:W17,20,21,23,24,30,32:B1,3,4,9,11,12,15",
    "B:WK7,12,20,27,29:B3,5,8,11,16,K18,19,22",
    "W:W18,25,27,28,29,30:B1,2,3,6,11,17,23",
    "W:W12,21,22,23,24,29,30:B1,3,9,11,13,14",
    "W:W18,19,25,28,29,30:B1,2,3,6,11,23,26",
    "B:W15,18,22,25,28,30:B1,2,3,6,11,27,K31",
    "W:W17,20,22,25,30:B1,3,4,5,6,7,15,23",
    "B:W5,20,24,25,31:B1,3,11,15,16,27,K30",
    "B:W20,21,23,24,28,30:B4,7,10,11,15,16",
    "B:WK11,19,21,22,25,29:B1,9,13,20,26",
    "W:WK2,K3,18,25,27,30,32:B4,9,10,20",
    "W:W5,20,24,31:B1,3,11,15,16,K21,27",
    "W:WK3,15,27,29,30:B1,8,12,19,20,K31",
    "B:WK2,K3,18,27,29,30,32:B4,5,6,20",
    "B:WK11,18,19,21,25,29:B1,9,13,20,K30",
    "B:W11,13,23,25,29:B1,4,6,9,24",
    "B:W13,16,23,25,29:B1,4,6,9,20",
    "B:W15,20,24,27,32:B1,4,5,7,12",
    "W:WK10,20,24,26:B3,11,16,K21,22,27",
    "W:WK3,20,25:B5,11,14,16,19,26,K27",
    "W:WK7,15,29,30:B1,8,12,19,20,K24",
    "B:W15,16,19,25:B2,5,12,14,K17,K27",
    "W:WK6,20,21:B3,4,5,11,K14,24",
    "B:W15,22,30:B4,12,13,19,21,K31",
    "B:W12,16,23,28,32:B1,4,7,20",
    "B:WK8,15,29,30:B1,16,20,23,K24",
    "B:W20,23,24,32:B1,5,11,12",
    "W:W10,19,20,29:B1,5,12,K31",
    "W:WK11,K15,21,25:B4,K30,K31",
    "B:WK20,22:B4,13,21,K25",
    "W:WK3,K6,8,29:B5,K22",
    "W:WK28:B4,25,K26,K27",
    "W:W11,19,K21,32:BK25",
    "W:WK4,K7:BK26,27",
];

/// The result of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Its number in the list, from 1.
    pub number: usize,
    /// The position.
    pub position: Position,
    /// The nodes of the search.
    pub nodes: u64,
    /// The time of the search.
    pub time: Duration,
}

impl Engine {
    /// Searches every bench position as the first of a game, and reports each result. Returns false if it was stopped.
    ///
    /// # Errors
    ///
    /// When its table cannot be allocated.
    pub fn bench(
        &self,
        depth: usize,
        control: &Control,
        on_event: &mut dyn FnMut(BenchResult),
    ) -> Result<bool, OutOfMemory> {
        let mut engine = self.standard(TABLE_MEBIBYTES)?;
        let positions = BENCH_POSITIONS.iter().filter_map(|text| draughts::notation::fen::parse(text).ok());
        for (index, position) in positions.enumerate() {
            engine.new_game();
            let before = control.elapsed();
            let answer = engine.search(&Game::new(position), &Limits::depth(depth), control, &mut |_| {});
            if control.is_stopped() {
                return Ok(false);
            }
            on_event(BenchResult {
                number: index + 1,
                position,
                nodes: answer.nodes,
                time: control.elapsed().saturating_sub(before),
            });
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Margins;
    use crate::{Catalog, Setting};

    #[test]
    fn only_evaluation_and_search_change_the_nodes() {
        let nodes = |setting: Option<Setting>| {
            let mut engine = Engine::with_table(1).unwrap();
            if let Some(setting) = setting {
                engine.apply(setting).unwrap();
            }
            let mut nodes = 0;
            assert!(engine.bench(4, &Control::new(false), &mut |result| nodes += result.nodes).unwrap());
            nodes
        };
        let usual = nodes(None);
        for setting in [
            Setting::Margins(Margins::parse("rfp_margin=200 futility_margin=200").unwrap()),
            Setting::Evaluation(Catalog::default().evaluation("material").unwrap()),
        ] {
            assert_ne!(nodes(Some(setting.clone())), usual, "{setting:?}");
        }
        for setting in [Setting::Hash(2), Setting::Threads(2), Setting::MultiPv(3), Setting::EgdbPieces(0)] {
            assert_eq!(nodes(Some(setting.clone())), usual, "{setting:?}");
        }
    }
}
