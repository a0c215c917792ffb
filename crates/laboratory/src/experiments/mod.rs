//! The published experiments, with the published figures for comparison.

mod alex;
mod table1;
mod table2;
mod table3;

pub use alex::alex;
pub use table1::table1;
pub use table2::table2;
pub use table3::table3;

use super::{Figures, PlayerSpec, Profile, Report, Series};
use crate::evaluations::NamedEvaluation;
use crate::textbook::{Config, Method};
use kelso_engine::SettingError;
use kelso_runtime::stop::StopToken;

/// A series, with its label and any figures published for its first player.
#[derive(Clone, Debug)]
pub struct Trial {
    pub label: String,
    pub series: Series,
    /// Published figures of the first player, if any.
    pub published: Option<Figures>,
}

/// An experiment: a title and a list of trials.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub title: String,
    pub trials: Vec<Trial>,
    /// Whether to measure how the first player's search time is divided among its parts.
    pub profiled: bool,
    /// Notes on the results.
    pub notes: &'static str,
}

impl Experiment {
    /// Returns all games of all trials.
    pub fn games(&self) -> u64 {
        self.trials.iter().map(|trial| u64::from(trial.series.games)).sum()
    }

    /// Plays all trials until stopped, and calls `on_game` with the label of the trial after each game. The
    /// report covers the completed games.
    pub fn run(&self, stop: &StopToken, on_game: &mut dyn FnMut(&str)) -> Result<Report, SettingError> {
        let mut report = Report { title: self.title.clone(), profiled: self.profiled, ..Report::default() };
        for Trial { label, series, published } in &self.trials {
            if stop.is_stopped() {
                break;
            }
            if self.profiled {
                let profile = Profile::run(series, stop, &mut || on_game(label))?;
                report.busy |= profile.was_disturbed();
                report.push(label, Some(series.players.clone()), profile.figures());
            } else {
                let score = series.run(stop, &mut |_| on_game(label))?;
                report.add(label, series, &score);
            }
            if let Some(published) = published {
                report.push(label, None, published.clone());
            }
        }
        Ok(report)
    }
}

/// Returns Peterson's player: alpha-beta or plain negamax to a depth.
fn peterson(plain: bool, table: bool, quiescence: bool, depth: usize, evaluation: u8) -> PlayerSpec {
    let method = if plain { Method::Negamax } else { Method::AlphaBeta };
    let config = Config { method, table, quiescence, ..Config::default() };
    PlayerSpec::textbook(config, depth, named_evaluation(&format!("v{evaluation}")))
}

/// Returns an evaluation of an experiment.
#[expect(clippy::expect_used, reason = "experiments name published evaluations")]
fn named_evaluation(name: &str) -> NamedEvaluation {
    NamedEvaluation::find(name).expect("a published evaluation")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_gives_the_same_table_for_the_same_seed() {
        for experiment in [table1(1, 5), table3(2, 5), alex(1, 5, 4, 3)] {
            let run = || experiment.run(&StopToken::default(), &mut |_| {}).unwrap().timeless();
            let report = run();
            assert_eq!(report, run(), "{}", experiment.title);
            assert!(report.rows.len() >= experiment.trials.len());
        }
    }

    #[test]
    fn an_interrupted_experiment_keeps_what_was_played() {
        let stop = StopToken::default();
        let mut games = 0;
        let mut on_game = |_: &str| {
            games += 1;
            if games == 4 {
                stop.stop();
            }
        };
        let report = table1(3, 1).run(&stop, &mut on_game).unwrap();
        let ours = report.rows.iter().filter(|row| row.players.is_some());
        assert_eq!(ours.map(|row| row.figures.results.unwrap().total()).collect::<Vec<_>>(), [3, 1]);
    }
}
