//! Builds a tree from the tokens of a game: lines of moves with remarks and variations. The moves are
//! resolved later.

use std::collections::HashSet;

use super::comment::{add_comment, tidy};
use super::error::{MAX_FAULTS, PdnErrorKind, PlacedError};
use super::grammar::{SquareList, Token, Tokens, marked};
use crate::record::MAX_NESTING;
use crate::result::GameResult;
use text::syntax::{Mismatch, Quoted};

/// A game as written, as far as it can be read.
#[derive(Default)]
pub(super) struct RawGame<'a> {
    /// The tags, each with the offset of its first byte.
    pub(super) tags: Vec<(usize, &'a str, String)>,
    pub(super) line: RawLine<'a>,
    pub(super) result: Option<(usize, Option<GameResult>)>,
    /// The first move number.
    pub(super) first_number: Option<u32>,
    /// Errors, at most one per line of moves, since everything after an error is in doubt.
    pub(super) faults: Vec<PlacedError>,
}

#[derive(Default)]
pub(super) struct RawLine<'a> {
    at: usize,
    pub(super) comment: String,
    pub(super) plies: Vec<RawPly<'a>>,
    /// The rest of the line cannot be read.
    pub(super) broken: bool,
}

#[derive(Default)]
pub(super) struct RawPly<'a> {
    pub(super) at: usize,
    pub(super) text: &'a str,
    /// The squares of the move, or empty if the text could be several moves.
    pub(super) squares: SquareList,
    pub(super) glyphs: Vec<u8>,
    pub(super) comment: String,
    pub(super) variations: Vec<RawLine<'a>>,
}

impl<'a> RawGame<'a> {
    /// Returns whether there is no game, only white space, comments or a result.
    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.line.plies.is_empty() && self.faults.is_empty()
    }

    /// Returns a game that cannot be read at all.
    pub(super) fn lost(kind: PdnErrorKind) -> Self {
        let line = RawLine { broken: true, ..RawLine::default() };
        Self { line, faults: vec![(0, kind)], ..Self::default() }
    }

    pub(super) fn parse(text: &'a str) -> Self {
        let mut nest = Nest { text, ..Nest::default() };
        for (at, token) in Tokens::new(text) {
            match token {
                Err(Mismatch { at: place, expected }) => {
                    let aside = nest.rest(at).starts_with(['[', '$']);
                    nest.unexpected(place, expected, !aside);
                }
                Ok(token) if nest.after_end(at, &token) => break,
                Ok(token) => {
                    if let Err(expected) = nest.put(at, token) {
                        nest.unexpected(at, expected, false);
                    }
                }
            }
        }
        nest.finish()
    }
}

/// A game under construction.
#[derive(Default)]
struct Nest<'a> {
    text: &'a str,
    /// The game, with the innermost open line.
    game: RawGame<'a>,
    /// The enclosing lines, outermost first.
    outer: Vec<RawLine<'a>>,
    names: HashSet<&'a str>,
    /// Number of open variations that are too deep to keep.
    ignored: usize,
}

impl<'a> Nest<'a> {
    fn rest(&self, at: usize) -> &'a str {
        &self.text[at..]
    }

    fn unexpected(&mut self, at: usize, expected: &str, breaks: bool) {
        let rest = self.rest(at);
        self.fault(at, || PdnErrorKind::unexpected(rest, expected));
        self.game.line.broken |= breaks;
    }

    /// Adds an error unless the line already has one: everything after an error is in doubt.
    fn fault(&mut self, at: usize, kind: impl FnOnce() -> PdnErrorKind) {
        if !self.game.line.broken && self.game.faults.len() <= MAX_FAULTS {
            self.game.faults.push((at, kind()));
        }
    }

    /// Keeps moves after the result as a comment. Their numbers show that they do not belong to the next game
    /// either.
    fn after_end(&mut self, at: usize, token: &Token<'_>) -> bool {
        if self.game.result.is_none() || matches!(token, Token::Comment(_)) {
            return false;
        }
        let rest = self.rest(at);
        let ignored = format!("unexpected {} after the result", Quoted(&tidy(rest)));
        self.game.faults.push((at, PdnErrorKind::Ignored(ignored)));
        self.comment(&format!("after the result: {rest}"));
        true
    }

    fn put(&mut self, at: usize, token: Token<'a>) -> Result<(), &'static str> {
        match token {
            Token::Open => self.open(at),
            Token::Close => return self.close(),
            _ if self.ignored > 0 => {}
            Token::Number(number) => {
                self.game.first_number.get_or_insert(number);
            }
            Token::Tag { .. } if !(self.game.line.plies.is_empty() && self.outer.is_empty()) => {
                return Err("tags before the first move only");
            }
            Token::Tag { name, value } => {
                // If a tag occurs more than once, the first occurrence counts.
                if self.names.insert(name) {
                    self.game.tags.push((at, name, value));
                }
            }
            Token::Move { text, squares, marks } => {
                let glyphs = if marks.is_empty() { Vec::new() } else { marked(marks).collect() };
                self.ply(RawPly { at, text, squares, glyphs, ..RawPly::default() });
            }
            Token::Unspaced(text) => self.ply(RawPly { at, text, ..RawPly::default() }),
            Token::Glyph(glyph) => self.glyphs([glyph])?,
            Token::Marks(marks) => self.glyphs(marked(marks))?,
            Token::Comment(comment) => self.comment(comment),
            // Results in variations do not count.
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
        add_comment(place, text);
    }

    fn glyphs(&mut self, glyphs: impl IntoIterator<Item = u8>) -> Result<(), &'static str> {
        let line = &mut self.game.line;
        match line.plies.last_mut() {
            _ if line.broken => {}
            Some(last) => last.glyphs.extend(glyphs),
            None => return Err("a move before its glyphs"),
        }
        Ok(())
    }

    fn open(&mut self, at: usize) {
        if self.ignored > 0 || self.outer.len() == MAX_NESTING {
            self.ignored += 1;
            if self.ignored == 1 {
                let too_deep = || format!("variations are nested more than {MAX_NESTING} deep");
                self.fault(at, || PdnErrorKind::Invalid(too_deep()));
            }
            return;
        }
        let misplaced = self.game.line.plies.is_empty();
        if misplaced {
            self.unexpected(at, "a move before its variations", false);
        }
        let variation = RawLine { at, broken: misplaced || self.game.line.broken, ..RawLine::default() };
        self.outer.push(std::mem::replace(&mut self.game.line, variation));
    }

    fn close(&mut self) -> Result<(), &'static str> {
        if self.ignored > 0 {
            self.ignored -= 1;
            return Ok(());
        }
        let before = self.outer.pop().ok_or("\"(\" before it")?;
        let variation = std::mem::replace(&mut self.game.line, before);
        if let Some(ply) = self.game.line.plies.last_mut()
            && !self.game.line.broken
            && !(variation.plies.is_empty() && variation.comment.is_empty())
        {
            ply.variations.push(variation);
        }
        Ok(())
    }

    fn finish(mut self) -> RawGame<'a> {
        self.ignored = 0;
        while !self.outer.is_empty() {
            // The enclosing line cannot continue, since the end of the variation is unknown.
            let RawLine { at, broken, .. } = self.game.line;
            let _ = self.close();
            if broken {
                self.game.line.broken = true;
            } else {
                self.unexpected(at, "\")\" at the end of the variation", true);
            }
        }
        self.game
    }
}
