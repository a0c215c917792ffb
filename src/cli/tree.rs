//! `kelso tree`: the tree of a search, as JSON or as a page for a browser.

use clap::builder::PossibleValuesParser;

use crate::cli::arguments::files::Overwrite;
use crate::cli::arguments::position::StartOrFen;
use crate::cli::outcome::{Outcome, Status};
use crate::cli::values::{output, within};
use kelso_batch::outputs::OutputPath;
use kelso_laboratory::tree::{MAX_KEPT, json, page, record};
use kelso_laboratory::{PlayerSpec, evaluation_names, searcher_names};

/// Show a search tree
///
/// A tree larger than the limit is sampled: it keeps all nodes down to some ply, random branches below it,
/// and the best line. Every node shows the number of nodes left out below it.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso tree --depth 6 --searcher ab-tt --html -o tree.html"))]
pub struct Args {
    #[command(flatten)]
    start: StartOrFen,
    /// Depth in plies
    #[arg(long, default_value_t = 6, value_parser = within(1..=127_u8))]
    depth: u8,
    /// Search algorithm
    #[arg(long, default_value = "ab", value_parser = PossibleValuesParser::new(searcher_names()))]
    searcher: String,
    /// Evaluation function [default: v2; for alphabeta, network]
    #[arg(long, value_parser = PossibleValuesParser::new(evaluation_names()))]
    eval: Option<String>,
    /// Maximum number of nodes to keep
    #[arg(long, default_value_t = 100_000, value_parser = within(1..=MAX_KEPT))]
    limit: usize,
    /// Write an HTML page instead of JSON
    #[arg(long)]
    html: bool,
    /// Write to FILE instead of standard output
    #[arg(long, short, value_name = "FILE", value_parser = output())]
    out: Option<OutputPath>,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub fn run(args: &Args) -> Outcome {
    let root = args.start.position();
    let default = if args.searcher == "alphabeta" { "network" } else { "v2" };
    let evaluation = args.eval.as_deref().unwrap_or(default);
    let player = format!("searcher={} depth={} eval={evaluation}", args.searcher, args.depth);
    let spec = PlayerSpec::parse(&player)?;
    let outputs = args.overwrite.outputs().writes(&args.out).check()?;
    let tree = record(&root, spec, args.limit)?;
    let mut out = outputs.open(args.out.as_ref())?;
    out.write_with(|out| if args.html { page(&tree, out) } else { json(&tree, out) })?;
    out.commit()?;
    Ok(Status::Success)
}
