//! What the engine judges by: the chosen evaluation, with the weights of files in place of those that are compiled in.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::weights::{WeightsError, read_network};
use crate::eval::{Classic, Evaluate, Evaluation, Family, Material, Network, Sheet, compiled_in};
use crate::search::{Answer, Event, Level, Task, search};

/// A hand-made evaluation with weights of its own.
#[derive(Clone)]
enum Weighed {
    Classic(Arc<Classic>),
    Published(Arc<dyn Evaluate>),
}

impl fmt::Debug for Weighed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Weighed")
    }
}

/// The weights that are meant by each evaluation that has any.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    network: Network,
    /// What takes the place of an evaluation, with the checksum of its weights.
    weighed: Option<(Evaluation, Weighed, u32)>,
}

impl Default for Judge {
    fn default() -> Self {
        Self { network: compiled_in().clone(), weighed: None }
    }
}

impl Judge {
    /// Takes the network of a file, or the one that is compiled in.
    pub(super) fn load(&mut self, path: Option<&Path>) -> Result<(), WeightsError> {
        self.network = match path {
            None => compiled_in().clone(),
            Some(path) => Network::new(read_network(path)?),
        };
        Ok(())
    }

    /// Gives a hand-made evaluation its weights, or all the published ones again.
    pub(super) fn weigh(&mut self, sheet: Option<&Sheet>) {
        self.weighed = sheet.map(|sheet| {
            let weighed = match sheet.evaluation().family() {
                Family::Classic => Weighed::Classic(Arc::new(Classic::new(sheet.values()))),
                _ => Weighed::Published(sheet.evaluator()),
            };
            (sheet.evaluation(), weighed, sheet.checksum())
        });
    }

    /// The checksum of an evaluation's weights; none if it has none that could change.
    pub(super) fn checksum(&self, evaluation: Evaluation) -> Option<u32> {
        match &self.weighed {
            _ if evaluation.family() == Family::Learned => Some(self.network.weights().checksum()),
            Some((whose, _, checksum)) if *whose == evaluation => Some(*checksum),
            _ => Sheet::published(evaluation.name()).as_ref().map(Sheet::checksum),
        }
    }

    /// An evaluation's name; that of the network says which weights it has.
    pub(super) fn name(&self, evaluation: Evaluation) -> String {
        match evaluation.family() {
            Family::Learned => format!("network {}", self.network.weights().name),
            _ if self.weighed(evaluation).is_some() => format!("{} with Weights", evaluation.name()),
            _ => evaluation.name().to_owned(),
        }
    }

    /// The evaluation with weights of its own, if it has any.
    fn weighed(&self, evaluation: Evaluation) -> Option<&Weighed> {
        self.weighed.as_ref().filter(|(whose, ..)| *whose == evaluation).map(|(_, weighed, _)| weighed)
    }

    /// What an evaluation judges by.
    pub(super) fn evaluator(&self, evaluation: Evaluation) -> &dyn Evaluate {
        match evaluation.family() {
            Family::Learned => &self.network,
            _ => match self.weighed(evaluation) {
                Some(Weighed::Classic(classic)) => &**classic,
                Some(Weighed::Published(evaluator)) => &**evaluator,
                None => evaluation.evaluator(),
            },
        }
    }

    /// Runs a search. The code of the engine's own evaluations is made for them; the published ones share one that asks
    /// which it is at every call.
    pub(super) fn search(
        &self,
        task: &Task<'_>,
        evaluation: Evaluation,
        level: Option<Level>,
        tell: &mut dyn FnMut(Event),
    ) -> Answer {
        if let Some(level) = level {
            // Weak play has time to ask.
            return search(task, &level.blur(&self.evaluator(evaluation)), tell);
        }
        match evaluation.family() {
            Family::Learned => search(task, &self.network, tell),
            Family::Classic => match self.weighed(evaluation) {
                Some(Weighed::Classic(classic)) => search(task, &**classic, tell),
                _ => search(task, Classic::fitted(), tell),
            },
            Family::Material => search(task, &Material, tell),
            Family::Published => search(task, &self.evaluator(evaluation), tell),
        }
    }
}
