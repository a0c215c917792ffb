//! Output: the terminal's capabilities, boards with the score sheet next to them, lines of text, and a status
//! line during searches.

use std::env;
use std::io::{self, IsTerminal, Write, stdout};

use kelso_draughts::board::{Color, Move, Position};
use kelso_draughts::diagram::lines;
use kelso_reports::diagram::{Diagram, Ink, text};
use kelso_text::system::without_codes;

/// Columns between the board and the text next to it.
const GAP: usize = 3;
/// Width in columns of a coloured board, and of a plain board with numbers.
const COLOURED_WIDTH: usize = 48;
const NUMBERED_WIDTH: usize = 50;
/// Minimum width of a score sheet in columns.
const MIN_PANEL: usize = 22;
/// Columns if the width is unknown.
const DEFAULT_WIDTH: usize = 80;

/// Detects how to draw boards: as plain text if `ascii` or the variable `NO_COLOR` is set, without a
/// terminal, or on a terminal without colours or Unicode.
pub fn detect_ink(ascii: bool) -> Ink {
    if ascii || !io::stdout().is_terminal() {
        return Ink::Plain;
    }
    ink_of(|name| env::var(name).ok())
}

fn ink_of(variable: impl Fn(&str) -> Option<String>) -> Ink {
    let value = |name| variable(name).filter(|value| !value.is_empty());
    if value("NO_COLOR").is_some() {
        return Ink::Plain;
    }
    // Terminals on Windows have no such variables and support everything.
    if cfg!(windows) {
        return Ink::True;
    }
    let unicode = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value).is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    let Some(term) = value("TERM").filter(|term| term != "dumb" && unicode) else { return Ink::Plain };
    if value("COLORTERM").is_some_and(|colours| colours == "truecolor" || colours == "24bit") {
        Ink::True
    } else if term.contains("256color") || ["xterm", "screen", "tmux"].contains(&term.as_str()) {
        Ink::Palette
    } else {
        Ink::Plain
    }
}

#[derive(Debug)]
pub(super) struct Screen {
    ink: Ink,
    /// Whether the status line can be redrawn.
    can_redraw: bool,
    /// Whether long lines are wrapped.
    wraps: bool,
    pub(super) bottom: Color,
    pub(super) width: usize,
}

impl Screen {
    pub(super) const fn new(ink: Ink, can_redraw: bool, wraps: bool, bottom: Color) -> Self {
        Self { ink, can_redraw, wraps, bottom, width: DEFAULT_WIDTH }
    }

    /// Shows a board, with as many lines next to it as fit: `head` first, then the last lines of `rest`.
    pub(super) fn board(
        &self,
        position: &Position,
        last: Option<Move>,
        head: &[String],
        rest: &[String],
    ) -> io::Result<()> {
        let diagram = Diagram::new(*position).with_move(last).seen_from(self.bottom);
        let ink = if self.width < COLOURED_WIDTH { Ink::Plain } else { self.ink };
        let is_plain = ink == Ink::Plain;
        let is_narrow = is_plain && self.width < NUMBERED_WIDTH;
        let board = if is_narrow { lines(position, self.bottom) } else { text(&diagram, ink) };
        let taken = if is_plain { NUMBERED_WIDTH } else { COLOURED_WIDTH };
        let panel = self.width.saturating_sub(taken + GAP + 1);
        let room = board.len().saturating_sub(head.len() + 1);
        let skipped = rest.len().saturating_sub(room);
        let blank = String::new();
        let fits = panel >= MIN_PANEL;
        let lines = head.iter().chain([&blank]).chain(rest.iter().skip(skipped)).filter(|_| fits);
        let mut out = stdout().lock();
        for (line, beside) in board.iter().zip(lines.chain(std::iter::repeat(&blank))) {
            // The edges of a plain board are shorter than its rows.
            let width = if is_plain { line.chars().count() } else { taken };
            let pad = " ".repeat(taken.saturating_sub(width) + GAP);
            let beside: String = beside.chars().take(panel).collect();
            writeln!(out, "{}", format!("{line}{pad}{beside}").trim_end())?;
        }
        out.flush()
    }

    /// Writes text, wrapped between words.
    pub(super) fn say(&self, words: &str) -> io::Result<()> {
        let mut out = stdout().lock();
        for line in words.lines() {
            let width = if self.wraps { self.width } else { usize::MAX };
            for part in wrapped(&without_codes(line), width) {
                writeln!(out, "{}", printable(&part))?;
            }
        }
        out.flush()
    }

    /// Redraws the status line, if the terminal supports it.
    pub(super) fn status(&self, words: &str) -> io::Result<()> {
        if !self.can_redraw {
            return Ok(());
        }
        let visible_words: String = words.chars().take(self.width.saturating_sub(1)).collect();
        let mut out = stdout().lock();
        write!(out, "\r\x1b[K{}", printable(&visible_words))?;
        out.flush()
    }
}

/// Replaces non-breaking spaces, and control characters, so that text from files and engines cannot move the
/// cursor.
fn printable(text: &str) -> String {
    text.replace('\u{a0}', " ").replace(char::is_control, "?")
}

/// Splits a line into pieces that fit, all with the same indentation.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - text.len());
    let mut pieces: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match pieces.last_mut() {
            Some(last) if last.chars().count() + 1 + word.chars().count() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => pieces.push(format!("{indent}{word}")),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_board_has_the_numbers_of_its_squares() {
        let position = kelso_draughts::notation::fen::parse("W:W21,K32:B1").unwrap();
        let white = lines(&position, Color::White);
        assert_eq!(
            [&white[0], &white[7]],
            ["   b   .   .   .     1  2  3  4", " .   .   .   W      29 30 31 32"]
        );
        let black = lines(&position, Color::Black);
        assert_eq!(
            [&black[0], &black[7]],
            ["   W   .   .   .    32 31 30 29", " .   .   .   b       4  3  2  1"]
        );
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("  one two", 6), ["  one", "  two"]);
        assert_eq!(wrapped("a  b", 80), ["a  b"]);
        assert_eq!(wrapped("unbreakable", 4), ["unbreakable"]);
        assert_eq!(wrapped("", 10), [""]);
        assert_eq!(printable("a\x1b[2Jb"), "a?[2Jb");
        assert_eq!(printable("1\u{a0}9-13"), "1 9-13");
    }

    #[test]
    #[cfg(unix)]
    fn colours_follow_the_environment() {
        for (variables, ink) in [
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8")][..], Ink::Palette),
            (&[("TERM", "xterm-256color"), ("LANG", "en_GB.utf8"), ("COLORTERM", "truecolor")], Ink::True),
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("NO_COLOR", "1")], Ink::Plain),
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("NO_COLOR", "")], Ink::Palette),
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("LC_ALL", "C")], Ink::Plain),
            (&[("TERM", "dumb"), ("LANG", "C.UTF-8"), ("COLORTERM", "truecolor")], Ink::Plain),
            (&[("TERM", "vt100"), ("LANG", "C.UTF-8")], Ink::Plain),
            (&[("LANG", "C.UTF-8")], Ink::Plain),
            (&[], Ink::Plain),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(ink_of(variable), ink, "{variables:?}");
        }
    }
}
