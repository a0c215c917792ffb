//! Table 2 of Peterson, "Checking in on Checkers" (2023): the share of the time that each part of the engine takes against a
//! player of random moves; and the same for the searcher that plays in earnest.

use super::{CATALOG, Experiment, PlayerSpec, Report, Series, Trial, peterson};
use crate::player_spec::PlayerKind;
use crate::report::{Figure, Row, SHARES};
use common::chart::{self, Axis, Curve, Panel, Point};

const DEPTH: usize = 6;
/// As deep as takes about as long as the others.
const TOURNAMENT_DEPTH: usize = 9;

/// Returns the experiment with so many games for each row.
pub fn table2(games: u32, seed: u64) -> Experiment {
    let textbook = |(quiescence, evaluation)| {
        let name = format!("AB, TT, {}D={DEPTH}, E={evaluation}", if quiescence { "Q, " } else { "" });
        (name, peterson(false, true, quiescence, DEPTH, evaluation))
    };
    let tournament = PlayerSpec {
        kind: PlayerKind::Engine(CATALOG.searcher("tournament").unwrap_or_default()),
        depth: Some(TOURNAMENT_DEPTH),
        ..PlayerSpec::random()
    };
    let players = [1, 2, 3].into_iter().flat_map(|evaluation| [(false, evaluation), (true, evaluation)]);
    let players = players.map(textbook).chain([(format!("tournament, D={TOURNAMENT_DEPTH}"), tournament)]);
    let trial = |(label, player)| Trial {
        label,
        series: Series::new([player, PlayerSpec::random()], games, seed),
        published: None,
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

/// Draws the shares of the parts: a curve for each over the rows of the report.
pub fn shares_chart(report: &Report) -> String {
    let curve = |&(name, _, share, _): &Figure| {
        let point = |(x, row): (u32, &Row)| Some(Point { x: x.into(), y: share(&row.figures)?, error: 0.0 });
        Curve { name: name.to_owned(), points: (1..).zip(&report.rows).filter_map(point).collect() }
    };
    let panel = Panel {
        width: 560.0,
        x: Axis::whole("row of the table", 1, u32::try_from(report.rows.len()).unwrap_or(1)),
        y: Axis::percent("percent of the time of the search"),
        // The last two figures are no shares.
        curves: SHARES[..5].iter().map(curve).collect(),
    };
    chart::draw(&report.title, &[panel])
}

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
        assert!(roxmltree::Document::parse(&shares_chart(&report)).is_ok());
    }
}
