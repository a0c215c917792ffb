//! The games to analyse. They are read once to count them and again to analyse them.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Read};
use std::iter;
use std::mem;
use std::path::Path;

use anyhow::{Context, anyhow};

use crate::cli::arguments::engine::cores;
use crate::cli::arguments::files::GameFiles;
use crate::cli::outcome::say;
use crate::cli::source::GameSource;
use crate::cli::values::at_least;
use kelso_analysis::games;
use kelso_analysis::record::opening_plies;
use kelso_analysis::runner::QueuedGame;
use kelso_draughts::notation::pdn::{PdnEntry, PdnError, PdnReader};
use kelso_library::conditions::has_player;

/// The games to select.
#[derive(clap::Args, Debug)]
pub struct Input {
    #[command(flatten)]
    files: GameFiles,
    /// Analyse only game N, counted across all files; can be repeated
    #[arg(long = "game", value_name = "N", value_parser = at_least(1_u64))]
    games: Vec<u64>,
    /// Analyse only games of players with WORDS in their names, of which long ones may be misspelt; can be
    /// repeated
    #[arg(long = "player", value_name = "WORDS")]
    players: Vec<String>,
}

pub(super) struct SelectedGames<'a> {
    args: &'a Input,
    sources: Vec<GameSource>,
    /// The text from standard input, which can only be read once.
    piped: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct InputSummary {
    /// The number of positions in each game to analyse, by game number.
    pub(super) games: BTreeMap<u64, u64>,
    /// Number of games with an error; only the moves before the first error are read.
    pub(super) incomplete: u64,
    /// Size and checksum of the whole input.
    pub(super) fingerprint: String,
}

impl Input {
    pub(super) fn source(&self) -> anyhow::Result<SelectedGames<'_>> {
        let sources = self.files.sources()?;
        let mut piped = Vec::new();
        if sources.contains(&GameSource::Input) {
            io::stdin().read_to_end(&mut piped).context("cannot read standard input")?;
        }
        Ok(SelectedGames { args: self, sources, piped })
    }

    /// Returns whether only some games are analysed.
    pub(super) fn selects(&self) -> bool {
        !self.games.is_empty() || !self.players.is_empty()
    }

    pub(super) fn selection(&self) -> String {
        let games = self.games.iter().map(|number| format!("game {number}"));
        let players = self.players.iter().map(|part| format!("player {part}"));
        let parts: Vec<String> = games.chain(players).collect();
        if self.selects() { parts.join(", ") } else { "all".to_owned() }
    }
}

impl SelectedGames<'_> {
    fn open<'a>(&'a self, source: &GameSource) -> io::Result<Box<dyn Read + Send + 'a>> {
        match source {
            GameSource::Input => Ok(Box::new(&self.piped[..])),
            GameSource::File(_) => source.open(),
        }
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().filter_map(GameSource::path)
    }

    fn wants(&self, number: u64, entry: &PdnEntry) -> bool {
        (self.args.games.is_empty() || self.args.games.contains(&number))
            && self.args.players.iter().all(|part| has_player(&entry.game, part))
    }

    /// Reads all input, reports faults in selected games, and counts them.
    pub(super) fn count(&self) -> anyhow::Result<InputSummary> {
        let mut summary = InputSummary::default();
        let mut input =
            ChecksumReader { input: Box::new(io::empty()), bytes: 0, hasher: crc32fast::Hasher::new() };
        let mut number = 0;
        let mut invalid = None;
        for source in &self.sources {
            input.input = self.open(source).map_err(|error| unreadable(source, error))?;
            let batches = PdnReader::new(&mut input).batches();
            games::each(
                batches,
                cores(),
                |entry: PdnEntry, _| entry,
                |_, entry| {
                    number += 1;
                    if let Err(error) = self.count_game(source, number, &entry, &mut summary) {
                        invalid.get_or_insert(error);
                    }
                    true
                },
            );
        }
        if let Some(error) = invalid {
            return Err(error);
        }
        summary.fingerprint = format!("{} bytes, checksum {:08x}", input.bytes, input.hasher.finalize());
        Ok(summary)
    }

    /// Counts a game if it is selected, and reports its fault. An error ends the command.
    fn count_game(
        &self,
        source: &GameSource,
        number: u64,
        entry: &PdnEntry,
        summary: &mut InputSummary,
    ) -> anyhow::Result<()> {
        if let Some(error) = entry.read_error() {
            return Err(unreadable(source, error));
        }
        if !self.wants(number, entry) {
            return Ok(());
        }
        if let Some(PdnError { line, column, kind, .. }) = entry.error.as_ref() {
            say(&format!(
                "{source}:{line}:{column}: error: game {number}: {kind}; the moves before it are analysed"
            ));
        }
        opening_plies(&entry.game)
            .map_err(|error| anyhow!("{source}:{}: game {number}: {error}", entry.line))?;
        let plies = entry.game.plies.len() as u64;
        summary.incomplete += u64::from(!entry.is_complete());
        summary.games.insert(number, if plies == 0 { 0 } else { plies + 1 });
        Ok(())
    }

    /// Reads the selected games that `wants` accepts, one at a time.
    pub(super) fn games<'a>(
        &'a self,
        mut wants: impl FnMut(u64) -> bool + Send + 'a,
    ) -> impl Iterator<Item = anyhow::Result<QueuedGame>> + Send + 'a {
        let entries =
            self.sources.iter().flat_map(|source| self.entries(source).map(move |entry| (source, entry)));
        let mut has_failed = false;
        // After a file that cannot be read, the numbers of games are unknown.
        let entries = entries.take_while(move |(_, entry)| !mem::replace(&mut has_failed, entry.is_err()));
        (1..).zip(entries).filter_map(move |(number, (source, entry))| {
            let queued = |entry: PdnEntry| {
                let selected = self.wants(number, &entry) && wants(number);
                selected.then(|| QueuedGame { number, place: format!("{source}:{}", entry.line), entry })
            };
            entry.map(queued).transpose()
        })
    }

    fn entries<'a>(
        &'a self,
        source: &'a GameSource,
    ) -> Box<dyn Iterator<Item = anyhow::Result<PdnEntry>> + Send + 'a> {
        match self.open(source) {
            Ok(input) => Box::new(PdnReader::new(input).map(|entry| match entry.read_error() {
                Some(error) => Err(unreadable(source, error)),
                None => Ok(entry),
            })),
            Err(error) => Box::new(iter::once(Err(unreadable(source, error)))),
        }
    }
}

fn unreadable(source: &GameSource, error: impl Display) -> anyhow::Error {
    anyhow!("cannot read \"{source}\": {error}")
}

/// A reader that counts and checksums its input, one file after another.
struct ChecksumReader<'a> {
    input: Box<dyn Read + Send + 'a>,
    bytes: u64,
    hasher: crc32fast::Hasher,
}

impl Read for ChecksumReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.bytes += count as u64;
        self.hasher.update(&buffer[..count]);
        Ok(count)
    }
}
