//! The search that plays: principal variation search on iterative deepening, with everything that has shown in matches
//! that it helps.

mod endings;
mod expansion;
mod lines;
mod margins;
mod node;
mod pruning;
mod quiescence;
mod root;
mod rootmove;
mod singular;
mod threads;

pub use self::margins::{MARGINS, Margin, Margins};
use super::event::{Answer, Event};
use super::score::Score;
use super::{
    Task, control::Meter, crew::Crew, line::Variations, ordering::MoveHistory, path::Path, watch::Watch,
};
use crate::eval::{Accumulators, Evaluate};
use draughts::board::Position;
use endgames::Wld;

/// Searches until a limit is reached or the search is stopped, and tells what it finds on the way.
///
/// At least one line is told, and every search completes its first iteration, so that there is always an answer.
pub fn search<E: Evaluate + ?Sized>(task: &Task<'_>, evaluation: &E, tell: &mut dyn FnMut(Event)) -> Answer {
    task.table.age();
    let crew = Crew::new(task.options.threads);
    let lines = threads::search(task, evaluation, &crew, tell);
    answer(task, &crew, &lines)
}

/// Searches on one thread, with an observer.
pub fn watched(
    task: &Task<'_>,
    evaluation: &dyn Evaluate,
    watch: &mut dyn Watch<Score>,
    tell: &mut dyn FnMut(Event),
) -> Answer {
    task.table.age();
    let crew = Crew::new(1);
    let lines = Search::new(task, evaluation, &crew, 0, watch).deepen(tell);
    answer(task, &crew, &lines)
}

fn answer(task: &Task<'_>, crew: &Crew, lines: &Variations) -> Answer {
    task.control.wait(task.limits.infinite);
    let best = lines.first().map(|found| &found.line);
    let at = |ply| best.and_then(|line| line.get(ply)).copied();
    Answer { best: at(0), ponder: at(1), nodes: crew.counts().nodes }
}

/// One thread's search.
struct Search<'a, E: Evaluate + ?Sized, W: Watch<Score>> {
    task: &'a Task<'a>,
    evaluation: &'a E,
    crew: &'a Crew,
    meter: Meter<'a>,
    path: Path,
    history: MoveHistory,
    memory: Accumulators,
    /// The deepest ply of this iteration.
    deepest: usize,
    /// The depth of this iteration.
    iteration: usize,
    /// No line gets longer than this by extensions.
    longest: usize,
    /// Within the shallower search of ProbCut.
    verifying: bool,
    /// Pieces at the root.
    root_pieces: u32,
    /// What databases know of the root, for its side to move.
    root_result: Option<Wld>,
    /// The first iteration is completed whatever the limits say.
    bound_to_finish: bool,
    /// Who hears of every node.
    watch: W,
}

impl<'a, E: Evaluate + ?Sized, W: Watch<Score>> Search<'a, E, W> {
    /// For the thread in this seat; the first is 0.
    fn new(task: &'a Task<'a>, evaluation: &'a E, crew: &'a Crew, seat: usize, watch: W) -> Self {
        Self {
            task,
            evaluation,
            crew,
            meter: Meter::new(task.control, task.limits, task.options.move_overhead).in_crew(crew, seat),
            path: Path::new(task.game),
            history: MoveHistory::new(),
            memory: Accumulators::default(),
            deepest: 0,
            iteration: 0,
            longest: 0,
            verifying: false,
            root_pieces: task.game.position().piece_count(),
            root_result: task.databases.probe(task.game.position()),
            bound_to_finish: seat == 0,
            watch,
        }
    }

    /// What the evaluation says of a position for the side to move.
    #[inline]
    fn judge(&mut self, position: &Position, ply: usize) -> i32 {
        self.evaluation.evaluate_near(&mut self.memory, position, ply)
    }

    /// Counts a node, and says whether the search, or this iteration of it, is to end.
    #[inline]
    fn is_over(&mut self) -> bool {
        self.meter.count() && !self.bound_to_finish
    }
}
