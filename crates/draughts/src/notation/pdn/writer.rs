//! Writes games: tags in a fixed order, moves in lines of at most eighty characters, glyphs by number.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::comment::tidy;
use crate::board::{Color, Position};
use crate::notation::{fen, movetext};
use crate::record::{GameRecord, Ply};

const LINE_CHARS: usize = 80;

/// The tags that come first, in this order, followed by the result.
const FIRST_TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "Black", "White"];
/// Tags that are written from other fields of a game.
const OWN_TAGS: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];

/// Formats a game for a file. An empty line must separate it from the next game.
///
/// ```
/// use kelso_draughts::board::Position;
/// use kelso_draughts::notation::movetext;
/// use kelso_draughts::record::GameRecord;
/// let start = Position::start();
/// let mut game = GameRecord::of(start, [movetext::parse(&start, "11-15")?]);
/// game.tags.set("Event", "Tea break");
/// let text = "[Event \"Tea break\"]\n[Result \"*\"]\n[GameType \"21\"]\n\n1. 11-15 *\n";
/// assert_eq!(game.to_string(), text);
/// # Ok::<(), kelso_draughts::notation::MoveError>(())
/// ```
impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.all_tags() {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', r"\\").replace('"', "\\\""))?;
        }
        f.write_char('\n')?;
        let mut words = Words::default();
        comment(&mut words, &self.comment);
        line(&mut words, &self.plies, self.start, first_number(self.start));
        words.add(self.result_text());
        f.write_str(&words.wrapped())
    }
}

impl GameRecord {
    /// Returns the names and values of all tags in the order in which they are written, including those that
    /// other fields contain.
    #[must_use]
    pub fn all_tags(&self) -> Vec<(&str, Cow<'_, str>)> {
        let first = FIRST_TAGS.iter().filter_map(|first| self.tags.iter().find(|(name, _)| name == first));
        let others = self.tags.iter().filter(|(name, _)| !is_own_tag(name) && !FIRST_TAGS.contains(name));
        let tags = first.chain([("Result", self.result_text())]).chain(others).chain([("GameType", "21")]);
        let mut tags: Vec<_> = tags.map(|(name, value)| (name, value.into())).collect();
        if self.start != Position::start() {
            tags.extend([("SetUp", "1".into()), ("FEN", fen::format(&self.start).into())]);
        }
        tags
    }
}

fn is_own_tag(name: &str) -> bool {
    OWN_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Returns the number of the first ply: 2, or 3 if White moves first. Half a ply's number, rounded down, is
/// its move number.
const fn first_number(start: Position) -> usize {
    match start.side() {
        Color::Black => 2,
        Color::White => 3,
    }
}

fn line(words: &mut Words, plies: &[Ply], start: Position, first_number: usize) {
    let mut position = start;
    // Omit the move number of White's move if it directly follows Black's move.
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
        clear = !comment(words, &ply.full_comment());
        for variation in &ply.variations {
            words.opened += 1;
            comment(words, &variation.comment);
            line(words, &variation.plies, position, number);
            words.close();
            clear = false;
        }
        position = position.after(ply.mv);
    }
}

/// Writes a comment. Returns `false` if it is empty.
fn comment(words: &mut Words, text: &str) -> bool {
    let text = tidy(text);
    if text.contains('}') {
        // A brace cannot be escaped within braces.
        words.add(&format!("; {text}\n"));
    } else if !text.is_empty() {
        for word in format!("{{{text}}}").split(' ') {
            match words.words.last_mut() {
                // At the start of a line, these characters would begin a tag or a skipped line.
                Some(last) if word.starts_with(['[', '%']) => last.extend([" ", word]),
                _ => words.add(word),
            }
        }
    }
    !text.is_empty()
}

/// The text after the tags, in parts that are not broken across lines. A line break may end a part.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    /// The number of opening brackets to write before the next word.
    opened: usize,
}

impl Words {
    fn add(&mut self, text: &str) {
        self.words.push("(".repeat(std::mem::take(&mut self.opened)) + text);
    }

    fn close(&mut self) {
        match self.words.last_mut() {
            Some(word) if self.opened == 0 && !word.ends_with('\n') => word.push(')'),
            _ => self.add(")"),
        }
    }

    fn wrapped(&self) -> String {
        let mut text = String::new();
        let mut column = 0;
        for word in &self.words {
            let width = word.trim_end().chars().count();
            if column > 0 {
                let fits = column + 1 + width <= LINE_CHARS;
                text.push(if fits { ' ' } else { '\n' });
                column = if fits { column + 1 } else { 0 };
            }
            text.push_str(word);
            column = if word.ends_with('\n') { 0 } else { column + width };
        }
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;
    use crate::notation::pdn::{PdnEntry, PdnReader};
    use crate::record::Variation;

    fn read(text: &str) -> GameRecord {
        PdnReader::new(text.as_bytes()).next().map(PdnEntry::whole).unwrap().unwrap()
    }

    #[test]
    fn tags_have_an_order_and_escapes() {
        let mut game = GameRecord::new(fen::parse("W:W32:BK1").unwrap());
        for (name, value) in [
            ("Opening", "\"Cross\" \\ 7"),
            ("White", "Bob"),
            ("result", "1-0"),
            ("FEN", "x"),
            ("SETUP", "x"),
            ("GameType", "20"),
            ("Black", "Ann"),
            ("Event", "Tea"),
            ("site", "Ayr"),
        ] {
            game.tags.set(name, value);
        }
        game.result = Some(crate::result::GameResult::Draw);
        let lines = [
            r#"[Event "Tea"]"#,
            r#"[Black "Ann"]"#,
            r#"[White "Bob"]"#,
            r#"[Result "1/2-1/2"]"#,
            r#"[Opening "\"Cross\" \\ 7"]"#,
            r#"[site "Ayr"]"#,
            r#"[GameType "21"]"#,
            r#"[SetUp "1"]"#,
            r#"[FEN "W:W32:BK1"]"#,
            "",
            "1/2-1/2\n",
        ];
        assert_eq!(game.to_string(), lines.join("\n"));
    }

    #[test]
    fn moves_and_comments_have_one_form() {
        for (text, written) in [
            ("11-15 22-18 15x22 *", "1. 11-15 22-18 2. 15x22 *"),
            ("{a} 11-15 {b} 22-18! 15x22 1-0", "{a} 1. 11-15 {b} 1... 22-18 $1 2. 15x22 1-0"),
            (
                "11-15 (11-16 24-19 (24-20) 8-11) 22-18 (23-19 {c})",
                "1. 11-15 (1. 11-16 24-19 (1... 24-20) 2. 8-11) 1... 22-18 (1... 23-19 {c}) *",
            ),
            ("11-15 ({c} 9-14) ({d})", "1. 11-15 ({c} 1. 9-14) ({d}) *"),
            ("[FEN \"W:W32:B1\"] 32-28 1-5 28-24", "1... 32-28 2. 1-5 28-24 *"),
            ("11-15 {a [b] %c d}", "1. 11-15 {a [b] %c d} *"),
            ("11-15 ; a } b\n 22-18", "1. 11-15 ; a } b\n1... 22-18 *"),
            ("11-15 (9-14 ; a }\n) 22-18", "1. 11-15 (1. 9-14 ; a }\n) 1... 22-18 *"),
        ] {
            let game = read(text);
            let whole = game.to_string();
            let moves = whole.split_once("\n\n").unwrap().1;
            assert_eq!(moves, format!("{written}\n"), "{text}");
            assert_eq!(read(&whole), game);
        }
        let start = Position::start();
        let mv: Move = movetext::parse(&start, "11-15").unwrap();
        let mut game = GameRecord::of(start, [mv]);
        game.plies[0].variations = vec![Variation::default()];
        assert!(game.to_string().ends_with("\n\n1. 11-15 () *\n"), "{game}");
    }

    #[test]
    fn lines_have_at_most_eighty_characters() {
        let word = |letter: &str, width: usize| letter.repeat(width);
        let [a, b, c] = [("\u{e9}", 40), ("b", 20), ("c", 18)].map(|(letter, width)| word(letter, width));
        let wrapped = |words: &[&str]| {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            Words { words, opened: 0 }.wrapped()
        };
        assert_eq!(wrapped(&[&a, &b, &c, "d"]), format!("{a} {b} {c}\nd\n"));
        let longer = word("c", 19);
        assert_eq!(wrapped(&[&a, &b, &longer]), format!("{a} {b}\n{longer}\n"));
        let long = word("x", 90);
        assert_eq!(wrapped(&["a", &long, "b"]), format!("a\n{long}\nb\n"));
        // A line break within a part begins a new line.
        let comment = format!("; {a}\n");
        assert_eq!(wrapped(&[&comment, &a, &b, &c]), format!("; {a}\n{a} {b} {c}\n"));
    }

    #[test]
    fn a_word_is_not_broken_before_characters_with_a_meaning_at_the_start_of_a_line() {
        let mut words = Words::default();
        assert!(comment(&mut words, "a [b %c\n d") && !comment(&mut words, " \n"));
        assert_eq!(words.words, ["{a [b %c", "d}"]);
    }
}
