//! `MultiPV`: each move occurs once, best first, regardless of how the search ends.

use std::collections::BTreeMap;
use std::time::Duration;

use draughts::board::{Game, Move};
use draughts::notation::{fen, movetext};
use engine::search::{Bound, Control, Limits, LineReport, Score, ScoreKind, SearchAnswer, SearchEvent};
use engine::{Engine, Setting};

fn engine(lines: usize) -> Engine {
    let mut engine = Engine::with_table(4).unwrap();
    engine.apply(Setting::MultiPv(lines)).unwrap();
    engine
}

fn game(text: &str) -> Game {
    Game::new(fen::parse(text).unwrap())
}

/// Returns the last report of each rank, and the result.
fn search(engine: &Engine, game: &Game, limits: &Limits) -> (Vec<LineReport>, SearchAnswer) {
    let mut ranks = BTreeMap::new();
    let answer = engine.search(game, limits, &Control::new(false), &mut |event| {
        if let SearchEvent::Line(report) = event
            && report.bound == Bound::Exact
        {
            ranks.insert(report.rank, report);
        }
    });
    (ranks.into_values().collect(), answer)
}

/// Checks that ranks count from 1, moves are distinct, the best move is first, and lines are legal.
fn check(lines: &[LineReport], answer: &SearchAnswer, game: &Game) {
    let firsts: Vec<Move> = lines.iter().filter_map(|line| line.line.first().copied()).collect();
    assert_eq!(firsts.len(), lines.len());
    assert!((1..).zip(lines).all(|(rank, line)| line.rank == rank));
    assert_eq!(firsts.first().copied(), answer.best);
    for (index, mv) in firsts.iter().enumerate() {
        assert!(!firsts[..index].contains(mv), "{mv:?} twice");
    }
    for line in lines {
        let mut position = *game.position();
        for &mv in &line.line {
            assert!(position.moves().contains(&mv), "{mv:?}");
            position = position.after(mv);
        }
    }
}

const MIDDLE: &str = "B:W17,20,22,23,25,26,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,12,13";

#[test]
fn every_legal_move_gets_its_line() {
    for text in ["B:W21-32:B1-12", MIDDLE, "B:WK7,12,20,27,29:B3,5,8,11,16,K18,19,22", "B:W14:B9,1"] {
        let game = game(text);
        let legal = game.position().moves().len();
        for wanted in [2, 3, 256] {
            let (lines, answer) = search(&engine(wanted), &game, &Limits::depth(9));
            check(&lines, &answer, &game);
            assert_eq!(lines.len(), legal.min(wanted), "{text}");
            assert!(lines.iter().all(|line| line.depth == 9));
            assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{text}");
        }
    }
}

#[test]
fn one_line_is_the_same_as_a_normal_search() {
    let plain = Engine::with_table(4).unwrap();
    let limits = Limits::depth(10);
    assert_eq!(search(&engine(1), &game(MIDDLE), &limits).1, search(&plain, &game(MIDDLE), &limits).1);
}

#[test]
fn only_the_requested_moves_are_searched() {
    let game = game("B:W21-32:B1-12");
    let moves = ["9-13", "12-16", "10-15"].map(|text| movetext::parse(game.position(), text).unwrap());
    let limits = Limits { search_moves: moves.to_vec(), ..Limits::depth(7) };
    for (wanted, count) in [(2, 2), (3, 3), (5, 3)] {
        let (lines, answer) = search(&engine(wanted), &game, &limits);
        check(&lines, &answer, &game);
        assert_eq!(lines.len(), count);
        assert!(lines.iter().all(|line| moves.contains(&line.line[0])));
    }
}

#[test]
fn a_stopped_search_answers_with_its_first_line() {
    let engine = engine(4);
    for nodes in (1..60_000).step_by(1_789) {
        let (lines, answer) = search(&engine, &game(MIDDLE), &Limits::nodes(nodes));
        check(&lines, &answer, &game(MIDDLE));
        assert_eq!(lines.len(), 4, "{nodes}");
    }
}

#[test]
fn scores_equal_those_of_single_move_searches() {
    // Proved results are the same in both searches.
    let game = game("B:W9,20:BK1,K14");
    let (lines, _) = search(&engine(256), &game, &Limits::depth(9));
    for line in &lines {
        let limits = Limits { search_moves: vec![line.line[0]], ..Limits::depth(9) };
        let (alone, _) = search(&engine(2), &game, &limits);
        assert_eq!(alone[0].score, line.score, "{:?}", line.line[0]);
    }
}

#[test]
fn databases_hide_no_move_and_give_each_its_result() {
    // 23-27 gives a king away and draws; the others win in five or nine plies.
    let game = game("B:W32:BK22,K23");
    let engine = engine(20);
    for depth in [1, 5, 12] {
        let (lines, answer) = search(&engine, &game, &Limits::depth(depth));
        check(&lines, &answer, &game);
        assert_eq!(lines.len(), game.position().moves().len());
        for line in &lines {
            let next = game.position().after(line.line[0]);
            let known = engine.databases().distance(&next).unwrap();
            let expected = known.plies.map_or(Score::DRAW, |plies| Score::win_in(plies as usize + 1));
            assert_eq!(line.score, expected);
        }
        assert_eq!(lines[0].score.kind(), ScoreKind::Win(Some(5)));
    }
    // With five pieces, there are results but no distances.
    let game = self::game("B:WK32,31:BK22,K23,K3");
    let (lines, _) = search(&engine, &game, &Limits::depth(6));
    assert_eq!(lines.len(), game.position().moves().len());
    for line in &lines {
        let result = engine.databases().probe(&game.position().after(line.line[0])).unwrap();
        let level = line.score == Score::DRAW;
        assert_eq!(level, result == endgames::Wdl::Draw, "{:?} {:?}", line.line[0], line.score);
    }
}

#[test]
fn levels_and_threads_have_several_lines() {
    let mut engine = engine(3);
    engine.apply(Setting::Threads(3)).unwrap();
    let limits = Limits::move_time(Duration::from_millis(100));
    let (lines, answer) = search(&engine, &game(MIDDLE), &limits);
    check(&lines, &answer, &game(MIDDLE));
    assert_eq!(lines.len(), 3);
    let level = engine::Level::new(3);
    engine.apply(Setting::Level(level)).unwrap();
    let (lines, answer) = search(&engine, &game(MIDDLE), &Limits::default());
    check(&lines, &answer, &game(MIDDLE));
    assert_eq!((lines.len(), lines[0].depth), (3, 2));
}
