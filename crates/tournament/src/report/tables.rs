//! The tables of a report, for text and for the page.

use super::{Entry, Summary, plus_minus, strength, superiority};
use common::statistics::Wdl;
use common::table::Table;
use draughts::referee::Reason;

/// Names take this much of a line at most; longer ones are cut.
const WIDEST_NAME: usize = 32;
/// A cross-table of more would be wider than any terminal.
const WIDEST_CROSS: usize = 10;

/// A name as it fits in its column.
fn short(name: &str) -> String {
    if name.chars().count() <= WIDEST_NAME {
        return name.to_owned();
    }
    name.chars().take(WIDEST_NAME - 1).chain(['…']).collect()
}

/// Who has won how much, and how sure that is.
pub(super) fn standings(summary: &Summary) -> Table {
    if summary.is_human() {
        return people(summary);
    }
    let heads = ["engine", "games", "won", "drawn", "lost", "score", "Elo", "nElo", "LOS"];
    let mut table = Table::new(1, heads);
    for Entry { name, wdl, estimate, .. } in &summary.engines {
        let estimate = estimate.as_ref();
        table.row([
            short(name),
            wdl.games().to_string(),
            wdl.wins.to_string(),
            wdl.draws.to_string(),
            wdl.losses.to_string(),
            format!("{:.1}%", wdl.score() * 100.0),
            strength(estimate, |estimate| plus_minus(&estimate.elo)),
            strength(estimate, |estimate| plus_minus(&estimate.nelo)),
            superiority(estimate),
        ]);
    }
    table
}

/// The same of people, for whose few games against many an estimate of strength means little.
fn people(summary: &Summary) -> Table {
    let heads = ["player", "games", "won", "drawn", "lost", "score", "black W-D-L", "white W-D-L"];
    let mut table = Table::new(1, heads);
    for Entry { name, wdl, as_black, as_white, .. } in &summary.engines {
        table.row([
            short(name),
            wdl.games().to_string(),
            wdl.wins.to_string(),
            wdl.draws.to_string(),
            wdl.losses.to_string(),
            format!("{:.1}%", wdl.score() * 100.0),
            balance(as_black),
            balance(as_white),
        ]);
    }
    table
}

/// Pairs of games on one opening, by points.
pub(super) fn pairs(summary: &Summary) -> Option<Table> {
    let mut table = Table::new(1, ["engine", "0", "1/2", "1", "1 1/2", "2"]);
    for Entry { name, pairs, .. } in &summary.engines {
        table.row(std::iter::once(short(name)).chain(pairs.0.iter().map(ToString::to_string)));
    }
    summary.engines.iter().any(|entry| entry.pairs.count() > 0).then_some(table)
}

/// Who has won how much against whom, of more than two and few enough.
pub(super) fn cross(summary: &Summary) -> Option<Table> {
    let heads = (1..=summary.engines.len()).map(|number| number.to_string());
    let mut table = Table::new(1, std::iter::once(summary.players().to_owned()).chain(heads));
    for (row, (entry, results)) in summary.engines.iter().zip(&summary.cross).enumerate() {
        let results = results.iter().enumerate().map(|(column, wdl)| match wdl.games() {
            0 if row == column => "*".to_owned(),
            0 => "-".to_owned(),
            _ => balance(wdl),
        });
        table.row(std::iter::once(format!("{} {}", row + 1, short(&entry.name))).chain(results));
    }
    (3..=WIDEST_CROSS).contains(&summary.engines.len()).then_some(table)
}

/// Won, drawn and lost.
fn balance(wdl: &Wdl) -> String {
    format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses)
}

/// How the engines played: by colour, how fast, how deep, and what went wrong.
pub(super) fn efforts(summary: &Summary) -> Option<Table> {
    let heads =
        ["engine", "black W-D-L", "white W-D-L", "ms/move", "depth", "knodes/s", "late", "crashed", "other"];
    let mut table = Table::new(1, heads);
    for entry in &summary.engines {
        let number = |value: Option<f64>, factor: f64, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{:.digits$}", value * factor))
        };
        let count = |reason| entry.faults.get(&reason).copied().unwrap_or(0);
        let all: u64 = entry.faults.values().sum();
        let (late, crashed) = (count(Reason::Time), count(Reason::Crash));
        table.row([
            short(&entry.name),
            balance(&entry.as_black),
            balance(&entry.as_white),
            number(entry.seconds, 1e3, 3),
            number(entry.depth, 1.0, 1),
            number(entry.speed, 1e-3, 0),
            late.to_string(),
            crashed.to_string(),
            (all - late - crashed).to_string(),
        ]);
    }
    (!summary.is_human()).then_some(table)
}
