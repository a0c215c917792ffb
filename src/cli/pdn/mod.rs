//! `kelso pdn`: commands for collections of games.

mod counts;
mod dedup;
mod errors;
pub(super) mod find;
mod output;

use std::cell::LazyCell;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::arguments::engine::cores;
use crate::cli::arguments::files::GameFiles;
use crate::cli::arguments::subcommands::subcommands;
use crate::cli::outcome::{Outcome, say};
use crate::cli::progress::bar;
use crate::cli::source::GameSource;
use kelso_analysis::games;
use kelso_batch::outputs::Outputs;
use kelso_draughts::notation::pdn::{PdnEntry, PdnError, PdnErrorKind, PdnReader};
use kelso_text::system::without_codes;

subcommands! {
    /// Check, format, search and count games in PDN files
    ///
    /// Reads files of any size game by game, in the notations and encodings found in real files. An error in
    /// one game does not affect the others.
    pub struct Args;

    Check(errors::CheckArgs) => errors::check;
    Format(errors::FormatArgs) => errors::format;
    Find(Box<find::Args>) => find::run;
    Dedup(dedup::Args) => dedup::run;
    Tree(counts::TreeArgs) => counts::tree;
    Openings(counts::OpeningsArgs) => counts::openings;
}

/// The source of a game: a file, and the game's number in this file.
struct Site<'a> {
    file: usize,
    source: &'a GameSource,
    number: usize,
}

impl GameFiles {
    /// Calls `work` for every game on several threads, and `take` with the results in order, until `take`
    /// returns `false`. Returns whether every file could be read.
    fn each<T: Send>(
        &self,
        work: impl Fn(PdnEntry, &[u8]) -> T + Sync,
        take: impl FnMut(Site<'_>, T) -> anyhow::Result<bool>,
    ) -> anyhow::Result<bool> {
        self.each_crowning(false, work, take)
    }

    /// Works as [`GameFiles::each`]; with `crown`, men on their last row are read as kings.
    fn each_crowning<T: Send>(
        &self,
        crown: bool,
        work: impl Fn(PdnEntry, &[u8]) -> T + Sync,
        mut take: impl FnMut(Site<'_>, T) -> anyhow::Result<bool>,
    ) -> anyhow::Result<bool> {
        let sources = self.sources()?;
        // Standard output may be redirected to one of the files.
        drop(Outputs::new(false).reads(sources.iter().filter_map(GameSource::path)).check()?);
        let size = sources.iter().map(GameSource::size).sum::<Option<u64>>();
        let template = match size {
            None => "{bytes} read, {elapsed}",
            Some(_) => "{bytes}/{total_bytes} {wide_bar} {bytes_per_sec}, {eta} left",
        };
        // A library is checked when it is opened, before there is any progress.
        let bar = LazyCell::new(|| bar(size, template));
        let readable = AtomicBool::new(true);
        let work = |entry: PdnEntry, text: &[u8]| {
            if entry.read_error().is_some() {
                readable.store(false, Ordering::Relaxed);
            }
            work(entry, text)
        };
        let mut failure = None;
        for (file, source) in sources.iter().enumerate() {
            let input = match source.open() {
                Ok(input) => bar.wrap_read(input),
                Err(error) => {
                    bar.suspend(|| say(&format!("error: cannot read \"{source}\": {error}")));
                    readable.store(false, Ordering::Relaxed);
                    continue;
                }
            };
            let games = PdnReader::new(input).crowning(crown).batches();
            let all = games::each(games, cores(), work, |number, result| {
                take(Site { file, source, number }, result).unwrap_or_else(|error| {
                    failure = Some(error);
                    false
                })
            });
            if !all {
                break;
            }
        }
        bar.finish_and_clear();
        failure.map_or(Ok(readable.into_inner()), Err)
    }
}

/// Formats an error as compilers do, so that editors can jump to it.
fn fault(site: &Site<'_>, fault: &PdnError) -> String {
    let PdnError { line, column, kind, .. } = fault;
    let text = format!("{}:{line}:{column}: {}: game {}: {kind}", site.source, severity(kind), site.number);
    without_codes(&text)
}

const fn severity(kind: &PdnErrorKind) -> &'static str {
    if kind.is_warning() { "warning" } else { "error" }
}
