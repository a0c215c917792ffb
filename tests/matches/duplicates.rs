//! Tests that repeated openings and games count once, and that changed engines are not mixed with old ones.

use std::process::Output;

use crate::helpers::{self, Folder, kelso, result};

fn play(folder: &Folder, words: &[&str]) -> Output {
    kelso().arg("match").args(words).env("KELSO_UNTIMED", "1").current_dir(folder).output().unwrap()
}

#[test]
fn openings_with_the_same_position_count_once() {
    let folder = Folder::new();
    // The first and the third game reach the same position by different moves.
    let games =
        "1. 11-15 23-19 2. 9-14 *\n\n1. 11-16 24-19 *\n\n1. 9-14 23-19 2. 11-15 *\n\n1. 11-16 24-19 *\n";
    folder.write("book.pdn", games);
    let words = ["--engine", "random name=A", "--engine", "random name=B", "--each", "nodes=1"];
    let words = [&words[..], &["--openings", "book.pdn", "--quiet"]].concat();
    let (shown, error, status) = result(&play(&folder, &words));
    assert_eq!(status, Some(0), "{error}");
    assert_eq!(
        error,
        "note: the 4 openings in book.pdn lead to 2 different positions; each position is used as one opening\n"
    );
    assert!(shown.starts_with("Match: 4 games, "), "{shown}");
}

#[test]
fn games_of_deterministic_players_count_once() {
    let folder = Folder::new();
    let words = [
        "--engine",
        "name=A option.Hash=1 nodes=100",
        "--engine",
        "name=B option.Hash=1 option.Evaluation=material nodes=100",
        "--openings",
        "start",
        "--sprt",
        "elo0=0,elo1=400",
    ];
    let run = |rounds: &str, name: &str| {
        let more = ["--rounds", rounds, "--out", name, "--json", "report.json", "--overwrite"];
        let (shown, error, status) = result(&play(&folder, &[&words[..], &more].concat()));
        assert_eq!(status, Some(0), "{shown}{error}");
        let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
        (shown, report)
    };
    let (_, once) = run("1", "once");
    let (shown, often) = run("6", "often");
    assert!(
        shown.contains("10 of 12 games repeat an earlier game and are excluded from estimates and tests"),
        "{shown}"
    );
    assert_eq!(often["repeats"], 10);
    for part in ["pairs", "estimate"] {
        assert_eq!(often["engines"][0][part], once["engines"][0][part], "{shown}");
    }
    assert_eq!(often["test"], once["test"], "{shown}");
    // The checkpoint records repeated games, so merged reports must have the same counts.
    let games = helpers::games(&folder.path("often.jsonl"));
    let repeats: Vec<_> = games.iter().map(|game| game.repeats).collect();
    assert_eq!(repeats[..5], [None, None, Some(0), Some(1), Some(0)]);
    for file in ["often.jsonl", "often.pdn"] {
        let (merged, error, _) =
            result(&kelso().args(["stats", file, "once.pdn"]).current_dir(&folder).output().unwrap());
        assert!(merged.contains("10 of 12 games repeat an earlier game"), "{merged}{error}");
    }
}

#[test]
fn games_repeated_in_another_part_count_once() {
    let folder = Folder::new();
    let words = ["--engine", "name=A option.Hash=1 nodes=50", "--engine", "name=B option.Hash=1 nodes=60"];
    for (seed, name) in [("1", "one"), ("2", "two")] {
        let more = ["--openings", "start", "--rounds", "1", "--seed", seed, "--out", name];
        assert_eq!(result(&play(&folder, &[&words[..], &more].concat())).2, Some(0));
    }
    let (merged, error, _) =
        result(&kelso().args(["stats", "one.jsonl", "two.pdn"]).current_dir(&folder).output().unwrap());
    assert!(merged.contains("2 of 4 games repeat an earlier game"), "{merged}{error}");
}

#[test]
fn a_changed_engine_is_not_mixed_with_the_old_one() {
    let folder = Folder::new();
    folder.write("w.txt", "kelso weights classic\nman 1000 1000\n");
    let engine = "name=A option.Evaluation=classic option.Weights=w.txt nodes=20";
    let words = ["--engine", engine, "--engine", "random nodes=1", "--rounds"];
    let run = |more: &[&str]| result(&play(&folder, &[&words[..], more].concat()));
    assert_eq!(run(&["1", "--out", "one"]).2, Some(0));
    assert_eq!(run(&["2", "--out", "one", "--resume"]).2, Some(0));
    folder.write("w.txt", "kelso weights classic\nman 1200 1200\n");
    let (_, error, status) = run(&["3", "--out", "one", "--resume"]);
    assert_eq!(status, Some(2));
    assert!(error.contains("cannot resume \"one.jsonl\": A was \"Kelso "), "{error}");
    assert!(error.contains(", w.txt ") && error.contains("--any-program"), "{error}");
    assert_eq!(run(&["3", "--out", "one", "--resume", "--any-program"]).2, Some(0));
    assert_eq!(run(&["1", "--seed", "2", "--out", "two"]).2, Some(0));
    folder.write("w.txt", "kelso weights classic\nman 1000 1000\n");
    assert_eq!(run(&["1", "--seed", "3", "--out", "three"]).2, Some(0));
    for files in [["two.jsonl", "three.jsonl"], ["two.pdn", "three.jsonl"]] {
        let count = |more: &[&str]| {
            result(&kelso().arg("stats").args(files).args(more).current_dir(&folder).output().unwrap())
        };
        let (_, error, status) = count(&[]);
        assert_eq!(status, Some(2), "{error}");
        assert!(error.contains("program of A") && error.contains("--any-program"), "{error}");
        assert_eq!(count(&["--any-program"]).2, Some(0));
    }
}

#[test]
fn games_of_several_events_have_no_common_heading() {
    let folder = Folder::new();
    let game = |event: &str, line: &str| {
        format!("[Event \"{event}\"]\n[Black \"A\"]\n[White \"B\"]\n\n{line} 1-0\n\n")
    };
    folder.write("one.pdn", game("Cup", "11-15 23-18") + &game("Cup", "11-15 23-19"));
    folder.write("two.pdn", game("Cup", "11-15 23-18") + &game("Open", "11-15 23-19"));
    for (file, heading) in [("one.pdn", "Cup: 2 games"), ("two.pdn", "Games: 2 games")] {
        let (out, errors, _) = result(&kelso().args(["stats", file]).current_dir(&folder).output().unwrap());
        assert!(out.starts_with(heading), "{out}{errors}");
    }
}

#[test]
fn stats_reads_directories_and_reports_incomplete_lines() {
    let folder = Folder::new();
    let engines = ["--engine", "random name=A", "--engine", "random name=B"];
    for seed in ["1", "2"] {
        let name = format!("games/{seed}");
        std::fs::create_dir_all(folder.path("games")).unwrap();
        play(
            &folder,
            &[&engines[..], &["--rounds", "1", "--seed", seed, "--out", &name, "--quiet"]].concat(),
        );
    }
    let report_on =
        |file: &str| result(&kelso().args(["stats", file]).current_dir(&folder).output().unwrap());
    let (shown, error, status) = report_on("games");
    assert!(shown.starts_with("Match: 4 games") && status == Some(0), "{shown}{error}");
    let input = std::fs::File::open(folder.path("games/1.pdn")).unwrap();
    let piped = result(&kelso().args(["stats", "-"]).stdin(input).output().unwrap());
    assert_eq!(piped, report_on("games/1.pdn"));
    let text = folder.read("games/1.jsonl");
    folder.write("games/1.jsonl", &text[..text.len() - 9]);
    let (shown, error, _) = report_on("games/1.jsonl");
    assert!(shown.starts_with("Match: 1 game,"), "{shown}{error}");
    assert!(error.contains("\"games/1.jsonl\", line 3: incomplete line; this game is left out"), "{error}");
}
