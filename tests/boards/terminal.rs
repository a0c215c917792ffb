//! `kelso play`: games are saved to files and loaded.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Folder, kelso};

/// Runs `kelso play` with these lines as input, and returns its output.
fn play(folder: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut child = kelso()
        .arg("play")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program does not read on after `quit`.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_game_is_saved_loaded_and_continued() {
    let folder = Folder::new();
    let two = ["--black", "person", "--white", "person"];
    let saved = play(&folder.path(""), &two, b"11-15\n23-18\n8-11\nresign\nsave my game.pdn\n");
    assert!(
        saved.contains("White wins: black resigns") || saved.contains("Black wins: white resigns"),
        "{saved}"
    );
    assert!(saved.ends_with("Saved 3 moves to my game.pdn.\n"), "{saved}");
    let text = std::fs::read_to_string(folder.path("my game.pdn")).unwrap();
    assert!(text.contains("1. 11-15 23-18 2. 8-11 {white resigns} 1-0"), "{text}");

    let loaded = play(
        &folder.path(""),
        &two,
        b"load my game.pdn\nundo\n8-11\n26-23\nfen\nload my game.pdn 2\nload nothing.pdn\n",
    );
    assert!(loaded.contains("Person - Person 1-0, 3 moves."), "{loaded}");
    assert!(
        loaded.contains("B:W18,21,22,23,24,25,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15\n"),
        "{loaded}"
    );
    assert!(loaded.contains("\"my game.pdn\" has no game 2\n"), "{loaded}");
    assert!(loaded.contains("cannot open \"nothing.pdn\": "), "{loaded}");
    // Another game is appended.
    let more = play(&folder.path(""), &two, b"9-13\nsave my game.pdn\nundo\n9-14\nsave notes.txt\n");
    assert!(more.contains("Saved 1 move to my game.pdn, added as game 2.\n"), "{more}");
    let both = std::fs::read_to_string(folder.path("my game.pdn")).unwrap();
    assert!(both.starts_with(&text) && both.ends_with("\n1. 9-13 *\n"), "{both}");
    std::fs::write(folder.path("notes.txt"), "Buy milk").unwrap();
    let refused = play(&folder.path(""), &two, b"9-13\nsave notes.txt\n");
    assert!(refused.contains("cannot save to \"notes.txt\": "), "{refused}");
    assert_eq!(std::fs::read(folder.path("notes.txt")).unwrap(), b"Buy milk");
    // From the command line.
    let begun = play(&folder.path(""), &["--white", "person", "--position", "my game.pdn"], b"");
    assert!(begun.contains("Person - Person 1-0, 3 moves."), "{begun}");
}

#[test]
fn position_files_of_older_programs_are_read() {
    let folder = Folder::new();
    let board = "0 0 0 0\n0 0 0 0\n0 0 0 0\n0 1 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 4\n2\n2.5\n";
    std::fs::write(folder.path("board.txt"), board).unwrap();
    let out = play(
        &folder.path(""),
        &["--black", "kelso", "--white", "person", "--position", "board.txt"],
        b"fen\n",
    );
    assert!(out.ends_with("W:WK32:B14\n"), "{out}");
}

#[test]
fn another_engine_can_be_an_opponent() {
    let folder = Folder::new();
    let engine = "name=Other level=1";
    let out = play(
        &folder.path(""),
        &["--engine", engine, "--white", "Other", "--time", "0.2"],
        b"11-15\nfen\ndraw\n",
    );
    assert!(out.contains("Person plays Black, Other plays White."), "{out}");
    assert!(out.contains("\nOther plays "), "{out}");
    assert!(out.contains("Other declines the draw: it plays on with 24 pieces on the board.\n"), "{out}");
    // A failed start is reported, and the game waits.
    let broken = "name=Broken cmd=./no-such-engine";
    let out = play(
        &folder.path(""),
        &["--engine", broken, "--white", "Broken"],
        b"11-15\nwhite kelso\nlevel 1\ngo\nfen\n",
    );
    assert!(out.contains("\nBroken: ") && out.contains("It is Broken's turn: \"go\" lets it play."), "{out}");
    assert!(out.contains("\nKelso plays "), "{out}");
}

#[test]
fn the_game_continues_after_any_input() {
    let folder = Folder::new();
    let mut input = vec![b'x'; 300_000];
    input.extend_from_slice(
        b"\n\xff\xfe 11-15 \x1b[2J\n\0\nundo 99999999999999999999\n18446744073709551616\nfen\n",
    );
    let out = play(&folder.path(""), &["--white", "person"], &input);
    assert!(out.contains("The line is too long"), "{out}");
    assert!(!out.contains('\x1b'), "{out:?}");
    assert!(out.ends_with("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\n"), "{out}");
}
