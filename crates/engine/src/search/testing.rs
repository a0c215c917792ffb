//! The input of a search, for tests.

use super::{
    Control, Limits, LineReport, SearchAnswer, SearchEvent, SearchMemory, SearchOptions, Task, search,
};
use crate::Options;
use crate::eval::Evaluation;
use kelso_draughts::board::Game;
use kelso_endgames::Databases;

/// Won endings of five pieces. Their distances are not compiled in, but the winner can exchange into
/// endings with known distances.
pub(super) const WON_ENDINGS: [&str; 3] =
    ["B:W20,K26:B6,K29,K32", "W:W16,26,K27:BK2,K9", "W:WK12,K14,K22:BK5,K21"];

/// The owner of what a [`Task`] refers to.
pub(super) struct TestSearch {
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) databases: Databases,
    pub(super) control: Control,
    pub(super) options: SearchOptions,
    memory: SearchMemory,
}

impl TestSearch {
    /// Creates a search with the compiled-in databases.
    pub(super) fn new(game: Game, limits: Limits) -> Self {
        Self {
            game,
            limits,
            databases: Databases::compiled_in(),
            control: Control::new(),
            options: Options::default().for_search(),
            memory: SearchMemory::new(1).unwrap(),
        }
    }

    pub(super) fn task(&self) -> Task<'_> {
        let Self { game, limits, databases, control, options, memory } = self;
        Task { game, limits, memory, databases, control, options }
    }

    /// Searches with the handcrafted evaluation. Returns the reported lines as well.
    pub(super) fn run(&self) -> (SearchAnswer, Vec<LineReport>) {
        let mut reports = Vec::new();
        let answer = search(&self.task(), Evaluation::classic(), None, &mut |event| {
            if let SearchEvent::Line(report) = event {
                reports.push(report);
            }
        });
        (answer, reports)
    }
}
