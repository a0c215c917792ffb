//! A player at the board.

use std::time::Duration;

use super::CATALOG;
use super::clock::Stopwatch;
use super::spec::{Brain, Spec};
use crate::textbook::{SearchCounts, Textbook, Transpositions};
use common::chance::{IndexedRandom, Random};
use draughts::board::{Game, Move};
use engine::search::{Control, Event, Limits, MAX_PLY, Unwatched};
use engine::{Engine, Setting, SettingError};

/// A player with what it remembers.
#[derive(Debug)]
pub struct LabPlayer {
    spec: Spec,
    mind: Mind,
    limits: Limits,
}

#[derive(Debug)]
enum Mind {
    Empty,
    Textbook(Transpositions),
    Engine(Box<Engine>),
}

/// A move, and what it cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) mv: Move,
    pub(super) counts: SearchCounts,
    pub(super) time: Duration,
}

/// The engine's own searchers get a table of so many MiB.
const TABLE_MEBIBYTES: usize = 16;

impl LabPlayer {
    /// A player as described.
    ///
    /// # Errors
    ///
    /// When there is no memory for its table.
    pub fn new(spec: Spec) -> Result<Self, SettingError> {
        let mind = match spec.brain {
            Brain::Random => Mind::Empty,
            Brain::Textbook(_) => Mind::Textbook(Transpositions::for_depth(spec.depth.unwrap_or(MAX_PLY))),
            Brain::Engine(searcher) => {
                let mut engine = Engine::with_catalog(CATALOG, TABLE_MEBIBYTES)?;
                engine.apply(Setting::Evaluation(spec.evaluation))?;
                engine.apply(Setting::Searcher(searcher))?;
                Mind::Engine(Box::new(engine))
            }
        };
        Ok(Self { spec, mind, limits: spec.limits() })
    }

    /// Whoever plays next is another: what was learned in a game stays in it, so that each game of a series can be
    /// played again alone.
    pub(super) fn new_game(&mut self) {
        match &mut self.mind {
            Mind::Empty => {}
            Mind::Textbook(table) => table.forget(),
            Mind::Engine(engine) => engine.new_game(),
        }
    }

    /// The player's move, unless there is none.
    pub(super) fn choose(&mut self, game: &Game, random: &mut Random) -> Option<Choice> {
        let watch = Stopwatch::start();
        let control = Control::new(false);
        let mut counts = SearchCounts::default();
        let mv = match (&mut self.mind, self.spec.brain) {
            (Mind::Textbook(table), Brain::Textbook(config)) => {
                let mut nobody = Unwatched;
                let evaluation = self.spec.evaluation.evaluator();
                let mut search =
                    Textbook::new(config, evaluation, table, &control, &self.limits, &mut nobody);
                let found = search.search(game.position(), self.spec.depth.unwrap_or(MAX_PLY - 1));
                counts = search.counts();
                found.best
            }
            (Mind::Engine(engine), _) => {
                let answer = engine.search(game, &self.limits, &control, &mut |event| {
                    if let Event::Line(report) = event {
                        counts.deepest = counts.deepest.max(report.selective_depth);
                    }
                });
                counts.explored = answer.nodes;
                answer.best
            }
            _ => game.position().moves().choose(random).copied(),
        };
        mv.map(|mv| Choice { mv, counts, time: watch.elapsed() })
    }
}
