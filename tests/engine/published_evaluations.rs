//! A slow, independent implementation of Peterson's evaluations from their published definitions, square by
//! square on a board of rows and columns.

use crate::shared::random::{self, Random};
use kelso_draughts::board::{Color, Piece, PieceKind, Position, Square};
use kelso_laboratory::evaluation::Evaluation;
use kelso_laboratory::evaluations::peterson::{V1, V2, V3};

type Place = (i32, i32);

struct Board {
    me: Color,
    pieces: Vec<(Place, Piece)>,
}

fn place(square: Square) -> Place {
    (square.row().into(), square.column().into())
}

fn numbered(number: u8) -> Place {
    place(Square::from_number(number).unwrap())
}

fn on_board((row, column): Place) -> bool {
    (0..8).contains(&row) && (0..8).contains(&column)
}

const AROUND: [Place; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const CENTRE: [u8; 6] = [10, 11, 14, 15, 18, 19];

impl Board {
    fn of(position: &Position) -> Self {
        let pieces = Square::all().filter_map(|square| Some((place(square), position.piece_at(square)?)));
        Self { me: position.side(), pieces: pieces.collect() }
    }

    fn at(&self, at: Place) -> Option<Piece> {
        self.pieces.iter().find(|(place, _)| *place == at).map(|(_, piece)| *piece)
    }

    fn is_empty(&self, at: Place) -> bool {
        on_board(at) && self.at(at).is_none()
    }

    fn count(&self, expected: impl Fn(Place, Piece) -> bool) -> i32 {
        i32::try_from(self.pieces.iter().filter(|(place, piece)| expected(*place, *piece)).count()).unwrap()
    }

    /// Returns our number of wanted pieces minus the opponent's.
    fn lead(&self, expected: impl Fn(Place, Piece) -> bool) -> i32 {
        self.count(|place, piece| piece.color == self.me && expected(place, piece))
            - self.count(|place, piece| piece.color != self.me && expected(place, piece))
    }

    fn signed(&self, color: Color, amount: i32) -> i32 {
        if color == self.me { amount } else { -amount }
    }
}

fn directions(piece: Piece) -> Vec<Place> {
    let ahead = if piece.color == Color::Black { 1 } else { -1 };
    AROUND.into_iter().filter(|step| piece.kind == PieceKind::King || step.0 == ahead).collect()
}

fn plus(place: Place, step: Place, times: i32) -> Place {
    (place.0 + step.0 * times, place.1 + step.1 * times)
}

fn v1(board: &Board) -> i32 {
    board.lead(|_, piece| piece.kind == PieceKind::Man)
        + 3 * board.lead(|_, piece| piece.kind == PieceKind::King)
}

fn v2(board: &Board) -> i32 {
    let total = board.count(|_, _| true);
    let lead = board.lead(|_, _| true);
    let man = |piece: Piece| piece.kind == PieceKind::Man;
    let home = |place: Place, piece: Piece| place.0 == if piece.color == Color::Black { 0 } else { 7 };
    let far = |place: Place, piece: Piece| {
        if piece.color == Color::Black { place.0 >= 5 } else { place.0 <= 2 }
    };
    let defense = board.lead(|place, piece| man(piece) && home(place, piece));
    let tempo = board.lead(|place, piece| man(piece) && far(place, piece));
    let kcent = board.lead(|place, piece| !man(piece) && CENTRE.into_iter().any(|n| numbered(n) == place));
    let has = |number, color| board.at(numbered(number)).is_some_and(|piece| piece.color == color);
    let mut cramp = 0;
    if has(20, Color::Black) && has(24, Color::White) {
        cramp += board.signed(Color::Black, 1);
    }
    if has(13, Color::White) && has(9, Color::Black) {
        cramp += board.signed(Color::White, 1);
    }
    105 * board.lead(|_, piece| man(piece))
        + 125 * board.lead(|_, piece| !man(piece))
        + if total <= 12 { -10 } else { 15 } * defense
        + if total <= 16 { 10 } else { 40 } * tempo
        + 250 * lead / total
        + lead
        + 30 * kcent
        + 10 * cramp
}

fn v3(board: &Board) -> i32 {
    let mine = |place: Place| board.at(place).is_some_and(|piece| piece.color == board.me);
    let yours = |place: Place| board.at(place).is_some_and(|piece| piece.color != board.me);
    let (mut mob, mut deny, mut thret) = (0, 0, 0);
    for &(from, piece) in &board.pieces {
        for step in directions(piece) {
            let next = plus(from, step, 1);
            if !board.is_empty(next) {
                continue;
            }
            for around in AROUND {
                let opposite = plus(next, around, -1);
                if yours(plus(next, around, 1)) && board.is_empty(opposite) {
                    deny += AROUND.into_iter().filter(|&to| mine(plus(opposite, to, 1))).count();
                }
            }
            if piece.color == board.me {
                mob += 1;
                let jumps = directions(piece).into_iter();
                thret += jumps
                    .filter(|&jump| yours(plus(next, jump, 1)) && board.is_empty(plus(next, jump, 2)))
                    .count();
            }
        }
    }
    let worth = |own: bool| {
        board.count(|_, piece| (piece.color == board.me) == own && piece.kind == PieceKind::Man) * 2
            + board.count(|_, piece| (piece.color == board.me) == own && piece.kind == PieceKind::King) * 3
    };
    let (me, you) = (worth(true), worth(false));
    let occupied = board.count(|place, _| place.0 % 2 == 0);
    let mov = i32::from(me == you && me < 25 && occupied % 2 == 0);
    let mut adv = 0;
    for &((row, _), piece) in &board.pieces {
        adv += match (row, piece.color) {
            (2 | 3, Color::White) => board.signed(Color::White, 1),
            (2 | 3, Color::Black) => board.signed(Color::Black, -1),
            (4 | 5, Color::Black) => board.signed(Color::Black, 1),
            (4 | 5, Color::White) => board.signed(Color::White, -1),
            _ => 0,
        };
    }
    let bridge = if board.me == Color::Black { [1, 3] } else { [30, 32] };
    let king = board.count(|_, piece| piece.color == board.me && piece.kind == PieceKind::King) > 0;
    let back = i32::from(!king && bridge.into_iter().all(|n| board.at(numbered(n)).is_some()));
    let centre = |place: Place| CENTRE.into_iter().any(|n| numbered(n) == place);
    let center = board.count(|place, _| centre(place));
    let kcent = board.count(|place, piece| centre(place) && piece.kind == PieceKind::King);
    let (deny, thret) = (i32::try_from(deny).unwrap(), i32::try_from(thret).unwrap());
    let (u, t, d, c) = (mob - deny > 0, mob > 0, deny > 0, center > 0);
    let one = i32::from;
    let power = |exponent| 2_i32.pow(exponent);
    -one(!u && c) * power(18) + kcent * power(16)
        - one(!u && !c) * power(14)
        - one(!u && d) * power(13)
        - one(d && !t) * power(11)
        + mov * power(8)
        - adv * power(8)
        - one(u && !d) * power(8)
        - back * power(6)
        + center * power(5)
        + thret * power(5)
        + one(u && !c) * power(4)
        + (me - you) * power(20)
}

#[test]
fn petersons_evaluations_match_the_paper() {
    let mut random = Random::new(6);
    let mut compared = 0;
    while compared < 40_000 {
        let (start, plies) = match random.below(2) {
            0 => (Position::start(), 120),
            _ => (random::position(&mut random), 4),
        };
        random::walk(&mut random, start, plies, |position| {
            let board = Board::of(position);
            assert_eq!(V1.value(position), v1(&board), "{position:?}");
            assert_eq!(V2.value(position), v2(&board), "{position:?}");
            assert_eq!(V3.value(position), v3(&board), "{position:?}");
            compared += 1;
        });
    }
}
