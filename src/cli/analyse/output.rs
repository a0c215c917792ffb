//! What is shown and written of an analysis, besides the games.

use std::io::Write;

use serde_json::{Value, json};

use super::super::Failure;
use super::super::places::Places;
use super::Args;
use analysis::page;
use analysis::problem::Collection;
use analysis::report;
use analysis::store::Store;
use analysis::summary::Tally;

/// Games that are told of one by one on the screen.
const MOST_LINES: usize = 40;

/// Shows and writes the reports.
pub(super) fn conclude(args: &Args, places: &Places, store: &Store) -> Result<(), Failure> {
    let mut tally = Tally::default();
    let (mut lines, mut shown, mut games) = (Vec::new(), Vec::new(), Vec::new());
    let mut problems = Collection::default();
    for record in store.items()? {
        let mut record = record?;
        tally.add(&record);
        if lines.len() < MOST_LINES {
            lines.push(report::line(&record));
        }
        problems.add(&record);
        if args.html.is_some() {
            shown.push(page::game(&record));
        }
        if args.json.is_some() {
            // It is in a file of its own.
            record.pdn.clear();
            games.push(serde_json::to_value(&record).unwrap_or(Value::Null));
        }
    }
    let header = store.header();
    let mut out = places.shown();
    for line in &lines {
        writeln!(out, "{line}")?;
    }
    let more = tally.games().saturating_sub(lines.len() as u64);
    if more > 0 {
        writeln!(out, "... and {more} more, all in {}", store.pdn_path().display())?;
    }
    write!(out, "\n{}", report::text(&tally))?;
    if args.problems.is_some() {
        writeln!(out, "{problems}")?;
    }
    places.write(args.problems.as_deref(), || problems.pdn())?;
    places.write(args.json.as_deref(), || {
        let report = json!({ "header": header, "players": tally.players(), "games": games });
        format!("{report}\n")
    })?;
    places.write(args.html.as_deref(), || {
        page::page("Analysed games", &header.judge, &header.limits, &tally, &shown)
    })
}
