//! PDN: files with expected results, round trips of random games, and hostile text.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::shared::damage::{SEEDS, damaged, holds};
use crate::shared::random::{self, Random};
use kelso_draughts::board::Position;
use kelso_draughts::notation::pdn::{PdnEntry, PdnError, PdnErrorKind, PdnReader, StatedResults};
use kelso_draughts::record::{GameRecord, Ply, Tags, Variation};
use kelso_draughts::result::GameResult;

fn read(text: &[u8]) -> Vec<PdnEntry> {
    PdnReader::new(text).collect()
}

fn read_whole(text: &[u8]) -> Vec<Result<GameRecord, PdnError>> {
    PdnReader::new(text).map(PdnEntry::whole).collect()
}

/// Each `.pdn` file is accompanied by a `.expected` file: the readable part of its games as written by the
/// library, and their errors.
#[test]
fn files_are_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pdn");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pdn") {
            continue;
        }
        let mut found = String::new();
        for game in read(&fs::read(&path).unwrap()) {
            writeln!(found, "{}", game.game).unwrap();
            for error in game.errors() {
                let word = if error.kind.is_warning() { "warning" } else { "error" };
                writeln!(found, "{word}: {error}\n").unwrap();
            }
            assert_eq!(game.is_complete(), game.clone().whole().is_ok());
        }
        let expected = fs::read_to_string(path.with_extension("expected")).unwrap().replace("\r\n", "\n");
        assert_eq!(found, expected, "{}", path.display());
        files += 1;
    }
    assert_eq!(files, 4);
}

#[test]
fn random_games_are_read_as_they_were_written() {
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        let games: Vec<GameRecord> = (0..=random.below(3)).map(|_| game(&mut random)).collect();
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
        for (read, game) in read(text.as_bytes()).iter().zip(&games) {
            assert!(read.errors().next().is_none(), "{read:?} in {text}");
            assert_eq!(&read.game, game, "{text}");
        }
        assert_eq!(read(text.as_bytes()).len(), games.len(), "{text}");
        let lines = text.replace('\n', "\r\n");
        assert_eq!(read_whole(lines.as_bytes()).into_iter().flatten().collect::<Vec<_>>(), games);
    }
}

#[test]
fn a_damaged_game_does_not_affect_others() {
    let mut random = Random::new(8);
    let mut errors = 0;
    for _ in 0..2_000 {
        let [before, damaged, after] = std::array::from_fn(|_| {
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
        assert_eq!(games.first().map(|entry| &entry.game), Some(&before));
        assert_eq!(
            games.last().map(|entry| &entry.game),
            Some(&after),
            "{}",
            String::from_utf8_lossy(&bytes)
        );
        for error in games.iter().flat_map(PdnEntry::errors) {
            let lines = String::from_utf8_lossy(&text).lines().count();
            assert!(
                (1..=lines).contains(&error.line) && error.column > 0 && !error.to_string().contains('\n')
            );
            errors += 1;
        }
    }
    assert!(errors > 500, "{errors}");
}

#[test]
fn reading_hostile_text_takes_linear_time() {
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
        // A reader whose time grows with the square of the length would take hours.
        assert!(began.elapsed() < Duration::from_secs(30), "{shown:?} took {:?}", began.elapsed());
    }
}

#[test]
fn an_endless_game_is_an_error_and_the_next_is_read() {
    let mut text = b"[Event \"long\"]\n".to_vec();
    text.extend(b"11-15 {and on} ".repeat(2 << 20));
    text.extend(b"\n\n[Event \"short\"]\n1. 11-15 *\n");
    let games = read_whole(&text);
    assert_eq!(games.len(), 2);
    assert!(matches!(games[0], Err(PdnError { game: 1, line: 1, kind: PdnErrorKind::TooLong, .. })));
    assert_eq!(games[1].as_ref().map(|game| game.plies.len()), Ok(1));
}

#[test]
fn nesting_has_a_limit() {
    // Each variation replaces the first move, so any depth is legal.
    let nested = |depth| format!("[Event \"deep\"]\n{}11-15{} *", "11-15 (".repeat(depth), ")".repeat(depth));
    assert_eq!(read(nested(32).as_bytes())[0].errors().next(), None);
    let deep = read(nested(40).as_bytes()).remove(0);
    assert!(deep.is_complete() && deep.errors().count() == 1);
    assert_eq!(
        deep.other_errors[0].to_string(),
        "game 1, line 2, column 231: variations are nested more than 32 deep"
    );
}

#[test]
fn a_truncated_file_is_an_error() {
    struct Broken(&'static [u8]);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buffer) {
                Ok(0) => Err(std::io::Error::other("the disk is gone")),
                other => other,
            }
        }
    }
    let games: Vec<_> = PdnReader::new(Broken(b"1. 11-15 *\n1. 11-1")).map(PdnEntry::whole).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].as_ref().map(|game| game.plies.len()), Ok(1));
    let message = games[1].as_ref().unwrap_err().to_string();
    assert_eq!(message, "game 2, line 2, column 8: cannot read the rest of the file: the disk is gone");
}

#[test]
fn contradicting_results_are_reported_and_the_board_decides() {
    use GameResult::{BlackWins, Draw, WhiteWins};
    let over = "[FEN \"B:W9:B5,6\"]\n1. 6x13";
    let open = "1. 11-15 23-18";
    for (tag, moves, end, result, agree) in [
        ("1-0", open, "1-0", Some(BlackWins), true),
        ("0-2", open, "1-0", Some(BlackWins), true),
        ("2-0", open, "1-0", Some(BlackWins), false),
        ("1-0", open, "*", Some(BlackWins), true),
        ("*", open, "2-0", Some(WhiteWins), true),
        ("", open, "1-1", Some(Draw), true),
        ("?", open, "", None, true),
        ("1-0", open, "0-1", Some(WhiteWins), false),
        ("1/2-1/2", open, "0-1", Some(WhiteWins), false),
        ("*", over, "*", Some(BlackWins), true),
        ("1-0", over, "", Some(BlackWins), true),
        ("0-1", over, "", Some(BlackWins), false),
        ("1-0", over, "0-1", Some(BlackWins), false),
        ("0-1", over, "1/2-1/2", Some(BlackWins), false),
    ] {
        let text = format!("[Result \"{tag}\"]\n{moves} {end}");
        let entry = read(text.as_bytes()).remove(0);
        assert_eq!((entry.game.result, entry.results.agree()), (result, agree), "{text}");
        assert!(entry.is_complete());
        let reported = entry.errors().any(|error| matches!(error.kind, PdnErrorKind::Results(_)));
        assert_eq!(reported, !agree, "{text}");
    }
    let entry = read(b"[Result \"0-1\"]\n\n1. 11-15 23-18 {so} 1/2-1/2\n").remove(0);
    assert_eq!(
        entry.other_errors[0].to_string(),
        "game 1, line 3, column 21: contradictory results: 0-1 in the tag, 1/2-1/2 after the moves"
    );
    let results = StatedResults { tag: Some(WhiteWins), moves: Some(Draw), board: None };
    assert_eq!(entry.results, results);
    let entry = read(b"[Result \"Black wins\"]\n1. 11-15 *").remove(0);
    assert_eq!(
        entry.other_errors[0].to_string(),
        "game 1, line 1, column 1: invalid result \"Black wins\": expected 1-0, 0-1, 1/2-1/2 or *"
    );
}

#[test]
fn other_games_are_read_if_they_fit_the_board() {
    for kind in ["20", "20,W,10,10,N2,0", "21", "", "english", "25"] {
        let text = format!("[GameType \"{kind}\"]\n1. 11-15 23-18 *");
        let entry = read(text.as_bytes()).remove(0);
        assert!(entry.errors().next().is_none(), "{kind}");
    }
    for (text, part) in [
        ("[GameType \"20\"]\n1. 32-28 19-23 *", "line 1, column 1: game type \"20\" is not English draughts"),
        ("[GameType \"25\"]\n*", "line 1, column 1: game type \"25\" is not English draughts"),
        (
            "12. 18-15 9-14 13. 15-11 *",
            "line 1, column 5: the moves begin with number 12 but are illegal from",
        ),
    ] {
        let entry = read(text.as_bytes()).remove(0);
        assert!(entry.other_errors.is_empty());
        let error = entry.error.as_ref().unwrap();
        assert!(error.to_string().contains(part), "{error}");
    }
    // Games may start at any move number, and numbers may be wrong.
    for text in ["[FEN \"W:W18:B1,2\"]\n12... 18-15 13. 2-7 *", "7. 11-15 23-18 8. 8-11"] {
        assert!(read(text.as_bytes())[0].is_complete(), "{text}");
    }
}

#[test]
fn moves_after_the_end_are_kept_as_a_comment() {
    let text =
        b"1. 11-15 22-18 0-1 {resigned}\n2. 15x22 25x18 {fine} (2... 26x17)\n\n[Event \"next\"]\n1. 9-13 *";
    let games = read(text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].game.plies.len(), 2);
    assert_eq!(
        games[0].game.plies[1].comment,
        "resigned after the result: 2. 15x22 25x18 {fine} (2... 26x17)"
    );
    assert_eq!(
        games[0].errors().next().unwrap().to_string(),
        "game 1, line 2, column 1: unexpected \"2. 15x22 25x18 {fine} (2... 26x17)\" after the result"
    );
    let written = games[0].game.to_string();
    assert_eq!(read(written.as_bytes())[0].game, games[0].game, "{written}");
}

#[test]
fn a_capture_may_be_written_in_any_way() {
    let fen = "[FEN \"B:W9,10,17,18,32:B1,6\"]\n";
    for moves in [
        "6x13x22",
        "6-13-22",
        "6x13 13x22",
        "6x13 {a word} 13x22!",
        "6:13:22",
        "6 x 13 x 22",
        "6x1322",
        "6 13 22",
    ] {
        let entry = read(format!("{fen}{moves} 32-27 *").as_bytes()).remove(0);
        assert!(entry.is_complete(), "{moves}: {:?}", entry.error);
        assert!(entry.game.to_string().contains("6x13x22"), "{moves}");
    }
    let entry = read(b"[FEN \"B:W10,18,26:B6\"]\n1. 6x15x31 *").remove(0);
    assert!(entry.is_complete() && entry.game.to_string().contains("6x31"), "{:?}", entry.error);
}

#[test]
fn games_continue_after_a_repetition() {
    let walk = "1-5 32-28 5-1 28-32 ".repeat(60);
    let text = format!("[FEN \"B:WK32,20:BK1,2\"]\n{walk}1-0");
    let entry = read(text.as_bytes()).remove(0);
    assert_eq!(entry.errors().next(), None);
    assert_eq!((entry.game.plies.len(), entry.game.result), (240, Some(GameResult::BlackWins)));
}

#[test]
fn damaged_files_are_read_and_written() {
    let mut random = Random::new(20);
    for _ in 0..1_000 {
        holds(&damaged(&mut random, &SEEDS));
    }
}

/// Returns a random game, with its parts in the order and with the spaces that the parser would produce.
fn game(random: &mut Random) -> GameRecord {
    let start = match random.below(3) {
        0 => random::position(random),
        _ => Position::start(),
    };
    let mut game = GameRecord::new(start);
    for name in ["Event", "Site", "Date", "Round", "Black", "White", "Annotator", "x[]\"y", "%{;", "event"] {
        if random.one_in(3) {
            game.tags.set(name, &text(random, "  "));
        }
    }
    game.comment = comment(random);
    let plies = random.below(60);
    game.plies = plies_from(random, start, plies, 0);
    let results = [Some(GameResult::BlackWins), Some(GameResult::WhiteWins), Some(GameResult::Draw), None];
    let end = game.moves().fold(start, |position, mv| position.after(mv));
    // A side without moves has lost, regardless of the tags.
    game.result = if end.can_move() { random.pick(&results) } else { Some(GameResult::won_by(!end.side())) };
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

/// Returns text made of words that look like other tokens.
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
