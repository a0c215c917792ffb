//! A fixed amount of work: the same positions to the same depth, on every machine, in every run. The number of nodes
//! is the search's signature; it changes when and only when the search does.

use std::time::Duration;

use super::Engine;
use crate::board::{Game, Position};
use crate::search::{Control, Limits, OutOfMemory};

/// The depth unless another is asked for.
pub const BENCH_DEPTH: usize = 13;
/// A fixed size, since the nodes depend on it.
const TABLE_MEBIBYTES: usize = 16;

/// The positions as FEN: openings, middle games with and without kings, and endings.
pub const BENCH_POSITIONS: &[&str] = &["B:W21-32:B1-12"];

/// What one position came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchResult {
    /// Its place in the list, from 1.
    pub number: usize,
    /// The position.
    pub position: Position,
    /// Positions visited.
    pub nodes: u64,
    /// Time that it took.
    pub time: Duration,
}

impl Engine {
    /// Searches every bench position as the first of a game, and tells what each came to. Stopped early, it leaves the
    /// rest out and says so by returning `false`.
    ///
    /// # Errors
    ///
    /// When there is no memory for its table.
    pub fn bench(
        &self,
        depth: usize,
        control: &Control,
        tell: &mut dyn FnMut(BenchResult),
    ) -> Result<bool, OutOfMemory> {
        let mut engine = Self { table: crate::search::Table::new(TABLE_MEBIBYTES)?, ..*self };
        let positions = BENCH_POSITIONS.iter().filter_map(|text| crate::notation::fen::parse(text).ok());
        for (index, position) in positions.enumerate() {
            engine.new_game();
            let before = control.elapsed();
            let answer = engine.search(&Game::new(position), &Limits::depth(depth), control, &mut |_| {});
            if control.is_stopped() {
                return Ok(false);
            }
            tell(BenchResult {
                number: index + 1,
                position,
                nodes: answer.nodes,
                time: control.elapsed().saturating_sub(before),
            });
        }
        Ok(true)
    }
}
