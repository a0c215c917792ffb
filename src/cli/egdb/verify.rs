//! `kelso egdb verify`.

use anyhow::{Context, anyhow, bail};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice::from_ref;
use std::time::Instant;

use super::super::interrupt;
use super::super::progress::bar;
use super::super::{Outcome, interrupted, say, threads};
use super::{FolderArg, tell_problems};
use common::count::{counted, grouped};
use common::outputs::Outputs;
use draughts::notation::fen;
use draughts::notation::syntax::Quoted;
use endgames::{Content, Header, MAX_PIECES, Part, Slice, Verification, Wld, verify};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    place: FolderArg,
    /// Only positions with up to this many pieces
    #[arg(long, default_value_t = MAX_PIECES, value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
    pieces: u32,
    /// Only this slice, or these in their order: men and kings of both sides, the side to move first, as in 21v10
    #[arg(long)]
    slice: Vec<Slice>,
    /// A sample of about this many positions of each slice instead of all
    #[arg(long, value_name = "POSITIONS", value_parser = super::super::at_least_one::<u64>)]
    sample: Option<u64>,
    /// Keep in this file what has been verified, and leave out what it says already
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Threads; one for each processor core if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// How many contradictions are shown.
const EXAMPLES: usize = 10;

/// What is worked on, and how much of everything is done.
const BAR: &str = "{msg:9} {wide_bar} {percent:>3}%  {per_sec:>13}  {eta} left";

pub(super) fn run(args: &Args) -> Outcome {
    let (databases, sound) = args.place.check(MAX_PIECES)?;
    let mut files: Vec<&Header> = databases
        .files()
        .filter(|(_, path)| args.place.dir.is_none() || path.is_some())
        .map(|(header, _)| header)
        .collect();
    files.retain(|header| match &args.slice[..] {
        [] => header.slice.pieces() <= args.pieces,
        slices => slices.contains(&header.slice),
    });
    files.sort_by_key(|header| {
        let place = args.slice.iter().position(|slice| *slice == header.slice);
        (place, header.content.extension(), header.slice.pieces(), header.slice)
    });
    if files.is_empty() {
        bail!("no database to verify");
    }
    let tables = databases.files().filter_map(|(_, path)| path);
    let outputs = Outputs::new(true).reads(tables);
    args.journal.iter().fold(outputs, |outputs, path| outputs.writes_file("--journal", path)).check()?;
    let mut journal = Journal::open(args.journal.as_deref())?;
    let parts: Vec<(Part, String)> = files
        .iter()
        .flat_map(|header| {
            Part::all(header.content, header.slice, args.sample)
                .into_iter()
                .map(|part| (name(header, &part), part))
        })
        .map(|(name, part)| (part, name))
        .collect();
    let interrupt = interrupt::listen();
    let bar = bar(parts.iter().map(|(part, _)| part.positions()).sum(), BAR);
    let began = Instant::now();
    let mut sum = Verification::default();
    for (part, name) in &parts {
        if let Some((checked, wrong)) = journal.found.get(name) {
            sum.checked += checked;
            sum.wrong += wrong;
            bar.inc(part.positions());
            bar.reset_eta();
            continue;
        }
        bar.set_message(part.content.file_name(part.slice));
        let found = verify(&databases, from_ref(part), threads(args.threads), &|positions| {
            bar.inc(positions);
            !interrupt.is_stopped()
        });
        if interrupt.is_stopped() {
            break;
        }
        // What could not be told yet is not done.
        if found.open == 0 {
            journal.add(name, &found)?;
        }
        sum.open += found.open;
        sum.checked += found.checked;
        sum.wrong += found.wrong;
        let room = EXAMPLES.saturating_sub(sum.examples.len());
        sum.examples.extend(found.examples.into_iter().take(room));
    }
    bar.finish_and_clear();
    let sound = tell_problems(&databases) && sound;
    let mut out = stdout().lock();
    for example in &sum.examples {
        let show = |value: Option<(Wld, Option<u32>)>| match value {
            None => "nothing".to_owned(),
            Some((result, None)) => result.to_string(),
            Some((result, Some(plies))) => format!("{result} {plies}"),
        };
        writeln!(
            out,
            "wrong: {} {}: found {}, expected {}",
            example.content,
            fen::format(&example.position),
            show(example.found),
            show(example.expected)
        )?;
    }
    writeln!(
        out,
        "{} of {} verified in {:.1} s, {} wrong",
        counted(sum.checked, "position"),
        counted(files.len() as u64, "slice"),
        began.elapsed().as_secs_f64(),
        grouped(sum.wrong)
    )?;
    if sum.open > 0 {
        let open = counted(sum.open, "position");
        writeln!(out, "{open} could not be verified: what they lead to is not there, or damaged")?;
    }
    if interrupt.is_stopped() {
        say(if args.journal.is_some() {
            "stopped; the same command goes on"
        } else {
            "stopped before the end"
        });
        return Ok(interrupted());
    }
    Ok(if sum.wrong == 0 && sum.open == 0 && sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A part as the journal names it. The checksum is that of the file it was verified in.
fn name(header: &Header, part: &Part) -> String {
    let Part { content, slice, numbers, step } = part;
    format!("{content} {slice} {}-{} step {step} of {:08x}", numbers.start, numbers.end, header.checksum())
}

/// What has been verified: a line for each part, with how many positions were looked at and how many were wrong.
struct Journal {
    file: Option<(PathBuf, File)>,
    found: HashMap<String, (u64, u64)>,
}

impl Journal {
    /// Reads what there is, and makes ready for more. A line that was being written when that was killed is gone.
    fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let mut journal = Self { file: None, found: HashMap::new() };
        let Some(path) = path else { return Ok(journal) };
        let failed = |error: io::Error| anyhow!("{}: {error}", path.display());
        let mut options = File::options();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in text.get(..whole).unwrap_or_default().lines().enumerate() {
            let (name, counts) = entry(line).ok_or_else(|| {
                let line = Quoted(line);
                anyhow!(
                    "{}: line {}: {line} is no line of this command's journal",
                    path.display(),
                    number + 1
                )
            })?;
            journal.found.insert(name.to_owned(), counts);
        }
        let cut = text.get(whole..).unwrap_or_default();
        let begins = |content: Content| {
            let word = content.to_string();
            word.starts_with(cut) || cut.starts_with(&word)
        };
        if !Content::BOTH.into_iter().any(begins) {
            bail!("{}: {} is no line of this command's journal", path.display(), Quoted(cut));
        }
        file.set_len(whole as u64).map_err(failed)?;
        journal.file = Some((path.to_owned(), file));
        Ok(journal)
    }

    fn add(&mut self, name: &str, found: &Verification) -> anyhow::Result<()> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let written = writeln!(file, "{name}: {} checked, {} wrong", found.checked, found.wrong);
        written.with_context(|| format!("{}", path.display()))
    }
}

/// The part that a line of the journal names, and the counts.
fn entry(line: &str) -> Option<(&str, (u64, u64))> {
    let (name, counts) = line.split_once(": ")?;
    let (checked, wrong) = counts.strip_suffix(" wrong")?.split_once(" checked, ")?;
    Some((name, (checked.parse().ok()?, wrong.parse().ok()?)))
}
