//! `kelso prove`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::builder::PossibleValue;

use super::egdb;
use crate::cli::arguments::files::Overwrite;
use crate::cli::outcome::{Outcome, Status, stop_on_signal};
use crate::cli::progress::Progress;
use crate::cli::values::{at_least, named, output, position, seconds, within};
use draughts::board::Position;
use draughts::notation::fen;
use draughts::result::Wdl;
use endgames::{Databases, MAX_PIECES};
use proof::{Certificate, Leaves, Prover, Unproved};
use runs::file;
use runs::outputs::{OutputPath, Outputs};
use text::plural::counted;

/// Prove that a position is won, drawn or lost
///
/// The proof is a certificate, a text file that `examples/python/check_proof.py` can check without this
/// program; docs/proofs.md describes it. By default, the certificate relies on endgame databases with fewer
/// pieces than the position. The exit status is 1 if no proof is found.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Position as a FEN
    #[arg(value_parser = position)]
    fen: Position,
    /// Prove only this value for the side to move [default: any]
    #[arg(long, value_parser = named([Wdl::Win, Wdl::Draw, Wdl::Loss], |value| PossibleValue::new(value.word())))]
    claim: Option<Wdl>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: Option<Duration>,
    /// Stop after N nodes
    #[arg(long, value_name = "N", value_parser = at_least(1_u64))]
    nodes: Option<u64>,
    /// Write the certificate to FILE. An unfinished proof is saved in FILE.state
    #[arg(long, short, value_name = "FILE", value_parser = output())]
    out: Option<OutputPath>,
    /// Resume an unfinished proof
    #[arg(long, requires = "out")]
    resume: bool,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Write a certificate that relies on no databases
    #[arg(long, conflicts_with = "leaves")]
    self_contained: bool,
    /// Rely only on databases of up to N pieces
    #[arg(long, value_name = "N", value_parser = within(2..=MAX_PIECES))]
    leaves: Option<u32>,
    /// Directory of the endgame databases [default: the one in your data directory]
    #[arg(long, value_name = "DIR")]
    egdb: Option<PathBuf>,
    #[command(flatten)]
    progress: Progress,
}

pub fn run(args: &Args) -> Outcome {
    let state = args.state();
    let outputs = args.overwrite.outputs().writes(&args.out);
    let outputs = outputs.keeps(args.resume, state.clone()).check()?;
    let databases = egdb::open(args.egdb.as_ref(), MAX_PIECES)?;
    egdb::report_problems(&databases);
    let mut prover = Prover::new(args.leaves(&databases), args.nodes.unwrap_or(u64::MAX));
    if let Some(path) = state.as_deref().filter(|path| args.resume && path.exists()) {
        let bytes = fs::read(path).with_context(|| format!("cannot read \"{}\"", path.display()))?;
        let resumed = prover.resume(&args.fen, &bytes);
        resumed.with_context(|| format!("cannot resume from \"{}\"", path.display()))?;
    }
    let interrupt = stop_on_signal();
    let bar = args.progress.bar(0, "{human_pos} nodes, {elapsed}");
    let began = Instant::now();
    let result = prover.prove(&args.fen, args.claim, &mut |nodes| {
        bar.set_position(nodes);
        !interrupt.is_stopped() && args.time.is_none_or(|time| began.elapsed() < time)
    });
    bar.finish_and_clear();
    let sound = egdb::report_problems(&databases);
    match result {
        Ok(certificate) => {
            args.write(&outputs, &certificate)?;
            if let Some(state) = state.filter(|path| path.exists()) {
                fs::remove_file(&state).with_context(|| format!("cannot remove \"{}\"", state.display()))?;
            }
            Ok(Status::Success)
        }
        Err(bug @ Unproved::Check(_)) if sound => {
            let request = || format!("{}: this is a bug, please report the position", fen::format(&args.fen));
            Err(bug).with_context(request)
        }
        Err(error) => {
            let unfinished = matches!(error, Unproved::Nodes { .. } | Unproved::Stopped { .. });
            writeln!(outputs.shown(), "{}: not proved: {error}", fen::format(&args.fen))?;
            if let Some(path) = state.filter(|_| unfinished) {
                save(&prover, args, &path)?;
            }
            Ok(if interrupt.is_stopped() { Status::Interrupted } else { Status::Failure })
        }
    }
}

fn save(prover: &Prover<'_>, args: &Args, path: &Path) -> anyhow::Result<()> {
    file::write(path, &prover.save(&args.fen))?;
    args.progress.say("to resume, repeat the command with --resume");
    Ok(())
}

impl Args {
    /// Returns the file of an unfinished proof.
    fn state(&self) -> Option<OutputPath> {
        Some(self.out.as_ref().filter(|out| out.as_file().is_some())?.extended(".state"))
    }

    fn leaves<'a>(&self, databases: &'a Databases) -> Leaves<'a> {
        let fewer = self.fen.piece_count().saturating_sub(1);
        match self.leaves {
            _ if self.self_contained => Leaves::none(databases),
            Some(pieces) => Leaves::up_to(databases, pieces),
            None => Leaves::up_to(databases, fewer),
        }
    }

    fn write(&self, outputs: &Outputs, certificate: &Certificate) -> anyhow::Result<()> {
        let text = certificate.to_string();
        let leaves = match certificate.leaves.len() {
            0 => "no database".to_owned(),
            files => counted(files as u64, "database file"),
        };
        writeln!(
            outputs.shown(),
            "{}: {}, proved by {} and {leaves}, {}",
            fen::format(&self.fen),
            certificate.claim,
            counted(certificate.positions() as u64, "position"),
            counted(text.len() as u64, "byte")
        )?;
        Ok(outputs.write(self.out.as_ref(), || text)?)
    }
}
