//! Games from PDN, with their errors. The text after an error becomes a comment, so that nothing is lost.

use std::io::Read;

use serde::{Deserialize, Serialize};

use crate::stored_game::{GameId, Heading, LibraryGame, NewGame, Summary, digest, position_key, visits};
use kelso_draughts::notation::encoding;
use kelso_draughts::notation::pdn::{PdnEntry, PdnError, PdnReader};
use kelso_draughts::record::GameRecord;

/// The number of games that are added at a time. The index is then written in large parts, with little
/// memory.
pub const BATCH: usize = 8192;
/// The number of errors that a report lists.
const MAX_FAULTS: usize = 1000;

/// An error in a game that was read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ImportFault {
    /// The number of the game in the text, and in the library if it was added.
    pub number: usize,
    pub game: Option<GameId>,
    pub line: usize,
    pub column: usize,
    pub text: String,
}

/// What an import has done.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ImportReport {
    /// The numbers of games added, and of those that the library had.
    pub added: usize,
    pub known: usize,
    /// The only game of the text, in the library.
    pub only: Option<GameId>,
    pub faults: Vec<ImportFault>,
    /// The number of errors, some of which may not be listed.
    pub errors: usize,
}

impl ImportReport {
    pub(crate) fn add_fault(&mut self, fault: ImportFault) {
        self.errors += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// A part of the games of a text.
#[derive(Debug, Default)]
pub struct ImportBatch {
    pub(crate) games: Vec<NewGame>,
    /// The errors, each with the index of its game, if that is imported.
    pub(crate) faults: Vec<(Option<usize>, ImportFault)>,
}

/// The collection of imported games.
pub const IMPORTED: &str = "Imported";

/// Reads the games of a text in batches.
#[derive(Debug)]
pub struct Importer<R> {
    reader: PdnReader<R>,
    collection: String,
    added: i64,
}

impl<R: Read> Importer<R> {
    /// Reads games that are added to a collection at a time, in milliseconds since 1970.
    pub fn new(text: R, collection: &str, added: i64) -> Self {
        Self { reader: PdnReader::new(text), collection: collection.to_owned(), added }
    }

    fn new_game(&self, entry: &PdnEntry, text: &str) -> NewGame {
        let (record, pdn) =
            match entry.errors().find(|error| !error.kind.is_warning()).filter(|_| !entry.is_complete()) {
                None => (None, format!("{}\n", text.trim())),
                Some(error) => {
                    let record = with_rest(entry, text, error);
                    let pdn = record.to_string();
                    (Some(record), pdn)
                }
            };
        let record = record.as_ref().unwrap_or(&entry.game);
        let summary = Summary {
            added: self.added,
            collection: self.collection.clone(),
            digest: digest(text),
            heading: Heading::of(record),
            ..Summary::default()
        };
        let visits =
            if entry.is_complete() || !record.plies.is_empty() { visits(record) } else { Vec::new() };
        let moves = (!summary.heading.annotated).then(|| record.moves_key());
        let end = position_key(&record.last_position());
        NewGame { game: LibraryGame { summary, pdn, ..LibraryGame::default() }, moves, end, visits }
    }
}

impl<R: Read> Iterator for Importer<R> {
    type Item = ImportBatch;

    fn next(&mut self) -> Option<ImportBatch> {
        let mut batch = ImportBatch::default();
        while batch.games.len() < BATCH
            && let Some(entry) = self.reader.next()
        {
            let is_imported = entry.has_game() && !entry.is_other_game();
            let index = is_imported.then_some(batch.games.len());
            batch.faults.extend(entry.errors().map(|fault| {
                let PdnError { game: number, line, column, kind } = fault;
                let text = kind.to_string();
                (index, ImportFault { number: *number, game: None, line: *line, column: *column, text })
            }));
            if is_imported {
                let text = encoding::lines(self.reader.text());
                batch.games.push(self.new_game(&entry, &text));
            }
        }
        (!batch.games.is_empty() || !batch.faults.is_empty()).then_some(batch)
    }
}

/// Returns an incomplete game with the text from its first error as a comment.
fn with_rest(entry: &PdnEntry, text: &str, error: &PdnError) -> GameRecord {
    let mut record = entry.game.clone();
    let blank = text.len() - text.trim_start().len();
    let first = entry.line - text.get(..blank).unwrap_or_default().matches('\n').count();
    let mut lines = text.split_inclusive('\n').skip(error.line.saturating_sub(first));
    let line = lines.next().unwrap_or_default();
    let column = line.char_indices().nth(error.column.saturating_sub(1)).map_or(0, |(at, _)| at);
    let rest = [line.get(column..).unwrap_or(line), &lines.collect::<String>()].concat();
    let rest = rest.replace(['{', '}'], "|");
    let comment = record.plies.last_mut().map_or(&mut record.comment, |ply| &mut ply.comment);
    let words: Vec<&str> = comment.split_whitespace().chain(rest.split_whitespace()).collect();
    *comment = words.join(" ");
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_after_an_error_becomes_a_comment() {
        let text = "\n[Black \"A\"]\n1. 11-15 23-19 2. 8-11\n22-18? Redoversteppedthetime... {x} 1-0\n\n[Event \"2\"] 9-13 *";
        let batch = Importer::new(text.as_bytes(), "cup", 5).next().unwrap();
        assert_eq!(batch.games.len(), 2);
        let first = &batch.games[0].game;
        assert!(first.pdn.contains("{Redoversteppedthetime... |x| 1-0}"), "{}", first.pdn);
        assert_eq!(first.summary.heading.black, "A");
        assert_eq!(first.summary.added, 5);
        let [(index, fault)] = &batch.faults[..] else { panic!("{:?}", batch.faults) };
        assert_eq!(*index, Some(0));
        assert_eq!(fault.line, 4);
        assert_eq!(batch.games[1].game.pdn, "[Event \"2\"] 9-13 *\n");
    }

    #[test]
    fn other_games_are_errors() {
        let text = "[GameType \"20\"] 1. 32-28 19-23 *";
        let batch = Importer::new(text.as_bytes(), "", 0).next().unwrap();
        assert!(batch.games.is_empty());
        assert_eq!(batch.faults.len(), 1);
    }
}
