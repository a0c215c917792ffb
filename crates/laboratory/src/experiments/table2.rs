//! Table 2 of Peterson, "Checking in on Checkers" (2023): the share of the time that each part of the engine takes against a
//! player of random moves; and the same for the searcher that plays in earnest.

use super::{PlayerSpec, Series, peterson};
use crate::CATALOG;
use crate::player_spec::PlayerKind;
use crate::profile::Profile;
use common::chart::{self, Axis, Curve, Panel, Point};
use common::table::Table;
use engine::SettingError;
use engine::search::SearchPart;
use serde_json::json;

/// The parts as they are shown.
const PARTS: [(&str, SearchPart); 5] = [
    ("moves", SearchPart::Moves),
    ("evaluation", SearchPart::Evaluation),
    ("table", SearchPart::Table),
    ("ordering", SearchPart::Ordering),
    ("rest", SearchPart::Rest),
];

const DEPTH: usize = 6;
/// As deep as takes about as long as the others.
const TOURNAMENT_DEPTH: usize = 9;

/// The experiment.
#[derive(Clone, Debug)]
pub struct Profiles {
    title: String,
    trials: Vec<(String, Series)>,
}

/// A configuration with its profile.
type Row = (String, Profile);

/// The profiles of all configurations.
#[derive(Clone, Debug)]
pub struct ProfileReport {
    title: String,
    rows: Vec<Row>,
}

/// Returns the experiment with so many games for each row.
#[must_use]
pub fn table2(games: u32, seed: u64) -> Profiles {
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
    let series = |player| Series::new([player, PlayerSpec::random()], games, seed);
    Profiles {
        title: format!("Table 2: {games} games against random moves, percent of the time of the search"),
        trials: players.map(|(name, player)| (name, series(player))).collect(),
    }
}

impl Profiles {
    /// The published shares.
    pub const NOTES: &str = "\
Published: generating moves takes about 15% on average, and the evaluation most of the time with E=3.
Cost is what the measuring adds to the time: each game is played with and without it.
";

    /// Returns all games of all configurations.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.trials.iter().map(|(_, series)| u64::from(series.games)).sum()
    }

    /// Plays. After each game `on_game` gets the name of the configuration, and returns whether to play on.
    ///
    /// # Errors
    ///
    /// When a player's table cannot be allocated.
    pub fn run(&self, on_game: &mut dyn FnMut(&str) -> bool) -> Result<ProfileReport, SettingError> {
        let mut report = ProfileReport { title: self.title.clone(), rows: Vec::new() };
        let mut going = true;
        for (name, series) in &self.trials {
            if !going {
                break;
            }
            let profile = Profile::of(series, &mut || {
                going = on_game(name);
                going
            })?;
            report.rows.push((name.clone(), profile));
        }
        Ok(report)
    }
}

impl ProfileReport {
    /// As a table for people.
    #[must_use]
    pub fn table(&self) -> String {
        let shown =
            |figure: Option<f64>| figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.1}"));
        let table = Table::of(&self.rows).words("configuration", |(name, _)| name.clone());
        let table = PARTS.iter().fold(table, |table, &(heading, part)| {
            table.number(heading, |(_, profile): &Row| shown(profile.percent(part)))
        });
        let table = table.number("samples", |(_, profile)| profile.samples());
        let table = table.number("cost", |(_, profile)| shown(profile.cost())).build();
        format!("{}\n\n{table}", self.title)
    }

    /// As comma-separated values.
    #[must_use]
    pub fn csv(&self) -> String {
        let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
        let shown = |figure: Option<f64>| figure.map_or_else(String::new, |figure| figure.to_string());
        let row = |(name, profile): &Row| {
            let shares: Vec<String> = PARTS.iter().map(|&(_, part)| shown(profile.percent(part))).collect();
            format!("\"{name}\",{},{},{}\n", shares.join(","), profile.samples(), shown(profile.cost()))
        };
        let rows: String = self.rows.iter().map(row).collect();
        format!("configuration,{},samples,cost\n{rows}", names.join(","))
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let row = |(name, profile): &Row| {
            let mut object =
                json!({ "configuration": name, "samples": profile.samples(), "cost": profile.cost() });
            for (part, kind) in PARTS {
                object[part] = json!(profile.percent(kind));
            }
            object
        };
        let rows: Vec<_> = self.rows.iter().map(row).collect();
        format!("{:#}\n", json!({ "title": self.title, "rows": rows }))
    }

    /// As a chart: a curve for each part over the rows of the table.
    #[must_use]
    pub fn chart(&self) -> String {
        let rows = || (1u32..).zip(&self.rows);
        let curve = |&(name, part): &(&str, SearchPart)| {
            let point = |(row, (_, profile)): (u32, &Row)| {
                Some(Point { x: row.into(), y: profile.percent(part)?, error: 0.0 })
            };
            Curve { name: name.to_owned(), points: rows().filter_map(point).collect() }
        };
        let panel = Panel {
            width: 560.0,
            x: Axis::whole("row of the table", 1, u32::try_from(self.rows.len()).unwrap_or(1)),
            y: Axis::percent("percent of the time of the search"),
            curves: PARTS.iter().map(curve).collect(),
        };
        chart::draw(&self.title, &[panel])
    }
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
        assert!(roxmltree::Document::parse(&report.chart()).is_ok());
    }
}
