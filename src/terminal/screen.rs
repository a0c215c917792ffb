//! What is written for the person: boards with the score sheet beside them, lines of text, and one line that is redrawn
//! while an engine thinks.

use std::io::{self, Write, stdout};

use draughts::board::{Color, Move, Position};
use draughts::diagram::{Diagram, Ink, text};

/// Between the board and what stands beside it.
const GAP: usize = 3;
/// Columns of a board in colours, and of a plain one with numbers beside it.
const COLOURED: usize = 48;
const NUMBERED: usize = 50;
/// The least room that a score sheet is worth.
const LEAST_PANEL: usize = 22;
/// Columns where nobody says how many there are.
const USUAL_WIDTH: usize = 80;

/// Standard output.
#[derive(Debug)]
pub(super) struct Screen {
    ink: Ink,
    /// Whether a line may be redrawn.
    lively: bool,
    /// Whether lines are broken where they would leave the screen.
    wraps: bool,
    pub(super) bottom: Color,
    pub(super) width: usize,
}

impl Screen {
    pub(super) const fn new(ink: Ink, lively: bool, wraps: bool, bottom: Color) -> Self {
        Self { ink, lively, wraps, bottom, width: USUAL_WIDTH }
    }

    /// Shows a board, and beside it as many of the lines as there is room for: `head` first, the end of `rest` below it.
    pub(super) fn board(
        &self,
        position: &Position,
        last: Option<Move>,
        head: &[String],
        rest: &[String],
    ) -> io::Result<()> {
        let mut diagram = Diagram::new(*position).with_move(last).seen_from(self.bottom);
        let ink = if self.width < COLOURED { Ink::Plain } else { self.ink };
        let plain = ink == Ink::Plain;
        // The numbers beside a plain board are the first thing to go.
        diagram.numbers = !plain || self.width >= NUMBERED;
        let board = text(&diagram, ink);
        let taken = match (plain, diagram.numbers) {
            (true, true) => NUMBERED,
            (true, false) => 34,
            (false, _) => COLOURED,
        };
        let panel = self.width.saturating_sub(taken + GAP + 1);
        let room = board.len().saturating_sub(head.len() + 1);
        let skipped = rest.len().saturating_sub(room);
        let blank = String::new();
        let beside: Vec<&String> = if panel < LEAST_PANEL {
            Vec::new()
        } else {
            head.iter().chain([&blank]).chain(rest.iter().skip(skipped)).collect()
        };
        let mut out = stdout().lock();
        for (index, line) in board.iter().enumerate() {
            match beside.get(index).filter(|text| !text.is_empty()) {
                None => writeln!(out, "{line}")?,
                Some(text) => {
                    // Short rows of a plain board have no numbers behind their edge.
                    let width = if plain { line.chars().count() } else { taken };
                    let pad = taken.saturating_sub(width) + GAP;
                    let text: String = text.chars().take(panel).collect();
                    writeln!(out, "{line}{}{}", " ".repeat(pad), text.trim_end())?;
                }
            }
        }
        out.flush()
    }

    /// Writes a text, broken between words where the line is full.
    pub(super) fn say(&self, words: &str) -> io::Result<()> {
        let mut out = stdout().lock();
        for line in words.lines() {
            let width = if self.wraps { self.width } else { usize::MAX };
            for part in wrapped(line, width) {
                writeln!(out, "{}", printable(&part))?;
            }
        }
        out.flush()
    }

    /// Redraws the line of thinking, where there is a terminal for it.
    pub(super) fn think(&self, words: &str) -> io::Result<()> {
        if !self.lively {
            return Ok(());
        }
        let shown: String = words.chars().take(self.width.saturating_sub(1)).collect();
        let mut out = stdout().lock();
        write!(out, "\r\x1b[K{}", printable(&shown))?;
        out.flush()
    }

    /// Removes the line of thinking.
    pub(super) fn thought(&self) -> io::Result<()> {
        self.think("")
    }
}

/// Text from files and engines can't move the cursor. A space that doesn't part words has done its work.
fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\u{a0}' => ' ',
        c if c.is_control() => '?',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// A line in pieces that fit, later ones indented like the first.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let indent = line.chars().take_while(|c| *c == ' ').count();
    let mut lines: Vec<String> = Vec::new();
    let mut current = " ".repeat(indent);
    let mut empty = true;
    for word in line.split(' ').skip(indent) {
        let wide = current.chars().count() + usize::from(!empty) + word.chars().count();
        if !empty && wide > width {
            lines.push(std::mem::replace(&mut current, " ".repeat(indent)));
            empty = true;
        }
        if !empty {
            current.push(' ');
        }
        current.push_str(word);
        empty = false;
    }
    lines.push(current);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
