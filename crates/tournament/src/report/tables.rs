//! The tables of a report, for text and for the page.

use super::{Entry, Summary, plus_minus, strength, superiority};
use common::statistics::Wdl;
use common::table::{Rows, Table};
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

/// Begins a table of engines with their names.
fn engines<'a>(summary: &'a Summary, heading: &str) -> Rows<'a, Entry> {
    Table::of(&summary.engines).words(heading, |entry| short(&entry.name))
}

/// Adds the results with either colour.
fn by_color(table: Rows<'_, Entry>) -> Rows<'_, Entry> {
    table
        .number("black W-D-L", |entry| balance(&entry.as_black))
        .number("white W-D-L", |entry| balance(&entry.as_white))
}

/// Won, drawn and lost games of each engine or person. Of engines also how sure their strength is; for the few games of people
/// against many, that means little.
pub(super) fn standings(summary: &Summary) -> Table {
    let table = engines(summary, summary.players())
        .number("games", |entry| entry.wdl.games())
        .number("won", |entry| entry.wdl.wins)
        .number("drawn", |entry| entry.wdl.draws)
        .number("lost", |entry| entry.wdl.losses)
        .number("score", |entry| format!("{:.1}%", entry.wdl.score() * 100.0));
    if summary.is_human() {
        return by_color(table).build();
    }
    table
        .number("Elo", |entry| strength(entry.estimate.as_ref(), |estimate| plus_minus(&estimate.elo)))
        .number("nElo", |entry| strength(entry.estimate.as_ref(), |estimate| plus_minus(&estimate.nelo)))
        .number("LOS", |entry| superiority(entry.estimate.as_ref()))
        .build()
}

/// Pairs of games on one opening, by points.
pub(super) fn pairs(summary: &Summary) -> Option<Table> {
    let points = ["0", "1/2", "1", "1 1/2", "2"].into_iter().enumerate();
    let table = points.fold(engines(summary, "engine"), |table, (index, heading)| {
        table.number(heading, |entry| entry.pairs.0.get(index).copied().unwrap_or_default())
    });
    summary.engines.iter().any(|entry| entry.pairs.count() > 0).then(|| table.build())
}

/// Results of each against each, of more than two and few enough.
pub(super) fn cross(summary: &Summary) -> Option<Table> {
    let rows: Vec<_> = summary.engines.iter().zip(&summary.cross).enumerate().collect();
    let name = Table::of(&rows)
        .words(summary.players(), |(row, (entry, _))| format!("{} {}", row + 1, short(&entry.name)));
    let table = (0..rows.len()).fold(name, |table, column| {
        table.number(&(column + 1).to_string(), |(row, (_, results))| match results.get(column) {
            Some(wdl) if wdl.games() > 0 => balance(wdl),
            _ if *row == column => "*".to_owned(),
            _ => "-".to_owned(),
        })
    });
    (3..=WIDEST_CROSS).contains(&summary.engines.len()).then(|| table.build())
}

/// Won, drawn and lost.
fn balance(wdl: &Wdl) -> String {
    format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses)
}

/// A number that may be unknown.
fn known(value: Option<f64>, factor: f64, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.digits$}", value * factor))
}

/// How the engines played: by colour, how fast, how deep, and what went wrong.
pub(super) fn efforts(summary: &Summary) -> Option<Table> {
    let faults = |entry: &Entry, reason| entry.faults.get(&reason).copied().unwrap_or(0);
    let table = by_color(engines(summary, "engine"))
        .number("ms/move", |entry| known(entry.seconds, 1e3, 3))
        .number("depth", |entry| known(entry.depth, 1.0, 1))
        .number("knodes/s", |entry| known(entry.speed, 1e-3, 0))
        .number("late", |entry| faults(entry, Reason::Time))
        .number("crashed", |entry| faults(entry, Reason::Crash))
        .number("other", |entry| {
            entry.faults.values().sum::<u64>() - faults(entry, Reason::Time) - faults(entry, Reason::Crash)
        });
    (!summary.is_human()).then(|| table.build())
}
