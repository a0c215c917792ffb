//! The games to analyse. They are read once to count them and again to analyse them.

use anyhow::{Context, anyhow, bail};
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::shared::Reading;
use super::super::{say, threads};
use analysis::games::place::Place;
use analysis::games::stream;
use analysis::runner::QueuedGame;
use draughts::notation::pdn::{Batches, Entry, Games, PdnGame};

/// The selection of games.
#[derive(clap::Args, Debug)]
pub(super) struct Input {
    /// PDN files, folders with such files at any depth, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Analyse only this game, counted from 1 through all files; may be repeated
    #[arg(long = "game", value_name = "N", value_parser = super::super::at_least_one::<u64>)]
    games: Vec<u64>,
    /// Analyse only games of players whose names contain this, in any case; may be repeated
    #[arg(long = "player", value_name = "PART")]
    players: Vec<String>,
    #[command(flatten)]
    reading: Reading,
}

/// The input files.
#[derive(Debug)]
pub(super) struct GameFiles {
    places: Vec<Place>,
    /// Standard input, which can be read only once.
    piped: Option<Arc<[u8]>>,
    games: Vec<u64>,
    players: Vec<String>,
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
        &self.files
    }

    /// Finds the files.
    pub(super) fn source(&self) -> anyhow::Result<GameFiles> {
        let places = Place::all(&self.files);
        if places.is_empty() {
            bail!("no PDN files found");
        }
        let mut piped = None;
        if places.contains(&Place::Input) {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            piped = Some(bytes.into());
        }
        let players = self.players.iter().map(|part| part.to_lowercase()).collect();
        Ok(GameFiles { places, piped, games: self.games.clone(), players, crown: self.reading.crown })
    }

    /// Describes the selection.
    pub(super) fn selection(&self) -> String {
        let games = self.games.iter().map(|number| format!("game {number}"));
        let players = self.players.iter().map(|part| format!("player {part}"));
        let crown = self.reading.crown.then(|| "men on the last row as kings".to_owned());
        let parts: Vec<String> = games.chain(players).chain(crown).collect();
        if parts.is_empty() { "all".to_owned() } else { parts.join(", ") }
    }
}

impl GameFiles {
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

    fn wants(&self, number: u64, game: &PdnGame) -> bool {
        let name = |tag| game.tags.get(tag).unwrap_or_default().to_lowercase();
        let plays = |part: &String| ["Black", "White"].into_iter().any(|tag| name(tag).contains(part));
        (self.games.is_empty() || self.games.contains(&number)) && self.players.iter().all(plays)
    }

    /// Reads all input, reports faults in selected games, and counts them.
    pub(super) fn count(&self) -> anyhow::Result<InputSummary> {
        let mut summary = InputSummary::default();
        let (mut before, mut summed) = (0, InputSum::default());
        for place in &self.places {
            let failed = |error| anyhow!("cannot read {place}: {error}");
            let mut input = ChecksumReader { input: self.open(place).map_err(failed)?, sum: &mut summed };
            let mut count = 0;
            let reading = &mut input;
            let work = |entry: Entry, _: &[u8]| entry;
            let numbered = AtomicU64::new(before);
            let _ = stream::each(
                Batches::new(reading).crowning(self.crown),
                threads(None),
                work,
                |number, entry| {
                    count = number as u64;
                    let number = numbered.fetch_add(1, Ordering::Relaxed) + 1;
                    if self.wants(number, &entry.game) {
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
            let wanted = self.wants(number, &entry.game) && wants(number);
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
