//! Reads games from a file, one by one or in batches for several threads.

use std::io::Read;

use super::error::{MAX_ERRORS, PdnError, PdnErrorKind, PlacedError, StatedResults};
use super::nest::{RawGame, RawLine};
use super::resolve::{self, Played};
use super::result::parse_result;
use super::split::{GameChunk, Splitter, TextPlace};
use crate::board::Position;
use crate::notation::{MoveError, PositionError, encoding, fen};
use crate::record::GameRecord;
use crate::result::GameResult;

/// The approximate size of a batch.
const BATCH_BYTES: usize = 256 << 10;

/// A game from a file, as far as it can be read, with its errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnEntry {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The first line of the game in the file, from 1.
    pub line: usize,
    pub game: GameRecord,
    /// The error at which the moves of the game end.
    pub error: Option<PdnError>,
    /// The other errors, such as those in variations and tags, in the order in which they occur in the text.
    pub other_errors: Vec<PdnError>,
    /// The results in the tag, after the moves and on the board.
    pub results: StatedResults,
}

impl PdnEntry {
    /// Returns whether all moves of the game could be read, regardless of errors in variations and tags.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.error.is_none()
    }

    /// Returns whether there is a game, rather than text without any tag or move, which is an error.
    #[must_use]
    pub fn has_game(&self) -> bool {
        self.is_complete() || self.game.tags.iter().len() > 0 || !self.game.plies.is_empty()
    }

    /// Returns whether the moves end because the game is not English draughts.
    #[must_use]
    pub const fn is_other_game(&self) -> bool {
        matches!(self.error, Some(PdnError { kind: PdnErrorKind::GameType(_), .. }))
    }

    /// Returns all errors, in the order in which they occur in the text.
    pub fn errors(&self) -> impl Iterator<Item = &PdnError> {
        let place = |error: &PdnError| (error.line, error.column);
        let is_before =
            |other: &PdnError| self.error.as_ref().is_some_and(|error| place(other) < place(error));
        let (before, after) = self.other_errors.split_at(self.other_errors.partition_point(is_before));
        before.iter().chain(&self.error).chain(after)
    }

    /// Returns the error that prevents reading the rest of the file.
    #[must_use]
    pub fn read_error(&self) -> Option<&str> {
        self.errors().find_map(|error| match &error.kind {
            PdnErrorKind::Unreadable { reason, .. } => Some(reason.as_str()),
            _ => None,
        })
    }

    /// Returns the game if it is complete.
    ///
    /// # Errors
    ///
    /// Returns the error at which the moves end.
    pub fn whole(self) -> Result<GameRecord, PdnError> {
        self.error.map_or(Ok(self.game), Err)
    }
}

/// The errors of a game while it is read. One of the first three ends its moves.
struct GameErrors {
    /// The `GameType` tag names another game.
    other_game: Option<PlacedError>,
    /// The starting position or a move is illegal.
    illegal: Option<PlacedError>,
    /// The text cannot be read from here on.
    broken: Option<PlacedError>,
    others: Vec<PlacedError>,
}

impl GameErrors {
    fn new(mut others: Vec<PlacedError>, broken: Option<usize>) -> Self {
        let broken = broken.map(|index| others.remove(index));
        Self { other_game: None, illegal: None, broken, others }
    }

    /// Returns the error that ends the moves, and the others.
    fn decide(self, has_moves: bool) -> (Option<PlacedError>, Vec<PlacedError>) {
        let Self { other_game, illegal, broken, mut others } = self;
        // The game type only matters if the moves are illegal in English draughts.
        let is_english = match &illegal {
            Some((_, kind)) => matches!(kind, PdnErrorKind::Move(MoveError::Ambiguous { .. })),
            None => has_moves,
        };
        let error = other_game.filter(|_| !is_english).or(illegal);
        if error.is_none() {
            return (broken, others);
        }
        others.extend(broken);
        (error, others)
    }
}

/// Reads the text of a game. Returns `None` if there is no game in it. With `crown`, men on their last row in
/// the start position are kings.
fn read_game(chunk: &GameChunk, number: usize, crown: bool) -> Option<PdnEntry> {
    let text = encoding::lines(&chunk.bytes);
    let raw = match &chunk.lost {
        None => RawGame::parse(&text),
        Some(kind) => RawGame::lost(kind.clone()),
    };
    if raw.is_empty() {
        return None;
    }
    let RawGame { mut tags, line: mut main_line, result, first_number, errors } = raw;
    let mut errors = GameErrors::new(errors, main_line.broken);
    let fen = take_tag(&mut tags, "FEN");
    let result_tag = take_tag(&mut tags, "Result");
    let other_game = take_tag(&mut tags, "GameType").filter(|(_, kind)| is_other_game(kind));
    errors.other_game = other_game.map(|(at, kind)| (at, PdnErrorKind::GameType(kind)));
    take_tag(&mut tags, "SetUp");
    let mut game = GameRecord::new(Position::start());
    for (_, name, value) in tags {
        game.tags.push(name, value);
    }
    game.comment = std::mem::take(&mut main_line.comment);
    let start = fen.map(|(at, text)| (at, fen::parse_crowning(&text, crown)));
    let end = play(&mut game, start, main_line, first_number, &mut errors);
    let (error, mut others) = errors.decide(!game.plies.is_empty());

    let results = StatedResults {
        tag: result_tag.and_then(|tag| tag_result(tag, &mut others)),
        moves: result.and_then(|(_, result)| result),
        board: (!end.can_move()).then(|| GameResult::won_by(!end.side())),
    };
    game.result = results.result();
    if !results.agree() {
        let at = result.map_or(text.trim_end().len(), |(at, _)| at);
        others.push((at, PdnErrorKind::Results(results)));
    }
    let blank = text.split_at(text.len() - text.trim_start().len()).0;
    let line = chunk.place.line + blank.matches('\n').count();
    let error = located(error.into_iter().collect(), &text, chunk.place, number).pop();
    let other_errors = located(others, &text, chunk.place, number);
    Some(PdnEntry { number, line, game, error, other_errors, results })
}

/// Removes the tag of a name, of which there is at most one. Returns its offset and value.
fn take_tag(tags: &mut Vec<(usize, &str, String)>, name: &str) -> Option<(usize, String)> {
    let index = tags.iter().position(|(_, other, _)| other.eq_ignore_ascii_case(name))?;
    let (at, _, value) = tags.remove(index);
    Some((at, value))
}

/// Sets the start of a game, if its text states one, and plays its moves. Returns the position at the end.
fn play(
    game: &mut GameRecord,
    start: Option<(usize, Result<Position, PositionError>)>,
    mut main_line: RawLine<'_>,
    first_number: Option<u32>,
    errors: &mut GameErrors,
) -> Position {
    let is_standard = start.is_none();
    match start {
        None => {}
        Some((_, Ok(start))) => game.start = start,
        Some((at, Err(error))) => {
            // The moves are meaningless without a valid starting position.
            main_line.plies.clear();
            errors.illegal = Some((at, PdnErrorKind::Fen(error)));
        }
    }
    let Played { plies, end, error: illegal } = resolve::line(main_line, game.start, &mut errors.others);
    game.plies = plies;
    if let Some((at, error)) = illegal {
        let later_start = first_number.filter(|&number| number > 1 && is_standard);
        errors.illegal = Some((at, later_start.map_or(error, PdnErrorKind::MissingFen)));
    }
    end
}

/// Returns the result in a `Result` tag. A text that is no result is an error, but not a mark such as `*`.
fn tag_result((at, value): (usize, String), errors: &mut Vec<PlacedError>) -> Option<GameResult> {
    let without_spaces: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    let result = parse_result(&without_spaces);
    if result.is_err() && without_spaces.contains(char::is_alphanumeric) {
        errors.push((at, PdnErrorKind::ResultTag(value)));
    }
    result.unwrap_or_default()
}

/// Returns the first errors in the text of a game with their lines and columns. The text begins at `place`.
fn located(mut placed: Vec<PlacedError>, text: &str, mut place: TextPlace, game: usize) -> Vec<PdnError> {
    placed.sort_by_key(|&(at, _)| at);
    if let Some((_, last)) = placed.get_mut(MAX_ERRORS) {
        *last = PdnErrorKind::TooMany;
        placed.truncate(MAX_ERRORS + 1);
    }
    let mut passed = 0;
    let mut errors = Vec::new();
    for (at, kind) in placed {
        place.pass(&text.as_bytes()[passed..at]);
        passed = at;
        errors.push(PdnError { game, line: place.line, column: place.column, kind });
    }
    errors
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
/// use kelso_draughts::notation::pdn::PdnReader;
/// let file = "[Event \"1\"] 1. 11x15 22-18 2. 15x22 1-0\n[Event \"2\"] 1. 11-15 11-17 *\n\
///     [Event \"3\"] 1. 11-16 *";
/// let games: Vec<_> = PdnReader::new(file.as_bytes()).collect();
/// assert_eq!(games[0].game.plies.len(), 3);
/// assert_eq!((games[1].is_complete(), games[1].game.plies.len()), (false, 1));
/// let error = games[1].error.as_ref().unwrap().to_string();
/// assert!(error.starts_with("game 2, line 2, column 22: illegal move \"11-17\": expected one of "));
/// assert_eq!(games[2].clone().whole()?.plies.len(), 1);
/// # Ok::<(), kelso_draughts::notation::pdn::PdnError>(())
/// ```
#[derive(Debug)]
pub struct PdnReader<R> {
    splitter: Splitter<R>,
    crown: bool,
    text: Vec<u8>,
    count: usize,
}

impl<R: Read> PdnReader<R> {
    /// Reads games from a reader, which need not be buffered.
    pub fn new(input: R) -> Self {
        Self { splitter: Splitter::new(input), crown: false, text: Vec::new(), count: 0 }
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
    /// use kelso_draughts::notation::pdn::PdnReader;
    /// let file = "1. 11-15 *\n1. 11-16 *\n".repeat(3);
    /// let batch = PdnReader::new(file.as_bytes()).batches().next().unwrap();
    /// let lines: Vec<usize> = batch.entries().map(|(entry, _)| entry.line).collect();
    /// assert_eq!(lines, [1, 2, 3, 4, 5, 6]);
    /// ```
    pub fn batches(mut self) -> impl Iterator<Item = Batch> {
        std::iter::from_fn(move || {
            let mut chunks = Vec::new();
            let mut size = 0;
            while size < BATCH_BYTES
                && let Some(chunk) = self.splitter.next()
            {
                size += chunk.bytes.len();
                chunks.push(chunk);
            }
            (!chunks.is_empty()).then_some(Batch { chunks, crown: self.crown })
        })
    }
}

impl<R: Read> Iterator for PdnReader<R> {
    type Item = PdnEntry;

    fn next(&mut self) -> Option<PdnEntry> {
        let (chunk, entry) = self
            .splitter
            .by_ref()
            .find_map(|chunk| read_game(&chunk, self.count + 1, self.crown).map(|entry| (chunk, entry)))?;
        (self.text, self.count) = (chunk.bytes, entry.number);
        Some(entry)
    }
}

/// The text of consecutive games.
#[derive(Debug)]
pub struct Batch {
    chunks: Vec<GameChunk>,
    crown: bool,
}

impl Batch {
    /// Parses the games, each with its text, numbered from 1 in this batch.
    pub fn entries(&self) -> impl Iterator<Item = (PdnEntry, &[u8])> {
        let mut number = 1;
        self.chunks.iter().filter_map(move |chunk| {
            let entry = read_game(chunk, number, self.crown)?;
            number += 1;
            Some((entry, &chunk.bytes[..]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen as positions;

    fn read(text: &str) -> PdnEntry {
        let mut games: Vec<_> = PdnReader::new(text.as_bytes()).collect();
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0)
    }

    fn errors(entry: &PdnEntry) -> Vec<String> {
        entry.errors().map(ToString::to_string).collect()
    }

    #[test]
    fn games_without_errors_are_complete() {
        for (text, plies) in [
            ("1. 11-15 22-18 *", 2),
            ("1. 11-15 *\r\n\x1a", 1),
            ("[Result \"?\"] 11-15", 1),
            ("[GameType \"20\"] 11-15 *", 1),
            ("[GameType \"English\"] *", 0),
            ("[SetUp \"1\"] [fen \"W:W32:B1\"] 3. 32-28 *", 1),
        ] {
            let entry = read(text);
            assert_eq!(
                (entry.is_complete(), entry.game.plies.len(), errors(&entry)),
                (true, plies, vec![]),
                "{text}"
            );
            assert!(entry.has_game() && !entry.is_other_game(), "{text}");
            assert_eq!(entry.game.tags.iter().len(), 0, "{text}");
            assert_eq!(entry.clone().whole(), Ok(entry.game));
        }
    }

    #[test]
    fn a_game_ends_before_its_first_error() {
        let legal = "expected one of 9-13 10-14 11-15 12-16 9-14 10-15 11-16";
        for (text, plies, place, message) in [
            ("11-15 22-18 (23-19) 22-17", 2, (1, 21), "illegal move \"22-17\": the only legal move is 15x22"),
            ("1. 22-18 *", 0, (1, 4), &format!("illegal move \"22-18\": {legal}")),
            (
                "3. 22-18 *",
                0,
                (1, 4),
                "the moves begin with number 3 but are illegal from the start of the game: expected a FEN tag",
            ),
            ("[FEN \"W:W13,14:B5\"] 3. 13-9\n9-5 *", 1, (2, 1), "illegal move \"9-5\": the game is over"),
            (
                "[A \"b\"][FEN \"W:W32:B32\"] 32-28",
                0,
                (1, 8),
                "invalid FEN \"W:W32:B32\": square 32 is listed twice",
            ),
            ("[GameType \"20\"] 32-28", 0, (1, 1), "game type \"20\" is not English draughts: expected 21"),
            ("[GameType \" 20,W\"]", 0, (1, 1), "game type \" 20,W\" is not English draughts: expected 21"),
            ("[GameType \"21,W\"] 22-18", 0, (1, 19), &format!("illegal move \"22-18\": {legal}")),
            (
                "[GameType \"20\"] [FEN \"B:W9,10,17,18,32:B6\"] 6x22",
                0,
                (1, 45),
                "ambiguous move \"6x22\": expected one of 6x13x22 6x15x22",
            ),
            (
                "11-15 resigns 22-18",
                1,
                (1, 7),
                "unexpected \"resigns\": expected a move, a comment, a variation or a result",
            ),
        ] {
            let entry = read(text);
            assert_eq!((entry.is_complete(), entry.game.plies.len()), (false, plies), "{text}");
            assert_eq!(entry.has_game(), plies > 0 || text.starts_with("[A"), "{text}");
            assert_eq!(entry.is_other_game(), message.contains("not English draughts"), "{text}");
            let first = entry.whole().unwrap_err();
            let (line, column) = place;
            assert_eq!(first.to_string(), format!("game 1, line {line}, column {column}: {message}"));
        }
    }

    #[test]
    fn errors_besides_the_moves_leave_a_game_complete() {
        let entry = read("[Result \"white\"]\n11-15 11-17 *");
        let invalid = "game 1, line 1, column 1: invalid result \"white\": expected 1-0, 0-1, 1/2-1/2 or *";
        assert_eq!(errors(&entry).first().map(String::as_str), Some(invalid));
        assert!(matches!(entry.whole().unwrap_err().kind, PdnErrorKind::Move(_)));
        let entry = read("[Result \"white\"]\n11-15 *");
        assert_eq!((entry.is_complete(), errors(&entry)), (true, vec![invalid.to_owned()]));
        let illegal = read("11-15 22-18 (22-17 22-18) *");
        assert_eq!(
            (illegal.is_complete(), illegal.game.plies.len(), illegal.other_errors.len()),
            (true, 2, 1)
        );
        let both = read("11-15 22-18 (22-17 22-18) 1-6 $256 *");
        assert!(both.errors().is_sorted_by_key(|error| error.column) && both.errors().count() == 3);
        assert_eq!(both.error.map(|error| error.column), Some(27));
    }

    #[test]
    fn results_come_from_the_board_the_moves_or_the_tag() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let blocked = "[FEN \"W:W13,14:B5\"] 13-9";
        for (text, stated, result) in [
            ("[Result \" 1 - 0 \"] 11-15".to_owned(), [Some(BlackWins), None, None], Some(BlackWins)),
            ("[Result \"*\"] 11-15 1/2-1/2".to_owned(), [None, Some(Draw), None], Some(Draw)),
            (format!("[Result \"0-1\"] {blocked} 0-1"), [Some(WhiteWins); 3], Some(WhiteWins)),
            ("11-15 *".to_owned(), [None; 3], None),
        ] {
            let entry = read(&text);
            let [tag, moves, board] = stated;
            assert_eq!((entry.results, entry.game.result), (StatedResults { tag, moves, board }, result));
            assert_eq!(errors(&entry), Vec::<String>::new(), "{text}");
        }
        for (text, result, error) in [
            (
                "[Result \"0-1\"]\n11-15 1-0 {resigns}".to_owned(),
                BlackWins,
                "line 2, column 7: contradictory results: 0-1 in the tag, 1-0 after the moves",
            ),
            (
                "11-15 1-0 1-0\n0-1".to_owned(),
                BlackWins,
                "line 2, column 1: unexpected \"0-1\" after the result",
            ),
            (
                format!("[Result \"1-0\"] {blocked}  \n"),
                WhiteWins,
                "line 1, column 40: contradictory results: 1-0 in the tag, 0-1 on the board",
            ),
            (
                "[Result \"1-0\"] [RESULT \"0-1\"] 11-15 *".to_owned(),
                BlackWins,
                "line 1, column 16: another tag \"RESULT\": the first one counts",
            ),
        ] {
            let entry = read(&text);
            assert_eq!((entry.is_complete(), entry.game.result), (true, Some(result)), "{text}");
            assert_eq!(errors(&entry), [format!("game 1, {error}")]);
        }
    }

    #[test]
    fn games_and_errors_have_their_place_in_the_file() {
        let first = "11-15 *\n";
        let second = "\n\n 11-16 {\u{e9}} $256 22-18\n $300 *\n";
        let file = format!("{first}{second}; no game\n");
        let mut reader = PdnReader::new(file.as_bytes());
        let entry = reader.next().unwrap();
        assert_eq!((entry.number, entry.line, reader.text()), (1, 1, first.as_bytes()));
        let entry = reader.next().unwrap();
        assert_eq!((entry.number, entry.line, reader.text()), (2, 4, second.as_bytes()));
        let places: Vec<_> = entry.errors().map(|error| (error.game, error.line, error.column)).collect();
        assert_eq!(places, [(2, 4, 13), (2, 5, 3)]);
        assert_eq!(reader.next(), None);
    }

    #[test]
    fn the_number_of_reported_errors_is_limited() {
        for (count, last) in [
            (MAX_ERRORS, "unexpected \"256\": expected a glyph number up to 255".to_owned()),
            (MAX_ERRORS + 1, format!("more than {MAX_ERRORS} errors; the rest are not reported")),
            (MAX_ERRORS + 2, format!("more than {MAX_ERRORS} errors; the rest are not reported")),
        ] {
            let entry = read(&format!("11-15 {} *", "$256 ".repeat(count)));
            assert_eq!(entry.errors().count(), count.min(MAX_ERRORS + 1));
            assert_eq!(entry.errors().last().map(|error| error.kind.to_string()), Some(last));
        }
        // The error that ends the moves is reported besides the others.
        for count in [MAX_ERRORS, MAX_ERRORS + 1] {
            for (before, after) in [("11-15 ", "resigns"), ("11-15 ", "(11-16"), ("", "(11-16")] {
                let entry = read(&format!("{before}{}{after}", "$256 ".repeat(count)));
                let found = entry.error.map(|error| error.kind.to_string()).unwrap();
                assert!(found.starts_with(&format!("unexpected {after:?}")), "{found}");
                assert_eq!(entry.other_errors.len(), count);
            }
        }
    }

    #[test]
    fn batches_end_with_the_game_that_fills_them() {
        let text = |size: usize| format!("11-15 {{{}}} *\n", "a".repeat(size - 11));
        // Two games fill the first batch exactly; the third is too small for the second.
        let file = text(BATCH_BYTES / 2).repeat(2) + &text(BATCH_BYTES - 1) + &text(100).repeat(2);
        let batches = PdnReader::new(file.as_bytes()).batches();
        let games: Vec<Vec<_>> = batches
            .map(|batch| {
                let entry = |(entry, text): (PdnEntry, &[u8])| (entry.number, entry.line, text.len());
                batch.entries().map(entry).collect()
            })
            .collect();
        let half = BATCH_BYTES / 2;
        let expected =
            [vec![(1, 1, half), (2, 2, half)], vec![(1, 3, BATCH_BYTES - 1), (2, 4, 100)], vec![(1, 5, 100)]];
        assert_eq!(games, expected);
    }

    #[test]
    fn men_on_their_last_row_are_crowned_on_request() {
        let file = "[FEN \"B:W32:B30\"] 30-25 *";
        let crowned = positions::parse("B:W32:BK30").unwrap();
        let reader = || PdnReader::new(file.as_bytes()).crowning(true);
        assert_eq!(
            reader().next().map(|entry| (entry.is_complete(), entry.game.start)),
            Some((true, crowned))
        );
        let batch = reader().batches().next().unwrap();
        assert!(batch.entries().all(|(entry, _)| entry.is_complete() && entry.game.start == crowned));
        assert!(!read(file).is_complete());
    }
}
