//! `kelso egdb`: builds and queries endgame databases.

mod build;
mod query;
mod verify;

use std::path::PathBuf;

use anyhow::anyhow;

use crate::cli::arguments::subcommands::subcommands;
use crate::cli::databases::{DEFAULT_PIECES, options, report_errors};
use crate::cli::outcome::Outcome;
use crate::cli::values::{OptionValueParser, within};
use kelso_endgames::build::BuildRequest;
use kelso_endgames::{DatabaseOptions, Databases, MAX_PIECES, Slice, default_folder};

subcommands! {
    /// Build, verify and query endgame databases
    pub struct Args;

    /// Build win, loss and draw databases
    ///
    /// By default, the files are written to the directory where the engine looks for them. Repeat the command
    /// to resume an interrupted build.
    Build(build::BuildArgs) => build::run;
    /// List installed and available databases
    Info(FolderArg) => query::info;
    /// Verify databases by recomputing values from the rules
    Verify(verify::Args) => verify::run;
    /// Look up positions and all their moves
    Probe(query::ProbeArgs) => query::probe;
    /// Count wins, losses and draws for the side to move
    Stats(query::StatsArgs) => query::stats;
}

/// The directory of the databases.
#[derive(clap::Args, Debug)]
pub struct FolderArg {
    /// Database directory [default: the one in your data directory]
    #[arg(long, value_name = "DIR")]
    egdb: Option<PathBuf>,
}

/// The databases to build.
#[derive(clap::Args, Debug)]
struct SliceSelection {
    /// Maximum number of pieces
    #[arg(long, default_value_t = DEFAULT_PIECES, value_name = "N", value_parser = within(2..=MAX_PIECES))]
    pieces: u32,
    /// Also build distances to the end of the game, for up to N pieces
    #[arg(long, default_value_t = DEFAULT_DISTANCE_PIECES, value_name = "N", value_parser = within(0..=BuildRequest::MAX_DISTANCE_PIECES))]
    distances: u32,
    /// Build only this slice and those it needs; can be repeated. 21v10 is two men and a king to move against
    /// one man
    #[arg(long, conflicts_with = "pieces", value_parser = OptionValueParser(str::parse::<Slice>))]
    slice: Vec<Slice>,
}

const DEFAULT_DISTANCE_PIECES: u32 = 5;

/// The databases in a directory, up to a number of pieces.
#[derive(clap::Args, Debug)]
struct Installed {
    #[command(flatten)]
    folder: FolderArg,
    /// Maximum number of pieces
    #[arg(long, value_name = "N", default_value_t = MAX_PIECES, value_parser = within(2..=MAX_PIECES))]
    pieces: u32,
}

impl SliceSelection {
    fn request(&self, folder: PathBuf, threads: usize, memory: u64) -> BuildRequest {
        let distances = self.distances.min(self.pieces);
        BuildRequest { folder, pieces: self.pieces, distances, slices: self.slice.clone(), threads, memory }
    }
}

impl FolderArg {
    fn folder(&self) -> anyhow::Result<PathBuf> {
        self.egdb
            .clone()
            .or_else(default_folder)
            .ok_or_else(|| anyhow!("cannot find your data directory; use --egdb to name a directory"))
    }

    /// Opens the databases, and reports errors on standard error. Also returns whether every file can be
    /// used.
    fn open(&self, pieces: u32) -> anyhow::Result<(Databases, bool)> {
        // The files in a named directory are the ones to examine.
        let options = options(self.egdb.as_ref(), pieces)?;
        let files_first = self.egdb.is_some();
        let databases = Databases::open(&DatabaseOptions { files_first, ..options });
        let valid = report_errors(&databases);
        Ok((databases, valid))
    }

    /// Opens and reads the databases, and reports errors.
    fn check(&self, pieces: u32) -> anyhow::Result<(Databases, bool)> {
        let (databases, valid) = self.open(pieces)?;
        databases.read_all();
        let valid = report_errors(&databases) && valid;
        Ok((databases, valid))
    }
}
