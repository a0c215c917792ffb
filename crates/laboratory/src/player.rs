//! A player of the laboratory.

use std::sync::Arc;

use super::{CATALOG, PlayerKind, PlayerSpec};
use crate::textbook::{Config, SearchCounts, Textbook, Transpositions};
use common::chance::{IndexedRandom, Random};
use draughts::board::{Game, Move};
use engine::search::{Control, Event, MAX_PLY, PartMarker, SearchPart};
use engine::{Engine, Setting, SettingError};

/// A player with its table.
#[derive(Debug)]
pub struct LabPlayer {
    spec: PlayerSpec,
    state: PlayerState,
    /// Where its searches mark the parts that they are in.
    pub(super) parts: Option<Arc<PartMarker>>,
}

#[derive(Debug)]
enum PlayerState {
    Empty,
    Textbook(Config, Transpositions),
    Engine(Box<Engine>),
}

const TABLE_MEBIBYTES: usize = 16;

impl LabPlayer {
    /// Returns a player as described.
    pub fn new(spec: PlayerSpec) -> Result<Self, SettingError> {
        let state = match spec.kind {
            PlayerKind::Random => PlayerState::Empty,
            PlayerKind::Textbook(config) => {
                PlayerState::Textbook(config, Transpositions::for_depth(spec.depth.unwrap_or(MAX_PLY)))
            }
            PlayerKind::Engine(searcher) => {
                let mut engine = Engine::with_catalog(CATALOG, TABLE_MEBIBYTES)?;
                engine.apply(Setting::Evaluation(spec.evaluation))?;
                engine.apply(Setting::Searcher(searcher))?;
                PlayerState::Engine(Box::new(engine))
            }
        };
        Ok(Self { spec, state, parts: None })
    }

    fn mark(&self, part: SearchPart) {
        if let Some(parts) = &self.parts {
            parts.set(part);
        }
    }

    /// Clears the tables, so that a game does not depend on earlier ones.
    pub(super) fn new_game(&mut self) {
        match &mut self.state {
            PlayerState::Empty => {}
            PlayerState::Textbook(_, table) => table.clear(),
            PlayerState::Engine(engine) => engine.new_game(),
        }
    }

    /// Returns the player's move, unless there is none, and adds what its search counted.
    pub(super) fn choose(
        &mut self,
        game: &Game,
        random: &mut Random,
        counts: &mut SearchCounts,
    ) -> Option<Move> {
        let limits = self.spec.limits();
        let control = Control::new(false);
        let control = match &self.parts {
            Some(parts) => control.with_parts(parts.clone()),
            None => control,
        };
        if !matches!(self.state, PlayerState::Empty) {
            self.mark(SearchPart::Rest);
        }
        let mv = match &mut self.state {
            PlayerState::Empty => game.position().moves().choose(random).copied(),
            PlayerState::Textbook(config, table) => {
                let evaluation = self.spec.evaluation.evaluator();
                let mut search = Textbook::new(*config, evaluation, table, &control, &limits, None);
                let found = search.search(game.position(), self.spec.depth.unwrap_or(MAX_PLY - 1));
                *counts += search.counts();
                found.best
            }
            PlayerState::Engine(engine) => {
                let answer = engine.search(game, &limits, &control, &mut |event| {
                    if let Event::Line(report) = event {
                        counts.deepest = counts.deepest.max(report.selective_depth);
                    }
                });
                counts.explored += answer.nodes;
                answer.best
            }
        };
        self.mark(SearchPart::Idle);
        mv
    }
}
