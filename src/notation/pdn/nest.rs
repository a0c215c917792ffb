//! Nests the tokens of a game: moves with their remarks, in lines with variations. Nobody has asked yet whether the
//! moves are any.

use std::collections::HashSet;

use super::error::{Fault, PdnErrorKind};
use super::game::{GameResult, MAX_NESTING, tidy};
use super::grammar::{Token, marked, tokens};
use crate::notation::syntax::Mismatch;

/// A game as it is written.
#[derive(Default)]
pub(super) struct RawGame<'a> {
    /// Each with the offset of its first byte.
    pub(super) tags: Vec<(usize, &'a str, String)>,
    pub(super) line: RawLine<'a>,
    pub(super) result: Option<GameResult>,
}

/// Moves, one after the other.
#[derive(Default)]
pub(super) struct RawLine<'a> {
    at: usize,
    pub(super) comment: String,
    pub(super) plies: Vec<RawPly<'a>>,
}

pub(super) struct RawPly<'a> {
    pub(super) at: usize,
    pub(super) text: &'a str,
    pub(super) glyphs: Vec<u8>,
    pub(super) comment: String,
    pub(super) variations: Vec<RawLine<'a>>,
}

impl<'a> RawGame<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, Fault> {
        let malformed = |at, expected| {
            let rest = text.get(at..).unwrap_or_default();
            let found = rest.chars().take_while(|c| !c.is_whitespace()).take(40).collect();
            (at, PdnErrorKind::Malformed { found, expected })
        };
        let tokens = tokens(text).map_err(|Mismatch { at, expected }| malformed(at, expected))?;
        let mut nest = Nest::default();
        for (at, token) in tokens {
            nest.put(at, token).map_err(|misplaced| match misplaced {
                Misplaced::Expected(expected) => malformed(at, expected),
                Misplaced::TooDeep => (at, PdnErrorKind::TooDeep),
            })?;
        }
        if nest.outer.is_empty() {
            Ok(nest.game)
        } else {
            Err(malformed(nest.game.line.at, "a variation that \")\" ends"))
        }
    }
}

/// Why a token can't stand where it does.
enum Misplaced {
    Expected(&'static str),
    TooDeep,
}

/// A game while its tokens come in.
#[derive(Default)]
struct Nest<'a> {
    /// Its line is the innermost one that is open.
    game: RawGame<'a>,
    /// The lines around that one, outermost first.
    outer: Vec<RawLine<'a>>,
    names: HashSet<&'a str>,
}

impl<'a> Nest<'a> {
    fn put(&mut self, at: usize, token: Token<'a>) -> Result<(), Misplaced> {
        let line = &mut self.game.line;
        if self.game.result.is_some() && !matches!(token, Token::Comment(_)) {
            return Err(Misplaced::Expected("nothing after the result"));
        }
        match token {
            Token::Number => {}
            Token::Tag { .. } if !(line.plies.is_empty() && self.outer.is_empty()) => {
                return Err(Misplaced::Expected("tags before the first move only"));
            }
            Token::Tag { name, value } => {
                // Of several values the first counts, as it is what people see first.
                if self.names.insert(name) {
                    self.game.tags.push((at, name, value));
                }
            }
            Token::Move { text, marks } => {
                let glyphs = marked(marks).collect();
                line.plies.push(RawPly { at, text, glyphs, comment: String::new(), variations: Vec::new() });
            }
            Token::Glyph(glyph) => self.glyphs()?.push(glyph),
            Token::Marks(marks) => self.glyphs()?.extend(marked(marks)),
            Token::Comment(comment) => {
                let place = line.plies.last_mut().map_or(&mut line.comment, |ply| &mut ply.comment);
                let comment = tidy(comment);
                if !place.is_empty() && !comment.is_empty() {
                    place.push(' ');
                }
                place.push_str(&comment);
            }
            Token::Open => self.open(at)?,
            Token::Close => self.close()?,
            // Some files give results in variations too, where they say nothing about the game.
            Token::Result(_) if !self.outer.is_empty() => {}
            Token::Result(result) => self.game.result = Some(result),
        }
        Ok(())
    }

    fn glyphs(&mut self) -> Result<&mut Vec<u8>, Misplaced> {
        let last = self.game.line.plies.last_mut().ok_or(Misplaced::Expected("a move before its glyphs"))?;
        Ok(&mut last.glyphs)
    }

    fn open(&mut self, at: usize) -> Result<(), Misplaced> {
        if self.game.line.plies.is_empty() {
            return Err(Misplaced::Expected("a move before its variations"));
        }
        if self.outer.len() == MAX_NESTING {
            return Err(Misplaced::TooDeep);
        }
        let variation = RawLine { at, ..RawLine::default() };
        self.outer.push(std::mem::replace(&mut self.game.line, variation));
        Ok(())
    }

    fn close(&mut self) -> Result<(), Misplaced> {
        let before = self.outer.pop().ok_or(Misplaced::Expected("a variation that \"(\" begins"))?;
        let variation = std::mem::replace(&mut self.game.line, before);
        if let Some(ply) = self.game.line.plies.last_mut()
            && !(variation.plies.is_empty() && variation.comment.is_empty())
        {
            ply.variations.push(variation);
        }
        Ok(())
    }
}
