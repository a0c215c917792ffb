//! `kelso egdb`: makes endgame databases, and looks into them.

use std::collections::HashSet;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::interrupt::Interrupt;
use super::progress::bar;
use super::{Failure, INTERRUPTED, Outcome, say, threads};
use crate::board::Position;
use crate::common::count::{counted, grouped};
use crate::common::table::Table;
use crate::egdb::{
    BuildError, BuildWatch, Content, Counts, Databases, Estimate, FileError, Header, MOST_PIECES, Request,
    Slice, Sources, Wld, build, default_folder, verify,
};
use crate::notation::{fen, movetext};

/// What to do with endgame databases.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Make databases: win, loss or draw of every position with few pieces
    ///
    /// What is made by default goes where every later start of the engine finds it. A build that was stopped, even by
    /// force, goes on where it was when it is started again.
    Build(BuildArgs),
    /// Show what a build does, slice by slice, and what each takes
    ///
    /// The slices come in an order in which they can be made. What is there already is shown, too.
    Plan(PlanArgs),
    /// Show which databases there are
    Info(FolderArg),
    /// Recompute values from those of the positions after each move
    Verify(VerifyArgs),
    /// Look positions up, with the result of every move
    Probe(ProbeArgs),
    /// Count wins, losses and draws for the side to move
    Stats(StatsArgs),
}

#[derive(clap::Args, Debug)]
struct FolderArg {
    /// The folder of database files; the user's data folder if none is given
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct BuildArgs {
    /// Results: of all positions with up to this many pieces
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_PIECES)))]
    pieces: u32,
    /// Distances to the end of the game: of all positions with up to this many pieces
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=i64::from(Request::MOST_DISTANCES)))]
    distances: u32,
    #[command(flatten)]
    place: FolderArg,
    /// How many slices to solve at the same time; one for each processor core if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory to use, in MiB
    #[arg(long, default_value_t = 2048, value_parser = clap::value_parser!(u64).range(32..=1 << 24))]
    memory: u64,
    /// Disk space for tables that do not fit in memory and are needed again, in MiB
    ///
    /// A slice that does not fit in memory is solved in files of the databases' folder, whatever this says.
    #[arg(long, default_value_t = 16384, value_name = "SIZE", value_parser = clap::value_parser!(u64).range(0..=1 << 24))]
    scratch: u64,
    /// Divide the work with other processes, on this machine or others, that build in the same folder
    #[arg(long)]
    share: bool,
}

#[derive(clap::Args, Debug)]
struct PlanArgs {
    /// Results: of all positions with up to this many pieces
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_PIECES)))]
    pieces: u32,
    /// Distances to the end of the game: of all positions with up to this many pieces
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=i64::from(Request::MOST_DISTANCES)))]
    distances: u32,
    /// Write JSON, one object for each pair of slices
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct VerifyArgs {
    #[command(flatten)]
    place: FolderArg,
    /// Only positions with up to this many pieces
    #[arg(long, default_value_t = MOST_PIECES, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_PIECES)))]
    pieces: u32,
    /// Only this slice: men and kings of both sides, the side to move first, as in 21v10
    #[arg(long)]
    slice: Option<Slice>,
    /// A sample of about this many positions of each slice instead of all
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Threads; one for each processor core if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(clap::Args, Debug)]
struct ProbeArgs {
    #[command(flatten)]
    place: FolderArg,
    /// Positions
    #[arg(required = true, value_name = "FEN")]
    positions: Vec<String>,
}

#[derive(clap::Args, Debug)]
struct StatsArgs {
    #[command(flatten)]
    place: FolderArg,
    /// Only positions with up to this many pieces
    #[arg(long, default_value_t = MOST_PIECES, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_PIECES)))]
    pieces: u32,
    /// Only the sums for each number of pieces
    #[arg(long)]
    sums: bool,
}

/// Does what the arguments ask for.
///
/// # Errors
///
/// When it could not be done.
pub fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::Build(args) => run_build(args),
        Command::Plan(args) => run_plan(args),
        Command::Info(place) => run_info(place),
        Command::Verify(args) => run_verify(args),
        Command::Probe(args) => run_probe(args),
        Command::Stats(args) => run_stats(args),
    }
}

impl FolderArg {
    fn folder(&self) -> Result<PathBuf, Failure> {
        self.dir
            .clone()
            .or_else(default_folder)
            .ok_or_else(|| Failure("no data folder found for this user: name one with --dir".into()))
    }

    /// Opens the databases, and tells on standard error what is wrong with any.
    fn open(&self, pieces: u32) -> Result<(Databases, bool), Failure> {
        if let Some(dir) = &self.dir
            && !dir.is_dir()
        {
            return Err(Failure(format!("no folder {}", dir.display())));
        }
        let databases = Databases::open(&Sources {
            folder: self.dir.clone().or_else(default_folder),
            files_first: self.dir.is_some(),
            pieces,
            ..Sources::default()
        });
        let sound = tell_problems(&databases);
        Ok((databases, sound))
    }

    /// The same, and reads them, so that what is wrong with them is told at once.
    fn check(&self, pieces: u32) -> Result<(Databases, bool), Failure> {
        let (databases, sound) = self.open(pieces)?;
        databases.check();
        let sound = tell_problems(&databases) && sound;
        Ok((databases, sound))
    }
}

fn tell_problems(databases: &Databases) -> bool {
    let mut sound = true;
    for problem in databases.take_problems() {
        // What is compiled in is there in any case.
        let is_error = !matches!(problem.error, FileError::Empty);
        say(&format!("{}: {problem}", if is_error { "error" } else { "note" }));
        sound &= !is_error;
    }
    sound
}

/// Memory of the program itself, with its stacks.
const PROGRAM: u64 = 16 << 20;

/// What is worked on, and how much of everything is done.
const BAR: &str = "{msg:16} {wide_bar} {percent:>3}%  {per_sec:>13}  {eta} left";

/// Shows a build on standard error.
struct BuildProgress {
    interrupt: Interrupt,
    bar: ProgressBar,
    began: Instant,
    counts: Mutex<Vec<Header>>,
}

impl BuildWatch for BuildProgress {
    fn go_on(&self) -> bool {
        !self.interrupt.has_come()
    }

    fn begin(&self, content: Content, slice: Slice) {
        self.bar.set_message(content.file_name(slice));
    }

    fn compress(&self, content: Content, slice: Slice) {
        self.bar.set_message(format!("{} coding", content.file_name(slice)));
    }

    fn advance(&self, positions: u64) {
        self.bar.inc(positions);
    }

    fn resume(&self) {
        // What was there already says nothing about the time that the rest takes.
        self.bar.reset_eta();
    }

    fn finish(&self, header: &Header, _: Duration) {
        if let Ok(mut counts) = self.counts.lock() {
            counts.push(*header);
        }
    }

    fn problem(&self, path: &Path, error: &FileError) {
        self.bar.suspend(|| say(&format!("error: {}: {error}", path.display())));
    }
}

fn run_build(args: &BuildArgs) -> Outcome {
    let request = Request {
        folder: args.place.folder()?,
        pieces: args.pieces,
        distances: args.distances.min(args.pieces),
        threads: threads(args.threads),
        memory: (args.memory << 20).saturating_sub(PROGRAM),
        scratch: args.scratch << 20,
        share: args.share,
    };
    let estimate = request.estimate();
    #[expect(clippy::cast_precision_loss, reason = "rounded for people")]
    let (megabytes, seconds) = (estimate.bytes as f64 / 1e6, estimate.seconds / request.threads as f64);
    let needs = request.needs();
    let scratch = match needs.scratch.div_ceil(1_000_000) {
        0 => String::new(),
        scratch => format!(" and at most {} MB while it goes on", grouped(scratch)),
    };
    say(&format!(
        "building {} in {}: about {megabytes:.1} MB on disk{scratch}, {} MiB of memory of at least {}, and {} on {}, \
         less what is there already",
        counted(estimate.positions, "position"),
        request.folder.display(),
        grouped(args.memory),
        grouped((needs.least_memory + PROGRAM).div_ceil(1 << 20)),
        time(seconds),
        counted(request.threads as u64, "thread"),
    ));
    let progress = BuildProgress {
        interrupt: Interrupt::listen()?,
        bar: bar(estimate.positions, BAR),
        began: Instant::now(),
        counts: Mutex::default(),
    };
    let built = build(&request, &progress);
    progress.bar.finish_and_clear();
    match built {
        Ok(()) => {
            let written = progress.counts.into_inner().unwrap_or_default();
            let bytes: u64 = written.iter().map(Header::size).sum();
            writeln!(
                stdout().lock(),
                "{} slices written, {} bytes, in {:.1} s: {}",
                written.len(),
                grouped(bytes),
                progress.began.elapsed().as_secs_f64(),
                request.folder.display()
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(BuildError::Stopped) => {
            say(&BuildError::Stopped.to_string());
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(error) => Err(Failure(format!("{error}; finished slices are kept"))),
    }
}

/// A time as people say it.
fn time(seconds: f64) -> String {
    match seconds {
        3600.0.. => format!("{:.1} h", seconds / 3600.0),
        60.0.. => format!("{:.0} min", seconds / 60.0),
        _ => format!("{seconds:.0} s"),
    }
}

/// One slice after the other, each with its twin: what it needs first, and about what it takes.
#[expect(clippy::cast_precision_loss, reason = "rounded for people")]
fn run_plan(args: &PlanArgs) -> Outcome {
    let request = Request {
        folder: PathBuf::new(),
        pieces: args.pieces,
        distances: args.distances.min(args.pieces),
        threads: 1,
        memory: 0,
        scratch: 0,
        share: false,
    };
    let plan = request.plan();
    let mut out = stdout().lock();
    let names = |slices: &[Slice]| slices.iter().map(ToString::to_string).collect::<Vec<_>>();
    if args.json {
        let jobs: Vec<_> = plan
            .iter()
            .map(|job| {
                serde_json::json!({
                    "content": job.content.to_string(),
                    "slices": names(&job.slices),
                    "needs": names(&job.needs),
                    "positions": job.positions,
                    "memory": job.memory,
                    "least_memory": job.least_memory,
                    "scratch": job.scratch,
                    "bytes": job.bytes,
                    "seconds": job.seconds,
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&jobs).unwrap_or_default())?;
        return Ok(ExitCode::SUCCESS);
    }
    let heads = [
        "",
        "slices",
        "needs of as many pieces",
        "positions",
        "MiB memory",
        "or MiB memory",
        "and MB scratch",
        "kB on disk",
        "s of a core",
    ];
    let mut table = Table::new(3, heads);
    for job in &plan {
        let pieces = job.slices.first().map_or(0, |slice| slice.pieces());
        let mut needs = job.needs.clone();
        needs.retain(|slice| slice.pieces() == pieces);
        table.row([
            job.content.to_string(),
            names(&job.slices).join(" "),
            names(&needs).join(" "),
            grouped(job.positions),
            grouped(job.memory.div_ceil(1 << 20)),
            grouped(job.least_memory.div_ceil(1 << 20)),
            grouped(job.scratch.div_ceil(1_000_000)),
            grouped(job.bytes.div_ceil(1000)),
            format!("{:.1}", job.seconds),
        ]);
    }
    write!(out, "{table}")?;
    let needs = request.needs();
    writeln!(
        out,
        "{} pairs of slices, {} positions: about {:.1} MB on disk, {:.1} hours of one core, \
         at most {} MiB of memory, or at least {} MiB",
        plan.len(),
        grouped(plan.iter().map(|job| job.positions).sum()),
        plan.iter().map(|job| job.bytes).sum::<u64>() as f64 / 1e6,
        plan.iter().map(|job| job.seconds).sum::<f64>() / 3600.0,
        grouped(needs.memory.div_ceil(1 << 20)),
        grouped(needs.least_memory.div_ceil(1 << 20)),
    )?;
    Ok(ExitCode::SUCCESS)
}

#[expect(clippy::cast_precision_loss, reason = "rounded for people")]
fn run_info(place: &FolderArg) -> Outcome {
    let (databases, sound) = place.check(MOST_PIECES)?;
    let mut out = stdout().lock();
    match place.dir.clone().or_else(default_folder) {
        Some(folder) => writeln!(out, "folder: {}", folder.display())?,
        None => writeln!(out, "folder: none")?,
    }
    let mut table = Table::new(2, ["", "", "pieces", "slices", "positions", "bytes", "time"]);
    for content in Content::BOTH {
        for pieces in 2..=MOST_PIECES {
            let all = Slice::all(pieces..=pieces).len();
            for (compiled_in, source) in [(true, "compiled in"), (false, "files")] {
                let files: Vec<&Header> = databases
                    .files()
                    .filter(|(header, path)| {
                        header.content == content
                            && header.slice.pieces() == pieces
                            && path.is_none() == compiled_in
                    })
                    .map(|(header, _)| header)
                    .collect();
                if !files.is_empty() {
                    table.row([
                        content.to_string(),
                        source.to_owned(),
                        pieces.to_string(),
                        format!("{} of {all}", files.len()),
                        grouped(files.iter().map(|header| header.counts.total()).sum()),
                        grouped(files.iter().map(|header| header.size()).sum()),
                    ]);
                }
            }
        }
    }
    let threads = threads(None);
    let missing = missing(&databases);
    for &(content, pieces, slices, Estimate { positions, bytes, seconds }) in &missing {
        table.row([
            content.to_string(),
            "to be built".to_owned(),
            pieces.to_string(),
            slices.to_string(),
            grouped(positions),
            format!("~{}", grouped(bytes)),
            format!("~{}", time(seconds / threads as f64)),
        ]);
    }
    write!(out, "{table}")?;
    if !missing.is_empty() {
        let threads = counted(threads as u64, "thread");
        writeln!(out, "time: of {threads}, by kelso egdb build --pieces N or --distances N")?;
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What could be built, by content and pieces: how many slices, and what they take.
fn missing(databases: &Databases) -> Vec<(Content, u32, usize, Estimate)> {
    let there: HashSet<(Content, Slice)> =
        databases.files().map(|(header, _)| (header.content, header.slice)).collect();
    let everything = Request {
        folder: PathBuf::new(),
        pieces: MOST_PIECES,
        distances: Request::MOST_DISTANCES,
        threads: 1,
        memory: 0,
        scratch: 0,
        share: false,
    };
    let mut rows: Vec<(Content, u32, usize, Estimate)> = Vec::new();
    for job in everything.plan() {
        let pieces = job.slices.first().map_or(0, |slice| slice.pieces());
        if job.slices.iter().all(|&slice| there.contains(&(job.content, slice))) {
            continue;
        }
        if rows.last().is_none_or(|row| (row.0, row.1) != (job.content, pieces)) {
            rows.push((job.content, pieces, 0, Estimate::default()));
        }
        if let Some((_, _, slices, sum)) = rows.last_mut() {
            *slices += job.slices.len();
            sum.positions += job.positions;
            sum.bytes += job.bytes;
            sum.seconds += job.seconds;
        }
    }
    rows
}

fn run_verify(args: &VerifyArgs) -> Outcome {
    let (databases, sound) = args.place.check(MOST_PIECES)?;
    let wanted = |slice: Slice| args.slice.map_or(slice.pieces() <= args.pieces, |only| only == slice);
    let mut slices: Vec<(Content, Slice)> = databases
        .files()
        .filter(|(header, path)| wanted(header.slice) && (args.place.dir.is_none() || path.is_some()))
        .map(|(header, _)| (header.content, header.slice))
        .collect();
    slices.sort_by_key(|&(content, slice)| (content.extension(), slice.pieces(), slice));
    if slices.is_empty() {
        return Err(Failure("no database to verify".into()));
    }
    let positions = databases
        .files()
        .filter(|(header, _)| slices.contains(&(header.content, header.slice)))
        .map(|(header, _)| {
            args.sample.map_or(header.counts.total(), |sample| sample.min(header.counts.total()))
        })
        .sum();
    let interrupt = Interrupt::listen()?;
    let bar = bar(positions, BAR);
    let began = Instant::now();
    let verdict = verify(&databases, &slices, args.sample, threads(args.threads), &|positions| {
        bar.inc(positions);
        !interrupt.has_come()
    });
    bar.finish_and_clear();
    let sound = tell_problems(&databases) && sound;
    let mut out = stdout().lock();
    for example in &verdict.examples {
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
        counted(verdict.checked, "position"),
        counted(slices.len() as u64, "slice"),
        began.elapsed().as_secs_f64(),
        grouped(verdict.wrong)
    )?;
    if interrupt.has_come() {
        say("stopped before the end");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if verdict.wrong == 0 && sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_probe(args: &ProbeArgs) -> Outcome {
    let positions: Vec<_> = args
        .positions
        .iter()
        .map(|text| fen::parse(text).map_err(|error| Failure::of(&error)))
        .collect::<Result<_, _>>()?;
    let (databases, sound) = args.place.open(MOST_PIECES)?;
    let mut out = stdout().lock();
    let mut known = sound;
    for position in positions {
        let show = |position: &Position| match (databases.probe(position), databases.distance(position)) {
            (_, Some((Wld::Draw, _))) => "draw".to_owned(),
            (_, Some((result, plies))) => format!("{result} in {plies}"),
            (Some(result), None) => result.to_string(),
            (None, None) => "unknown".to_owned(),
        };
        known &= databases.probe(&position).is_some();
        writeln!(out, "{}: {}", fen::format(&position), show(&position))?;
        let mut moves: Vec<_> = position.moves().iter().map(|&mv| (mv, position.after(mv))).collect();
        // The best first: wins, the quickest before others, draws, what nobody knows, and losses, the slowest first.
        moves.sort_by_key(|(_, after)| rank(databases.probe(after), databases.distance(after)));
        for (mv, after) in moves {
            writeln!(out, "  {}: {}", movetext::format(&position, mv), seen_from_before(&show(&after)))?;
        }
    }
    known &= tell_problems(&databases);
    Ok(if known { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How good a position is for the side that is not to move, the best first.
fn rank(result: Option<Wld>, distance: Option<(Wld, u32)>) -> (u8, i64) {
    let plies = distance.map_or(0, |(_, plies)| i64::from(plies));
    match result.or(distance.map(|(result, _)| result)) {
        Some(Wld::Loss) => (0, plies),
        Some(Wld::Draw) => (1, 0),
        None => (2, 0),
        Some(Wld::Win) => (3, -plies),
    }
}

/// What a position after a move is worth to the one who moved.
fn seen_from_before(text: &str) -> String {
    match text.split_once(' ').unwrap_or((text, "")) {
        ("win", rest) => format!("loss {rest}").trim_end().to_owned(),
        ("loss", rest) => format!("win {rest}").trim_end().to_owned(),
        _ => text.to_owned(),
    }
}

fn run_stats(args: &StatsArgs) -> Outcome {
    let (databases, sound) = args.place.check(args.pieces)?;
    let mut table = Table::new(1, ["slice", "positions", "wins", "losses", "draws", "with capture"]);
    let mut row = |name: String, counts: &Counts| {
        let Counts { wins, losses, draws, captures, .. } = *counts;
        let numbers = [counts.total(), wins, losses, draws, captures].map(grouped);
        table.row(std::iter::once(name).chain(numbers));
    };
    let mut all: Vec<&Header> =
        databases.files().filter(|(h, _)| h.content == Content::Results).map(|(header, _)| header).collect();
    all.sort_by_key(|header| (header.slice.pieces(), header.slice));
    if !args.sums {
        for header in &all {
            row(header.slice.to_string(), &header.counts);
        }
    }
    for pieces in 2..=MOST_PIECES {
        let mut sum = Counts::default();
        let mut missing = Slice::all(pieces..=pieces).len();
        for header in all.iter().filter(|header| header.slice.pieces() == pieces) {
            sum += header.counts;
            missing -= 1;
        }
        if sum.total() > 0 {
            row(format!("{pieces}{}", if missing == 0 { "" } else { " (in part)" }), &sum);
        }
    }
    write!(stdout().lock(), "{table}")?;
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_move_comes_first() {
        let mut ranks = [
            (Some(Wld::Win), Some((Wld::Win, 3))),
            (None, None),
            (Some(Wld::Loss), Some((Wld::Loss, 8))),
            (Some(Wld::Draw), None),
            (Some(Wld::Win), Some((Wld::Win, 9))),
            (Some(Wld::Loss), Some((Wld::Loss, 2))),
        ];
        ranks.sort_by_key(|&(result, distance)| rank(result, distance));
        let plies = ranks.map(|(result, distance)| (result, distance.map(|(_, plies)| plies)));
        let (loss, win) = (Some(Wld::Loss), Some(Wld::Win));
        let expected = [
            (loss, Some(2)),
            (loss, Some(8)),
            (Some(Wld::Draw), None),
            (None, None),
            (win, Some(9)),
            (win, Some(3)),
        ];
        assert_eq!(plies, expected);
    }
}
