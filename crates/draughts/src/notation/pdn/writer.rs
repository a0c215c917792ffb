//! Writes games: tags in a fixed order, moves in lines of at most eighty characters, glyphs by number.

use std::fmt::{self, Write};

use super::game::{PdnGame, Ply, tidy};
use crate::board::{Color, Position};
use crate::notation::{fen, movetext};

const WIDTH: usize = 80;

/// The tags that come first, in this order, before the result.
const FIRST_TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "Black", "White"];
/// The tags that are written from other parts of a game.
const OWN_TAGS: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];

/// Formats a game for a file; an empty line must separate it from the next.
///
/// ```
/// use draughts::board::Position;
/// use draughts::notation::{movetext, pdn::{PdnGame, Ply}};
/// let mut game = PdnGame::new(Position::start());
/// game.tags.set("Event", "Tea break");
/// game.plies.push(Ply::new(movetext::parse(&game.start, "11-15")?));
/// let text = "[Event \"Tea break\"]\n[Result \"*\"]\n[GameType \"21\"]\n\n1. 11-15 *\n";
/// assert_eq!(game.to_string(), text);
/// # Ok::<(), draughts::notation::MoveError>(())
/// ```
impl fmt::Display for PdnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in FIRST_TAGS {
            if let Some(value) = self.tags.get(name) {
                tag(f, name, value)?;
            }
        }
        tag(f, "Result", &self.result.to_string())?;
        for (name, value) in self.tags.iter() {
            let own = OWN_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name));
            if !own && !FIRST_TAGS.contains(&name) {
                tag(f, name, value)?;
            }
        }
        tag(f, "GameType", "21")?;
        if self.start != Position::start() {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &fen::format(&self.start))?;
        }
        f.write_char('\n')?;
        let mut words = Words::default();
        comment(&mut words, &self.comment);
        line(&mut words, &self.plies, self.start, first_number(self.start));
        words.add(&self.result.to_string());
        f.write_str(&words.finish())
    }
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', r"\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

/// Plies are numbered from 2 on where White moves first, so that half of a ply's number, rounded down, is the move's.
const fn first_number(start: Position) -> usize {
    match start.side() {
        Color::Black => 2,
        Color::White => 3,
    }
}

fn line(words: &mut Words, plies: &[Ply], start: Position, first_number: usize) {
    let mut position = start;
    // White's moves are numbered only if the move before does not make the number clear.
    let mut clear = false;
    for (number, ply) in (first_number..).zip(plies) {
        let text = movetext::format(&position, ply.mv);
        match position.side() {
            Color::Black => words.add(&format!("{}. {text}", number / 2)),
            Color::White if clear => words.add(&text),
            Color::White => words.add(&format!("{}... {text}", number / 2)),
        }
        for glyph in &ply.glyphs {
            words.add(&format!("${glyph}"));
        }
        clear = !comment(words, &ply.comment);
        for variation in &ply.variations {
            words.open();
            comment(words, &variation.comment);
            line(words, &variation.plies, position, number);
            words.close();
            clear = false;
        }
        position = position.after(ply.mv);
    }
}

/// Writes a comment. Returns false if it is empty.
fn comment(words: &mut Words, text: &str) -> bool {
    let text = tidy(text);
    if text.contains('}') {
        // A brace cannot be escaped within braces.
        words.add(&format!("; {text}"));
        words.break_line();
    } else if !text.is_empty() {
        for (i, word) in format!("{{{text}}}").split(' ').enumerate() {
            // At the beginning of a line these would be a tag or a line to skip.
            if i > 0 && word.starts_with(['[', '%']) {
                words.add_to_line(word);
            } else {
                words.add(word);
            }
        }
    }
    !text.is_empty()
}

/// Words in lines. The last is held back, since a bracket may follow it without a space.
#[derive(Default)]
struct Words {
    text: String,
    column: usize,
    opened: usize,
    held: String,
    /// Whether the word held back must stay on the line of the word before it.
    sticky: bool,
}

impl Words {
    fn add(&mut self, word: &str) {
        self.release();
        self.held.extend(std::iter::repeat_n('(', std::mem::take(&mut self.opened)));
        self.held.push_str(word);
    }

    fn add_to_line(&mut self, word: &str) {
        self.add(word);
        self.sticky = true;
    }

    fn open(&mut self) {
        self.opened += 1;
    }

    fn close(&mut self) {
        if self.opened > 0 || self.held.is_empty() {
            self.add("");
        }
        self.held.push(')');
    }

    fn break_line(&mut self) {
        self.release();
        self.text.push('\n');
        self.column = 0;
    }

    /// Writes the word held back, on this line or the next.
    fn release(&mut self) {
        let width = self.held.chars().count();
        if width == 0 {
            return;
        }
        if self.column > 0 {
            let fits = self.column + 1 + width <= WIDTH;
            self.text.push(if fits || self.sticky { ' ' } else { '\n' });
            self.column = if fits || self.sticky { self.column + 1 } else { 0 };
        }
        self.text.push_str(&self.held);
        self.column += width;
        self.held.clear();
        self.sticky = false;
    }

    fn finish(mut self) -> String {
        self.break_line();
        self.text
    }
}
