//! What is shown and written of an analysis, besides the games.

use std::io::Write;

use serde_json::{Value, json};

use super::Args;
use analysis::page;
use analysis::problem::Collection;
use analysis::report;
use analysis::store::Store;
use analysis::summary::Tally;
use common::outputs::Checked;

/// Games that are told of one by one on the screen.
const MOST_LINES: usize = 40;

/// Shows and writes the reports.
pub(super) fn conclude(args: &Args, outputs: &Checked, store: &Store) -> anyhow::Result<()> {
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
        if args.reports.html.is_some() {
            shown.push(page::game(&record));
        }
        if args.reports.json.is_some() {
            // It is in a file of its own.
            record.pdn.clear();
            games.push(serde_json::to_value(&record).unwrap_or(Value::Null));
        }
    }
    let header = store.header();
    let mut out = outputs.shown();
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
    outputs.write(args.problems.as_deref(), || problems.pdn())?;
    outputs.write(args.reports.json.as_deref(), || {
        let report = json!({ "header": header, "players": tally.players(), "games": games });
        format!("{report}\n")
    })?;
    outputs.write(args.reports.html.as_deref(), || {
        page::page("Analysed games", &header.judge, &header.limits, &tally, &shown)
    })?;
    Ok(())
}
