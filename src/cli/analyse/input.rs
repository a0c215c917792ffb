//! The games to analyse. They are read once to count them and again to analyse them.

use anyhow::{Context, anyhow};
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::say;
use super::super::shared::{GameFiles, cores};
use super::super::values::at_least;
use analysis::games::opening::Ballots;
use analysis::games::place::Place;
use analysis::games::query::Query;
use analysis::games::stream;
use analysis::runner::QueuedGame;
use draughts::notation::pdn::{Batches, Entry, Games};

/// The selection of games.
#[derive(clap::Args, Debug)]
pub struct Input {
    #[command(flatten)]
    files: GameFiles,
    /// Analyse only this game, counted from 1 through all files; can be repeated
    #[arg(long = "game", value_name = "N", value_parser = at_least(1_u64))]
    games: Vec<u64>,
    /// Analyse only games of players whose names contain PART, in any case; can be repeated
    #[arg(long = "player", value_name = "PART")]
    players: Vec<String>,
}

/// The selected games of the input files.
pub(super) struct SelectedGames {
    places: Vec<Place>,
    /// Standard input, which can be read only once.
    piped: Option<Arc<[u8]>>,
    numbers: Vec<u64>,
    query: Query,
    ballots: Ballots,
    crown: bool,
}

/// A summary of the input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct InputSummary {
    /// Games to analyse, with the positions of each.
    pub(super) games: Vec<(u64, u64)>,
    /// Size and checksum of everything.
    pub(super) fingerprint: String,
}

impl Input {
    /// Returns the arguments.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files.files
    }

    /// Finds the files.
    pub(super) fn source(&self) -> anyhow::Result<SelectedGames> {
        let places = self.files.places()?;
        let mut piped = None;
        if places.contains(&Place::Input) {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            piped = Some(bytes.into());
        }
        let players = self.players.iter().map(|part| part.to_lowercase()).collect();
        let query = Query { players, ..Query::default() };
        let numbers = self.games.clone();
        Ok(SelectedGames {
            places,
            piped,
            numbers,
            query,
            ballots: Ballots::new(),
            crown: self.files.crown(),
        })
    }

    /// Describes the selection.
    pub(super) fn selection(&self) -> String {
        let games = self.games.iter().map(|number| format!("game {number}"));
        let players = self.players.iter().map(|part| format!("player {part}"));
        let crown = self.files.crown().then(|| "men on the last row as kings".to_owned());
        let parts: Vec<String> = games.chain(players).chain(crown).collect();
        if parts.is_empty() { "all".to_owned() } else { parts.join(", ") }
    }
}

impl SelectedGames {
    fn open(&self, place: &Place) -> io::Result<Box<dyn Read + Send>> {
        match (place, &self.piped) {
            (Place::Input, Some(bytes)) => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
            _ => place.open(),
        }
    }

    /// Returns the files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.places.iter().filter_map(Place::path)
    }

    fn wants(&self, number: u64, entry: &Entry) -> bool {
        (self.numbers.is_empty() || self.numbers.contains(&number))
            && self.query.meets(entry, &self.ballots).is_some()
    }

    /// Reads all input, reports faults in selected games, and counts them.
    pub(super) fn count(&self) -> anyhow::Result<InputSummary> {
        let mut summary = InputSummary::default();
        let (mut before, mut summed) = (0, InputSum::default());
        for place in &self.places {
            let failed = |error| anyhow!("cannot read \"{place}\": {error}");
            let mut input = ChecksumReader { input: self.open(place).map_err(failed)?, sum: &mut summed };
            let mut count = 0;
            let reading = &mut input;
            let work = |entry: Entry, _: &[u8]| entry;
            let numbered = AtomicU64::new(before);
            let _ = stream::each(
                Batches::new(reading).crowning(self.crown),
                cores(),
                work,
                |number, entry| {
                    count = number as u64;
                    let number = numbered.fetch_add(1, Ordering::Relaxed) + 1;
                    if self.wants(number, &entry) {
                        let fault = entry.faults.iter().find(|fault| !fault.kind.is_warning());
                        if let Some(fault) = fault.filter(|_| !entry.complete) {
                            let (line, column, kind) = (fault.line, fault.column, &fault.kind);
                            say(&format!(
                                "{place}:{line}:{column}: error: game {number}: {kind}; the moves before are analysed"
                            ));
                        }
                        let plies = entry.game.plies.len() as u64;
                        summary.games.push((number, if plies == 0 { 0 } else { plies + 1 }));
                    }
                    ControlFlow::Continue(())
                },
            );
            before += count;
        }
        summary.fingerprint = format!("{} bytes, checksum {:08x}", summed.bytes, summed.hasher.finalize());
        Ok(summary)
    }

    /// Reads the selected games that `wants` accepts, one at a time.
    pub(super) fn games<'a>(
        &'a self,
        mut wants: impl FnMut(u64) -> bool + Send + 'a,
    ) -> impl Iterator<Item = QueuedGame> + Send + 'a {
        let entries = self.places.iter().flat_map(|place| {
            let input = self.open(place).unwrap_or_else(|_| Box::new(io::empty()));
            Games::new(input).crowning(self.crown).map(move |entry| (place, entry))
        });
        (1..).zip(entries).filter_map(move |(number, (place, entry))| {
            let wanted = self.wants(number, &entry) && wants(number);
            wanted.then(|| QueuedGame { number, place: format!("{place}:{}", entry.line), entry })
        })
    }
}

/// Size and checksum of the input.
#[derive(Default)]
struct InputSum {
    bytes: u64,
    hasher: crc32fast::Hasher,
}

/// A reader that sums up its input.
struct ChecksumReader<'a, R> {
    input: R,
    sum: &'a mut InputSum,
}

impl<R: Read> Read for ChecksumReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.sum.bytes += count as u64;
        self.sum.hasher.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}
