//! Transcripts and the required order of their lines.

use std::mem;

use thiserror::Error;

use super::item::{self, Directive, Expectation, TranscriptItem};
use kelso_syntax::Quoted;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    pub lines: Vec<ScriptLine>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptLine {
    /// Line number in the file, from 1.
    pub number: usize,
    /// The text without the line feed.
    pub text: String,
    pub item: TranscriptItem,
}

impl Transcript {
    /// Parses a transcript that begins at a given line of a file.
    pub fn parse(text: &str, first_line: usize) -> Result<Self, TranscriptError> {
        let mut order = Order::default();
        let mut lines = Vec::new();
        for (number, text) in (first_line..).zip(text.split('\n')) {
            // Drop a byte order mark and a carriage return, which are not part of the line.
            let mut stripped = text.strip_suffix('\r').unwrap_or(text);
            if lines.is_empty() {
                stripped = stripped.strip_prefix('\u{feff}').unwrap_or(stripped);
            }
            let item = item::parse(stripped).map_err(|fault| {
                let message = fault.error("line", stripped).to_string();
                TranscriptError { line: number, message }
            })?;
            order.check(&item).map_err(|reason| {
                let message = format!("misplaced line {}: {reason}", Quoted(stripped));
                TranscriptError { line: number, message }
            })?;
            lines.push(ScriptLine { number, text: text.to_owned(), item });
        }
        let is_used = |item: &TranscriptItem| {
            item.is_step() && !matches!(item, TranscriptItem::Directive(Directive::Timeout(_)))
        };
        if lines.iter().any(|line| is_used(&line.item)) {
            Ok(Self { lines })
        } else {
            let message = "empty transcript: expected lines to send (\"> ...\") or to expect (\"< ...\")";
            Err(TranscriptError { line: first_line, message: message.to_owned() })
        }
    }

    /// Returns the expectation in the line with this index.
    pub(super) fn expectation(&self, index: usize) -> Option<&Expectation> {
        match &self.lines.get(index)?.item {
            TranscriptItem::Expect(expectation) => Some(expectation),
            _ => None,
        }
    }

    /// Returns the arguments of the engine.
    pub fn arguments(&self) -> &[String] {
        let words = self.lines.iter().find_map(|line| match &line.item {
            TranscriptItem::Directive(Directive::Args(words)) => Some(words.as_slice()),
            _ => None,
        });
        words.unwrap_or(&[])
    }

    /// Returns the expected exit status (`None` for any status) and the index of its line.
    pub fn exit(&self) -> (Option<i32>, Option<usize>) {
        let status = self.lines.iter().enumerate().find_map(|(index, line)| match line.item {
            TranscriptItem::Directive(Directive::Exit(status)) => Some((status, Some(index))),
            _ => None,
        });
        status.unwrap_or((Some(0), None))
    }
}

/// The state after the lines so far, which determines which lines may follow.
#[derive(Default)]
struct Order {
    stage: Stage,
    arguments: bool,
    exit: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Stage {
    /// Before the engine is started.
    #[default]
    Start,
    Talk,
    InputClosed,
    OutputEnded,
}

impl Order {
    fn check(&mut self, item: &TranscriptItem) -> Result<(), &'static str> {
        match item {
            TranscriptItem::Directive(Directive::Args(_)) if self.stage > Stage::Start => {
                return Err("the arguments must come before any other step");
            }
            TranscriptItem::Directive(Directive::Args(_)) if mem::replace(&mut self.arguments, true) => {
                return Err("the arguments are given twice");
            }
            TranscriptItem::Directive(Directive::Exit(_)) if mem::replace(&mut self.exit, true) => {
                return Err("the exit status is given twice");
            }
            TranscriptItem::Blank
            | TranscriptItem::Comment
            | TranscriptItem::Directive(Directive::Timeout(_) | Directive::Args(_) | Directive::Exit(_)) => {}
            TranscriptItem::Send(_)
            | TranscriptItem::Directive(Directive::Option { .. } | Directive::Close)
                if self.stage >= Stage::InputClosed =>
            {
                return Err("the input is already closed");
            }
            TranscriptItem::Expect(_) | TranscriptItem::Directive(Directive::Eof)
                if self.stage >= Stage::OutputEnded =>
            {
                return Err("the output has already ended");
            }
            TranscriptItem::Directive(Directive::Close) => self.stage = Stage::InputClosed,
            TranscriptItem::Directive(Directive::Eof) => self.stage = Stage::OutputEnded,
            TranscriptItem::Send(_)
            | TranscriptItem::Expect(_)
            | TranscriptItem::Directive(Directive::Option { .. } | Directive::Wait(_)) => {
                self.stage = self.stage.max(Stage::Talk);
            }
        }
        Ok(())
    }
}

/// The reason why a transcript is invalid.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error("{message}")]
pub struct TranscriptError {
    /// Line number in the file.
    pub line: usize,
    pub message: String,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn error(text: &str) -> (usize, String) {
        let error = Transcript::parse(text, 1).unwrap_err();
        (error.line, error.to_string())
    }

    #[test]
    fn lines_that_come_too_late_are_refused() {
        for (text, line) in [
            ("> uci\n! args x", 2),
            ("! args x\n! args y\n> a", 2),
            ("! exit 1\n> a\n! exit 1", 3),
            ("! close\n# ok\n> a", 3),
            ("! close\n! option Hash 1", 2),
            ("! close\n! close", 2),
            ("! eof\n< a", 2),
            ("! eof\n> a", 2),
        ] {
            let (found, message) = error(text);
            assert_eq!(found, line, "{text}");
            assert!(message.starts_with("misplaced line \""), "{message}");
        }
        assert!(Transcript::parse("! args x\n! timeout 5\n> a\n! exit 1\n! close\n< b\n! eof", 1).is_ok());
    }

    #[test]
    fn errors_count_lines_from_the_first() {
        let error = Transcript::parse("> uci\nuciok", 10).unwrap_err();
        assert_eq!(error.line, 11);
        assert_eq!(
            error.to_string(),
            "invalid line \"uciok\" at character 1: expected a line that begins with \"#\", \">\", \"<\" or \"!\""
        );
        let error = Transcript::parse("# only\n! timeout 1\n", 1).unwrap_err();
        assert!(error.message.starts_with("empty transcript: "), "{error}");
    }

    #[test]
    fn arguments_and_status_are_found() {
        let transcript = Transcript::parse("\u{feff}! args bench 'a b'\r\n> a\r\n! exit 3\r\n", 1).unwrap();
        assert_eq!(transcript.arguments(), ["bench", "a b"]);
        assert_eq!(transcript.exit(), (Some(3), Some(2)));
        let transcript = Transcript::parse("> a", 1).unwrap();
        assert_eq!(transcript.exit(), (Some(0), None));
    }

    proptest! {
        #[test]
        fn text_is_preserved(
            text in "\u{feff}?((> |< |<\\* |# |! exit any|> go|< ...)[ -~é]{0,5}(\r?\n)){0,8}(> x)?",
        ) {
            if let Ok(transcript) = Transcript::parse(&text, 1) {
                let lines: Vec<_> = transcript.lines.iter().map(|line| line.text.as_str()).collect();
                prop_assert_eq!(lines.join("\n"), text);
            }
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in "(\\PC|\n){0,60}") {
            let _ = Transcript::parse(&text, 1);
        }
    }
}
