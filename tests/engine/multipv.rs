//! The answer of a search with one line or several: each move occurs once, best first, and the score is
//! exact, regardless of how the search ends.

use std::time::Duration;

use kelso_draughts::board::{Game, Move};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::score::ReportedScore;
use kelso_engine::search::{Control, Limits, LineReport, Score, SearchAnswer, SearchEvent};
use kelso_engine::{Engine, Setting};

fn engine(lines: usize) -> Engine {
    Engine::new([Setting::Hash(4), Setting::MultiPv(lines)]).unwrap()
}

fn game(text: &str) -> Game {
    Game::new(fen::parse(text).unwrap())
}

fn search(engine: &Engine, game: &Game, limits: &Limits) -> SearchAnswer {
    engine.search(game, limits, &Control::new(), &mut |_| {})
}

/// Checks that ranks count from 1, moves are distinct, the best move is first, and lines are legal.
fn check(answer: &SearchAnswer, game: &Game) {
    let firsts: Vec<Move> = answer.lines.iter().filter_map(|line| line.line.first().copied()).collect();
    assert_eq!(firsts.len(), answer.lines.len());
    assert!((1..).zip(&answer.lines).all(|(rank, line)| line.rank == rank));
    assert_eq!(firsts.first().copied(), answer.best);
    for (index, mv) in firsts.iter().enumerate() {
        assert!(!firsts[..index].contains(mv), "{mv:?} twice");
    }
    for line in &answer.lines {
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
        for expected in [2, 3, 256] {
            let answer = search(&engine(expected), &game, &Limits::depth(9));
            check(&answer, &game);
            assert_eq!(answer.lines.len(), legal.min(expected), "{text}");
            assert!(answer.lines.iter().all(|line| line.depth == 9));
            assert!(answer.lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{text}");
        }
    }
}

#[test]
fn one_line_is_the_same_as_a_normal_search() {
    let plain = Engine::new([Setting::Hash(4)]).unwrap();
    let limits = Limits::depth(10);
    let [one, other] = [&engine(1), &plain].map(|engine| search(engine, &game(MIDDLE), &limits));
    assert_eq!((one.best, one.score, one.nodes), (other.best, other.score, other.nodes));
}

#[test]
fn only_the_requested_moves_are_searched() {
    let game = game("B:W21-32:B1-12");
    let moves = ["9-13", "12-16", "10-15"].map(|text| movetext::parse(game.position(), text).unwrap());
    let limits = Limits { search_moves: moves.to_vec(), ..Limits::depth(7) };
    for (expected, count) in [(2, 2), (3, 3), (5, 3)] {
        let answer = search(&engine(expected), &game, &limits);
        check(&answer, &game);
        assert_eq!(answer.lines.len(), count);
        assert!(answer.lines.iter().all(|line| moves.contains(&line.line[0])));
    }
}

#[test]
fn a_stopped_search_answers_with_its_first_line() {
    let engine = engine(4);
    for nodes in (1..60_000).step_by(1_789) {
        let answer = search(&engine, &game(MIDDLE), &Limits::nodes(nodes));
        check(&answer, &game(MIDDLE));
        assert_eq!(answer.lines.len(), 4, "{nodes}");
    }
}

#[test]
fn the_score_of_an_interrupted_search_is_the_last_exact_one() {
    for count in [1, 3] {
        let (mut bounds, mut engine) = (0, engine(count));
        for (position, nodes) in
            kelso_engine::bench_positions().flat_map(|at| [600, 4_000].map(|nodes| (at, nodes)))
        {
            engine.new_game();
            let mut last = None;
            let game = Game::new(position);
            let answer = engine.search(&game, &Limits::nodes(nodes), &Control::new(), &mut |event| {
                if let SearchEvent::Line(report) = event
                    && report.rank == 1
                    && report.is_exact()
                {
                    last = Some(report.score);
                }
            });
            let Some(best) = answer.lines.first() else { continue };
            bounds += usize::from(!best.is_exact());
            let expected = if best.is_exact() { Some(best.score) } else { last };
            assert_eq!(answer.score, expected);
        }
        assert!(bounds > 0, "no search ended on a bound");
    }
}

#[test]
fn the_score_of_a_known_draw_is_a_draw() {
    for count in [1, 3] {
        let answer = search(&engine(count), &game("W:WK6,K32:BK1,10,15"), &Limits::nodes(3_000));
        assert_eq!(answer.score, Some(Score::DRAW));
        assert!(answer.tb_hits > 0 && answer.lines.iter().all(LineReport::is_exact));
    }
}

#[test]
fn a_position_without_moves_is_lost() {
    let answer = search(&engine(1), &game("W:W:B14"), &Limits::depth(3));
    assert_eq!((answer.best, answer.score, answer.lines.len()), (None, Some(Score::loss_in(0)), 0));
}

#[test]
fn scores_equal_those_of_single_move_searches() {
    // Proved results are the same in both searches.
    let game = game("B:W9,20:BK1,K14");
    let answer = search(&engine(256), &game, &Limits::depth(9));
    for line in &answer.lines {
        let limits = Limits { search_moves: vec![line.line[0]], ..Limits::depth(9) };
        let alone = search(&engine(2), &game, &limits);
        assert_eq!(alone.score.unwrap(), line.score, "{:?}", line.line[0]);
    }
}

#[test]
fn databases_hide_no_move_and_give_each_its_result() {
    // 23-27 gives a king away and draws; the others win in five or nine plies.
    let game = game("B:W32:BK22,K23");
    let engine = engine(20);
    for depth in [1, 5, 12] {
        let answer = search(&engine, &game, &Limits::depth(depth));
        check(&answer, &game);
        assert_eq!(answer.lines.len(), game.position().moves().len());
        for line in &answer.lines {
            let next = game.position().after(line.line[0]);
            let known = engine.databases().distance(&next).unwrap();
            let expected = known.plies.map_or(Score::DRAW, |plies| Score::win_in(plies as usize + 1));
            assert_eq!(line.score, expected);
        }
        assert_eq!(answer.score.unwrap().reported(), ReportedScore::Win(Some(5)));
    }
    // With five pieces, there are results but no distances.
    let game = self::game("B:WK32,31:BK22,K23,K3");
    let answer = search(&engine, &game, &Limits::depth(6));
    assert_eq!(answer.lines.len(), game.position().moves().len());
    for line in &answer.lines {
        let result = engine.databases().probe(&game.position().after(line.line[0])).unwrap();
        let level = line.score == Score::DRAW;
        assert_eq!(level, result == kelso_draughts::result::Wdl::Draw, "{:?} {:?}", line.line[0], line.score);
    }
}

#[test]
fn levels_and_threads_have_several_lines() {
    let mut engine = engine(3);
    engine.apply(Setting::Threads(3)).unwrap();
    let limits = Limits::move_time(Duration::from_millis(100));
    let answer = search(&engine, &game(MIDDLE), &limits);
    check(&answer, &game(MIDDLE));
    assert_eq!(answer.lines.len(), 3);
    let level = kelso_engine::Level::new(3);
    engine.apply(Setting::Level(level)).unwrap();
    let answer = search(&engine, &game(MIDDLE), &Limits::default());
    check(&answer, &game(MIDDLE));
    assert_eq!((answer.lines.len(), answer.info().depth), (3, Some(2)));
}
