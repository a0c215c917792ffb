//! `kelso best`.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::helpers::{Folder, kelso, result};

/// Writes lines to `kelso best` and returns its output, errors and status.
fn best(arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let mut command = kelso();
    command.arg("best").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let answer = result(&child.wait_with_output().unwrap());
    // A command that refuses its arguments ends without reading.
    assert!(writer.join().unwrap().is_ok() || answer.2 == Some(2), "{answer:?}");
    answer
}

fn answers(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_request_has_an_answer_in_order_and_wrong_ones_have_an_error() {
    let mut requests = Vec::new();
    for number in 0..3000 {
        let fen = if number % 10 == 3 { "W:W99:B1" } else { "startpos" };
        requests.push(json!({ "id": number, "fen": fen, "nodes": 20 + number % 7 }).to_string());
    }
    let (out, errors, status) = best(&["--json", "--in-order", "--concurrency", "3"], &requests.join("\n"));
    assert_eq!((errors.as_str(), status), ("", Some(1)));
    let answers = answers(&out);
    assert_eq!(answers.len(), 3000);
    for (number, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], number);
        assert_eq!(answer.get("error").is_some(), number % 10 == 3, "{answer}");
        assert_eq!(answer.get("move").is_some(), number % 10 != 3, "{answer}");
        if number % 10 != 3 && number >= 7 && (number - 7) % 10 != 3 {
            // The same request has the same answer.
            let [one, other] =
                [answer, &answers[number - 7]].map(|answer| (&answer["line"], &answer["score"]));
            assert_eq!(one, other, "{answer}");
        }
    }
}

#[test]
fn a_search_is_stopped_and_answered_while_others_run() {
    let mut command = kelso();
    command.args(["best", "--json", "--concurrency", "2"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    writeln!(stdin, "{}", json!({ "id": "long", "time": 3600 })).unwrap();
    writeln!(stdin, "{}", json!({ "id": "short", "nodes": 50 })).unwrap();
    assert_eq!(next()["id"], "short");
    for stop in [json!({ "id": "unknown", "stop": true }), json!({ "id": "long", "stop": true })] {
        writeln!(stdin, "{stop}").unwrap();
    }
    let answer = next();
    assert_eq!(answer["id"], "long");
    assert!(answer["move"].is_string(), "{answer}");
    drop(stdin);
    assert!(lines.next().is_none() && child.wait().unwrap().success());
}

#[test]
fn requests_are_not_read_while_too_many_answers_wait_for_an_earlier_one() {
    let mut command = kelso();
    command.args(["best", "--json", "--in-order", "--concurrency", "2"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let written = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            writeln!(stdin, "{}", json!({ "time": 2 })).unwrap();
            for number in 0..30_000 {
                writeln!(stdin, "{}", json!({ "id": number, "fen": "none of the positions of a game" }))
                    .unwrap();
                written.fetch_add(1, Ordering::Relaxed);
            }
            drop(stdin);
        });
        assert!(lines.next().unwrap().unwrap().contains("\"move\""));
        // Some are in the pipe.
        let written = written.load(Ordering::Relaxed);
        assert!(written < 10_000, "{written}");
        assert_eq!(lines.count(), 30_000);
    });
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_search_that_cannot_begin_is_reported_with_the_place_of_its_request() {
    let folder = Folder::new();
    let weights = folder.path("weights.txt");
    std::fs::copy("crates/engine/src/eval/classic/weights.txt", &weights).unwrap();
    let mut command = kelso();
    command.args(["best", "--nodes", "50", "--option", "Evaluation=classic", "--option"]);
    command.arg(format!("Weights={}", weights.display())).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    writeln!(stdin, "nonsense").unwrap();
    assert!(errors.next().unwrap().unwrap().starts_with("standard input:1: error: invalid FEN"));
    // The engine for searches of few nodes is created when it is needed.
    std::fs::remove_file(&weights).unwrap();
    writeln!(stdin, "startpos").unwrap();
    drop(stdin);
    let error = errors.next().unwrap().unwrap();
    assert!(error.starts_with("standard input:2: error: cannot read"), "{error}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// `timeout` ends a program that waits for its input.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_ends_the_program_although_its_input_is_open() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new("timeout");
    command.args(["60", env!("CARGO_BIN_EXE_kelso"), "best", "--json", "--concurrency", "2"]);
    let mut child = command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}", json!({ "nodes": 50 })).unwrap();
    let (_, errors, status) = result(&child.wait_with_output().unwrap());
    drop(stdin);
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.contains("cannot write the output"), "{errors}");
}

#[test]
fn known_results_and_lines_are_reported() {
    let input = [
        json!({ "fen": "B:W32:BK22,K23", "depth": 8, "lines": 2 }),
        json!({ "fen": "B:W5,K2:B" }),
        json!({ "fen": "W:WK1:BK10", "depth": 3 }),
        json!({ "moves": ["11-15"], "nodes": 500, "level": 3 }),
    ];
    let input = input.map(|line| line.to_string()).join("\n");
    let (out, _, status) = best(&["--json", "--in-order"], &input);
    let answers = answers(&out);
    assert_eq!(status, Some(0));
    assert_eq!((&answers[0]["score"], &answers[0]["known"]), (&json!("win5"), &json!("won")));
    let moves: BTreeSet<&str> =
        answers[0]["lines"].as_array().unwrap().iter().map(|line| line["move"].as_str().unwrap()).collect();
    assert_eq!(moves.len(), 2, "{out}");
    assert_eq!((&answers[1]["move"], &answers[1]["known"]), (&Value::Null, &json!("lost")));
    assert_eq!(answers[2]["known"], "drawn");
    assert!(answers[3]["move"].is_string() && answers[3].get("score").is_none(), "{out}");
}

#[test]
fn positions_are_read_as_text() {
    let folder = Folder::new();
    let file = folder.path("positions.txt");
    std::fs::write(&file, "# two positions\n\nB:W32:BK22,K23\r\nnonsense\nstartpos").unwrap();
    let (out, errors, status) = best(&["--depth", "6", "--file", file.to_str().unwrap()], "");
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((lines.len(), status), (2, Some(1)), "{out}");
    // Several moves win as soon.
    assert_eq!([lines[0][0], lines[0][2], lines[0][3]], ["B:W32:BK22,K23", "win5", "1000/0/0"]);
    assert!(errors.contains("positions.txt:4: error: invalid FEN \"nonsense\""), "{errors}");
    let (out, errors, status) = best(&["--depth", "4", "--moves", "11-15"], "startpos\n");
    assert!(out.is_empty() && status == Some(2), "{out}");
    assert!(errors.contains("--moves needs a position as an argument"), "{errors}");
    let (out, _, status) = best(&["--depth", "4", "--moves", "11-15 23-19", "startpos"], "");
    assert!(out.starts_with("B:W19,") && status == Some(0), "{out}");
    // Repetitions count, as in a request: after the next one, the game is drawn.
    let (fen, moves) = ("B:W21,K31,K32:BK1,K2,12", "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-32");
    let (given, ..) = best(&["--nodes", "3000", "--moves", moves, fen], "");
    let request = serde_json::json!({ "fen": fen, "moves": moves.split(' ').collect::<Vec<_>>() });
    let (asked, ..) = best(&["--nodes", "3000", "--json"], &format!("{request}\n"));
    let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
    assert_eq!(asked["line"], "1-6", "{asked}");
    assert!(given.trim_end().ends_with("\t1-6"), "{given}");
}
