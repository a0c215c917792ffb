//! `kelso egdb verify`.

use anyhow::bail;
use std::collections::HashMap;
use std::io::{Write, stdout};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{Installed, report_problems};
use crate::cli::arguments::engine::Threads;
use crate::cli::outcome::{INCOMPLETE, Outcome, REPEAT, interrupted, stop_on_signal};
use crate::cli::progress::bar;
use crate::cli::values::{at_least, output_file};
use builder::{Contradiction, SlicePart, Verification, verify};
use draughts::notation::fen;
use draughts::result::KnownValue;
use endgames::{DatabaseHeader, MAX_PIECES, Slice};
use runs::checkpoint::{Checkpoint, CheckpointHeader, ResumePolicy};
use runs::outputs::{OutputPath, Outputs};
use text::plural::{counted, grouped};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    installed: Installed,
    /// Verify only this slice; can be repeated. 21v10 is two men and a king to move against one man
    #[arg(long)]
    slice: Vec<Slice>,
    /// Verify about N positions per slice
    #[arg(long, value_name = "N", value_parser = at_least(1_u64))]
    sample: Option<u64>,
    /// Record verified parts in FILE and skip those already recorded
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    journal: Option<OutputPath>,
    #[command(flatten)]
    threads: Threads,
}

const BAR: &str = "{msg:9} {wide_bar} {percent:>3}%  {per_sec:>13}  {eta} left";

pub(super) fn run(args: &Args) -> Outcome {
    let (databases, sound) = args.installed.place.check(MAX_PIECES)?;
    let mut files: Vec<&DatabaseHeader> = databases
        .files()
        .filter(|(_, path)| args.installed.place.egdb.is_none() || path.is_some())
        .map(|(header, _)| header)
        .collect();
    files.retain(|header| match &args.slice[..] {
        [] => header.slice.pieces() <= args.installed.pieces,
        slices => slices.contains(&header.slice),
    });
    files.sort_by_key(|header| {
        let place = args.slice.iter().position(|slice| *slice == header.slice);
        (place, header.content.extension(), header.slice.pieces(), header.slice)
    });
    if files.is_empty() {
        bail!("there are no databases to verify");
    }
    let tables = databases.files().filter_map(|(_, path)| path);
    Outputs::new(true).reads(tables).writes(&args.journal).check()?;
    let mut verified = Verified::open(args.journal.as_deref())?;
    let parts = files.iter().flat_map(|header| {
        let parts = SlicePart::all(header.content, header.slice, args.sample);
        parts.into_iter().map(|part| (name(header, &part), part))
    });
    let parts: Vec<(String, SlicePart)> = parts.collect();
    let interrupt = stop_on_signal();
    let bar = bar(parts.iter().map(|(_, part)| part.positions()).sum::<u64>(), BAR);
    let began = Instant::now();
    let mut sum = Verification::default();
    for (name, part) in &parts {
        if let Some(known) = verified.parts.get(name) {
            sum = sum.plus(known.clone());
            bar.inc(part.positions());
            bar.reset_eta();
            continue;
        }
        bar.set_message(part.content.file_name(part.slice));
        let found = verify(&databases, part, args.threads.count(), &|positions| {
            bar.inc(positions);
            !interrupt.is_stopped()
        });
        if interrupt.is_stopped() {
            break;
        }
        // A part with unverifiable positions is not finished.
        if found.unknown == 0 {
            verified.add(name, &found)?;
        }
        sum = sum.plus(found);
    }
    bar.finish_and_clear();
    let sound = report_problems(&databases) && sound;
    let mut out = stdout().lock();
    let show =
        |value: Option<KnownValue>| value.map_or_else(|| "nothing".to_owned(), |known| known.to_string());
    for Contradiction { content, position, found, expected } in &sum.examples {
        let (fen, found, expected) = (fen::format(position), show(*found), show(*expected));
        writeln!(out, "wrong: {content} {fen}: found {found}, expected {expected}")?;
    }
    let (checked, slices) = (counted(sum.checked, "position"), counted(files.len() as u64, "slice"));
    let (seconds, wrong) = (began.elapsed().as_secs_f64(), grouped(sum.wrong));
    writeln!(out, "{checked} of {slices} verified in {seconds:.1} s, {wrong} wrong")?;
    if sum.unknown > 0 {
        let open = counted(sum.unknown, "position");
        writeln!(out, "{open} could not be verified: databases of their successors are missing or damaged")?;
    }
    if interrupt.is_stopped() {
        return Ok(interrupted(if args.journal.is_some() { REPEAT } else { INCOMPLETE }));
    }
    Ok((sum.wrong == 0 && sum.unknown == 0 && sound).into())
}

/// Returns the name of a part on disk, with the checksum of its database.
fn name(header: &DatabaseHeader, part: &SlicePart) -> String {
    let SlicePart { content, slice, numbers, step } = part;
    format!("{content} {slice} {}-{} step {step} of {:08x}", numbers.start, numbers.end, header.checksum())
}

/// The header of a file of verified parts. It is empty: parts are named after the files that they belong to,
/// so they share no settings.
#[derive(Serialize, Deserialize)]
struct VerifyHeader {}

#[derive(Serialize, Deserialize)]
struct VerifiedPart {
    #[serde(rename = "n")]
    number: u64,
    part: String,
    checked: u64,
    wrong: u64,
}

impl CheckpointHeader for VerifyHeader {
    type Item = VerifiedPart;
    const FORMAT: &'static str = "kelso_verify";
    const JOB: &'static str = "verification";
    const EXTENSION: &'static str = "";
    const REMEDY: &'static str = "remove this line to verify its part again";

    fn number(part: &VerifiedPart) -> u64 {
        part.number
    }
}

/// The results of the parts verified so far, by name. They are stored on disk if a file is given.
struct Verified {
    parts: HashMap<String, Verification>,
    file: Option<Checkpoint<VerifyHeader>>,
}

impl Verified {
    fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let mut parts = HashMap::new();
        let mut insert = |part: VerifiedPart| {
            let (checked, wrong) = (part.checked, part.wrong);
            parts.insert(part.part, Verification { checked, wrong, ..Verification::default() });
        };
        let open = |path| Checkpoint::open(path, VerifyHeader {}, ResumePolicy::RESUME, &mut insert);
        let file = path.map(open).transpose()?.map(|(file, _)| file);
        Ok(Self { parts, file })
    }

    fn add(&mut self, part: &str, found: &Verification) -> anyhow::Result<()> {
        let &Verification { checked, wrong, .. } = found;
        let number = self.parts.len() as u64;
        self.parts.insert(part.to_owned(), found.clone());
        match &mut self.file {
            Some(file) => Ok(file.add(&VerifiedPart { number, part: part.to_owned(), checked, wrong })?),
            None => Ok(()),
        }
    }
}
