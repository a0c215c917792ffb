//! The reports of an analysis.

use std::io::Write;

use serde_json::{Value, json};

use super::Args;
use analysis::page;
use analysis::problem::Collection;
use analysis::report;
use analysis::store::Store;
use analysis::summary::Summary;
use common::outputs::Checked;

/// The number of games listed on the screen.
const MAX_LINES: usize = 40;

/// Shows and writes the reports.
pub(super) fn write_reports(args: &Args, outputs: &Checked, store: &Store) -> anyhow::Result<()> {
    let mut summary = Summary::default();
    let (mut lines, mut shown, mut games) = (Vec::new(), Vec::new(), Vec::new());
    let mut problems = Collection::default();
    for record in store.items()? {
        let mut record = record?;
        summary.add(&record);
        if lines.len() < MAX_LINES {
            lines.push(report::line(&record));
        }
        problems.add(&record);
        if args.reports.html.is_some() {
            shown.push(page::game(&record));
        }
        if args.reports.json.is_some() {
            // The PDN has a file of its own.
            record.pdn.clear();
            games.push(serde_json::to_value(&record).unwrap_or(Value::Null));
        }
    }
    let header = store.header();
    let mut out = outputs.shown();
    for line in &lines {
        writeln!(out, "{line}")?;
    }
    let more = summary.games().saturating_sub(lines.len() as u64);
    if more > 0 {
        writeln!(out, "... and {more} more, all in {}", store.pdn_path().display())?;
    }
    write!(out, "\n{}", report::text(&summary))?;
    if args.problems.is_some() {
        writeln!(out, "{problems}")?;
    }
    outputs.write(args.problems.as_deref(), || problems.pdn())?;
    outputs.write(args.reports.json.as_deref(), || {
        let report = json!({ "header": header, "players": summary.players(), "games": games });
        format!("{report}\n")
    })?;
    outputs.write(args.reports.html.as_deref(), || {
        page::page("Analysed games", &header.judge, &header.limits, &summary, &shown)
    })?;
    Ok(())
}
