use super::*;
use crate::notation::pdn::PdnReader;

#[test]
fn a_record_has_the_moves_of_its_game() {
    let start = Position::start();
    let first = start.moves()[0];
    let second = start.after(first).moves()[1];
    let game = GameRecord::of(start, [first, second]);
    assert_eq!(game.moves().collect::<Vec<_>>(), [first, second]);
    assert_eq!(game.last_position(), start.after(first).after(second));
    let before: Vec<_> = game.positions().map(|(position, ply)| (position, ply.mv)).collect();
    assert_eq!(before, [(start, first), (start.after(first), second)]);
    assert_eq!((game.start, game.result), (start, None));
}

#[test]
fn tags_are_set_in_order_and_cleaned() {
    let mut game = GameRecord::new(Position::start());
    assert_eq!(game.player(Color::Black), None);
    for (name, value) in
        [("Event", "Glasgow"), ("Black", " A. Anderson "), ("White", "?"), ("event", "a\nb"), (" \"]", "x")]
    {
        game.tags.set(name, value);
    }
    assert_eq!(
        game.tags.iter().collect::<Vec<_>>(),
        [("Event", "a b"), ("Black", " A. Anderson "), ("White", "?")]
    );
    assert_eq!((game.tags.get("EVENT"), game.tags.get("Site")), (Some("a b"), None));
    assert_eq!((game.player(Color::Black), game.player(Color::White)), (Some("A. Anderson"), None));
}

#[test]
fn a_game_is_known_after_each_ply() {
    let start = Position::start();
    let mut moves = Vec::new();
    let mut position = start;
    for _ in 0..4 {
        moves.push(position.moves()[0]);
        position = position.after(position.moves()[0]);
    }
    let mut game = GameRecord::of(start, moves);
    for plies in 0..=4 {
        let before = game.positions().nth(plies).map_or(position, |(before, _)| before);
        assert_eq!(game.game_after(plies).position(), &before);
    }
    assert_eq!((game.game().position(), game.last_position()), (&position, position));
    assert_eq!(game.result_text(), "*");
    game.result = Some(GameResult::Draw);
    assert_eq!(game.result_text(), "1/2-1/2");
    assert_eq!((game.tags.text("Event"), game.tags.iter().len()), ("", 0));
}

#[test]
fn games_with_the_same_start_and_moves_have_the_same_key() {
    let key = |text: &str| {
        let entry = PdnReader::new(text.as_bytes()).next().unwrap();
        assert!(entry.is_complete(), "{:?}", entry.error);
        entry.game.moves_key()
    };
    let moves = "11-15 23-19 8-11 22-17 *";
    let same = [
        "[Event \"x\"] 1. 11-15 23-19 {so} 2. 8-11 22-17 1-0",
        "[FEN \"B:W21-32:B1-12\"] 11-15 23-19 8-11 22-17",
    ];
    let different = [
        "11-15 23-19 8-11 22-18",
        "11-15 23-19 8-11",
        "11-15 23-19 8-11 22-17 4-8 17-13",
        "[FEN \"B:W21-32:B1-8,10-12\"] 11-15 23-19 8-11 22-17",
    ];
    assert_eq!(same.map(key), [key(moves); 2]);
    for other in different {
        assert_ne!(key(other), key(moves), "{other}");
    }
}

#[test]
fn a_tag_may_be_a_number() {
    let mut tags = Tags::default();
    tags.set("Game", " 12 ");
    tags.set("Round", "final");
    assert_eq!((tags.number("Game"), tags.number("Repeats")), (Ok(Some(12)), Ok(None)));
    let error = tags.number("Round").unwrap_err().to_string();
    assert_eq!(error, "invalid Round \"final\": expected a number");
}

#[test]
fn data_of_a_search_precede_the_comment() {
    let mv = Position::start().moves()[0];
    let search = SearchInfo {
        score: Some(ReportedScore::Cp(12)),
        depth: Some(14),
        win_rates: WinRates::new(24, 930, 46),
        nodes: Some(120_034),
        time: Some(Duration::from_micros(1_103_007)),
    };
    let clock = Some(Duration::from_millis(59_097));
    let all = "score=+12 depth=14 wdl=24/930/46 nodes=120034 time=1.103007 clock=59.097";
    for (search, clock, comment, text) in [
        (search, clock, "a; b", format!("{all}; a; b")),
        (search, clock, "", all.to_owned()),
        (SearchInfo { depth: Some(3), ..SearchInfo::default() }, None, "x", "depth=3; x".to_owned()),
        (SearchInfo::default(), clock, "x", "clock=59.097; x".to_owned()),
        (SearchInfo::default(), None, "x", "x".to_owned()),
        // Text that only resembles data stays a comment.
        (SearchInfo::default(), None, "depth=3 x", "depth=3 x".to_owned()),
        (SearchInfo::default(), None, "depth=03; x", "depth=03; x".to_owned()),
        (SearchInfo::default(), None, "depth=3 score=+1; x", "depth=3 score=+1; x".to_owned()),
        (SearchInfo::default(), None, "score=+1 wdl=1/2; x", "score=+1 wdl=1/2; x".to_owned()),
        (SearchInfo::default(), None, "a=b; x", "a=b; x".to_owned()),
        (SearchInfo::default(), None, "=; x", "=; x".to_owned()),
    ] {
        let ply = Ply { search, clock, comment: comment.to_owned(), ..Ply::new(mv) };
        assert_eq!(ply.full_comment(), text);
        let mut read = Ply { comment: text, ..Ply::new(mv) };
        read.extract_data();
        assert_eq!(read, ply);
    }
}

#[test]
fn a_later_report_replaces_the_fields_it_has() {
    let info = |depth, nodes| SearchInfo { depth, nodes, ..SearchInfo::default() };
    let mut first = SearchInfo {
        score: Some(ReportedScore::Win(None)),
        time: Some(Duration::ZERO),
        ..info(Some(1), Some(10))
    };
    first.update(info(None, Some(20)));
    let expected = SearchInfo {
        score: Some(ReportedScore::Win(None)),
        time: Some(Duration::ZERO),
        ..info(Some(1), Some(20))
    };
    assert_eq!(first, expected);
    let last = SearchInfo {
        score: Some(ReportedScore::Cp(-1)),
        time: Some(Duration::from_secs(1)),
        ..info(Some(2), Some(30))
    };
    first.update(last);
    assert_eq!(first, last);
}
