//! Reports of an analysis, and joining finished shards.

use anyhow::{anyhow, bail};
use std::io::Write;

use serde_json::json;

use super::Args;
use crate::cli::outcome::say;
use analysis::problem::ProblemCollection;
use analysis::record::AnalysisHeader;
use analysis::report::{self, AnalysisSummary};
use runs::checkpoint::{self, Checkpoint, CheckpointHeader, Loaded, ResumePolicy};
use runs::outputs::Outputs;
use runs::shard::Shard;
use runs::store::StoreError;

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
    let (mut lines, mut shown, mut games) = (Vec::new(), Vec::new(), Vec::new());
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
    let more = summary.games().saturating_sub(lines.len() as u64);
    if more > 0 {
        writeln!(out, "... and {more} more, all in \"{}\"", store.pdn_path().display())?;
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

/// Joins checkpoints that differ only in their shards.
pub(super) fn join(args: &Args) -> anyhow::Result<Checkpoint<AnalysisHeader>> {
    let states = args.input.files();
    let ResumePolicy { overwrite, any_program, salvage, .. } = args.run.policy();
    let mut common: Option<AnalysisHeader> = None;
    for state in states {
        let Loaded { header, .. } = checkpoint::read::<AnalysisHeader>(state, salvage, &mut drop)?;
        let header = AnalysisHeader { shard: Shard::WHOLE.to_string(), ..header };
        let first = common.get_or_insert_with(|| header.clone());
        if let Some(difference) = first.difference(&header) {
            bail!("\"{}\" belongs to a different analysis: {difference}", state.display());
        }
        if let Some(difference) = first.changed_program(&header).filter(|_| !any_program) {
            return Err(StoreError::ChangedProgram { path: state.clone(), difference }.into());
        }
    }
    let header = common.ok_or_else(|| anyhow!("no shards to join"))?;
    let mut joined = Checkpoint::create(&args.run.out, header, overwrite)?;
    let mut added = Ok(());
    for state in states {
        let mut add = |record| {
            if added.is_ok() {
                added = joined.add(&record);
            }
        };
        for damage in checkpoint::read::<AnalysisHeader>(state, salvage, &mut add)?.damage {
            say(&format!("note: \"{}\", {damage}; this game is left out", state.display()));
        }
    }
    added?;
    Ok(joined.finish()?)
}
