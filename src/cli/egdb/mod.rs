//! `kelso egdb`: builds and queries endgame databases.

mod build;
mod count;
mod look;
mod plan;
mod verify;

use anyhow::{anyhow, bail};
use std::path::PathBuf;

pub(super) use build::{tip, tip_text};

use super::{Outcome, say};
use endgames::{Databases, FileError, MAX_PIECES, Request, Slice, Sources, default_folder};

/// Build, verify and query endgame databases
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Build databases: win, loss or draw of every position with few pieces
    ///
    /// By default the files go where every later start of the engine finds them. An interrupted build is resumed by the
    /// same command.
    Build(build::Args),
    /// Show the plan of a build, slice by slice, with estimates
    ///
    /// The slices are in the order in which they can be built. Existing ones are marked.
    Plan(plan::Args),
    /// List the installed databases and those that could be built
    Info(FolderArg),
    /// Verify databases by recomputing values from the rules
    Verify(verify::Args),
    /// Look up positions and each of their moves
    Probe(look::Args),
    /// Count wins, losses and draws for the side to move
    Stats(count::Args),
}

#[derive(clap::Args, Debug)]
struct FolderArg {
    /// Folder of the database files [default: in your data folder]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct What {
    /// Build win, loss or draw for up to N pieces
    #[arg(long, default_value_t = PIECES, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
    pieces: u32,
    /// Build the plies to the end of the game for up to N pieces
    #[arg(long, default_value_t = DISTANCES, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(Request::MAX_DISTANCE_PIECES)))]
    distances: u32,
    /// Build only this slice and those it needs; can be repeated. 21v10 is two men and a king to move against one man
    #[arg(long, conflicts_with = "pieces")]
    slice: Vec<Slice>,
}

const PIECES: u32 = 6;
const DISTANCES: u32 = 4;

impl What {
    fn pieces(&self) -> u32 {
        self.slice.iter().map(|slice| slice.pieces()).max().unwrap_or(self.pieces)
    }

    fn distances(&self) -> u32 {
        self.distances.min(self.pieces())
    }
}

/// Does what the arguments ask for.
///
/// # Errors
///
/// When it could not be done.
pub fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::Build(args) => build::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Info(place) => count::info(place),
        Command::Verify(args) => verify::run(args),
        Command::Probe(args) => look::run(args),
        Command::Stats(args) => count::stats(args),
    }
}

impl FolderArg {
    fn folder(&self) -> anyhow::Result<PathBuf> {
        self.dir
            .clone()
            .or_else(default_folder)
            .ok_or_else(|| anyhow!("cannot find your data folder; use --dir to name a folder"))
    }

    /// Opens the databases, and reports problems on standard error. Returns whether there are none.
    fn open(&self, pieces: u32) -> anyhow::Result<(Databases, bool)> {
        if let Some(dir) = &self.dir
            && !dir.is_dir()
        {
            bail!("cannot open \"{}\": not a directory", dir.display());
        }
        let databases = Databases::open(&Sources {
            folder: self.dir.clone().or_else(default_folder),
            files_first: self.dir.is_some(),
            pieces,
            ..Sources::default()
        });
        let sound = report_problems(&databases);
        Ok((databases, sound))
    }

    /// Opens and reads the databases, and reports problems.
    fn check(&self, pieces: u32) -> anyhow::Result<(Databases, bool)> {
        let (databases, sound) = self.open(pieces)?;
        databases.check();
        let sound = report_problems(&databases) && sound;
        Ok((databases, sound))
    }
}

/// Reports problems. Returns whether none is an error.
fn report_problems(databases: &Databases) -> bool {
    let mut sound = true;
    for problem in databases.take_problems() {
        let is_error = problem.is_fault() && !matches!(problem.error, FileError::Empty);
        say(&format!("{}: {problem}", if is_error { "error" } else { "note" }));
        sound &= !is_error;
    }
    sound
}

/// Formats a time.
fn time(seconds: f64) -> String {
    match seconds {
        3600.0.. => format!("{:.1} h", seconds / 3600.0),
        60.0.. => format!("{:.0} min", seconds / 60.0),
        _ => format!("{seconds:.0} s"),
    }
}
