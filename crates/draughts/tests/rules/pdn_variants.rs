//! Collections as typed and scanned by people: every way to write a move, a number and a result, in every
//! encoding. The texts are generated from random games, and the parsed games are compared with the originals.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::shared::random::{self, Random};
use kelso_draughts::board::{Move, Position};
use kelso_draughts::notation::pdn::{PdnEntry, PdnErrorKind, PdnReader};
use kelso_draughts::notation::{MoveError, fen, movetext};
use kelso_draughts::result::GameResult;

const GAMES: usize = 700;

/// A style of writing games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Style {
    CrossesForAll,
    HyphensForAll,
    Colons,
    Capitals,
    Spaces,
    SpacedHyphens,
    Dashes,
    LeadingZeros,
    AllSquares,
    JumpByJump,
    FourDigits,
    PairsRunTogether,
    NumbersRunTogether,
    LinesRunTogether,
    NumbersWithoutDots,
    NumbersOnOtherLines,
    WrongNumbers,
    NoNumbers,
    Remarks,
}

const STYLES: [Style; 19] = [
    Style::CrossesForAll,
    Style::HyphensForAll,
    Style::Colons,
    Style::Capitals,
    Style::Spaces,
    Style::SpacedHyphens,
    Style::Dashes,
    Style::LeadingZeros,
    Style::AllSquares,
    Style::JumpByJump,
    Style::FourDigits,
    Style::PairsRunTogether,
    Style::NumbersRunTogether,
    Style::LinesRunTogether,
    Style::NumbersWithoutDots,
    Style::NumbersOnOtherLines,
    Style::WrongNumbers,
    Style::NoNumbers,
    Style::Remarks,
];

struct Played {
    start: Position,
    moves: Vec<Move>,
    result: Option<GameResult>,
}

fn play(random: &mut Random) -> Played {
    let start = if random.one_in(5) { random::position(random) } else { Position::start() };
    let plies = 2 + random.below(90);
    let (mut position, mut moves) = (start, Vec::new());
    while moves.len() < plies {
        let list = position.moves();
        // Kings that move back and forth repeat positions, as in real games without a claim.
        let again =
            moves.len().checked_sub(2).and_then(|before| moves.get(before)).and_then(|before: &Move| {
                list.iter().copied().find(|mv| mv.to() == before.from() && mv.from() == before.to())
            });
        let mv = match again {
            Some(mv) if !random.one_in(4) => mv,
            _ if list.is_empty() => break,
            _ => random.pick(&list),
        };
        moves.push(mv);
        position = position.after(mv);
    }
    let results = [Some(GameResult::BlackWins), Some(GameResult::WhiteWins), Some(GameResult::Draw), None];
    let result =
        if position.can_move() { random.pick(&results) } else { Some(GameResult::won_by(!position.side())) };
    Played { start, moves, result }
}

/// Formats a move in a style. A capture may become several words.
fn word(style: Style, position: &Position, mv: Move) -> String {
    let (from, to) = (mv.from(), mv.to());
    let full = movetext::full(position, mv);
    match style {
        Style::CrossesForAll => format!("{from}x{to}"),
        Style::HyphensForAll | Style::NumbersRunTogether => format!("{from}-{to}"),
        Style::Colons => movetext::format(position, mv).replace('x', ":"),
        Style::Capitals => movetext::format(position, mv).to_uppercase(),
        Style::Spaces => format!("{from} {to}"),
        Style::SpacedHyphens => format!("{from} - {to}"),
        Style::Dashes => full.replace(['-', 'x'], "\u{2013}"),
        Style::LeadingZeros => format!("{:02}-{:02}", from.number(), to.number()),
        Style::AllSquares => full.replace('x', "-"),
        Style::JumpByJump => {
            let squares: Vec<&str> = full.split(['x', '-']).collect();
            squares.windows(2).map(|pair| pair.join("x")).collect::<Vec<_>>().join(" ")
        }
        Style::FourDigits => format!("{:02}{:02}", from.number(), to.number()),
        _ => movetext::format(position, mv),
    }
}

fn movetext_of(random: &mut Random, style: Style, game: &Played) -> String {
    let mut text = String::new();
    let mut position = game.start;
    let mut first = true;
    for (ply, &mv) in game.moves.iter().enumerate() {
        let black = position.side() == kelso_draughts::board::Color::Black;
        let number = usize::from(game.start.side() != kelso_draughts::board::Color::Black).midpoint(ply) + 1;
        let glued = match style {
            Style::PairsRunTogether => black,
            Style::NumbersRunTogether | Style::LinesRunTogether => true,
            _ => false,
        };
        let shown = match style {
            Style::NoNumbers => None,
            Style::WrongNumbers if random.one_in(3) => Some(1 + random.below(40)),
            _ if black || first => Some(number),
            _ => None,
        };
        if let Some(number) = shown {
            let dots = if black { "." } else { "..." };
            match style {
                Style::NumbersWithoutDots | Style::Spaces | Style::FourDigits
                    if black && random.one_in(2) =>
                {
                    write!(text, "{number} ").unwrap();
                }
                Style::PairsRunTogether | Style::LinesRunTogether => write!(text, "{number}{dots}").unwrap(),
                Style::NumbersOnOtherLines => write!(text, "{number} {dots}\r\n").unwrap(),
                _ => write!(text, "{number}{dots} ").unwrap(),
            }
        }
        text.push_str(&word(style, &position, mv));
        if style == Style::Remarks {
            text.push_str(random.pick(&[
                "",
                "!",
                "?",
                "*",
                " $4",
                " {1-0 11-15 [x]}",
                " ; to the end 1-0\n",
            ]));
            let other = random.pick(&position.moves());
            if random.one_in(5) {
                write!(text, " ({} {{so}})", word(Style::CrossesForAll, &position, other)).unwrap();
            }
        }
        // Text without spaces still has line breaks.
        let ends = glued && (style != Style::LinesRunTogether || !random.one_in(8));
        text.push_str(if ends && style != Style::NumbersRunTogether {
            ""
        } else if style == Style::NumbersRunTogether && black {
            // Join the last digit of Black's move and the first digit of White's.
            ""
        } else {
            random.pick(&[" ", " ", " ", "\r\n", "  "])
        });
        position = position.after(mv);
        first = false;
    }
    text
}

fn write_game(random: &mut Random, style: Style, game: &Played, number: usize) -> String {
    let mut text = String::new();
    let (in_tag, in_moves) = match random.below(3) {
        0 => (true, false),
        1 => (false, true),
        _ => (true, true),
    };
    let words = match game.result {
        Some(GameResult::BlackWins) => ["1-0", "0-2", "1 - 0"],
        Some(GameResult::WhiteWins) => ["0-1", "2-0", "0\u{2013}1"],
        Some(GameResult::Draw) => ["1/2-1/2", "1-1", "\u{bd}-\u{bd}"],
        None => ["*", "*", "*"],
    };
    writeln!(text, "[Event{}\"game {number} in caf\u{e9} style\"]\r", random.pick(&[" ", "", "  "])).unwrap();
    writeln!(text, "[Annotator \"{style:?}\"]\r").unwrap();
    if game.start != Position::start() {
        writeln!(text, "[FEN \"{}\"]\r", fen::format(&game.start)).unwrap();
    }
    // Without moves, another game than English draughts would be believed.
    if !game.moves.is_empty() && random.one_in(3) {
        writeln!(text, "[GameType \"{}\"]\r", random.pick(&["21", "20", "21,B,8,8,N1,0"])).unwrap();
    }
    if in_tag {
        writeln!(text, "[Result \"{}\"]\r", random.pick(&words)).unwrap();
    }
    write!(text, "\r\n{}", movetext_of(random, style, game)).unwrap();
    let end = if in_moves { random.pick(&words) } else { random.pick(&["*", "", ""]) };
    write!(text, " {end}\r\n\r\n").unwrap();
    if random.one_in(20) {
        text.push_str("% a line for programs\r\n");
    }
    text
}

/// Returns whether a game has an ambiguous move.
fn is_doubt(entry: &PdnEntry) -> bool {
    entry.errors().any(|error| matches!(error.kind, PdnErrorKind::Move(MoveError::Ambiguous { .. })))
}

fn windows_1252(text: &str) -> Vec<u8> {
    let byte = |c| match c {
        '\u{2013}' => 0x96,
        c => u8::try_from(c).unwrap(),
    };
    text.chars().map(byte).collect()
}

#[test]
fn seven_hundred_old_games_are_read() {
    let mut random = Random::new(17);
    let games: Vec<(Style, Played)> =
        (0..GAMES).map(|number| (STYLES[number % STYLES.len()], play(&mut random))).collect();
    let mut text = String::new();
    for (number, (style, game)) in games.iter().enumerate() {
        text.push_str(&write_game(&mut random, *style, game, number + 1));
    }
    let marked = format!("\u{feff}{text}");
    let files = [
        ("UTF-8", text.as_bytes().to_vec()),
        ("UTF-8 with a mark", marked.as_bytes().to_vec()),
        ("Windows-1252", windows_1252(&text)),
        ("UTF-16, little endian", marked.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("UTF-16, big endian", marked.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ("Unix lines", text.replace("\r\n", "\n").into_bytes()),
    ];
    for (encoding, bytes) in files {
        let entries: Vec<PdnEntry> = PdnReader::new(bytes.as_slice()).collect();
        assert_eq!(entries.len(), GAMES, "{encoding}");
        // Number of games read, and of ambiguous games, by style.
        let mut counts: BTreeMap<Style, (usize, usize)> = BTreeMap::new();
        for (entry, (style, game)) in entries.iter().zip(&games) {
            let (read, doubts) = counts.entry(*style).or_default();
            if is_doubt(entry) {
                *doubts += 1;
                continue;
            }
            let source = || write_game(&mut Random::new(0), *style, game, entry.number);
            assert_eq!(entry.errors().next(), None, "{encoding}: in {}", source());
            assert_eq!(entry.game.moves().collect::<Vec<_>>(), game.moves, "{encoding}: {}", source());
            assert_eq!((entry.game.start, entry.game.result), (game.start, game.result), "{}", source());
            let event = format!("game {} in caf\u{e9} style", entry.number);
            assert_eq!(entry.game.tags.get("Event"), Some(event.as_str()));
            *read += 1;
        }
        let (read, doubts) = counts.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        println!("{encoding}: {read} games read, {doubts} in doubt: {counts:?}");
        assert!(doubts <= GAMES / 100, "{counts:?}");
    }
}

/// An invalid move or joined words must affect only their own game.
#[test]
fn a_few_faulty_games_are_reported_and_the_rest_are_read() {
    let mut random = Random::new(18);
    let mut text = String::new();
    for number in 1..=60 {
        let game = play(&mut random);
        match number {
            20 => text.push_str("[Event \"illegal\"]\r\n\r\n1. 11-15 23-19 2. 9-14 19-17 3. 5-9 *\r\n\r\n"),
            30 => text.push_str("[Event \"words\"]\r\n\r\n1. 11-15 23-19 2. 8-11Drawn by agreement\r\n\r\n"),
            40 => text.push_str("[Event \"doubt\"]\r\n[FEN \"B:W9,10,17,18,32:B1,6\"]\r\n1. 6x22 *\r\n"),
            _ => text.push_str(&write_game(&mut random, Style::CrossesForAll, &game, number)),
        }
    }
    let entries: Vec<PdnEntry> = PdnReader::new(text.as_bytes()).collect();
    let bad: Vec<_> = entries.iter().filter(|entry| !entry.is_complete()).map(|entry| entry.number).collect();
    assert_eq!((entries.len(), bad), (60, vec![20, 30, 40]));
    for (number, plies, part) in [
        (20, 3, "illegal move \"19-17\": expected one of "),
        (30, 3, "unexpected \"Drawn\": expected a move, a comment, a variation or a result"),
        (40, 0, "ambiguous move \"6x22\": expected one of 6x13x22 6x15x22"),
    ] {
        let entry = &entries[number - 1];
        assert_eq!(entry.game.plies.len(), plies);
        let [error] = entry.errors().collect::<Vec<_>>()[..] else { panic!("{entry:?}") };
        let line = text.lines().take(error.line).last().unwrap();
        assert!(line.starts_with("1. "), "{line}");
        assert!(error.to_string().contains(part), "{}", error);
    }
}
