//! Startup errors of commands, and the messages that a match prints while it waits for an engine.

use std::thread;

use crate::helpers::{Folder, kelso, mock_command, result};

const KELSO: &str = env!("CARGO_BIN_EXE_kelso");

const RANDOM: [&str; 7] =
    ["match", "--engine", "random name=A", "--engine", "random name=B", "--rounds", "2"];

fn run(folder: &Folder, words: &[&str]) -> (String, String, Option<i32>) {
    result(&kelso().args(words).current_dir(folder).output().unwrap())
}

#[test]
fn outputs_are_checked_before_the_first_game() {
    let folder = Folder::new();
    folder.write("games.pdn", "1. 11-15 23-19 2. 8-11 1-0\n");
    let lab: &[&str] = &["lab", "--games", "2", "--p1", "random"];
    for (words, option) in [
        (&RANDOM[..], "--html"),
        (&RANDOM, "--json"),
        (&["stats", "games.pdn"], "--json"),
        (&["stats", "games.pdn"], "--html"),
        (lab, "--csv"),
        (lab, "--svg"),
        (&["tree", "--depth", "2"], "-o"),
        (&["train", "margins", "--pairs", "1"], "--out"),
    ] {
        let place = "no/such/folder/x";
        let (shown, error, status) = run(&folder, &[words, &[option, place]].concat());
        assert_eq!((shown.as_str(), status), ("", Some(2)), "{words:?} {option}: {error}");
        assert!(
            error.starts_with(&format!("error: cannot write \"{place}\": ")),
            "{words:?} {option}: {error}"
        );
    }
    assert!(!folder.path("match.jsonl").exists() && !folder.path("match.pdn").exists());
}

#[test]
fn a_hyphen_means_standard_output_or_is_refused() {
    let folder = Folder::new();
    let (shown, error, status) = run(&folder, &[&RANDOM[..], &["--json", "-"]].concat());
    assert_eq!(status, Some(0), "{error}");
    let report: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(report["games"], 4);
    // Text for users must go to stderr.
    assert!(error.contains("Match: 4 games, "), "{error}");
    for words in [
        &[&RANDOM[..], &["--json", "-", "--html", "-"]].concat()[..],
        &[&RANDOM[..], &["--out", "-"]].concat(),
        &["train", "margins", "--pairs", "1", "--out", "-"],
    ] {
        let (shown, error, status) = run(&folder, words);
        assert_eq!((shown.as_str(), status), ("", Some(2)), "{words:?}: {error}");
        assert!(error.starts_with("error: "), "{words:?}: {error}");
    }
    assert!(!folder.path("-").exists());
}

#[test]
fn a_match_that_cannot_start_leaves_and_replaces_no_files() {
    let folder = Folder::new();
    let bad =
        ["match", "--engine", "name=A cmd=./no-such-program nodes=1", "--engine", "random", "--rounds", "1"];
    assert_eq!(run(&folder, &bad).2, Some(2));
    assert!(!folder.path("match.jsonl").exists() && !folder.path("match.pdn").exists());
    assert_eq!(run(&folder, &RANDOM).2, Some(0));
    // Existing files must not be replaced either.
    let before = folder.read("match.jsonl");
    assert_eq!(run(&folder, &[&bad[..], &["--overwrite"]].concat()).2, Some(2));
    assert_eq!(folder.read("match.jsonl"), before);
}

#[test]
fn waiting_for_a_silent_engine_is_reported() {
    let folder = Folder::new();
    for (actions, line) in [("hang", "uci"), ("say 'id name X' say uciok hang", "isready")] {
        let command = mock_command(actions).replace('\'', "\"");
        let (program, arguments) = command.split_once(' ').unwrap();
        let engine = format!("name=X cmd={program} args='{arguments}' nodes=1 timeout=3");
        let (_, error, status) = run(&folder, &["match", "--engine", &engine, "--engine", "random"]);
        assert_eq!(status, Some(2), "{error}");
        let expected = format!(
            "waiting up to 3 s for X to answer \"{line}\"\nerror: cannot start engine \"X\": did not answer \"{line}\" within 3 s\n"
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn misbehaviour_is_reported_at_once_and_only_once() {
    let folder = Folder::new();
    let engine = "name=X cmd=no-such-program nodes=1";
    assert_eq!(run(&folder, &["match", "--engine", engine, "--engine", "random"]).2, Some(2));
    // An engine that only answers the handshake crashes at its first move.
    let command =
        mock_command("say uciok read read say readyok read read say readyok read").replace('\'', "\"");
    let (program, arguments) = command.split_once(' ').unwrap();
    let engine = format!("name=X cmd={program} args='{arguments}' nodes=1");
    let words = ["match", "--engine", &engine, "--engine", "random", "--rounds", "1"];
    let (_, error, status) = run(&folder, &words);
    assert_eq!(status, Some(0), "{error}");
    assert!(error.contains("game 1: crash: X exited on its own (exit status: 0)"), "{error}");
    let (_, error, _) = run(&folder, &[&RANDOM[..], &["--overwrite"]].concat());
    let lines: Vec<_> = error.lines().collect();
    assert!(lines.windows(2).all(|pair| pair[0].split("  ").next() != pair[1].split("  ").next()), "{error}");
}

#[test]
fn training_with_a_refused_option_does_not_begin() {
    for command in ["play", "margins"] {
        for (option, part) in [
            ("EgdbPath=/no/such/folder", "/no/such/folder"),
            ("EvalFile=/no/such.net", "/no/such.net"),
            ("Hash=lots", "invalid value \"lots\" for option Hash"),
        ] {
            let folder = Folder::new();
            let mut kelso = kelso();
            kelso.args(["train", command, "--out", "x", "--option", option]);
            if command == "play" {
                kelso.args(["--games", "1"]);
            }
            let (shown, error, status) = result(&kelso.current_dir(&folder).output().unwrap());
            assert_eq!((status, shown.as_str()), (Some(2), ""), "{command} {option}: {error}");
            assert!(error.starts_with("error: ") && error.contains(part), "{command} {option}: {error}");
            assert!(!folder.path("x").exists(), "{command} {option}");
        }
    }
}

/// Settings that the engine rejects, with part of its message.
const REFUSED: [(&str, &str); 7] = [
    ("option.EvalFile=/no/such.net", "/no/such.net"),
    ("option.Hash=lots", "invalid value \"lots\" for option Hash: expected a whole number"),
    ("option.Evaluation=clasic", "invalid value \"clasic\" for option Evaluation: expected one of network"),
    ("level=99", "invalid value \"99\" for option Level"),
    ("option.EgdbPath=/no/such/folder", "/no/such/folder"),
    ("option.Margins=futility_margin=1000000", "for option Margins"),
    ("option.Weights=/no/such.weights", "/no/such.weights"),
];

#[test]
fn a_match_with_a_refused_option_does_not_begin() {
    let check = &|words: &str, part: &str| {
        for protocol in ["native", "hub"] {
            let folder = Folder::new();
            let (program, words, part) = if protocol == "hub" {
                // Hub's parameters are in lower case, and its messages have no double quotes.
                let (name, value) = words.split_once('=').unwrap();
                let name = name.replace("level", "option.level").to_lowercase();
                let program = format!("cmd='{KELSO}' args=hub proto=hub");
                (program, format!("{name}={value}"), part.replace('"', "'"))
            } else {
                (String::new(), words.to_owned(), part.to_owned())
            };
            let engine = format!("name=X {program} {words} nodes=10");
            let output = kelso()
                .args(["match", "--engine", &engine, "--engine", "random nodes=1", "--rounds", "1"])
                .current_dir(&folder)
                .output()
                .unwrap();
            let (shown, error, status) = result(&output);
            assert_eq!(status, Some(2), "{engine}: {shown}{error}");
            assert!(
                error.starts_with("error: cannot start engine \"X\": rejected an option: "),
                "{engine}: {error}"
            );
            assert!(error.contains(&part), "{engine}: {error}");
            assert!(!shown.contains("games"), "{shown}");
        }
    };
    // If its engine exits, a match waits for a signal, so run these concurrently.
    thread::scope(|scope| {
        for (words, part) in REFUSED {
            scope.spawn(move || check(words, part));
        }
    });
}

#[test]
fn a_clock_without_any_time_is_refused() {
    let folder = Folder::new();
    let arguments = ["match", "--engine", "random tc=0+0", "--engine", "random tc=0+1", "--rounds", "1"];
    let (_, error, status) = result(&kelso().args(arguments).current_dir(&folder).output().unwrap());
    assert_eq!(status, Some(2), "{error}");
    assert!(error.contains("0+0") && !error.contains("0+1"), "{error}");
}

/// A program that reports an error must not panic if the error cannot be printed.
#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_written_is_still_an_error() {
    for words in [&["stats", "missing.pdn"][..], &["pdn", "check", "missing.pdn"], &["show", "nonsense"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        assert_eq!(kelso().args(words).stderr(full).status().unwrap().code(), Some(2), "{words:?}");
    }
}

/// With too little memory for the stacks of all threads, the work is done by those that start.
#[cfg(target_os = "linux")]
#[test]
fn a_command_does_its_work_with_the_threads_that_can_be_started() {
    let folder = Folder::new();
    let limited = "ulimit -v 700000; exec \"$0\" egdb verify --pieces 2 --threads 1024";
    let mut command = std::process::Command::new("sh");
    // With stacks of this size, the memory ends at a stack, and not at what a thread needs besides.
    command.args(["-c", limited, KELSO]).env("RUST_MIN_STACK", "67108864").current_dir(&folder);
    let (out, error, status) = result(&command.output().unwrap());
    assert_eq!((error.as_str(), status), ("", Some(0)));
    assert!(out.ends_with(", 0 wrong\n"), "{out}");
}

#[cfg(unix)]
#[test]
fn an_input_that_cannot_be_read_is_an_error() {
    let folder = Folder::new();
    for words in [&[][..], &["hub"]] {
        let input = std::fs::File::open(&folder).unwrap();
        let ended = result(&kelso().args(words).stdin(input).output().unwrap());
        let error = "error: cannot read the input: Is a directory\n";
        assert_eq!(ended, (String::new(), error.to_owned(), Some(2)), "{words:?}");
    }
}

#[test]
fn a_short_count_has_a_time() {
    let (out, ..) = run(&Folder::new(), &["perft", "1"]);
    assert!(!out.contains("\n0.000 s"), "{out}");
}
