//! Finds out what the tags of a game mean and which moves were played.

use super::error::{Fault, PdnErrorKind};
use super::game::{GameResult, PdnGame, Ply, Variation};
use super::nest::{RawGame, RawLine, RawPly};
use crate::board::{Move, Position};
use crate::notation::{MoveError, MoveText, fen, movetext};

/// Lines that are followed at once while it is open which of several captures were played.
const MOST_LINES: usize = 16;

/// The game in a text, if there is any: neither white space nor comments make one, nor a result alone.
pub(super) fn game(text: &str) -> Result<Option<PdnGame>, Fault> {
    let RawGame { tags, line, result } = RawGame::parse(text)?;
    if tags.is_empty() && line.plies.is_empty() {
        return Ok(None);
    }
    let mut game = PdnGame::new(Position::start());
    for (at, name, value) in tags {
        take_tag(&mut game, name, &value).map_err(|kind| (at, kind))?;
    }
    // Some programs end every game with `*` and leave the result to the tag.
    game.result = result.filter(|&result| result != GameResult::Unknown).unwrap_or(game.result);
    game.plies = resolve(line.plies, game.start)?;
    game.comment = line.comment;
    Ok(Some(game))
}

fn take_tag(game: &mut PdnGame, name: &str, value: &str) -> Result<(), PdnErrorKind> {
    if name.eq_ignore_ascii_case("FEN") {
        game.start = fen::parse(value).map_err(PdnErrorKind::Fen)?;
    } else if name.eq_ignore_ascii_case("Result") {
        game.result = GameResult::parse(value.trim()).unwrap_or(GameResult::Unknown);
    } else if name.eq_ignore_ascii_case("GameType") {
        // Further properties of the board may follow: `21,B,8,8,N1,0`.
        let kind: String = value.trim().chars().take_while(char::is_ascii_digit).collect();
        if !kind.is_empty() && kind != "21" {
            return Err(PdnErrorKind::GameType(value.to_owned()));
        }
    } else if !name.eq_ignore_ascii_case("SetUp") {
        game.tags.push(name, value);
    }
    Ok(())
}

/// The plies that a line of moves stands for, with their variations.
fn resolve(line: Vec<RawPly<'_>>, start: Position) -> Result<Vec<Ply>, Fault> {
    let moves = find_moves(&line, start)?;
    let mut position = start;
    let mut plies = Vec::with_capacity(line.len());
    for (ply, mv) in line.into_iter().zip(moves) {
        let mut variations = Vec::with_capacity(ply.variations.len());
        for RawLine { comment, plies, .. } in ply.variations {
            variations.push(Variation { comment, plies: resolve(plies, position)? });
        }
        plies.push(Ply { mv, glyphs: ply.glyphs, comment: ply.comment, variations });
        position = position.after(mv);
    }
    Ok(plies)
}

/// The moves of a line: while a capture could be one of several, each is followed, until only one of them can go on.
fn find_moves(line: &[RawPly<'_>], start: Position) -> Result<Vec<Move>, Fault> {
    let mut lines = vec![(start, Vec::with_capacity(line.len()))];
    // What to say if more than one line can go on to the end.
    let mut doubt = None;
    for ply in line {
        let fault = |error| (ply.at, PdnErrorKind::Move(error));
        let text = MoveText::parse(ply.text).map_err(fault)?;
        let mut longer: Vec<(Position, Vec<Move>)> = Vec::with_capacity(1);
        let mut dead_end = None;
        for (position, mut moves) in lines {
            let (found, error) = choices(&text, &position);
            let what_to_say = if found.is_empty() { &mut dead_end } else { &mut doubt };
            if let Some(error) = error {
                what_to_say.get_or_insert_with(|| fault(error));
            }
            let Some((&last, others)) = found.split_last() else { continue };
            for &mv in others {
                let moves = moves.iter().copied().chain([mv]).collect();
                longer.push((position.after(mv), moves));
            }
            moves.push(last);
            longer.push((position.after(last), moves));
        }
        lines = longer;
        match (lines.len(), dead_end) {
            (0, Some(dead_end)) => return Err(dead_end),
            (1, _) => doubt = None,
            (..=MOST_LINES, _) => {}
            _ => break,
        }
    }
    match (doubt, lines.pop()) {
        (Some(doubt), _) => Err(doubt),
        (None, Some((_, moves))) => Ok(moves),
        (None, None) => Ok(Vec::new()),
    }
}

/// The moves that a text could mean, and what is wrong with it unless that is exactly one.
fn choices(text: &MoveText, position: &Position) -> (Vec<Move>, Option<MoveError>) {
    match text.resolve(position) {
        Ok(mv) => (vec![mv], None),
        Err(MoveError::Ambiguous { text, choices }) => {
            let found = choices.iter().filter_map(|choice| movetext::parse(position, choice).ok()).collect();
            (found, Some(MoveError::Ambiguous { text, choices }))
        }
        Err(error) => (Vec::new(), Some(error)),
    }
}
