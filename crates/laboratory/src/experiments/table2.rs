//! Table 2 of Peterson, "Checking in on Checkers" (2023): the share of the time that each part of the engine takes against a
//! player of random moves; and the same for the searcher that plays in earnest.

use super::{Experiment, Figures, PlayerSpec, Series, Trial, peterson};
use crate::PlayerKind;
use engine::Searcher;

const DEPTH: usize = 6;
/// As deep as takes about as long as the others.
const ALPHABETA_DEPTH: usize = 9;

/// Returns the experiment with so many games for each row.
pub fn table2(games: u32, seed: u64) -> Experiment {
    let textbook = |(quiescence, evaluation)| {
        let name = format!("AB, TT, {}D={DEPTH}, E={evaluation}", if quiescence { "Q, " } else { "" });
        (name, peterson(false, true, quiescence, DEPTH, evaluation))
    };
    let alphabeta = PlayerSpec {
        kind: PlayerKind::Engine(Searcher::ALPHABETA),
        depth: Some(ALPHABETA_DEPTH),
        ..PlayerSpec::random()
    };
    let players = [1, 2, 3].into_iter().flat_map(|evaluation| [(false, evaluation), (true, evaluation)]);
    let players = players.map(textbook).chain([(format!("alphabeta, D={ALPHABETA_DEPTH}"), alphabeta)]);
    let trial = |(label, player)| Trial {
        label,
        series: Series::new([player, PlayerSpec::random()], games, seed),
        published: Figures::new(),
    };
    Experiment {
        title: format!("Table 2: {games} games against random moves, percent of the time of the search"),
        trials: players.map(trial).collect(),
        profiled: true,
        notes: NOTES,
    }
}

const NOTES: &str = "\
Published: generating moves takes about 15% on average, and the evaluation most of the time with E=3.
Cost is what the measuring adds to the time: each game is played with and without it.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_configuration_has_a_row_in_every_form() {
        let report = table2(1, 3).run(&mut |_| true).unwrap();
        assert_eq!(report.table().lines().count(), 3 + 7, "{}", report.table());
        assert_eq!(report.csv().lines().count(), 1 + 7);
        let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
        assert_eq!(json["rows"].as_array().unwrap().len(), 7);
        assert!(roxmltree::Document::parse(&report.chart()).is_ok());
    }
}
