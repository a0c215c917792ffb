//! Pictures of a board: text for terminals, SVG for documents and pages.
//!
//! Both use the colours of the style sheet [`STYLE`]; SVG draws the symbols in [`PIECES`].

mod svg;
mod text;

pub use svg::{markup, svg};
pub use text::{Ink, text};

use kelso_draughts::board::{Bitboard, Color, Move, Position, Square};

/// The style sheet that all pages share.
pub const STYLE: &str = include_str!("style.css");
/// The pieces as SVG symbols: `black-man`, `black-king`, `white-man` and `white-king`, each in a box of 40 by
/// 40.
pub const PIECES: &str = include_str!("pieces.svg");

/// A board to draw.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    pub position: Position,
    /// The side at the bottom.
    pub bottom: Color,
    /// Whether squares are numbered.
    pub numbers: bool,
    /// Highlighted squares, such as the start and end of the last move.
    pub marked: Bitboard,
    /// Arrows from one square to another, in SVG only.
    pub arrows: Vec<(Square, Square)>,
}

impl Diagram {
    /// Creates a diagram seen from White's side, with numbers and without marks.
    pub const fn new(position: Position) -> Self {
        Self { position, bottom: Color::White, numbers: true, marked: Bitboard::EMPTY, arrows: Vec::new() }
    }

    /// Marks the start and end of a move.
    pub fn with_move(mut self, mv: Option<Move>) -> Self {
        self.marked = mv.into_iter().flat_map(|mv| [mv.from(), mv.to()]).collect();
        self
    }

    /// Turns the board so that a side is at the bottom.
    pub const fn seen_from(mut self, bottom: Color) -> Self {
        self.bottom = bottom;
        self
    }

    /// Returns the square that would be drawn in the same place if White were at the bottom.
    const fn seen(&self, square: Square) -> Square {
        match self.bottom {
            Color::White => square,
            Color::Black => square.rotated(),
        }
    }

    /// Returns the dark square at a drawn row and column.
    fn square(&self, row: u8, column: u8) -> Option<Square> {
        Square::at(row, column).map(|square| self.seen(square))
    }

    /// Returns the row and the column at which a square is drawn.
    fn drawn_at(&self, square: Square) -> (u8, u8) {
        let seen = self.seen(square);
        (seen.row(), seen.column())
    }
}

/// Describes the position for screen readers.
fn described(position: &Position) -> String {
    let black = described_pieces(position, Color::Black);
    let white = described_pieces(position, Color::White);
    format!("{} to move; {black}; {white}", position.side())
}

fn described_pieces(position: &Position, color: Color) -> String {
    let mut parts = Vec::new();
    for (one, several, set) in [("man", "men", position.men(color)), ("king", "kings", position.kings(color))]
    {
        let numbers: Vec<String> = set.iter().map(|square| square.to_string()).collect();
        if !numbers.is_empty() {
            let kind = if numbers.len() == 1 { one } else { several };
            parts.push(format!("{kind} on {}", numbers.join(", ")));
        }
    }
    let pieces = if parts.is_empty() { "has no pieces".to_owned() } else { parts.join(" and ") };
    format!("{color} {pieces}")
}

/// Returns a colour of the light theme as `#rrggbb`. The name omits the two leading hyphens.
fn hex(name: &str) -> Option<&'static str> {
    let theme = STYLE.split('}').next()?;
    theme.lines().find_map(|line| {
        let (known, value) = line.trim().strip_prefix("--")?.split_once(':')?;
        let value = value.trim().trim_end_matches(';');
        // A colour that depends on the theme is written light-dark(#rrggbb, #rrggbb).
        let light = value.strip_prefix("light-dark(").and_then(|both| both.split(',').next());
        (known == name).then(|| light.unwrap_or(value))
    })
}

/// Returns a colour as red, green and blue.
#[expect(clippy::expect_used, reason = "the style sheet is compiled in")]
fn rgb(name: &str) -> [u8; 3] {
    let number = hex(name)
        .and_then(|text| text.strip_prefix('#'))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .expect("the style sheet has each colour of a board as #rrggbb");
    let [_, rgb @ ..] = number.to_be_bytes();
    rgb
}

/// Replaces every `var(--name)` with its value, for programs that do not support CSS variables.
#[expect(clippy::expect_used, reason = "pieces and style sheet are compiled in")]
fn resolved(mut text: &str) -> String {
    let mut all = String::new();
    while let Some((before, variable)) = text.split_once("var(--") {
        let (name, rest) = variable.split_once(')').expect("a variable ends with a bracket");
        all.extend([before, hex(name).expect("the style sheet has each colour of a board")]);
        text = rest;
    }
    all + text
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn a_turned_board_has_every_square_at_the_other_end() {
        let diagram = Diagram::new(Position::start());
        let turned = diagram.clone().seen_from(Color::Black);
        for square in Square::all() {
            let (row, column) = diagram.drawn_at(square);
            assert_eq!(diagram.square(row, column), Some(square));
            assert_eq!(turned.drawn_at(square), (7 - row, 7 - column));
            assert_eq!(turned.square(7 - row, 7 - column), Some(square));
        }
    }

    #[test]
    fn positions_are_described() {
        let position = fen::parse("W:W5,K12,K13:B14").unwrap();
        assert_eq!(
            described(&position),
            "white to move; black man on 14; white man on 5 and kings on 12, 13"
        );
        assert_eq!(
            described(&fen::parse("W:W5,6:B").unwrap()),
            "white to move; black has no pieces; white men on 5, 6"
        );
    }

    #[test]
    fn colours_are_those_of_the_light_theme() {
        assert_eq!(hex("ink"), Some("#1c1e21"));
        assert_eq!(hex("dark"), None);
        assert_eq!(rgb("ink"), [0x1c, 0x1e, 0x21]);
        assert_eq!(resolved("a=\"var(--ink)\" b"), "a=\"#1c1e21\" b");
    }

    #[test]
    fn all_used_colours_are_defined() {
        for text in [STYLE, PIECES] {
            for used in text.split("var(--").skip(1) {
                let name = used.split(')').next().unwrap();
                assert!(hex(name).is_some(), "{name}");
            }
        }
    }
}
