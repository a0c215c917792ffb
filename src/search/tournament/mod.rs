//! The search that plays: principal variation search on iterative deepening, with everything that has shown in matches
//! that it helps.

mod endings;
mod margins;
mod node;
mod quiescence;
mod root;

use super::event::{Answer, Event};
use super::{Task, control::Meter, ordering::Experience, path::Path};
use crate::board::Position;
use crate::eval::{Evaluate, Memory};

/// Searches until a limit is reached or the search is stopped, and tells what it finds on the way.
///
/// At least one line is told, and every search completes its first iteration, so that there is always an answer.
pub fn search<E: Evaluate>(task: &Task<'_>, evaluation: &E, tell: &mut dyn FnMut(Event)) -> Answer {
    task.table.age();
    Search::new(task, evaluation).deepen(tell)
}

/// One thread's search.
struct Search<'a, E: Evaluate> {
    task: &'a Task<'a>,
    evaluation: &'a E,
    meter: Meter<'a>,
    path: Path,
    experience: Experience,
    memory: Memory,
    /// The deepest ply of this iteration.
    deepest: usize,
    /// No line gets longer than this by extensions.
    longest: usize,
    /// Pieces at the root.
    root_pieces: u32,
    /// Positions found in databases.
    table_hits: u64,
    /// The first iteration is completed whatever the limits say.
    bound_to_finish: bool,
}

impl<'a, E: Evaluate> Search<'a, E> {
    fn new(task: &'a Task<'a>, evaluation: &'a E) -> Self {
        Self {
            task,
            evaluation,
            meter: Meter::new(task.control, task.limits, task.overhead),
            path: Path::new(task.game),
            experience: Experience::new(),
            memory: Memory::default(),
            deepest: 0,
            longest: 0,
            root_pieces: task.game.position().piece_count(),
            table_hits: 0,
            bound_to_finish: true,
        }
    }

    /// What the evaluation says of a position for the side to move.
    #[inline]
    fn judge(&mut self, position: &Position, ply: usize) -> i32 {
        self.evaluation.evaluate_near(&mut self.memory, position, ply)
    }

    /// Counts a node, and says whether the search is to end.
    #[inline]
    fn is_over(&mut self) -> bool {
        self.meter.count() && !self.bound_to_finish
    }
}
