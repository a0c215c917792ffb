//! `kelso egdb`: makes endgame databases, and looks into them.

mod build;
mod count;
mod look;
mod plan;
mod verify;

use anyhow::{anyhow, bail};
use std::path::PathBuf;

pub(super) use build::tip;

use super::{Outcome, say};
use endgames::{Databases, FileError, MAX_PIECES, Request, Slice, Sources, default_folder};

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
    Build(build::Args),
    /// Show what a build does, slice by slice, and what each takes
    ///
    /// The slices come in an order in which they can be made. What is there already is shown, too.
    Plan(plan::Args),
    /// Show which databases there are
    Info(FolderArg),
    /// Recompute values from those of the positions after each move
    Verify(verify::Args),
    /// Look positions up, with the result of every move
    Probe(look::Args),
    /// Count wins, losses and draws for the side to move
    Stats(count::Args),
}

#[derive(clap::Args, Debug)]
struct FolderArg {
    /// The folder of database files; the user's data folder if none is given
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

/// What to build.
#[derive(clap::Args, Debug)]
struct What {
    /// Results: of all positions with up to this many pieces
    #[arg(long, default_value_t = PIECES, value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PIECES)))]
    pieces: u32,
    /// Distances to the end of the game: of all positions with up to this many pieces
    #[arg(long, default_value_t = DISTANCES, value_parser = clap::value_parser!(u32).range(0..=i64::from(Request::MAX_DISTANCE_PIECES)))]
    distances: u32,
    /// Only this slice, or these, and what they need: men and kings of both sides, the side to move first, as in 21v10
    #[arg(long, conflicts_with = "pieces")]
    slice: Vec<Slice>,
}

/// What is built if nothing is said.
const PIECES: u32 = 6;
const DISTANCES: u32 = 4;

impl What {
    /// The most pieces.
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
            .ok_or_else(|| anyhow!("no data folder found for this user: name one with --dir"))
    }

    /// Opens the databases, and tells on standard error what is wrong with any.
    fn open(&self, pieces: u32) -> anyhow::Result<(Databases, bool)> {
        if let Some(dir) = &self.dir
            && !dir.is_dir()
        {
            bail!("no folder {}", dir.display());
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
    fn check(&self, pieces: u32) -> anyhow::Result<(Databases, bool)> {
        let (databases, sound) = self.open(pieces)?;
        databases.check();
        let sound = tell_problems(&databases) && sound;
        Ok((databases, sound))
    }
}

fn tell_problems(databases: &Databases) -> bool {
    let mut sound = true;
    for problem in databases.take_problems() {
        // What is compiled in is there in any case, and of what isn't nothing is told.
        let is_error = problem.is_fault() && !matches!(problem.error, FileError::Empty);
        say(&format!("{}: {problem}", if is_error { "error" } else { "note" }));
        sound &= !is_error;
    }
    sound
}

/// A time as people say it.
fn time(seconds: f64) -> String {
    match seconds {
        3600.0.. => format!("{:.1} h", seconds / 3600.0),
        60.0.. => format!("{:.0} min", seconds / 60.0),
        _ => format!("{seconds:.0} s"),
    }
}
