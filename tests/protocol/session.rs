//! Sessions with the program: its answers, their timing, and its exit.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::helpers::engine::{Kelso, PATIENCE, answers};

#[test]
fn the_end_of_input_lets_a_limited_search_finish() {
    let kelso = Kelso::start();
    kelso.send("position startpos").send("go depth 12");
    let (lines, status) = kelso.end();
    assert!(status.success());
    assert_eq!(answers(&lines), 1);
    assert!(lines.iter().any(|line| line.starts_with("info depth 12 ")), "{lines:?}");
}

#[test]
fn the_end_of_input_stops_an_unlimited_search_at_once() {
    for go in ["go infinite", "go", "go ponder", "go ponder depth 99", "go infinite depth 2"] {
        let kelso = Kelso::start();
        kelso.send(go).until("info depth 1 ");
        let begun = Instant::now();
        let (lines, status) = kelso.end();
        assert!(status.success());
        assert_eq!(answers(&lines), 1, "{go}");
        // The search would never end on its own.
        assert!(begun.elapsed() < PATIENCE, "{go}");
    }
}

#[test]
fn quit_stops_every_search_and_answers_each() {
    let kelso = Kelso::start();
    kelso.send("go infinite").send("go depth 60").send("go ponder").send("quit").send("go depth 3");
    let (lines, status) = kelso.end();
    assert!(status.success());
    assert_eq!(answers(&lines), 3, "{lines:?}");
}

#[test]
fn waiting_searches_run_in_order_on_their_own_positions() {
    let kelso = Kelso::start();
    kelso.send("go infinite").send("position fen W:WK1:BK32").send("go depth 2").send("position startpos");
    kelso.send("setoption name Hash value 1").send("go depth 2");
    assert_eq!(answers(&kelso.sync()), 0);
    kelso.send("stop");
    let first = kelso.until("bestmove ").0;
    assert!(first.iter().all(|line| !line.contains("error")));
    let second = kelso.until("bestmove ").0;
    assert!(second.last().unwrap().starts_with("bestmove 1-"), "{second:?}");
    assert_eq!(answers(&kelso.until("bestmove ").0), 1);
}

#[test]
fn a_waiting_search_has_all_of_its_time_and_a_clock_runs_while_it_waits() {
    let kelso = Kelso::start();
    let last = |until: &Kelso| {
        until.until("bestmove ").0.iter().rfind(|line| line.contains(" score ")).unwrap().clone()
    };
    let time = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        words[words.iter().position(|word| *word == "time").unwrap() + 1].parse::<u64>().unwrap()
    };
    kelso.send("go movetime 300").send("position startpos moves 11-15").send("go movetime 300");
    kelso.send("go wtime 3000 btime 3000");
    last(&kelso);
    let second = last(&kelso);
    assert!(!second.starts_with("info depth 1 "), "{second}");
    let clock = last(&kelso);
    assert!(time(&clock) >= 550, "the clock has run during the other searches: {clock}");
}

#[test]
fn commands_are_answered_during_a_search() {
    let kelso = Kelso::start();
    kelso.send("go infinite").until("info depth 1 ");
    for (line, answer) in [
        ("isready", "readyok"),
        ("uci", "uciok"),
        ("moves", "moves 9-13"),
        ("show", "result open"),
        ("help", "help option Evaluation"),
        ("nonsense", "info string error: "),
        ("go depth x", "info string error: "),
        ("position startpos moves 1-5", "info string error: "),
        ("setoption name Hash value 0", "info string error: "),
        ("ponderhit", "info string error: "),
    ] {
        assert_eq!(answers(&kelso.send(line).until(answer).0), 0, "{line}");
    }
    kelso.send("stop").until("bestmove ");
    assert!(kelso.end().0.is_empty());
}

#[cfg(unix)]
#[test]
fn only_regular_whole_files_are_opened() {
    let folder = std::env::temp_dir().join(format!("kelso-fifo-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let fifo = folder.join("fifo.wld");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let fifo = fifo.to_str().unwrap();
    let kelso = Kelso::start();
    for option in ["EvalFile", "Weights", "BookFile"] {
        for (path, reason) in
            [(fifo, "not a regular file"), ("/dev/zero", "not a regular file"), ("/", "is a directory")]
        {
            kelso.send(&format!("setoption name {option} value {path}"));
            let error = kelso.until("info string error: ").0.pop().unwrap();
            assert!(error.contains(path) && error.contains(reason), "{error}");
        }
    }
    std::fs::write(folder.join("12v21.wld"), "").unwrap();
    kelso.send(&format!("setoption name EgdbPath value {}", folder.display())).send("isready");
    let (errors, _) = kelso.until("readyok");
    for (path, reason) in [(fifo, "not a regular file"), ("12v21.wld", "not an endgame database")] {
        assert!(errors.iter().any(|error| error.contains(path) && error.contains(reason)), "{errors:?}");
    }
    assert!(kelso.send("quit").end().1.success());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn overlong_lines_and_too_many_searches_are_errors() {
    for (arguments, go, many, ping, pong) in [
        (&[] as &[&str], "go depth 60", "go depth 1", "isready", "readyok"),
        (&["hub"], "level depth=60\ngo think", "go think", "ping", "pong"),
    ] {
        let kelso = Kelso::with(arguments);
        let long = "x".repeat((1 << 20) + 1);
        let (lines, _) = kelso.send(&long).send(ping).until(pong);
        assert!(lines[0].contains("at most 1048576 bytes"), "{lines:?}");
        kelso.send(go);
        // The limit is reached twice, since one more search fits after the first error.
        for _ in 0..10_001 {
            kelso.send(many);
        }
        let (lines, _) = kelso.send(ping).until(pong);
        let errors = lines.iter().filter(|line| line.contains("10000 searches are waiting"));
        assert_eq!(errors.count(), 2, "{arguments:?}");
        let (lines, status) = kelso.send("quit").end();
        assert!(status.success());
        let done = lines.iter().filter(|line| line.starts_with("done ") || line.starts_with("bestmove "));
        assert_eq!(done.count(), 10_000, "{arguments:?}");
    }
}

#[test]
fn too_many_commands_behind_a_search_are_errors() {
    let kelso = Kelso::start();
    // Two kings have few moves, so that the answers fit into the buffer of a reader that is slow.
    kelso.send("position fen W:WK1:BK32").send("go infinite").until("info depth 1 ");
    for _ in 0..10_001 {
        kelso.send("probe");
    }
    let (lines, _) = kelso.send("isready").until("readyok");
    let errors = lines.iter().filter(|line| line.contains("10000 commands are waiting for a search"));
    assert_eq!(errors.count(), 1);
    let (lines, status) = kelso.send("quit").end();
    assert!(status.success());
    assert_eq!(lines.iter().filter(|line| line.starts_with("probe side ")).count(), 10_000);
}

/// If each new game cleared the table, all of them would take minutes.
#[test]
fn new_games_do_not_delay_the_end() {
    for end in ["quit", ""] {
        let kelso = Kelso::start();
        kelso.send("setoption name Hash value 1024");
        for _ in 0..20_000 {
            kelso.send("ucinewgame");
        }
        assert!(kelso.send(end).end().1.success());
    }
    let kelso = Kelso::start();
    kelso.send("setoption name Hash value 1024").send("go infinite").until("info depth 1 ");
    for _ in 0..2_000 {
        kelso.send("go depth 1").send("ucinewgame");
    }
    let (lines, status) = kelso.send("quit").end();
    assert!(status.success());
    assert_eq!(answers(&lines), 2_001);
}

#[test]
fn a_ponder_search_waits_for_the_move() {
    let kelso = Kelso::start();
    kelso.send("position startpos moves 11-15 23-19").send("go ponder movetime 100").until("info depth 1 ");
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(answers(&kelso.sync()), 0);
    let hit = Instant::now();
    kelso.send("ponderhit");
    let (_, at) = kelso.until("bestmove ");
    assert!(at - hit >= Duration::from_millis(85), "{:?}", at - hit);
    // End the search by `stop` instead.
    kelso.send("go ponder depth 3").until("info depth 3 ");
    assert_eq!(answers(&kelso.sync()), 0);
    kelso.send("stop").until("bestmove ");
}

#[test]
fn a_known_result_is_answered_at_ponderhit() {
    let kelso = Kelso::start();
    // A single legal move, and a proved result.
    for position in ["position fen B:W14:B9,1", "position fen B:W32:BK23,K22"] {
        kelso.send(position).send("go ponder wtime 1000000000 btime 1000000000").until("info depth 9 ");
        assert_eq!(answers(&kelso.sync()), 0);
        // With such a clock, searching any other position would take hours.
        kelso.send("ponderhit").until("bestmove ");
    }
}

#[test]
fn ponderhit_applies_to_the_running_search() {
    let kelso = Kelso::start();
    for _ in 0..100 {
        kelso.send("go ponder").send("stop").until("bestmove ");
        kelso.send("go ponder movetime 1").send("ponderhit").until("bestmove ");
    }
    assert!(kelso.end().0.is_empty());
}

#[test]
fn a_clock_runs_from_the_hit() {
    let kelso = Kelso::start();
    kelso.send("position startpos moves 11-15 23-19").send("go ponder wtime 2000 btime 2000");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(answers(&kelso.sync()), 0);
    // Without a clock, the search would not end.
    kelso.send("ponderhit").until("bestmove ");
    // `stop` must be answered regardless of the clock.
    kelso.send("go ponder wtime 1000000 btime 1000000").send("stop").until("bestmove ");
    assert!(kelso.end().0.is_empty());
}

#[test]
fn several_threads_stop_together() {
    let kelso = Kelso::start();
    kelso.send("setoption name Threads value 3");
    for _ in 0..5 {
        kelso.send("go infinite").until("info depth 3 ");
        kelso.send("stop").until("bestmove ");
    }
    kelso
        .send("go movetime 50")
        .send("go depth 60")
        .send("setoption name Threads value 1")
        .send("go infinite");
    kelso.until("bestmove ");
    let (lines, status) = kelso.send("quit").end();
    assert!(status.success());
    assert_eq!(answers(&lines), 2);
}

#[test]
fn one_clock_is_enough() {
    let kelso = Kelso::start();
    for (position, go) in [
        ("position startpos", "go wtime 100"),
        ("position startpos", "go btime 100"),
        ("position startpos moves 9-13", "go wtime 100"),
        ("position startpos moves 9-13", "go btime 100 winc 5"),
        ("position startpos", "go wtime -5 btime -5"),
        ("position startpos", "go movetime 0"),
    ] {
        // A search that did not use the clock would not end.
        kelso.send(position).send(go).until("bestmove ");
    }
}

#[test]
fn an_only_move_and_a_proved_result_are_answered_early() {
    let kelso = Kelso::start();
    for position in ["position fen B:W14:B9,1", "position fen B:W32:BK23,K22"] {
        // The test waits only 30 s for the answer.
        kelso.send(position).send("go movetime 600000").until("bestmove ");
    }
}

#[test]
fn the_same_nodes_after_a_new_game_as_in_a_new_program() {
    let nodes = |kelso: &Kelso| {
        let lines = kelso.send("go depth 11").until("bestmove ").0;
        let last = lines.iter().rev().find(|line| line.starts_with("info depth 11 ")).unwrap();
        last.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().to_owned()
    };
    let kelso = Kelso::start();
    let first = nodes(&kelso);
    assert_ne!(nodes(&kelso), first, "the table helps");
    kelso.send("ucinewgame");
    assert_eq!(nodes(&kelso), first);
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kelso"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // The pipe may close at any of these lines.
    for _ in 0..100 {
        if stdin.write_all(b"uci\ngo infinite\n").is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty());
}

#[test]
fn nothing_is_printed_unless_requested() {
    let kelso = Kelso::start();
    kelso.send("").send("   ").send("position startpos").send("ucinewgame").send("stop");
    let (lines, status) = kelso.end();
    assert!(lines.is_empty() && status.success());
}
