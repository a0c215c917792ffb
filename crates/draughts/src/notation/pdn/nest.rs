//! Nests the tokens of a game: moves with their remarks, in lines with variations. Nobody has asked yet whether the
//! moves are any.

use std::collections::HashSet;

use super::error::{Fault, MOST_FAULTS, PdnErrorKind};
use super::game::{MAX_NESTING, PdnResult, tidy};
use super::grammar::{Squares, Token, Tokens, marked};
use crate::notation::syntax::Mismatch;

/// A game as it is written, as far as it can be read.
#[derive(Default)]
pub(super) struct RawGame<'a> {
    /// Each with the offset of its first byte.
    pub(super) tags: Vec<(usize, &'a str, String)>,
    pub(super) line: RawLine<'a>,
    pub(super) result: Option<(usize, PdnResult)>,
    /// The first number that a move has.
    pub(super) first_number: Option<u32>,
    /// What can't be read. A line has one fault at most, since all after it is in doubt.
    pub(super) faults: Vec<Fault>,
}

/// Moves, one after the other.
#[derive(Default)]
pub(super) struct RawLine<'a> {
    at: usize,
    pub(super) comment: String,
    pub(super) plies: Vec<RawPly<'a>>,
    /// It goes on with what can't be read.
    pub(super) broken: bool,
}

pub(super) struct RawPly<'a> {
    pub(super) at: usize,
    pub(super) text: &'a str,
    /// None if the text may stand for several moves.
    pub(super) squares: Squares,
    pub(super) glyphs: Vec<u8>,
    pub(super) comment: String,
    pub(super) variations: Vec<RawLine<'a>>,
}

impl RawGame<'_> {
    /// Whether there is no game in the text: neither white space nor comments make one, nor a result alone.
    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.line.plies.is_empty() && self.faults.is_empty()
    }
}

impl<'a> RawGame<'a> {
    pub(super) fn parse(text: &'a str) -> Self {
        let mut nest = Nest::default();
        let mut tokens = Tokens::new(text);
        loop {
            nest.rest = tokens.rest();
            let Some((at, token)) = tokens.next() else { break };
            let token = match token {
                Ok(token) => token,
                Err(Mismatch { at: place, expected }) => {
                    let aside = nest.rest.starts_with(['[', '$']);
                    nest.fault(place, malformed(text.get(place..).unwrap_or_default(), expected), !aside);
                    continue;
                }
            };
            if nest.after_end(at, &token) {
                break;
            }
            if let Err(misplaced) = nest.put(at, token) {
                let kind = match misplaced {
                    Misplaced::Expected(expected) => malformed(nest.rest, expected),
                    Misplaced::TooDeep => PdnErrorKind::TooDeep,
                };
                nest.fault(at, kind, false);
            }
        }
        nest.finish(text)
    }
}

/// What can't stand where a text begins.
fn malformed(text: &str, expected: &'static str) -> PdnErrorKind {
    let found = text.chars().take_while(|c| !c.is_whitespace()).take(40).collect();
    PdnErrorKind::Malformed { found, expected }
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
    /// Variations too deep to be kept that are open.
    ignored: usize,
    /// The text from the next token on.
    rest: &'a str,
}

impl<'a> Nest<'a> {
    fn fault(&mut self, at: usize, kind: PdnErrorKind, breaks: bool) {
        match self.game.faults.len() {
            _ if self.game.line.broken => {}
            ..MOST_FAULTS => self.game.faults.push((at, kind)),
            MOST_FAULTS => self.game.faults.push((at, PdnErrorKind::TooMany)),
            _ => {}
        }
        self.game.line.broken |= breaks;
    }

    /// Moves after the result are no part of the game, and none of another one if they go on with its numbers. They are
    /// kept as a comment.
    fn after_end(&mut self, at: usize, token: &Token<'_>) -> bool {
        if self.game.result.is_none() || matches!(token, Token::Comment(_)) {
            return false;
        }
        self.game.faults.push((at, PdnErrorKind::AfterEnd(tidy(self.rest))));
        let rest = format!("after the result: {}", self.rest);
        self.comment(&rest);
        true
    }

    fn put(&mut self, at: usize, token: Token<'a>) -> Result<(), Misplaced> {
        match token {
            Token::Open => return self.open(at),
            Token::Close => return self.close(),
            _ if self.ignored > 0 => {}
            Token::Number(number) => {
                self.game.first_number.get_or_insert(number);
            }
            Token::Tag { .. } if !(self.game.line.plies.is_empty() && self.outer.is_empty()) => {
                return Err(Misplaced::Expected("tags before the first move only"));
            }
            Token::Tag { name, value } => {
                // Of several values the first counts, as it is what people see first.
                if self.names.insert(name) {
                    self.game.tags.push((at, name, value));
                }
            }
            Token::Move { text, squares, marks } => {
                let glyphs = if marks.is_empty() { Vec::new() } else { marked(marks).collect() };
                self.ply(RawPly {
                    at,
                    text,
                    squares,
                    glyphs,
                    comment: String::new(),
                    variations: Vec::new(),
                });
            }
            Token::Run(text) => self.ply(RawPly {
                at,
                text,
                squares: Squares::new(),
                glyphs: Vec::new(),
                comment: String::new(),
                variations: Vec::new(),
            }),
            Token::Glyph(glyph) => self.glyphs([glyph])?,
            Token::Marks(marks) => self.glyphs(marked(marks))?,
            Token::Comment(comment) => self.comment(comment),
            // Some files give results in variations too, where they say nothing about the game.
            Token::Result(_) if !self.outer.is_empty() => {}
            Token::Result(result) => self.game.result = Some((at, result)),
        }
        Ok(())
    }

    fn ply(&mut self, ply: RawPly<'a>) {
        if !self.game.line.broken {
            self.game.line.plies.push(ply);
        }
    }

    fn comment(&mut self, text: &str) {
        let line = &mut self.game.line;
        if line.broken {
            return;
        }
        let place = line.plies.last_mut().map_or(&mut line.comment, |ply| &mut ply.comment);
        let comment = tidy(text);
        if !place.is_empty() && !comment.is_empty() {
            place.push(' ');
        }
        place.push_str(&comment);
    }

    fn glyphs(&mut self, glyphs: impl IntoIterator<Item = u8>) -> Result<(), Misplaced> {
        let line = &mut self.game.line;
        match line.plies.last_mut() {
            _ if line.broken => {}
            Some(last) => last.glyphs.extend(glyphs),
            None => return Err(Misplaced::Expected("a move before its glyphs")),
        }
        Ok(())
    }

    fn open(&mut self, at: usize) -> Result<(), Misplaced> {
        if self.ignored > 0 || self.outer.len() == MAX_NESTING {
            self.ignored += 1;
            return if self.ignored == 1 { Err(Misplaced::TooDeep) } else { Ok(()) };
        }
        let before = &self.game.line;
        let misplaced = before.plies.is_empty() && !before.broken;
        if misplaced {
            self.fault(at, malformed(self.rest, "a move before its variations"), false);
        }
        let broken = self.game.line.broken || misplaced;
        let variation = RawLine { at, broken, ..RawLine::default() };
        self.outer.push(std::mem::replace(&mut self.game.line, variation));
        Ok(())
    }

    fn close(&mut self) -> Result<(), Misplaced> {
        if self.ignored > 0 {
            self.ignored -= 1;
            return Ok(());
        }
        let before = self.outer.pop().ok_or(Misplaced::Expected("a variation that \"(\" begins"))?;
        let variation = std::mem::replace(&mut self.game.line, before);
        if let Some(ply) = self.game.line.plies.last_mut()
            && !self.game.line.broken
            && !(variation.plies.is_empty() && variation.comment.is_empty())
        {
            ply.variations.push(variation);
        }
        Ok(())
    }

    /// The game, when nothing more comes.
    fn finish(mut self, text: &str) -> RawGame<'a> {
        while !self.outer.is_empty() {
            // The line around it ends there, since nobody knows where the variation should have ended.
            let at = self.game.line.at;
            let broken = self.game.line.broken;
            self.ignored = 0;
            let _ = self.close();
            if !broken {
                let from = text.get(at..).unwrap_or_default();
                self.fault(at, malformed(from, "a variation that \")\" ends"), true);
            }
            self.game.line.broken = true;
        }
        self.game
    }
}
