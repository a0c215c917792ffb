//! Files of an earlier version in `tests/data/kept` must be read, resumed, and written again byte for byte.

use std::fs;
use std::path::Path;

use crate::support::{Folder, kelso, result};

const MATCH: &str = "match --engine|name=A level=2|--engine|name=B random|--each|nodes=300|--rounds|2|--seed|3|\
    --resign|moves=2,score=300,both=off|--draw|from=20,moves=2,score=20|--max-plies|120|--untimed|--quiet|--any-program";

/// Returns a folder with a copy of all kept files.
fn kept() -> Folder {
    let folder = Folder::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kept")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path(path.file_name().unwrap().to_str().unwrap())).unwrap();
    }
    folder
}

/// Runs a command that must succeed, given as words separated by `|`. Returns the output.
fn run(folder: &Folder, words: &str) -> String {
    let output = kelso().args(words.replace("match --", "match|--").split('|')).current_dir(folder).output();
    let (out, errors, status) = result(&output.unwrap());
    assert_eq!(status, Some(0), "{words}: {errors}");
    out
}

/// Returns the lines of a state after its header.
fn lines_of(state: &str) -> Vec<&str> {
    state.lines().skip(1).collect()
}

/// Returns the games of a file, without the tags that name the program.
fn games(pdn: &str) -> Vec<String> {
    let lines = pdn.split_inclusive('\n').filter(|line| !line.contains("Program \""));
    lines.collect::<String>().split("\n\n[Event ").map(str::to_owned).collect()
}

#[test]
fn states_and_games_of_matches_are_counted_alike() {
    let folder = kept();
    for (name, ended) in [
        ("match", "Ended by: no legal move (4)\n"),
        ("timed", "Ended by: maximum length (2), time forfeit (4)\n"),
    ] {
        let from_state = run(&folder, &format!("stats|{name}.jsonl|--json|{name}-state.json"));
        let from_games = run(&folder, &format!("stats|{name}.pdn|--json|{name}-games.json"));
        assert_eq!(from_state, from_games);
        assert!(from_state.ends_with(ended), "{from_state}");
        assert_eq!(folder.read(&format!("{name}-state.json")), folder.read(&format!("{name}-games.json")));
    }
}

#[test]
fn a_match_is_resumed_and_its_games_are_written_as_before() {
    let folder = kept();
    let (state, pdn) = (folder.read("match.jsonl"), folder.read("match.pdn"));
    let first: Vec<&str> = state.split_inclusive('\n').take(3).collect();
    folder.write("cut.jsonl", first.concat());
    run(&folder, &format!("{MATCH}|--resume|--out|cut"));
    // The header names the program of the latest run.
    assert_eq!(lines_of(&folder.read("cut.jsonl"))[..2], first[1..].concat().lines().collect::<Vec<_>>());
    let resumed = folder.read("cut.pdn");
    assert_eq!(games(&resumed)[..2], games(&pdn)[..2]);
    assert_eq!(games(&resumed).len(), 4);
    // A complete match must not be played again, and its lines and games must be kept.
    folder.write("whole.jsonl", &state);
    run(&folder, &format!("{MATCH}|--resume|--out|whole"));
    assert_eq!(lines_of(&folder.read("whole.jsonl")), lines_of(&state));
    assert_eq!(games(&folder.read("whole.pdn")), games(&pdn));
}

#[test]
fn an_analysis_is_joined_and_written_as_before() {
    let folder = kept();
    run(&folder, "analyse|--join|shard-2.jsonl|shard-1.jsonl|--out|joined|--json|joined.json|--quiet");
    assert_eq!(folder.read("joined.pdn"), folder.read("analysis.pdn"));
    assert_eq!(folder.read("joined.json"), folder.read("analysis.json"));
}

#[test]
fn games_with_data_and_annotations_are_formatted_as_before() {
    let folder = kept();
    for name in ["match.pdn", "timed.pdn", "analysis.pdn"] {
        run(&folder, &format!("pdn|format|{name}|--out|again.pdn|--overwrite"));
        assert_eq!(folder.read("again.pdn").trim_end(), folder.read(name).trim_end(), "{name}");
    }
}

#[test]
fn books_tuning_and_training_positions_are_read() {
    let folder = kept();
    let book = run(&folder, "book|info|--book|book.book");
    assert!(book.contains("200 nodes, width 5"), "{book}");
    let state = folder.read("tune.txt.state");
    run(
        &folder,
        "train|tune|--out|tune.txt|--generations|1|--challengers|2|--games|2|--closing|2|--nodes|50|--threads|1",
    );
    assert!(folder.read("tune.txt.state").starts_with(&state));
    let data = run(&folder, "train|data|info|play.pos");
    assert!(data.starts_with("play.pos: 2 games, 108 positions; seed 1, nodes 50, branches 0"), "{data}");
}
