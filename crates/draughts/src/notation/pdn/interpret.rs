//! Interprets the text of a game: its tags, its moves and its results.

use super::error::{MAX_FAULTS, PdnError, PdnErrorKind, Results};
use super::game::{PdnGame, parse_result};
use super::nest::RawGame;
use super::reader::Entry;
use super::resolve::{self, Played};
use super::split::Place;
use crate::board::Position;
use crate::notation::syntax::Quoted;
use crate::notation::{MoveError, encoding, fen};
use crate::referee::GameResult;

/// Interprets the bytes of a game at a place, unless they are empty. With `crown`, men on their last row in the start position
/// are kings.
pub(super) fn entry(bytes: &[u8], mut place: Place, number: usize, crown: bool) -> Option<Entry> {
    let text = encoding::lines(bytes);
    let raw = RawGame::parse(&text);
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
    let mut game = PdnGame::new(Position::start());
    for (_, name, value) in tags {
        game.tags.push(name, value);
    }
    game.comment = std::mem::take(&mut line.comment);

    let mut fault = None;
    let broken = line.broken;
    let parse = if crown { fen::parse_crowning } else { fen::parse };
    match fen.as_ref().map(|(at, text)| (*at, parse(text))) {
        None => {}
        Some((_, Ok(start))) => game.start = start,
        Some((at, Err(error))) => {
            // Without a position the moves are meaningless.
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
    // The game type matters only if the moves do not fit our board.
    let in_doubt = matches!(fault, Some((_, PdnErrorKind::Move(MoveError::Ambiguous { .. }))));
    if let Some((at, kind)) = kind
        && (fault.is_some() || game.plies.is_empty())
        && !in_doubt
    {
        fault = Some((at, PdnErrorKind::GameType(kind)));
    }
    let complete = fault.is_none() && !broken;
    faults.extend(fault);

    let mut results = Results { moves: result.and_then(|(_, result)| result), ..Results::default() };
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
        *last = PdnErrorKind::Invalid(format!("more than {MAX_FAULTS} errors; the rest is not reported"));
        faults.truncate(MAX_FAULTS + 1);
    }
    let blank = text.get(..text.len() - text.trim_start().len()).unwrap_or_default();
    let line = place.line + blank.matches('\n').count();
    let mut passed = 0;
    let error = |(at, kind)| {
        place.pass(text.get(passed..at).unwrap_or_default().as_bytes());
        passed = at;
        PdnError { game: number, line: place.line, column: place.column, kind }
    };
    let faults = faults.into_iter().map(error).collect();
    Some(Entry { number, line, game, complete, results, faults })
}

/// Returns true if a game type is another game. Properties of the board may follow its number: `21,B,8,8,N1,0`.
fn is_other_game(kind: &str) -> bool {
    let number = kind.trim_start().split(|c: char| !c.is_ascii_digit()).next();
    number.is_some_and(|number| !number.is_empty() && number != "21")
}
