//! Positions in the notation of the Hub protocol: 33 letters. The first is the side to move (`W` or `B`); the
//! others are the squares in numerical order: `w` and `b` are men, `W` and `B` kings, and `e` is empty.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, char};
use nom::combinator::{map_opt, value};
use nom::error::context;
use nom::multi::fill;
use nom::sequence::pair;

use crate::CommandError;
use kelso_draughts::board::{Color, Piece, Position, Setup, Square};
use kelso_syntax::grammar::{Parsed, whole};

pub fn parse(text: &str) -> Result<Position, CommandError> {
    let setup = whole("position", letters, text)?;
    Position::try_from(setup).map_err(|reason| CommandError::Placement { text: text.to_owned(), reason })
}

pub fn format(position: &Position) -> String {
    let squares = Square::all().map(|square| position.piece_at(square).map_or('e', Piece::letter));
    std::iter::once(position.side().letter()).chain(squares).collect()
}

fn letters(input: &str) -> Parsed<'_, Setup> {
    let side = alt((value(Color::White, char('W')), value(Color::Black, char('B'))));
    let mut squares = [None; Square::COUNT];
    let (rest, (side, ())) =
        pair(context("\"W\" or \"B\" to move", side), fill(square, &mut squares)).parse(input)?;
    Ok((rest, Setup { squares, side }))
}

fn square(input: &str) -> Parsed<'_, Option<Piece>> {
    let content = map_opt(anychar, |letter| match letter {
        'e' => Some(None),
        letter => Piece::from_letter(letter).map(Some),
    });
    context("\"w\", \"b\", \"W\", \"B\" or \"e\" for each of 32 squares", content).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;

    #[test]
    fn positions_are_read_as_they_are_written() {
        for text in ["B:W21-32:B1-12", "W:WK3,10,11,21:B", "B:WK32,5:BK1,9,K29"] {
            let position = fen::parse(text).unwrap();
            assert_eq!(parse(&format(&position)).unwrap(), position);
        }
        assert_eq!(format(&Position::start()), "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
        assert_eq!(format(&fen::parse("W:WK3,9:B10,K32").unwrap()), "WeeWeeeeewbeeeeeeeeeeeeeeeeeeeeeB");
    }

    #[test]
    fn errors_name_text_place_and_expectation() {
        const SQUARES: &str = "\"w\", \"b\", \"W\", \"B\" or \"e\" for each of 32 squares";
        let e = |count| "e".repeat(count);
        for (text, at, expected) in [
            (String::new(), 1, "\"W\" or \"B\" to move"),
            (format!("w{}", e(32)), 1, "\"W\" or \"B\" to move"),
            (format!("W{}", e(31)), 33, SQUARES),
            (format!("W{}x{}", e(3), e(28)), 5, SQUARES),
            (format!("W{}", e(33)), 34, "end of input"),
        ] {
            let message = format!("invalid position \"{text}\" at character {at}: expected {expected}");
            assert_eq!(parse(&text).unwrap_err().to_string(), message);
        }
        let text = format!("W{}", e(32));
        let message = format!("illegal position \"{text}\": the board is empty");
        assert_eq!(parse(&text).unwrap_err().to_string(), message);
        let text = format!("Wwb{}", e(30));
        assert!(parse(&text).unwrap_err().to_string().contains("the white man on 1 must be a king"));
    }
}
