//! Explains the value of a position, for any evaluation.

use super::{Evaluation, material};
use kelso_draughts::board::{Piece, Position, Setup, Square};

/// A part of an evaluation's value: a term of a handcrafted evaluation, or a group of trained weights.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalPart {
    /// Name: a word in lower case, or several joined by hyphens.
    pub name: &'static str,
    /// Contribution to the value for the side to move, in hundredths of a man.
    pub value: i32,
    /// Values for the side to move and for the other side, if the part is their difference.
    pub sides: Option<(i32, i32)>,
}

impl EvalPart {
    /// Creates a part without sides.
    pub const fn whole(name: &'static str, value: i32) -> Self {
        Self { name, value, sides: None }
    }

    /// Creates a part that is the difference between both sides.
    pub const fn sides(name: &'static str, own: i32, other: i32) -> Self {
        Self { name, value: own - other, sides: Some((own, other)) }
    }
}

/// A value and its parts.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    pub position: Position,
    /// The value for the side to move, in hundredths of a man.
    pub value: i32,
    pub material: i32,
    /// The parts that the evaluation itself reports.
    pub parts: Vec<EvalPart>,
    /// The value of each piece, by square.
    pub pieces: Vec<PieceValue>,
}

/// The value of a piece to its owner: the value of the position minus its value without the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValue {
    pub square: Square,
    /// Colour and kind of the piece.
    pub piece: Piece,
    /// The value, in hundredths of a man.
    pub value: i32,
}

/// Returns a position without the piece on a square.
fn without(position: &Position, square: Square) -> Option<Position> {
    let mut setup = Setup::from(position);
    setup.squares.get_mut(square.index())?.take();
    Position::try_from(setup).ok()
}

impl PieceValue {
    /// Returns the value of the piece on a square, if there is one.
    fn of(evaluation: Evaluation<'_>, position: &Position, square: Square) -> Option<Self> {
        let piece = position.piece_at(square)?;
        let worth = evaluation.evaluate(position) - evaluation.evaluate(&without(position, square)?);
        Some(Self { square, piece, value: if piece.color == position.side() { worth } else { -worth } })
    }
}

impl Explanation {
    /// Explains the value that an evaluation gives a position.
    pub fn of(evaluation: Evaluation<'_>, position: &Position) -> Self {
        Self {
            position: *position,
            value: evaluation.evaluate(position),
            material: material::evaluate(position),
            parts: evaluation.parts(position),
            pieces: Square::all().filter_map(|square| PieceValue::of(evaluation, position, square)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing;
    use kelso_draughts::notation::fen;

    #[test]
    fn a_piece_is_worth_what_it_counts() {
        let position = fen::parse("W:W32,K20:B1,5,K9").unwrap();
        let explanation = Explanation::of(Evaluation::Material, &position);
        assert_eq!(explanation.value, material::evaluate(&position));
        assert_eq!(explanation.value, explanation.material);
        let value = |text: &str| testing::value(material::evaluate, text);
        let pieces: Vec<(u8, i32)> =
            explanation.pieces.iter().map(|worth| (worth.square.number(), worth.value)).collect();
        let man = value("W:W32:B");
        let king = value("W:WK20:B");
        assert_eq!(pieces, [(1, man), (5, man), (9, king), (20, king), (32, man)]);
        // A side's last piece can also be removed.
        let alone = Explanation::of(Evaluation::Material, &fen::parse("B:W32:B1").unwrap());
        assert_eq!(alone.pieces.len(), 2);
    }

    #[test]
    fn the_value_is_the_same_for_both_colours() {
        testing::positions(|position| {
            let explain = |position: &Position| Explanation::of(Evaluation::classic(), position);
            let (here, there) = (explain(position), explain(&position.flipped()));
            let values = |pieces: &[PieceValue]| pieces.iter().map(|worth| worth.value).collect::<Vec<_>>();
            let mut flipped = values(&there.pieces);
            flipped.reverse();
            assert_eq!((here.value, values(&here.pieces)), (there.value, flipped), "{position:?}");
        });
    }
}
