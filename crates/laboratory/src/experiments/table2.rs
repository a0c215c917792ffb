//! Table 2 of Peterson, "Checking in on Checkers" (2023): the share of time that each part of the program
//! takes in games against random moves.

use super::{Experiment, Figures, PlayerSpec, Series, Trial, peterson};
use crate::Phase;
use crate::profile::PHASES;
use kelso_text::plural::counted;

/// A row: quiescence, evaluation; the published shares of move generation and evaluation, in percent.
type Published = (bool, u8, f64, Option<f64>);

const ROWS: [Published; 6] = [
    (false, 1, 21.3, Some(3.8)),
    (true, 1, 15.8, None),
    (false, 2, 17.6, Some(4.3)),
    (true, 2, 15.9, Some(4.9)),
    (false, 3, 12.4, Some(23.0)),
    (true, 3, 13.1, Some(17.0)),
];

const DEPTH: usize = 6;

/// Returns the experiment with `games` games for each row.
pub fn table2(games: u32, seed: u64) -> Experiment {
    let mut trials = Vec::new();
    for (quiescence, version, moves, evaluation) in ROWS {
        let player = peterson(false, true, quiescence, DEPTH, version);
        let mut shares = [None; PHASES];
        shares[Phase::Moves as usize] = Some(moves);
        shares[Phase::Evaluation as usize] = evaluation;
        trials.push(Trial {
            label: player.configuration(),
            series: Series::new([player, PlayerSpec::random()], games, seed),
            published: Some(Figures { shares, ..Figures::default() }),
        });
    }
    Experiment {
        title: format!(
            "Table 2: {} against random moves, percent of search time",
            counted(games.into(), "game")
        ),
        trials,
        profiled: true,
        notes: NOTES,
    }
}

const NOTES: &str = "\
Published figures are from a debug build: the sum of the three functions that generate moves, and the evaluation if
it was among the functions listed. The study gives an average of about 15% for generating moves. Cost is the overhead
of sampling: each game is played with and without it.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_configuration_has_a_row_in_every_form() {
        let report = table2(1, 3).run(&kelso_runtime::stop::StopToken::default(), &mut |_| {}).unwrap();
        assert_eq!(report.table().lines().count(), 3 + 6 + 6, "{}", report.table());
        assert_eq!(report.csv().lines().count(), 1 + 6 + 6);
        assert!(roxmltree::Document::parse(&report.chart()).is_ok());
    }
}
