//! The speed-up by more threads: the bench positions, each on one thread and then on several to the same depth.

use std::time::Duration;

use super::{Engine, bench_positions};
use crate::search::{Control, Limits, OutOfMemory};
use draughts::board::{Game, Position};

/// The size of the table.
const TABLE_MEBIBYTES: usize = 64;

/// The most time of a search, as a multiple of the requested time.
const MOST_TIMES: u32 = 50;

/// The result of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scaling {
    /// Its number in the list, from 1.
    pub number: usize,
    /// The position.
    pub position: Position,
    /// The depth of both searches.
    pub depth: usize,
    /// The time of one thread.
    pub alone: Duration,
    /// The time of all threads.
    pub together: Duration,
    /// The nodes of one thread, and of all.
    pub nodes: [u64; 2],
}

impl Engine {
    /// Searches every bench position on one thread until a depth has taken at least `time`, then to the same depth on
    /// `threads`, and reports both times. Positions that are solved earlier are left out, and those in which a depth takes
    /// far longer than the previous one.
    ///
    /// # Errors
    ///
    /// When its table cannot be allocated.
    pub fn scaling(
        &self,
        threads: usize,
        time: Duration,
        on_event: &mut dyn FnMut(Scaling),
    ) -> Result<(), OutOfMemory> {
        let mut engine = self.standard(TABLE_MEBIBYTES)?;
        while engine.warm_up() {}
        let limits = Limits::move_time(time.saturating_mul(MOST_TIMES));
        for (index, position) in bench_positions().enumerate() {
            let mut until = |count: usize, enough: &dyn Fn(usize, Duration) -> bool| {
                engine.options.threads = count;
                engine.new_game();
                let control = Control::new(false);
                let mut reached = None;
                engine.search(&Game::new(position), &limits, &control, &mut |event| {
                    let Some(report) = event.best_line().filter(|_| reached.is_none()) else { return };
                    if enough(report.depth, report.time) {
                        reached = Some((report.depth, report.time, report.nodes));
                        control.stop();
                    }
                });
                reached
            };
            let Some((depth, alone, nodes)) = until(1, &|_, spent| spent >= time) else { continue };
            let Some((_, together, more)) = until(threads, &|reached, _| reached >= depth) else { continue };
            on_event(Scaling { number: index + 1, position, depth, alone, together, nodes: [nodes, more] });
        }
        Ok(())
    }
}
