//! Boards as text for a terminal.
//!
//! In colour, each square is six characters wide and two high. A piece takes four by two characters and looks
//! round in nearly every font. A board takes 48 by 16 characters, which leaves room for moves and a prompt on
//! an 80-by-24 screen. Without colours it is plain ASCII, ten lines high.

use std::fmt::Write;

use super::{Diagram, rgb};
use kelso_draughts::board::{Color, Piece, PieceKind, Square};

/// The capabilities of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// ASCII without colours.
    Plain,
    /// Unicode and the 256 colours of `xterm`.
    Palette,
    /// Unicode and 24-bit colour.
    True,
}

/// Draws a board as lines of text.
#[must_use]
pub fn text(diagram: &Diagram, ink: Ink) -> Vec<String> {
    match ink {
        Ink::Plain => plain(diagram),
        Ink::Palette | Ink::True => (0..16).map(|line| coloured(diagram, ink, line)).collect(),
    }
}

/// Draws each square as four characters, with brackets around marked squares. Square numbers follow each row.
fn plain(diagram: &Diagram) -> Vec<String> {
    let edge = format!("+{}+", "-".repeat(32));
    let rows = (0..8).map(|row| plain_row(diagram, row));
    std::iter::once(edge.clone()).chain(rows).chain([edge]).collect()
}

fn plain_row(diagram: &Diagram, row: u8) -> String {
    let mut cells = String::new();
    let mut numbers = String::new();
    for column in 0..8 {
        let Some(square) = diagram.square(row, column) else {
            cells += "    ";
            continue;
        };
        let piece = diagram.position.piece_at(square).map_or('.', Piece::letter);
        let [open, close] = if diagram.marked.contains(square) { ['[', ']'] } else { [' ', ' '] };
        cells.extend([' ', open, piece, close]);
        if diagram.numbers {
            // Writing to a string cannot fail.
            let _ = write!(numbers, "{square:>4}");
        }
    }
    format!("|{cells}|{numbers}")
}

fn coloured(diagram: &Diagram, ink: Ink, line: u8) -> String {
    let mut cells = String::new();
    for column in 0..8 {
        cells += &match diagram.square(line / 2, column) {
            None => paint(ink, "ink", "board-light", "      "),
            Some(square) => half(diagram, ink, square, line.is_multiple_of(2)),
        };
    }
    cells + "\x1b[0m"
}

fn half(diagram: &Diagram, ink: Ink, square: Square, upper: bool) -> String {
    let number = if diagram.numbers && upper { square.to_string() } else { String::new() };
    let ground = if diagram.marked.contains(square) { "board-mark" } else { "board-dark" };
    let Some(piece) = diagram.position.piece_at(square) else {
        return paint(ink, "board-number", ground, &format!("{number:<6}"));
    };
    let (face, letters, crown) = colours(piece);
    let (left, right, front) = if upper { (" ▟", "▙ ", letters) } else { (" ▜", "▛ ", crown) };
    let is_crown = piece.kind == PieceKind::King && !upper;
    let middle = if is_crown { "♛ ".to_owned() } else { format!("{number:>2}") };
    paint(ink, face, ground, left) + &paint(ink, front, face, &middle) + &paint(ink, face, ground, right)
}

/// Returns the colours of a piece, its number and its crown.
const fn colours(piece: Piece) -> (&'static str, &'static str, &'static str) {
    match piece.color {
        Color::Black => ("black-face", "white-ring", "black-crown"),
        Color::White => ("white-face", "white-edge", "white-crown"),
    }
}

fn paint(ink: Ink, front: &str, ground: &str, what: &str) -> String {
    let front = rgb(front);
    let ground = rgb(ground);
    match ink {
        Ink::Plain => what.to_owned(),
        Ink::Palette => format!("\x1b[38;5;{};48;5;{}m{what}", nearest(front), nearest(ground)),
        Ink::True => {
            let [front, ground] = [front, ground].map(|colour| colour.map(|part| part.to_string()).join(";"));
            format!("\x1b[38;2;{front};48;2;{ground}m{what}")
        }
    }
}

/// Returns the nearest colour of the 256-colour palette: a 6x6x6 cube and a ramp of greys.
fn nearest(colour: [u8; 3]) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let cube = (0..216u8).map(|n| (16 + n, [n / 36, n / 6 % 6, n % 6].map(|step| STEPS[usize::from(step)])));
    let greys = (0..24u8).map(|n| (232 + n, [8 + 10 * n; 3]));
    cube.chain(greys).min_by_key(|&(_, other)| distance(colour, other)).map_or(0, |(number, _)| number)
}

/// Returns the square of the distance between two colours.
fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    one.into_iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::{Bitboard, Position};
    use kelso_draughts::notation::fen;

    /// Removes colour codes.
    fn stripped(line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('\x1b') {
            out.push_str(before);
            rest = after.split_once('m').map_or("", |(_, rest)| rest);
        }
        out + rest
    }

    #[test]
    fn plain_boards_are_ascii_and_mark_squares_by_brackets() {
        let mut diagram = Diagram::new(fen::parse("W:W5,K12:B14").unwrap());
        diagram.marked = Bitboard::from_numbers(&[10, 14]);
        let lines = text(&diagram, Ink::Plain);
        assert!(lines.iter().all(|line| line.is_ascii()));
        assert_eq!(lines[2], "|  w       .       .       .     |   5   6   7   8");
        assert_eq!(lines[3], "|      .      [.]      .       W |   9  10  11  12");
        assert_eq!(lines[4], "|  .      [b]      .       .     |  13  14  15  16");
        diagram.bottom = Color::Black;
        diagram.numbers = false;
        let turned = text(&diagram, Ink::Plain);
        assert_eq!(turned[5], "|      .       .      [b]      . |");
        assert_eq!(turned.len(), 10);
    }

    #[test]
    fn coloured_boards_are_48_by_16_and_end_without_colour() {
        for ink in [Ink::Palette, Ink::True] {
            let lines = text(&Diagram::new(Position::start()), ink);
            assert_eq!(lines.len(), 16);
            for line in &lines {
                assert_eq!(stripped(line).chars().count(), 48, "{line}");
                assert!(line.ends_with("\x1b[0m"));
            }
            assert_eq!(stripped(&lines[0]), "       ▟ 1▙        ▟ 2▙        ▟ 3▙        ▟ 4▙ ");
            assert_eq!(stripped(&lines[6]), "13          14          15          16          ");
        }
    }

    #[test]
    fn palette_colours_map_to_themselves() {
        assert_eq!(nearest([0, 0, 0]), 16);
        assert_eq!(nearest([255, 255, 255]), 231);
        assert_eq!(nearest([135, 175, 215]), 110);
        assert_eq!(nearest([28, 28, 28]), 234);
    }
}
