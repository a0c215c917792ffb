//! What an engine refuses ends the work before it has begun, in the engine's own words: a result under other settings than those
//! asked for is worse than none.

use crate::support::{Folder, kelso, result};

const KELSO: &str = env!("CARGO_BIN_EXE_kelso");

#[test]
fn training_with_a_refused_option_does_not_begin() {
    for command in ["play", "tune", "margins"] {
        for (option, part) in [
            ("EgdbPath=/no/such/folder", "/no/such/folder"),
            ("EvalFile=/no/such.net", "/no/such.net"),
            ("Hash=lots", "bad value \"lots\" for option Hash"),
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

/// Settings that the engine refuses, and a part of what it says.
const REFUSED: [(&str, &str); 7] = [
    ("option.EvalFile=/no/such.net", "/no/such.net"),
    ("option.Hash=lots", "bad value \"lots\" for option Hash: expected a whole number"),
    ("option.Evaluation=clasic", "bad value \"clasic\" for option Evaluation: expected one of network"),
    ("level=99", "bad value \"99\" for option Level"),
    ("option.EgdbPath=/no/such/folder", "/no/such/folder"),
    ("option.Margins=futility_margin=1000000", "for option Margins"),
    ("option.Weights=/no/such.weights", "/no/such.weights"),
];

#[test]
fn a_match_with_a_refused_option_has_no_game() {
    for (words, part) in REFUSED {
        for protocol in ["native", "hub"] {
            let folder = Folder::new();
            let (program, words, part) = if protocol == "hub" {
                // Its parameters are in small letters, and its messages have no double quotes.
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
                error.starts_with("error: engine X cannot play: refuses its options: "),
                "{engine}: {error}"
            );
            assert!(error.contains(&part), "{engine}: {error}");
            assert!(!shown.contains("games"), "{shown}");
        }
    }
}

#[test]
fn a_clock_without_any_time_is_refused() {
    let folder = Folder::new();
    let arguments = ["match", "--engine", "random tc=0+0", "--engine", "random tc=0+1", "--rounds", "1"];
    let (_, error, status) = result(&kelso().args(arguments).current_dir(&folder).output().unwrap());
    assert_eq!(status, Some(2), "{error}");
    assert!(error.contains("0+0") && !error.contains("0+1"), "{error}");
}
