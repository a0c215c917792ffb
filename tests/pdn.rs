//! Games in files: real-looking ones with what is to be made of them, random ones there and back, and hostile text.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::reference::random::{self, Random};
use kelso::board::Position;
use kelso::notation::pdn::{GameResult, Games, PdnError, PdnErrorKind, PdnGame, Ply, Tags, Variation};

fn read(text: &[u8]) -> Vec<Result<PdnGame, PdnError>> {
    Games::new(text).collect()
}

/// Each `.pdn` file has a `.expected` one beside it: its games as they are written, and errors where they stand.
#[test]
fn files_are_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pdn");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pdn") {
            continue;
        }
        let mut found = String::new();
        for game in read(&fs::read(&path).unwrap()) {
            match game {
                Ok(game) => writeln!(found, "{game}").unwrap(),
                Err(error) => writeln!(found, "error: {error}\n").unwrap(),
            }
        }
        let expected = fs::read_to_string(path.with_extension("expected")).unwrap().replace("\r\n", "\n");
        assert_eq!(found, expected, "{}", path.display());
        files += 1;
    }
    assert_eq!(files, 4);
}

#[test]
fn random_games_come_back_as_they_were_written() {
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        let games: Vec<PdnGame> = (0..=random.below(3)).map(|_| game(&mut random)).collect();
        let text = games.iter().fold(String::new(), |text, game| format!("{text}{game}\n"));
        for line in text.lines() {
            let long = line.chars().count() > 80;
            assert!(
                !long
                    || line.contains(';')
                    || line.starts_with('[')
                    || line.contains(" [")
                    || line.contains(" %"),
                "{line}"
            );
        }
        for (read, game) in read(text.as_bytes()).into_iter().zip(&games) {
            assert_eq!(read.as_ref(), Ok(game), "{text}");
        }
        assert_eq!(read(text.as_bytes()).len(), games.len(), "{text}");
        let lines = text.replace('\n', "\r\n");
        assert_eq!(read(lines.as_bytes()).into_iter().flatten().collect::<Vec<_>>(), games);
    }
}

#[test]
fn a_damaged_game_leaves_the_others_whole() {
    let mut random = Random::new(8);
    let mut faults = 0;
    for _ in 0..2_000 {
        let [before, damaged, after] = [(); 3].map(|()| {
            let mut game = game(&mut random);
            let mut tags = Tags::default();
            tags.set("Event", "one of three");
            game.tags
                .iter()
                .filter(|(name, _)| *name != "Event")
                .for_each(|(name, value)| tags.set(name, value));
            game.tags = tags;
            game
        });
        let mut bytes = damaged.to_string().into_bytes();
        match random.below(3) {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => {
                let at = random.below(bytes.len());
                bytes[at] = random.pick(b"({})[];%\"\\x-*. 19\xff\0");
            }
            _ => {
                let at = random.below(bytes.len());
                bytes.insert(at, random.pick(b"({}) [];%\"\\x-*.19\xff\0"));
            }
        }
        let text =
            [before.to_string().as_bytes(), b"\n", &bytes, b"\n\n", after.to_string().as_bytes()].concat();
        let games = read(&text);
        assert_eq!(games.first(), Some(&Ok(before)));
        assert_eq!(games.last(), Some(&Ok(after)), "{}", String::from_utf8_lossy(&bytes));
        for fault in games.iter().filter_map(|game| game.as_ref().err()) {
            let lines = String::from_utf8_lossy(&text).lines().count();
            assert!(
                (1..=lines).contains(&fault.line) && fault.column > 0 && !fault.to_string().contains('\n')
            );
            faults += 1;
        }
    }
    assert!(faults > 500, "{faults}");
}

#[test]
fn hostile_text_takes_time_in_proportion() {
    let mut random = Random::new(9);
    let small = 1 << 20;
    let mut texts: Vec<Vec<u8>> = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "1",
        "1 ",
        "1.",
        "1 . ",
        "11-15 ",
        "11x",
        "$",
        "$1 ",
        "!",
        "*",
        "* ",
        "%",
        "\n%",
        ";",
        ";\n",
        "[a",
        "[a \"",
        "[a \"\\",
        "[a \"b\"]",
        "[a \"b\"]\n\n",
        "{\n[Event ",
        "{\n[Event \"",
        "1-0 {",
        "11-15 (",
        "11-15 (11-15 ",
        "11-15 () ",
        "11-15 {} ",
        "\u{e9}",
        "\0",
        "[a \"\" \" \" \"",
        "1-0\n(",
    ]
    .iter()
    .map(|piece| piece.repeat(small / piece.len()).into_bytes())
    .collect();
    let mut tags = String::new();
    for number in 0..small / 20 {
        writeln!(tags, "[a{number} \"value\"]").unwrap();
    }
    texts.push(tags.into_bytes());
    texts.push(format!("11-15 ({} *", "1. 11-16 22-18 ( ".repeat(1 << 16)).into_bytes());
    texts.push((0..small).map(|_| random.pick(b"({})[];%\"\\x-*. 1159\n\n\xff\0")).collect());
    for text in texts {
        let began = Instant::now();
        let _ = read(&text);
        let shown = String::from_utf8_lossy(&text[..20.min(text.len())]).into_owned();
        assert!(began.elapsed() < Duration::from_secs(10), "{shown:?} took {:?}", began.elapsed());
    }
}

#[test]
fn a_game_without_end_is_an_error_and_the_next_is_read() {
    let mut text = b"[Event \"long\"]\n".to_vec();
    text.extend(b"11-15 {and on} ".repeat(2 << 20));
    text.extend(b"\n\n[Event \"short\"]\n1. 11-15 *\n");
    let games = read(&text);
    assert_eq!(games.len(), 2);
    assert!(matches!(games[0], Err(PdnError { game: 1, line: 1, kind: PdnErrorKind::TooLong, .. })));
    assert_eq!(games[1].as_ref().map(|game| game.plies.len()), Ok(1));
}

#[test]
fn nesting_has_a_limit() {
    // Each variation replaces the first move, so that any depth is legal.
    let nested = |depth| format!("[Event \"deep\"]\n{}11-15{} *", "11-15 (".repeat(depth), ")".repeat(depth));
    assert!(read(nested(32).as_bytes())[0].is_ok());
    let error = read(nested(33).as_bytes()).remove(0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "game 1, line 2, column 231: variations nested more than 32 deep, expected fewer"
    );
}

#[test]
fn a_file_that_breaks_off_says_so() {
    struct Broken(&'static [u8]);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buffer) {
                Ok(0) => Err(std::io::Error::other("the disk is gone")),
                other => other,
            }
        }
    }
    let games: Vec<_> = Games::new(std::io::BufReader::new(Broken(b"1. 11-15 *\n1. 11-1"))).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].as_ref().map(|game| game.plies.len()), Ok(1));
    let message = games[1].as_ref().unwrap_err().to_string();
    assert_eq!(message, "game 2, line 2, column 8: cannot read: the disk is gone");
}

/// A game in the order and with the spaces that reading gives it, but otherwise as strange as it may be.
fn game(random: &mut Random) -> PdnGame {
    let start = match random.below(3) {
        0 => random::position(random),
        _ => Position::start(),
    };
    let mut game = PdnGame::new(start);
    for name in ["Event", "Site", "Date", "Round", "Black", "White", "Annotator", "x[]\"y", "%{;", "event"] {
        if random.one_in(3) {
            game.tags.set(name, &text(random, "  "));
        }
    }
    game.comment = comment(random);
    let plies = random.below(60);
    game.plies = plies_from(random, start, plies, 0);
    let results = [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown];
    game.result = random.pick(&results);
    game
}

fn plies_from(random: &mut Random, start: Position, count: usize, depth: usize) -> Vec<Ply> {
    let mut position = start;
    let mut plies = Vec::new();
    while plies.len() < count {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let mut ply = Ply::new(random.pick(&moves));
        if random.one_in(6) {
            ply.glyphs = (0..random.below(3)).map(|_| random.next().to_le_bytes()[0]).collect();
        }
        if random.one_in(6) {
            ply.comment = comment(random);
        }
        while depth < 4 && random.one_in(12) {
            let count = random.below(8);
            let plies = plies_from(random, position, count, depth + 1);
            let variation = Variation { comment: comment(random), plies };
            if !(variation.comment.is_empty() && variation.plies.is_empty()) {
                ply.variations.push(variation);
            }
        }
        position = position.after(ply.mv);
        plies.push(ply);
    }
    plies
}

fn comment(random: &mut Random) -> String {
    if random.one_in(2) { text(random, " ") } else { String::new() }
}

/// Words that could be taken for something else.
fn text(random: &mut Random, space: &str) -> String {
    let words = [
        "11-15",
        "1-0",
        "*",
        "1/2-1/2",
        "[Event",
        "[Event \"x\"]",
        "\"",
        "\\",
        "\\\"",
        "}",
        "{",
        "(",
        ")",
        "%",
        "%x",
        ";",
        "$1",
        "1.",
        "caf\u{e9}",
        "\u{201c}so\u{201d}",
        "\u{1f600}",
        "and",
        "then",
        "a",
        "longer",
        "word",
    ];
    let count = random.below(25);
    let words: Vec<&str> = (0..count).map(|_| random.pick(&words)).collect();
    words.join(space)
}
