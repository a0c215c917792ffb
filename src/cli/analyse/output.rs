//! Reports of an analysis.

use std::io::Write;

use serde_json::json;

use super::Args;
use kelso_analysis::problem_collection::ProblemCollection;
use kelso_analysis::record::AnalysisHeader;
use kelso_analysis::report::{self, AnalysisSummary};
use kelso_batch::checkpoint::Checkpoint;
use kelso_batch::outputs::Outputs;

/// The number of games listed on the screen.
const MAX_LINES: usize = 40;

/// Prints the report. Writes the other reports if the run is complete.
pub(super) fn write_reports(
    args: &Args,
    outputs: &Outputs,
    store: &Checkpoint<AnalysisHeader>,
    is_complete: bool,
) -> anyhow::Result<()> {
    let mut summary = AnalysisSummary::default();
    let mut lines = Vec::new();
    let mut shown = Vec::new();
    let mut games = Vec::new();
    let mut problems = ProblemCollection::default();
    for record in store.items()? {
        let record = record?;
        summary.add(&record);
        if lines.len() < MAX_LINES {
            lines.push(report::line(&record));
        }
        problems.add(&record);
        if args.reports.html.is_some() {
            shown.push(report::game(&record));
        }
        if args.reports.json.is_some() {
            let mut game = serde_json::to_value(&record)?;
            // The PDN is written to a separate file.
            game.as_object_mut().and_then(|game| game.remove("pdn"));
            games.push(game);
        }
    }
    let header = store.header();
    let mut out = outputs.shown();
    for line in &lines {
        writeln!(out, "{line}")?;
    }
    let more = summary.games.saturating_sub(lines.len() as u64);
    if more > 0 {
        let pdn = args.run.out.extended(".pdn");
        writeln!(out, "... and {more} more, all in \"{}\"", pdn.display())?;
    }
    write!(out, "\n{}", report::text(&summary))?;
    if args.problems.is_some() {
        writeln!(out, "{problems}")?;
    }
    if !is_complete {
        return Ok(());
    }
    outputs.write(args.problems.as_ref(), || problems.pdn())?;
    outputs.write(args.reports.json.as_ref(), || {
        let report = json!({ "header": header, "players": summary.players(), "games": games });
        format!("{report}\n")
    })?;
    outputs.write(args.reports.html.as_ref(), || {
        report::page("Analysed games", &header.judge, &header.limits, &summary, &shown)
    })?;
    Ok(())
}
