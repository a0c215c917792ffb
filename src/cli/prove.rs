//! `kelso prove`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::builder::PossibleValue;

use super::databases;
use crate::cli::arguments::engine::cores;
use crate::cli::arguments::files::Overwrite;
use crate::cli::outcome::{Outcome, RESUME, Status};
use crate::cli::progress::Progress;
use crate::cli::values::{at_least, named, output, position, seconds, within};
use crate::cli::work::Work;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_draughts::board::Position;
use kelso_draughts::notation::fen;
use kelso_draughts::result::Wdl;
use kelso_endgames::{Databases, MAX_PIECES};
use kelso_proof::{
    Certificate, CheckError, CheckFault, Leaves, PartialResult, ProofEvent, ProofProgress, ProofRun, Prover,
    Unproved,
};
use kelso_runtime::files;
use kelso_text::plural::counted;

/// Prove that a position is won, drawn or lost
///
/// The proof is a certificate, a text file that `examples/python/check_proof.py` can check without this
/// program; docs/proofs.md describes it. By default, the certificate relies on endgame databases with fewer
/// pieces than the position. `--check` checks a certificate instead. The exit status is 1 if no proof is
/// found or a certificate is invalid.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!(
    "kelso prove B:W32:BK22,K23",
    "kelso prove B:W32:BK22,K23 --claim win --leaves 0 --out proof.txt --overwrite"
))]
pub struct Args {
    /// Position as a FEN
    #[arg(value_parser = position(), required_unless_present = "check")]
    fen: Option<Position>,
    /// Check the certificate in FILE
    #[arg(long, value_name = "FILE", conflicts_with_all =
        ["fen", "claim", "time", "nodes", "out", "resume", "leaves"])]
    check: Option<PathBuf>,
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
    /// Rely only on databases of up to N pieces; 0 for a certificate that relies on none
    #[arg(long, value_name = "N", value_parser = within(0..=MAX_PIECES))]
    leaves: Option<u32>,
    /// Directory of the endgame databases [default: the one in your data directory]
    #[arg(long, value_name = "DIR")]
    egdb: Option<PathBuf>,
    #[command(flatten)]
    progress: Progress,
}

pub fn run(args: &Args) -> Outcome {
    let fen = match (&args.fen, &args.check) {
        (Some(fen), _) => fen,
        (None, Some(certificate)) => return args.check(certificate),
        (None, None) => bail!("expected a position"),
    };
    let state = args.state();
    if args.resume
        && let Some(out) = args.finished()
    {
        return args.again(fen, out);
    }
    let outputs = args.overwrite.outputs().writes(&args.out);
    let outputs = outputs.keeps(args.resume, state.clone()).check()?;
    let databases = Databases::open(&databases::options(args.egdb.as_ref(), MAX_PIECES)?);
    databases::report_errors(&databases);
    let pieces = args.leaves.unwrap_or_else(|| fen.piece_count().saturating_sub(1));
    let mut prover = Prover::new(Leaves::up_to(&databases, pieces), args.nodes.unwrap_or(u64::MAX));
    if let Some(path) = state.as_deref().filter(|path| args.resume && path.exists()) {
        resume(&mut prover, fen, path)?;
    }
    let work = Work::begin(args.progress.bar(0, "{human_pos} nodes, {elapsed}: {msg}"));
    work.bar.set_message(PartialResult::default().to_string());
    let mut bar = ProofBar { work: &work, earlier: prover.earlier, shown: None };
    let began = Instant::now();
    let in_time = || !work.is_interrupted() && args.time.is_none_or(|time| began.elapsed() < time);
    let task = ProofRun { position: fen, claim: args.claim, state: state.as_deref(), threads: cores() };
    let result = prover.run(&task, in_time, &mut |event| bar.show(event))?;
    work.clear();
    let valid = databases::report_errors(&databases);
    let position = fen::format(fen);
    match result {
        Ok(certificate) => args.write(&position, &outputs, &certificate),
        Err(bug @ Unproved::Check(_)) if valid => {
            Err(bug).context(format!("{position}: this is a bug, please report the position"))
        }
        Err(error) => {
            writeln!(outputs.shown(), "{position}: not proved: {error}")?;
            if state.is_some() && matches!(error, Unproved::Unfinished { .. }) {
                args.progress.say(RESUME);
            }
            Ok(if work.is_interrupted() { Status::Interrupted } else { Status::Failure })
        }
    }
}

fn resume(prover: &mut Prover<'_>, position: &Position, path: &Path) -> anyhow::Result<()> {
    let bytes =
        files::read_regular(path, u64::MAX).with_context(|| format!("cannot read \"{}\"", path.display()))?;
    let resumed = prover.resume(position, &bytes);
    resumed.with_context(|| format!("cannot resume from \"{}\"", path.display()))
}

/// Shows the progress of a proof.
struct ProofBar<'a> {
    work: &'a Work,
    /// The nodes of earlier runs.
    earlier: u64,
    shown: Option<(PartialResult, u64)>,
}

impl ProofBar<'_> {
    fn show(&mut self, event: ProofEvent) {
        let bar = &self.work.bar;
        match event {
            ProofEvent::Progress(ProofProgress { nodes, result, attempt }) => {
                bar.set_position(self.earlier + nodes);
                if self.shown.replace((result, attempt)) != Some((result, attempt)) {
                    bar.set_message(match attempt {
                        0 => "writing the certificate".to_owned(),
                        _ => format!("{result}; attempts of {}", counted(attempt, "node")),
                    });
                }
            }
            ProofEvent::Building => {
                bar.set_message("building the distances of this ending, since the win is long");
            }
            ProofEvent::NotBuilt(error) => {
                self.work.say(&format!("note: no distances can be built: {error}"));
            }
        }
    }
}

impl Args {
    /// Returns the file of an unfinished proof.
    fn state(&self) -> Option<OutputPath> {
        Some(self.out.as_ref().filter(|out| out.as_file().is_some())?.extended(".state"))
    }

    /// Returns the certificate of a proof that an earlier run finished.
    fn finished(&self) -> Option<&Path> {
        let out = self.out.as_ref()?.as_file()?;
        (out.is_file() && !self.state()?.exists()).then_some(out)
    }

    /// Reports that an earlier run has proved the position.
    fn again(&self, fen: &Position, out: &Path) -> Outcome {
        const REMEDY: &str = "use --overwrite to replace it";
        let name = out.display();
        let proof = match self.valid(out)? {
            Ok(proof) => proof,
            Err(error) => bail!("\"{name}\": invalid: {error}; {REMEDY}"),
        };
        if proof.position != *fen {
            let proved = fen::format(&proof.position);
            bail!("\"{name}\" is the proof of another position, {proved}; {REMEDY}");
        }
        if self.claim.is_some_and(|claim| claim != proof.claim) {
            bail!("\"{name}\" proves another value: {}; {REMEDY}", proof.claim);
        }
        if let Some(max) = self.leaves
            && proof.leaves.iter().any(|leaf| leaf.slice.pieces() > max)
        {
            bail!("\"{name}\" relies on databases of more than {max} pieces; {REMEDY}");
        }
        writeln!(io::stdout(), "{}: {}", fen::format(fen), statement(&proof))?;
        self.progress.say("the proof is already finished");
        Ok(Status::Success)
    }

    /// Writes the certificate, and removes the file of the unfinished proof.
    fn write(&self, position: &str, outputs: &Outputs, certificate: &Certificate) -> Outcome {
        let text = certificate.to_string();
        let bytes = counted(text.len() as u64, "byte");
        writeln!(outputs.shown(), "{position}: {}, {bytes}", statement(certificate))?;
        outputs.write(self.out.as_ref(), || text)?;
        if let Some(state) = self.state().filter(|path| path.exists()) {
            fs::remove_file(&state).with_context(|| format!("cannot remove \"{}\"", state.display()))?;
        }
        Ok(Status::Success)
    }

    /// Reads and checks a certificate. The inner error is the reason why it is invalid.
    fn valid(&self, path: &Path) -> anyhow::Result<anyhow::Result<Certificate>> {
        let name = path.display();
        let bytes = files::read_regular(path, u64::MAX);
        let bytes = bytes.with_context(|| format!("cannot read \"{name}\""))?;
        let databases = Databases::open(&databases::options(self.egdb.as_ref(), MAX_PIECES)?);
        // Invalid UTF-8 becomes text that no certificate contains.
        let parsed = String::from_utf8_lossy(&bytes).parse().map_err(anyhow::Error::from);
        let checked = parsed.and_then(|certificate: Certificate| {
            kelso_proof::check(&certificate, &databases)?;
            Ok(certificate)
        });
        databases::report_errors(&databases);
        if let Err(error) = &checked
            && let Some(CheckError { fault: CheckFault::MissingDatabase(slice), .. }) = error.downcast_ref()
        {
            bail!("cannot check \"{name}\": {error}; {}", databases::remedy(*slice));
        }
        Ok(checked)
    }

    fn check(&self, path: &Path) -> Outcome {
        let (text, status) = match self.valid(path)? {
            Ok(proof) => {
                (format!("{}: {}", fen::format(&proof.position), statement(&proof)), Status::Success)
            }
            Err(error) => (format!("\"{}\": invalid: {error}", path.display()), Status::Failure),
        };
        writeln!(io::stdout(), "{text}")?;
        Ok(status)
    }
}

/// Returns what a certificate proves, and what it relies on.
fn statement(certificate: &Certificate) -> String {
    let leaves = match certificate.leaves.len() {
        0 => "no database".to_owned(),
        files => counted(files as u64, "database file"),
    };
    let positions = counted(certificate.positions() as u64, "position");
    format!("{}, proved by {positions} and {leaves}", certificate.claim)
}
