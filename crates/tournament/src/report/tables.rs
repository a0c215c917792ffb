//! The parts of a report, shared by the text and the page.

use std::collections::BTreeSet;

use super::{EngineResult, MatchReport, plus_minus, strength, superiority};
use crate::match_game::Termination;
use kelso_draughts::result::WdlCounts;
use kelso_reports::statistics::Estimate;
use kelso_reports::table::{Rows, Table, cut};

/// Maximum width of a name. Longer names are truncated.
const MAX_NAME_WIDTH: usize = 32;
/// The maximum number of columns of a cross-table on a terminal.
const MAX_CROSS_WIDTH: usize = 10;

pub(super) enum Section {
    /// A table, with a heading unless its columns are self-explanatory.
    Table(Option<String>, Table),
    Lines(Vec<String>),
}

/// Creates all parts of a report, in order.
pub(super) fn sections(report: &MatchReport) -> Vec<Section> {
    let pairs = "Game pairs by points".to_owned();
    let cross_table = format!("Cross-table, won-drawn-lost for the {} on the left", report.players());
    let parts = [
        Some(Section::Table(None, standings(report))),
        interval(report).map(|line| Section::Lines(vec![line])),
        pairs_table(report).map(|table| Section::Table(Some(pairs), table)),
        report.test.as_ref().map(|test| Section::Lines(vec![format!("SPRT {}: {test}", test.settings)])),
        cross(report).map(|table| Section::Table(Some(cross_table), table)),
        performance(report).map(|table| Section::Table(None, table)),
        (report.games > 0).then(|| Section::Lines(summary(report))),
    ];
    parts.into_iter().flatten().collect()
}

/// Explains the intervals, if there are any.
fn interval(report: &MatchReport) -> Option<String> {
    if report.is_human() {
        let words = "ratings are in Elo, and 0 is their average; ± is 95% confidence, with the opponents' ratings \
                     taken as exact";
        return report.engines.iter().any(|entry| entry.rating.is_some()).then(|| words.to_owned());
    }
    let mut estimates = report.engines.iter().filter_map(|entry| entry.estimate.as_ref());
    estimates.any(Estimate::is_bounded).then(|| {
        "± is 95% confidence; nElo is Elo normalized by the spread of the results of pairs of games"
            .to_owned()
    })
}

/// Summarises all games: how many were drawn, and how they ended.
fn summary(report: &MatchReport) -> Vec<String> {
    let black = report.black;
    let results = format!(
        "Drawn {:.1}% of games; Black won {}, White won {} (Black's score {:.1}%); {:.1} plies per game",
        report.draw_ratio * 100.0,
        black.wins,
        black.losses,
        black.score() * 100.0,
        report.plies
    );
    let reasons: Vec<_> =
        report.reasons.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
    let are_known = report.reasons.keys().any(|&reason| reason != Termination::Unknown);
    let ends = are_known.then(|| format!("Ended by: {}", reasons.join(", ")));
    [Some(results), ends].into_iter().flatten().collect()
}

/// Starts a table of engines with their names.
fn engines<'a>(report: &'a MatchReport, heading: &str) -> Rows<'a, EngineResult> {
    Table::of(&report.engines).words(heading, |entry| cut(&entry.name, MAX_NAME_WIDTH))
}

fn by_color(table: Rows<'_, EngineResult>) -> Rows<'_, EngineResult> {
    table
        .number("black W-D-L", |entry| balance(&entry.as_black))
        .number("white W-D-L", |entry| balance(&entry.as_white))
}

/// Creates the table of standings. Human players, who play few games against many opponents, have ratings
/// instead of estimates of strength.
fn standings(report: &MatchReport) -> Table {
    let table = engines(report, report.players())
        .number("games", |entry| entry.wdl.total())
        .number("won", |entry| entry.wdl.wins)
        .number("drawn", |entry| entry.wdl.draws)
        .number("lost", |entry| entry.wdl.losses)
        .number("score", |entry| format!("{:.1}%", entry.wdl.score() * 100.0));
    if report.is_human() {
        return by_color(table).number("rating", rating).build();
    }
    table
        .number("Elo", |entry| strength(entry.estimate.as_ref(), |estimate| plus_minus(&estimate.elo)))
        .number("nElo", |entry| strength(entry.estimate.as_ref(), |estimate| plus_minus(&estimate.nelo)))
        .number("LOS", |entry| superiority(entry.estimate.as_ref()))
        .build()
}

fn pairs_table(report: &MatchReport) -> Option<Table> {
    let mut table = engines(report, "engine");
    for (index, points) in ["0", "1/2", "1", "1 1/2", "2"].into_iter().enumerate() {
        table = table.number(points, |entry| entry.pairs.0[index]);
    }
    report.engines.iter().any(|entry| entry.pairs.count() > 0).then(|| table.build())
}

/// Creates the cross-table of at least three players.
fn cross(report: &MatchReport) -> Option<Table> {
    let rows: Vec<_> = report.engines.iter().zip(&report.cross).enumerate().collect();
    let mut table = Table::of(&rows).words(report.players(), |(row, (entry, _))| {
        format!("{} {}", row + 1, cut(&entry.name, MAX_NAME_WIDTH))
    });
    for column in 0..rows.len() {
        table = table.number(&(column + 1).to_string(), |(row, (_, results))| match results.get(column) {
            Some(wdl) if wdl.total() > 0 => balance(wdl),
            _ if *row == column => "*".to_owned(),
            _ => "-".to_owned(),
        });
    }
    (3..=MAX_CROSS_WIDTH).contains(&report.engines.len()).then(|| table.build())
}

fn balance(wdl: &WdlCounts) -> String {
    format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses)
}

/// Formats a rating with its error, if there is one.
fn rating(entry: &EngineResult) -> String {
    let rating = entry.rating.zip(entry.rating_error);
    rating.map_or_else(|| "-".to_owned(), |(rating, error)| format!("{rating:+.0} ± {error:.0}"))
}

/// Formats a number that may be unknown.
fn known(value: Option<f64>, factor: f64, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.digits$}", value * factor))
}

/// Creates the table of results by colour, speed, depth and faults.
fn performance(report: &MatchReport) -> Option<Table> {
    let kinds: BTreeSet<Termination> =
        report.engines.iter().flat_map(|entry| entry.faults.keys().copied()).collect();
    let mut table = by_color(engines(report, "engine"))
        .number("ms/move", |entry| known(entry.moves.seconds, 1e3, 3))
        .number("depth", |entry| known(entry.moves.depth, 1.0, 1))
        .number("knodes/s", |entry| known(entry.moves.speed, 1e-3, 0))
        .number("faults", |entry| entry.faults.values().sum::<u64>());
    // One column for each kind of fault that occurred.
    for kind in &kinds {
        table = table.number(&kind.to_string(), |entry| entry.faults.get(kind).copied().unwrap_or(0));
    }
    (!report.is_human()).then(|| table.build())
}
