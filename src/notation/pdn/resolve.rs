//! Makes a game of its tokens: nests variations, and finds out which moves were played.

use std::collections::HashSet;

use super::error::PdnErrorKind;
use super::game::{GameResult, MAX_NESTING, PdnGame, Ply, Variation, tidy};
use super::grammar::{Token, marked, tokens};
use crate::board::{Move, Position};
use crate::notation::syntax::Mismatch;
use crate::notation::{MoveError, MoveText, fen, movetext};

/// What is wrong, and at which byte of the game's text.
pub(super) type Fault = (usize, PdnErrorKind);

/// Lines that are followed at once while it is open which of several captures were played.
const MOST_LINES: usize = 16;

/// A line of moves, not yet looked at.
#[derive(Default)]
struct RawLine<'a> {
    at: usize,
    comment: String,
    plies: Vec<RawPly<'a>>,
}

struct RawPly<'a> {
    at: usize,
    text: &'a str,
    glyphs: Vec<u8>,
    comment: String,
    variations: Vec<RawLine<'a>>,
}

/// The game in a text, if there is any: neither white space nor comments make one, nor a result alone.
pub(super) fn game(text: &str) -> Result<Option<PdnGame>, Fault> {
    let malformed = |at, expected| malformed(text, at, expected);
    let tokens = tokens(text).map_err(|Mismatch { at, expected }| malformed(at, expected))?;
    let mut game = PdnGame::new(Position::start());
    let mut names = HashSet::new();
    let mut tagged_result = None;
    let mut result = None;
    let mut line = RawLine::default();
    let mut outer: Vec<RawLine<'_>> = Vec::new();
    for (at, token) in tokens {
        if result.is_some() && !matches!(token, Token::Comment(_)) {
            return Err(malformed(at, "nothing after the result"));
        }
        match token {
            Token::Tag { .. } if !(line.plies.is_empty() && outer.is_empty()) => {
                return Err(malformed(at, "tags before the first move only"));
            }
            Token::Tag { name, value } => {
                // The first value counts, as it is what a reader sees first.
                if names.insert(name) {
                    tag(&mut game, &mut tagged_result, name, &value).map_err(|kind| (at, kind))?;
                }
            }
            Token::Number => {}
            Token::Comment(comment) => {
                let place = line.plies.last_mut().map_or(&mut line.comment, |ply| &mut ply.comment);
                add_comment(place, comment);
            }
            Token::Move { text, marks } => {
                let glyphs = marked(marks).collect();
                line.plies.push(RawPly { at, text, glyphs, comment: String::new(), variations: Vec::new() });
            }
            Token::Glyph(_) | Token::Marks(_) => {
                let Some(ply) = line.plies.last_mut() else {
                    return Err(malformed(at, "a move before its glyphs"));
                };
                match token {
                    Token::Marks(marks) => ply.glyphs.extend(marked(marks)),
                    Token::Glyph(glyph) => ply.glyphs.push(glyph),
                    _ => {}
                }
            }
            Token::Open if line.plies.is_empty() => {
                return Err(malformed(at, "a move before its variations"));
            }
            Token::Open if outer.len() == MAX_NESTING => return Err((at, PdnErrorKind::TooDeep)),
            Token::Open => outer.push(std::mem::replace(&mut line, RawLine { at, ..RawLine::default() })),
            Token::Close => {
                let Some(before) = outer.pop() else {
                    return Err(malformed(at, "a variation that \"(\" begins"));
                };
                let variation = std::mem::replace(&mut line, before);
                if let Some(ply) = line.plies.last_mut()
                    && !(variation.plies.is_empty() && variation.comment.is_empty())
                {
                    ply.variations.push(variation);
                }
            }
            Token::Result(_) if !outer.is_empty() => {}
            Token::Result(found) => result = Some(found),
        }
    }
    if !outer.is_empty() {
        return Err(malformed(line.at, "a variation that \")\" ends"));
    }
    if names.is_empty() && line.plies.is_empty() {
        return Ok(None);
    }
    // Some programs end every game with `*` and leave the result to the tag.
    game.result = match (result, tagged_result) {
        (Some(GameResult::Unknown) | None, Some(tagged)) => tagged,
        (Some(result), _) => result,
        (None, None) => GameResult::Unknown,
    };
    game.plies = resolve(line.plies, game.start)?;
    game.comment = line.comment;
    Ok(Some(game))
}

fn malformed(text: &str, at: usize, expected: &'static str) -> Fault {
    let rest = text.get(at..).unwrap_or_default();
    let found = rest.chars().take_while(|c| !c.is_whitespace()).take(40).collect();
    (at, PdnErrorKind::Malformed { found, expected })
}

fn tag(
    game: &mut PdnGame,
    result: &mut Option<GameResult>,
    name: &str,
    value: &str,
) -> Result<(), PdnErrorKind> {
    if name.eq_ignore_ascii_case("FEN") {
        game.start = fen::parse(value).map_err(PdnErrorKind::Fen)?;
    } else if name.eq_ignore_ascii_case("Result") {
        *result = GameResult::parse(value.trim());
    } else if name.eq_ignore_ascii_case("GameType") {
        let kind: String = value.trim().chars().take_while(char::is_ascii_digit).collect();
        if !kind.is_empty() && kind != "21" {
            return Err(PdnErrorKind::GameType(value.to_owned()));
        }
    } else if !name.eq_ignore_ascii_case("SetUp") {
        game.tags.push(name, value);
    }
    Ok(())
}

fn add_comment(place: &mut String, comment: &str) {
    let comment = tidy(comment);
    if !place.is_empty() && !comment.is_empty() {
        place.push(' ');
    }
    place.push_str(&comment);
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
            let choices = match text.resolve(&position) {
                Ok(mv) => {
                    moves.push(mv);
                    longer.push((position.after(mv), moves));
                    continue;
                }
                Err(MoveError::Ambiguous { text, choices }) => {
                    let found = choices.iter().filter_map(|choice| movetext::parse(&position, choice).ok());
                    let found: Vec<Move> = found.collect();
                    doubt.get_or_insert_with(|| fault(MoveError::Ambiguous { text, choices }));
                    found
                }
                Err(error) => {
                    dead_end.get_or_insert_with(|| fault(error));
                    continue;
                }
            };
            for mv in choices {
                let mut moves = moves.clone();
                moves.push(mv);
                longer.push((position.after(mv), moves));
            }
        }
        lines = longer;
        match (lines.len(), dead_end) {
            (0, Some(dead_end)) => return Err(dead_end),
            (1, _) => doubt = None,
            (2..=MOST_LINES, _) => {}
            _ => break,
        }
    }
    match (lines.pop(), doubt) {
        (_, Some(doubt)) => Err(doubt),
        (Some((_, moves)), None) => Ok(moves),
        (None, None) => Ok(Vec::new()),
    }
}
