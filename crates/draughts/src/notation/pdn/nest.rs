//! Builds a tree from the tokens of a game: lines of moves with remarks and variations. The moves are
//! resolved later.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::comment::{add_comment, tidy};
use super::error::{MAX_ERRORS, PdnErrorKind, PlacedError};
use super::grammar::{SquareList, Token, Tokens, marked};
use crate::record::MAX_NESTING;
use crate::result::GameResult;
use kelso_syntax::SyntaxFault;

/// A game as written, as far as it can be read.
#[derive(Default)]
pub(super) struct RawGame<'a> {
    /// The tags, each with the offset of its first byte.
    pub(super) tags: Vec<(usize, &'a str, String)>,
    pub(super) line: RawLine<'a>,
    pub(super) result: Option<(usize, Option<GameResult>)>,
    pub(super) first_number: Option<u32>,
    /// Errors, at most one per line of moves, since everything after an error is in doubt.
    pub(super) errors: Vec<PlacedError>,
}

#[derive(Default)]
pub(super) struct RawLine<'a> {
    at: usize,
    pub(super) comment: String,
    pub(super) plies: Vec<RawPly<'a>>,
    /// The index of the error after which the line cannot be read.
    pub(super) broken: Option<usize>,
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
        self.tags.is_empty() && self.line.plies.is_empty() && self.errors.is_empty()
    }

    /// Returns a game that cannot be read at all.
    pub(super) fn lost(kind: PdnErrorKind) -> Self {
        let line = RawLine { broken: Some(0), ..RawLine::default() };
        Self { line, errors: vec![(0, kind)], ..Self::default() }
    }

    pub(super) fn parse(text: &'a str) -> Self {
        let mut nest = Nest { text, ..Nest::default() };
        for (at, token) in Tokens::new(text) {
            match token {
                Err(SyntaxFault { at: place, expected }) => {
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
    /// The places of the tags in the game, by name in lower case.
    names: HashMap<String, usize>,
    /// Number of open variations that are too deep to keep.
    ignored: usize,
}

impl<'a> Nest<'a> {
    fn rest(&self, at: usize) -> &'a str {
        &self.text[at..]
    }

    fn unexpected(&mut self, at: usize, expected: &'static str, breaks: bool) {
        let word = self.rest(at).chars().take_while(|c| !c.is_whitespace());
        let kind = || PdnErrorKind::Unexpected { found: word.take(40).collect(), expected };
        if !breaks {
            self.error(at, kind);
        } else if self.game.line.broken.is_none() {
            // The error that ends a line is kept even if there are too many.
            self.game.errors.truncate(MAX_ERRORS + 1);
            self.game.line.broken = Some(self.game.errors.len());
            self.game.errors.push((at, kind()));
        }
    }

    /// Adds an error unless the line already has one: everything after an error is in doubt.
    fn error(&mut self, at: usize, kind: impl FnOnce() -> PdnErrorKind) {
        if self.game.line.broken.is_none() && self.game.errors.len() <= MAX_ERRORS {
            self.game.errors.push((at, kind()));
        }
    }

    /// Keeps the text after the result as a comment: another result, or moves whose numbers show that they do
    /// not belong to the next game either.
    fn after_end(&mut self, at: usize, token: &Token<'_>) -> bool {
        let Some((_, first)) = self.game.result else { return false };
        if matches!(token, Token::Comment(_)) || matches!(token, Token::Result(again) if *again == first) {
            return false;
        }
        let rest = self.rest(at);
        self.game.errors.push((at, PdnErrorKind::AfterResult(tidy(rest))));
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
                match self.names.entry(name.to_ascii_lowercase()) {
                    Entry::Vacant(place) => {
                        place.insert(self.game.tags.len());
                        self.game.tags.push((at, name, value));
                    }
                    Entry::Occupied(place) if self.game.tags[*place.get()].2 == value => {}
                    Entry::Occupied(_) => self.error(at, || PdnErrorKind::RepeatedTag(name.to_owned())),
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
        if self.game.line.broken.is_none() {
            self.game.line.plies.push(ply);
        }
    }

    fn comment(&mut self, text: &str) {
        let line = &mut self.game.line;
        if line.broken.is_some() {
            return;
        }
        let comment = line.plies.last_mut().map_or(&mut line.comment, |ply| &mut ply.comment);
        add_comment(comment, text);
    }

    fn glyphs(&mut self, glyphs: impl IntoIterator<Item = u8>) -> Result<(), &'static str> {
        let line = &mut self.game.line;
        match line.plies.last_mut() {
            _ if line.broken.is_some() => {}
            Some(last) => last.glyphs.extend(glyphs),
            None => return Err("a move before its glyphs"),
        }
        Ok(())
    }

    fn open(&mut self, at: usize) {
        if self.ignored > 0 || self.outer.len() == MAX_NESTING {
            self.ignored += 1;
            if self.ignored == 1 {
                self.error(at, || PdnErrorKind::TooDeep);
            }
            return;
        }
        let variation = RawLine { at, broken: self.game.line.broken, ..RawLine::default() };
        let line = std::mem::replace(&mut self.game.line, variation);
        if line.plies.is_empty() {
            self.unexpected(at, "a move before its variations", true);
        }
        self.outer.push(line);
    }

    fn close(&mut self) -> Result<(), &'static str> {
        if self.ignored > 0 {
            self.ignored -= 1;
            return Ok(());
        }
        let before = self.outer.pop().ok_or("\"(\" before it")?;
        let variation = std::mem::replace(&mut self.game.line, before);
        if let Some(ply) = self.game.line.plies.last_mut()
            && self.game.line.broken.is_none()
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
            if broken.is_some() {
                self.game.line.broken = broken;
            } else {
                self.unexpected(at, "\")\" at the end of the variation", true);
            }
        }
        self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows a line: for each move its offset, text, squares and remarks, and `?` if the rest cannot be read.
    fn shown(line: &RawLine<'_>) -> String {
        let comment = |text: &str| if text.is_empty() { String::new() } else { format!("{{{text}}}") };
        let ply = |ply: &RawPly<'_>| {
            let squares: Vec<String> = ply.squares.iter().map(ToString::to_string).collect();
            let glyphs = ply.glyphs.iter().map(|glyph| format!("${glyph}"));
            let variations = ply.variations.iter().map(|line| format!("({})", shown(line)));
            let remarks: Vec<String> = glyphs.chain([comment(&ply.comment)]).chain(variations).collect();
            format!("{}:{}[{}]{}", ply.at, ply.text, squares.join(" "), remarks.concat())
        };
        let mut words = vec![comment(&line.comment)];
        words.extend(line.plies.iter().map(ply));
        words.extend(line.broken.map(|_| "?".to_owned()));
        words.retain(|word| !word.is_empty());
        words.join(" ")
    }

    fn errors(game: &RawGame<'_>) -> Vec<(usize, String)> {
        game.errors.iter().map(|(at, kind)| (*at, kind.to_string())).collect()
    }

    #[test]
    fn moves_keep_their_places_and_comments() {
        for (text, line) in [
            (
                "{a} 1. 11-15! {b} {c} 22x18 $3 (?!) (23-19 {d} (21-17) ; e\n) 1115",
                "{a} 7:11-15[11 15]$1{b c} \
                 22:22x18[22 18]$3$6(37:23-19[23 19]{d e}(48:21-17[21 17])) 61:1115[]",
            ),
            ("11-15 () ({c}) (22-18)", "0:11-15[11 15]({c})(16:22-18[22 18])"),
            ("[A \"b\"] {c} 0-1", "{c}"),
        ] {
            let game = RawGame::parse(text);
            assert_eq!(shown(&game.line), line, "{text}");
            assert_eq!(errors(&game), [], "{text}");
        }
    }

    #[test]
    fn an_error_affects_the_rest_of_its_line_at_most() {
        for (text, line, at, message) in [
            (
                "11-15 resigns {x} 22-18 $1 surrenders",
                "0:11-15[11 15] ?",
                6,
                "unexpected \"resigns\": expected a move, a comment, a variation or a result",
            ),
            (
                "11-15 resigns (22-18 surrenders) 1-0",
                "0:11-15[11 15] ?",
                6,
                "unexpected \"resigns\": expected a move, a comment, a variation or a result",
            ),
            (
                "11-15 (22-18 resigns) 23-19",
                "0:11-15[11 15](7:22-18[22 18] ?) 22:23-19[23 19]",
                13,
                "unexpected \"resigns)\": expected a move, a comment, a variation or a result",
            ),
            (
                "11-15 $256 22-18 $1",
                "0:11-15[11 15] 11:22-18[22 18]$1",
                7,
                "unexpected \"256\": expected a glyph number up to 255",
            ),
            ("$1 11-15", "3:11-15[11 15]", 0, "unexpected \"$1\": expected a move before its glyphs"),
            (
                "11-15 [C \"e\"] 22-18",
                "0:11-15[11 15] 14:22-18[22 18]",
                6,
                "unexpected \"[C\": expected tags before the first move only",
            ),
            (
                "11-15 ([C \"e\"] 22-18)",
                "0:11-15[11 15](15:22-18[22 18])",
                7,
                "unexpected \"[C\": expected tags before the first move only",
            ),
            (
                "11-15 ) 22-18",
                "0:11-15[11 15] 8:22-18[22 18]",
                6,
                "unexpected \")\": expected \"(\" before it",
            ),
            (
                "(11-15 x) 22-18",
                "10:22-18[22 18]",
                0,
                "unexpected \"(11-15\": expected a move before its variations",
            ),
            (
                "11-15 (22-18 {c}",
                "0:11-15[11 15](7:22-18[22 18]{c}) ?",
                6,
                "unexpected \"(22-18\": expected \")\" at the end of the variation",
            ),
            (
                "11-15 (22-18 (21-17",
                "0:11-15[11 15](7:22-18[22 18](14:21-17[21 17]) ?) ?",
                13,
                "unexpected \"(21-17\": expected \")\" at the end of the variation",
            ),
            (
                "11-15 (22-18 resigns",
                "0:11-15[11 15](7:22-18[22 18] ?) ?",
                13,
                "unexpected \"resigns\": expected a move, a comment, a variation or a result",
            ),
            (
                "11-15 1-0 {fine} 4. 22-18",
                "0:11-15[11 15]{fine after the result: 4. 22-18}",
                17,
                "unexpected \"4. 22-18\" after the result",
            ),
        ] {
            let game = RawGame::parse(text);
            assert_eq!(shown(&game.line), line, "{text}");
            assert_eq!(errors(&game), [(at, message.to_owned())], "{text}");
        }
    }

    #[test]
    fn tags_numbers_and_results_count_once() {
        let game =
            RawGame::parse("[A \"b\"] [A \"c\"] [B \"d\"] [b \"e\"] 3. 11-15 (22-18 0-1) 4. 23-19 1/2-1/2");
        assert_eq!(game.tags, [(0, "A", "b".to_owned()), (16, "B", "d".to_owned())]);
        let repeated = |name: &str| PdnErrorKind::RepeatedTag(name.to_owned());
        assert_eq!(game.errors, [(8, repeated("A")), (24, repeated("b"))]);
        assert_eq!(RawGame::parse("[A \"b\"] [A \"b\"] [a \"b\"]").errors, []);
        assert_eq!((game.first_number, game.result), (Some(3), Some((62, Some(GameResult::Draw)))));
        assert_eq!(RawGame::parse("11-15 (22-18 0-1)").result, None);
    }

    #[test]
    fn a_text_without_tags_moves_and_errors_is_no_game() {
        for (text, empty) in
            [("", true), (" {a} ; b\n *", true), ("[A \"b\"]", false), ("11-15", false), ("x", false)]
        {
            assert_eq!(RawGame::parse(text).is_empty(), empty, "{text}");
        }
        let lost = RawGame::lost(PdnErrorKind::TooLong);
        assert_eq!(lost.errors, [(0, PdnErrorKind::TooLong)]);
        assert!(lost.line.broken == Some(0) && !lost.is_empty());
    }

    #[test]
    fn variations_that_are_too_deep_are_skipped() {
        let open = "1-5 (".repeat(MAX_NESTING + 1);
        let close = ")".repeat(MAX_NESTING + 1);
        let text = format!("{open}6-9 $1 {{a}} 0-1 (6-9){close} 22-18");
        let game = RawGame::parse(&text);
        let message = format!("variations are nested more than {MAX_NESTING} deep");
        assert_eq!(errors(&game), [(open.len() - 1, message)]);
        assert_eq!((game.line.plies.len(), game.line.plies[1].at), (2, text.len() - 5));
        let mut line = &game.line;
        for _ in 0..MAX_NESTING {
            line = &line.plies[0].variations[0];
        }
        assert_eq!(shown(line), format!("{}:1-5[1 5]", open.len() - 5));
    }

    #[test]
    fn few_errors_are_kept() {
        assert_eq!(RawGame::parse(&"$256 ".repeat(2 * MAX_ERRORS)).errors.len(), MAX_ERRORS + 1);
    }
}
