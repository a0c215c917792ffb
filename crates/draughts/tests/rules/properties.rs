//! Properties of every position and text: hashes, symmetry, round trips.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::shared::random::{self, Random};
use kelso_draughts::board::{
    Bitboard, Color, Game, Move, NO_PROGRESS_PLIES, Piece, PieceKind, Position, Setup, SetupError, Square,
    perft,
};
use kelso_draughts::notation::{MoveError, MoveText, PositionError, fen, movetext};
use kelso_draughts::result::{EndReason, GameEnd};
use kelso_syntax::SyntaxError;
use proptest::prelude::*;

/// Calls `each` with positions of random games and from random setups.
fn each_position(seed: u64, count: usize, mut each: impl FnMut(&mut Random, &Position)) {
    let mut random = Random::new(seed);
    let mut choices = Random::new(seed + 1000);
    let mut checked = 0;
    while checked < count {
        let (start, plies) = match random.below(3) {
            0 => (Position::start(), 120),
            _ => (random::position(&mut random), 8),
        };
        random::walk(&mut random, start, plies, |position| {
            each(&mut choices, position);
            checked += 1;
        });
    }
}

fn mirrored(mv: Move) -> (Square, Square, Bitboard) {
    (mv.from().rotated(), mv.to().rotated(), mv.captured().rotated())
}

#[test]
fn a_position_equals_the_one_of_its_setup() {
    let mut keys = HashMap::new();
    each_position(1, 100_000, |_, position| {
        let setup = Setup::from(position);
        assert_eq!(setup.side, position.side());
        let again = Position::try_from(setup).unwrap();
        assert_eq!(again, *position);
        assert_eq!(again.key(), position.key(), "{position:?}");
        // No two of a hundred thousand positions have the same key.
        assert_eq!(*keys.entry(position.key()).or_insert(*position), *position);
    });
    assert!(keys.len() > 80_000, "{}", keys.len());
}

#[test]
fn a_flipped_position_is_the_same_game() {
    each_position(2, 20_000, |_, position| {
        let flipped = position.flipped();
        assert_eq!(flipped.flipped(), *position);
        assert_eq!(Position::try_from(Setup::from(&flipped)), Ok(flipped));
        assert_eq!(flipped.must_capture(), position.must_capture());
        assert_eq!(flipped.is_threatened(), position.is_threatened());
        assert_eq!(flipped.can_move(), position.can_move());
        let there: HashSet<_> =
            flipped.moves().iter().map(|mv| (mv.from(), mv.to(), mv.captured())).collect();
        let here: HashSet<_> = position.moves().into_iter().map(mirrored).collect();
        assert_eq!(there, here, "{position:?}");
        for mv in position.moves() {
            let twin = flipped
                .moves()
                .into_iter()
                .find(|&twin| mirrored(twin) == (mv.from(), mv.to(), mv.captured()));
            assert_eq!(flipped.after(twin.unwrap()), position.after(mv).flipped());
        }
        assert_eq!(perft(&flipped, 4), perft(position, 4), "{position:?}");
    });
}

#[test]
fn any_setup_is_a_position_or_an_error() {
    let mut random = Random::new(3);
    let mut refused = [0; 3];
    let mut legal = 0;
    for _ in 0..100_000 {
        let mut setup = Setup::empty(random.pick(&Color::BOTH));
        let full = 1 + random.below(12);
        let kings = random.below(4);
        for square in Square::all() {
            if random.below(12) < full && !random.one_in(3) {
                let kind = if random.below(4) < kings + 2 { PieceKind::King } else { PieceKind::Man };
                setup.put(square, Piece { color: random.pick(&Color::BOTH), kind });
            }
        }
        if random.one_in(50) {
            setup = Setup::empty(setup.side);
        }
        let pieces = |expected: fn(Square, Piece) -> bool| {
            Square::all()
                .filter(|&square| setup.piece_at(square).is_some_and(|piece| expected(square, piece)))
                .count()
        };
        let black = pieces(|_, piece| piece.color == Color::Black);
        let white = pieces(|_, piece| piece.color == Color::White);
        let uncrowned = pieces(|square, piece| {
            let far = if piece.color == Color::Black { 29..=32 } else { 1..=4 };
            piece.kind == PieceKind::Man && far.contains(&square.number())
        });
        match Position::try_from(setup) {
            Ok(position) => {
                assert!(black <= 12 && white <= 12 && black + white > 0 && uncrowned == 0);
                assert_eq!(Setup::from(&position), setup);
                assert_eq!(position.piece_count() as usize, black + white);
                for mv in position.moves() {
                    let piece = setup.piece_at(mv.from()).unwrap();
                    assert_eq!((piece.color, piece.kind == PieceKind::King), (setup.side, mv.is_king()));
                    assert!(Position::try_from(Setup::from(&position.after(mv))).is_ok());
                }
                legal += 1;
            }
            Err(SetupError::NoPieces) => {
                assert_eq!(black + white, 0);
                refused[0] += 1;
            }
            Err(SetupError::TooManyPieces(color, count)) => {
                assert_eq!(count, if color == Color::Black { black } else { white });
                assert!(count > 12);
                refused[1] += 1;
            }
            Err(SetupError::UncrownedMan(color, square)) => {
                assert_eq!(setup.piece_at(square), Some(Piece { color, kind: PieceKind::Man }));
                assert!(uncrowned > 0);
                refused[2] += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(legal > 1000 && refused.iter().all(|&count| count > 1000), "{legal} {refused:?}");
}

#[test]
fn a_position_is_read_as_it_was_written_and_in_any_other_form() {
    each_position(4, 50_000, |random, position| {
        let text = fen::format(position);
        assert_eq!(fen::parse(&text), Ok(*position), "{text}");
        assert_eq!(fen::parse_setup(&text), Ok(Setup::from(position)));
        let loose = loose_fen(random, position);
        assert_eq!(fen::parse(&loose), Ok(*position), "{loose}");
    });
}

/// Formats a position in one of the ways that programs write it.
fn loose_fen(random: &mut Random, position: &Position) -> String {
    let space = |random: &mut Random| if random.one_in(4) { " " } else { "" };
    let mut lists = Vec::new();
    for color in Color::BOTH {
        let mut groups: Vec<String> = Vec::new();
        for (kind, set) in [("K", position.kings(color)), ("", position.men(color))] {
            let mut squares: Vec<u8> = random::numbers(set);
            while let Some(first) = squares.first().copied() {
                let run =
                    (first..).zip(&squares).take_while(|(expected, square)| expected == *square).count();
                let taken = 1 + random.below(run);
                let last = squares.drain(..taken).next_back().unwrap();
                groups.push(match taken {
                    1 => format!("{kind}{first}"),
                    _ if random.one_in(2) => format!("{kind}{first}-{kind}{last}"),
                    _ => format!("{kind}{first}-{last}"),
                });
            }
        }
        for i in 1..groups.len() {
            groups.swap(i, random.below(i + 1));
        }
        let comma = format!("{},{}", space(random), space(random));
        lists.push(format!("{}:{}{}", space(random), color.letter(), groups.join(&comma)));
    }
    if random.one_in(2) {
        lists.reverse();
    }
    let mut text =
        format!("{}{}{}", position.side().letter(), lists.concat(), if random.one_in(2) { "." } else { "" });
    if random.one_in(2) {
        text = text.to_lowercase();
    }
    if random.one_in(2) { format!("\"{text}\"") } else { format!(" {text} ") }
}

#[test]
fn every_move_is_read_as_it_was_written() {
    each_position(5, 50_000, |_, position| {
        let mut texts = HashSet::new();
        for mv in position.moves() {
            let short = movetext::format(position, mv);
            assert_eq!(movetext::parse(position, &short), Ok(mv), "{short} in {position:?}");
            assert!(texts.insert(short), "two moves are written alike in {position:?}");
            let full = movetext::full(position, mv);
            assert_eq!(movetext::parse(position, &full), Ok(mv), "{full} in {position:?}");
            for path in position.paths(mv) {
                let separator = if mv.is_capture() { "x" } else { "-" };
                let squares = std::iter::once(mv.from()).chain(path).map(|square| square.to_string());
                let text = squares.collect::<Vec<_>>().join(separator);
                assert_eq!(movetext::parse(position, &text), Ok(mv), "{text} in {position:?}");
            }
        }
    });
}

#[test]
fn two_squares_are_a_move_if_and_only_if_one_has_these_ends() {
    each_position(6, 2_000, |_, position| {
        let moves = position.moves();
        for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
            for separator in ["-", "x"] {
                let text = format!("{from}{separator}{to}");
                let fits =
                    |mv: &&Move| (mv.from(), mv.to()) == (from, to) && (mv.is_capture() || separator == "-");
                let mut fitting: Vec<Move> = moves.iter().filter(fits).copied().collect();
                // The reference lists a single jump before a longer capture that returns to its start and
                // then makes the same jump.
                if let Some(&jump) =
                    fitting.iter().find(|&&mv| position.paths(mv).iter().any(|p| p.len() == 1))
                {
                    fitting = vec![jump];
                }
                match (movetext::parse(position, &text), &fitting[..]) {
                    (Ok(mv), [only]) => assert_eq!(mv, *only),
                    (Err(MoveError::Illegal { text: named, legal }), []) => {
                        assert_eq!((named, legal.len()), (text, moves.len()));
                    }
                    (Err(MoveError::Ambiguous { text: named, choices }), [_, _, ..]) => {
                        let read: HashSet<_> =
                            choices.iter().map(|choice| movetext::parse(position, choice).unwrap()).collect();
                        assert_eq!((named, read), (text, fitting.into_iter().collect()));
                    }
                    (result, _) => panic!("{text} is {result:?} in {position:?}"),
                }
            }
        }
    });
}

#[test]
fn a_game_ends_by_its_whole_history() {
    let mut random = Random::new(7);
    let mut outcomes: BTreeMap<EndReason, usize> = BTreeMap::new();
    for _ in 0..2_000 {
        // Use a few kings, so that games are long and positions repeat.
        let mut setup = Setup::empty(Color::Black);
        for color in Color::BOTH {
            for _ in 0..=random.below(2) {
                let square = Square::all().nth(random.below(32)).unwrap();
                setup.put(square, Piece { color, kind: PieceKind::King });
            }
        }
        if random.one_in(3) {
            setup.put(Square::from_number(12).unwrap(), Piece { color: Color::White, kind: PieceKind::Man });
        }
        let start = Position::try_from(setup).unwrap();
        let mut game = Game::new(start);
        let mut history = vec![start];
        let mut plies_without_progress = 0;
        let outcome = loop {
            let now = *history.last().unwrap();
            assert_eq!(*game.position(), now);
            let expected = if now.moves().is_empty() {
                Some(GameEnd::won_by(!now.side(), EndReason::NoMove))
            } else if history.iter().filter(|&&position| position == now).count() >= 3 {
                Some(GameEnd::draw(EndReason::Repetition))
            } else if plies_without_progress >= NO_PROGRESS_PLIES as usize {
                Some(GameEnd::draw(EndReason::NoProgress))
            } else {
                None
            };
            assert_eq!(game.end(), expected, "{history:?}");
            if let Some(outcome) = expected {
                break outcome;
            }
            let moves = now.moves();
            // Rarely move back and forth; otherwise, hardly any game would last eighty plies.
            let new = moves.iter().copied().find(|&mv| !history.contains(&now.after(mv)));
            let mv = new.filter(|_| !random.one_in(20)).unwrap_or_else(|| random.pick(&moves));
            let man = now.piece_at(mv.from()).unwrap().kind == PieceKind::Man;
            plies_without_progress = if man || now.piece_count() != now.after(mv).piece_count() {
                0
            } else {
                plies_without_progress + 1
            };
            assert_eq!(mv.is_irreversible(), plies_without_progress == 0);
            history.push(now.after(mv));
            game.play(mv);
        };
        *outcomes.entry(outcome.reason).or_insert(0) += 1;
    }
    assert!(outcomes.len() == 3 && outcomes.values().all(|&count| count > 20), "{outcomes:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_position_or_an_error_that_quotes_it(text in r#"[BW]?(:[BWbw]?([kK]?[0-9]{0,2}[,\-. "]?){0,14}){0,3}|\PC{0,30}"#) {
        match fen::parse(&text) {
            Ok(position) => prop_assert_eq!(fen::parse(&fen::format(&position)), Ok(position)),
            Err(error) => {
                let (PositionError::Syntax(SyntaxError { text: quoted, .. })
                | PositionError::ColorTwice { text: quoted, .. }
                | PositionError::SquareTwice { text: quoted, .. }
                | PositionError::Placement { text: quoted, .. }) = &error else { panic!("{error}") };
                prop_assert_eq!(quoted, &text);
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }

    #[test]
    fn any_text_is_written_like_a_move_or_malformed(text in r"[0-9]{0,2}([-xX:][0-9]{0,3}){0,14}|\PC{0,30}") {
        match MoveText::parse(&text) {
            Ok(read) => prop_assert_eq!(MoveText::parse(&read.to_string()), Ok(read)),
            Err(MoveError::Syntax(SyntaxError { text: quoted, fault, .. })) => {
                prop_assert_eq!(&quoted, &text);
                prop_assert!(text.is_char_boundary(fault.at));
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
