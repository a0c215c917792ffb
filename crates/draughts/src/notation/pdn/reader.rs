//! Reads games from a file, one by one or in batches for several threads.

use std::io::Read;

use super::error::{MAX_FAULTS, PdnError, PdnErrorKind, StatedResults};
use super::nest::RawGame;
use super::resolve::{self, Played};
use super::result::parse_result;
use super::split::{GameChunk, Splitter};
use crate::board::Position;
use crate::notation::{MoveError, encoding, fen};
use crate::record::GameRecord;
use crate::result::GameResult;
use text::syntax::Quoted;

/// The approximate size of a batch.
const BATCH_BYTES: usize = 256 << 10;

/// A game from a file, as far as it can be read, with its errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnEntry {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The first line of the game in the file, from 1.
    pub line: usize,
    /// The game. If it is not [complete](Self::complete), its moves end before the first error.
    pub game: GameRecord,
    /// Whether all moves of the game could be read, regardless of errors in variations and tags.
    pub complete: bool,
    /// The results in the tag, after the moves and on the board.
    pub results: StatedResults,
    /// The errors, in the order in which they occur in the text.
    pub faults: Vec<PdnError>,
}

impl PdnEntry {
    /// Returns the game if it is complete.
    ///
    /// # Errors
    ///
    /// Returns the first error of an incomplete game.
    pub fn whole(self) -> Result<GameRecord, PdnError> {
        if self.complete {
            return Ok(self.game);
        }
        let Self { number: game, line, faults, .. } = self;
        let unknown = PdnErrorKind::unexpected("", "a game");
        let first = faults.into_iter().find(|fault| !fault.kind.is_warning());
        Err(first.unwrap_or(PdnError { game, line, column: 1, kind: unknown }))
    }
}

/// Interprets the text of a game. Returns `None` if there is no game in it. With `crown`, men on their last
/// row in the start position are kings.
fn interpret(piece: &GameChunk, number: usize, crown: bool) -> Option<PdnEntry> {
    let text = encoding::lines(&piece.bytes);
    let raw = match &piece.lost {
        None => RawGame::parse(&text),
        Some(kind) => RawGame::lost(kind.clone()),
    };
    if raw.is_empty() {
        return None;
    }
    let RawGame { mut tags, mut line, result, first_number, mut faults } = raw;
    let mut take = |name: &str| {
        let taken = tags.extract_if(.., |(_, known, _)| known.eq_ignore_ascii_case(name));
        taken.last().map(|(at, _, value)| (at, value))
    };
    let (fen, result_tag) = (take("FEN"), take("Result"));
    let kind = take("GameType").filter(|(_, kind)| is_other_game(kind));
    take("SetUp");
    let mut game = GameRecord::new(Position::start());
    for (_, name, value) in tags {
        game.tags.push(name, value);
    }
    game.comment = std::mem::take(&mut line.comment);

    let mut fault = None;
    let broken = line.broken;
    match fen.as_ref().map(|(at, text)| (*at, fen::parse_crowning(text, crown))) {
        None => {}
        Some((_, Ok(start))) => game.start = start,
        Some((at, Err(error))) => {
            // The moves are meaningless without a valid starting position.
            line.plies.clear();
            fault = Some((at, PdnErrorKind::Invalid(error.to_string())));
        }
    }
    let Played { plies, end, fault: illegal } = resolve::line(line, game.start, &mut faults);
    game.plies = plies;
    if let Some((at, error)) = illegal {
        let first = first_number.filter(|&number| number > 1 && fen.is_none());
        let middle = |first| {
            PdnErrorKind::Invalid(format!(
                "the moves begin with number {first} but are illegal from the start of the game: expected a FEN tag"
            ))
        };
        fault = Some((at, first.map_or(error, middle)));
    }
    // The game type only matters if the moves are illegal in English draughts.
    let in_doubt = matches!(fault, Some((_, PdnErrorKind::Move(MoveError::Ambiguous { .. }))));
    if let Some((at, kind)) = kind
        && (fault.is_some() || game.plies.is_empty())
        && !in_doubt
    {
        fault = Some((at, PdnErrorKind::GameType(kind)));
    }
    let complete = fault.is_none() && !broken;
    faults.extend(fault);

    let mut results =
        StatedResults { moves: result.and_then(|(_, result)| result), ..StatedResults::default() };
    if let Some((at, value)) = result_tag {
        let plain: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        match parse_result(&plain) {
            Ok(result) => results.tag = result,
            Err(error) if plain.chars().any(char::is_alphanumeric) => {
                let invalid = format!("invalid result {}: {error}", Quoted(&value));
                faults.push((at, PdnErrorKind::Ignored(invalid)));
            }
            Err(_) => {}
        }
    }
    results.board = (!end.can_move()).then(|| GameResult::won_by(!end.side()));
    game.result = results.result();
    if !results.agree() {
        let at = result.map_or(text.trim_end().len(), |(at, _)| at);
        faults.push((at, PdnErrorKind::Results(results)));
    }
    faults.sort_by_key(|&(at, _)| at);
    if let Some((_, last)) = faults.get_mut(MAX_FAULTS) {
        *last = PdnErrorKind::Invalid(format!("more than {MAX_FAULTS} errors; the rest are not reported"));
        faults.truncate(MAX_FAULTS + 1);
    }
    let blank = text.split_at(text.len() - text.trim_start().len()).0;
    let line = piece.place.line + blank.matches('\n').count();
    let mut place = piece.place;
    let mut passed = 0;
    let error = |(at, kind)| {
        place.pass(&text.as_bytes()[passed..at]);
        passed = at;
        PdnError { game: number, line: place.line, column: place.column, kind }
    };
    let faults = faults.into_iter().map(error).collect();
    Some(PdnEntry { number, line, game, complete, results, faults })
}

/// Returns whether a game type denotes a game other than English draughts. Properties of the board may follow
/// the number: `21,B,8,8,N1,0`.
fn is_other_game(kind: &str) -> bool {
    let number = kind.trim_start().split(|c: char| !c.is_ascii_digit()).next();
    number.is_some_and(|number| !number.is_empty() && number != "21")
}

/// The games of a file in order. Files of any size take little memory, and errors in a game do not affect the
/// others.
///
/// ```
/// use draughts::notation::pdn::PdnReader;
/// let file = "[Event \"1\"] 1. 11x15 22-18 2. 15x22 1-0\n[Event \"2\"] 1. 11-15 11-17 *\n[Event \"3\"] 1. 11-16 *";
/// let games: Vec<_> = PdnReader::new(file.as_bytes()).collect();
/// assert_eq!(games[0].game.plies.len(), 3);
/// assert_eq!((games[1].complete, games[1].game.plies.len()), (false, 1));
/// let error = games[1].faults[0].to_string();
/// assert!(error.starts_with("game 2, line 2, column 22: illegal move \"11-17\": expected one of "), "{error}");
/// assert_eq!(games[2].clone().whole()?.plies.len(), 1);
/// # Ok::<(), draughts::notation::pdn::PdnError>(())
/// ```
#[derive(Debug)]
pub struct PdnReader<R> {
    pieces: Splitter<R>,
    crown: bool,
    text: Vec<u8>,
    count: usize,
}

impl<R: Read> PdnReader<R> {
    /// Reads games from a reader, which need not be buffered.
    pub fn new(input: R) -> Self {
        Self { pieces: Splitter::new(input), crown: false, text: Vec::new(), count: 0 }
    }

    /// Crowns the men on their last row in start positions, if `crown` is true. Otherwise such a position is
    /// an error.
    #[must_use]
    pub fn crowning(mut self, crown: bool) -> Self {
        self.crown = crown;
        self
    }

    /// Returns the text of the most recently read game, byte for byte, with UTF-16 converted to UTF-8.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the remaining games in batches, so that several threads can parse one file.
    ///
    /// ```
    /// use draughts::notation::pdn::PdnReader;
    /// let file = "1. 11-15 *\n1. 11-16 *\n".repeat(3);
    /// let batch = PdnReader::new(file.as_bytes()).batches().next().unwrap();
    /// let lines: Vec<usize> = batch.entries().map(|(entry, _)| entry.line).collect();
    /// assert_eq!(lines, [1, 2, 3, 4, 5, 6]);
    /// ```
    pub fn batches(mut self) -> impl Iterator<Item = Batch> {
        std::iter::from_fn(move || {
            let mut pieces = Vec::new();
            let mut size = 0;
            while size < BATCH_BYTES
                && let Some(piece) = self.pieces.next()
            {
                size += piece.bytes.len();
                pieces.push(piece);
            }
            (!pieces.is_empty()).then_some(Batch { pieces, crown: self.crown })
        })
    }
}

impl<R: Read> Iterator for PdnReader<R> {
    type Item = PdnEntry;

    fn next(&mut self) -> Option<PdnEntry> {
        let (piece, entry) = self
            .pieces
            .by_ref()
            .find_map(|piece| interpret(&piece, self.count + 1, self.crown).map(|entry| (piece, entry)))?;
        (self.text, self.count) = (piece.bytes, entry.number);
        Some(entry)
    }
}

/// The text of consecutive games.
#[derive(Debug)]
pub struct Batch {
    pieces: Vec<GameChunk>,
    crown: bool,
}

impl Batch {
    /// Parses the games, each with its text, numbered from 1 in this batch.
    pub fn entries(&self) -> impl Iterator<Item = (PdnEntry, &[u8])> {
        let mut number = 1;
        self.pieces.iter().filter_map(move |piece| {
            let entry = interpret(piece, number, self.crown)?;
            number += 1;
            Some((entry, &piece.bytes[..]))
        })
    }
}
