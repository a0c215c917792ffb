//! `kelso play`: saving games to files, and loading them.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::helpers::tools::skip;
use crate::helpers::{Folder, kelso};

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
    // The program stops reading after `quit`, so the write may fail.
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
    assert!(loaded.contains("cannot read \"nothing.pdn\": "), "{loaded}");
    // A second game is appended.
    let more = play(&folder.path(""), &two, b"9-13\nsave my game.pdn\nundo\n9-14\nsave notes.txt\n");
    assert!(more.contains("Saved 1 move to my game.pdn, added as game 2.\n"), "{more}");
    let both = std::fs::read_to_string(folder.path("my game.pdn")).unwrap();
    assert!(both.starts_with(&text) && both.ends_with("\n1. 9-13 *\n"), "{both}");
    std::fs::write(folder.path("notes.txt"), "Buy milk").unwrap();
    let refused = play(&folder.path(""), &two, b"9-13\nsave notes.txt\n");
    assert!(refused.contains("cannot save to \"notes.txt\": "), "{refused}");
    assert_eq!(std::fs::read(folder.path("notes.txt")).unwrap(), b"Buy milk");
    // Open the saved game from the command line.
    let begun = play(&folder.path(""), &["--white", "person", "--position", "my game.pdn"], b"");
    assert!(begun.contains("Person - Person 1-0, 3 moves."), "{begun}");
}

/// The dates in the first and the last time zone always differ.
#[test]
fn a_saved_game_has_the_local_date() {
    let folder = Folder::new();
    let input = folder.write("input", "11-15\nsave a.pdn\nquit\n");
    let date = |zone: &str| {
        let _ = std::fs::remove_file(folder.path("a.pdn"));
        let mut command = kelso();
        command.args(["play", "--white", "person"]).env("TZ", zone).current_dir(folder.path(""));
        assert!(command.stdin(std::fs::File::open(&input).unwrap()).output().unwrap().status.success());
        folder.read("a.pdn").lines().find(|line| line.starts_with("[Date ")).unwrap().to_owned()
    };
    assert_ne!(date("Line-14"), date("Line+12"));
}

#[test]
fn moves_are_played_up_to_the_first_error() {
    let folder = Folder::new();
    let two = ["--white", "person"];
    let out = play(&folder.path(""), &two, b"11-15 23-19 8-11\nfen\n");
    assert!(out.contains("\nPlayed 3 moves.\n"), "{out}");
    assert!(out.ends_with("W:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15\n"), "{out}");
    let out = play(&folder.path(""), &two, b"1. 11-15 23-19 2. 8-12 22-17\nfen\nundo\n");
    assert!(out.contains("\nPlayed 2 moves; then illegal move \"8-12\": expected one of "), "{out}");
    assert!(out.contains("\nTook back 1 move.\n"), "{out}");
    let out = play(&folder.path(""), &two, b"[FEN \"W:W5:B14\"] 1. 5-1 14-18 *\nfen\n");
    assert!(out.contains("\n? - ? *, 2 moves.\n") && out.ends_with("W:WK1:B18\n"), "{out}");
    // A file with an error must be opened up to the error.
    folder.write("wrong.pdn", "[Black \"A\"]\n\n1. 11-15 23-19 2. 8-12 *\n");
    let out = play(&folder.path(""), &two, b"load wrong.pdn\nfen\n");
    assert!(out.contains("A - ? *, 2 moves. Line 3: illegal move \"8-12\": "), "{out}");
    assert!(out.contains("; the moves before it are on the board.\n"), "{out}");
    assert!(out.ends_with("B:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15\n"), "{out}");
}

#[test]
fn values_are_in_units_of_an_average_man() {
    let folder = Folder::new();
    let out = play(&folder.path(""), &["--white", "person"], b"eval\n");
    let values = out.lines().skip_while(|line| !line.starts_with("Value of each piece")).skip(1).take(2);
    let words: Vec<String> =
        values.flat_map(|line| line.split(['\u{a0}', ' ']).map(str::to_owned).collect::<Vec<_>>()).collect();
    let values: Vec<f64> =
        words.iter().filter(|word| word.contains('.')).map(|word| word.parse().unwrap()).collect();
    assert_eq!(values.len(), 24, "{out}");
    assert!((values.iter().sum::<f64>() / 24.0 - 1.0).abs() < 0.01, "{out}");
}

#[test]
fn levels_show_no_scores() {
    let folder = Folder::new();
    for (level, shows) in [("3", false), ("0", true)] {
        let arguments = [
            "--level",
            level,
            "--time",
            "0.2",
            "--position",
            "B:W32:BK22,K23",
            "--black",
            "kelso",
            "--white",
            "kelso",
        ];
        let out = play(&folder.path(""), &arguments, b"");
        let first = out
            .lines()
            .find(|line| line.starts_with("Kelso plays ") && line.contains("depth"))
            .unwrap()
            .to_owned();
        assert_eq!(first.contains("wins in"), shows, "{first}");
    }
}

/// Runs `kelso play` between two people in a pseudo-terminal. Returns `None` without Python. The steps are
/// those of `terminal.py`.
#[cfg(unix)]
fn type_to_play(folder: &Path, steps: &[&str], status: i32) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/terminal.py");
    let mut command = std::process::Command::new("python3");
    command.arg(script).args(steps).arg("--").arg(env!("CARGO_BIN_EXE_kelso"));
    let output = command.args(["play", "--ascii", "--white", "person"]).current_dir(folder).output();
    let Ok(output) = output else {
        skip("python3");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.ends_with(&format!("\nstatus {status}\n")), "{text}");
    Some(text)
}

#[cfg(unix)]
#[test]
fn an_unsaved_game_is_not_lost_by_a_key() {
    let folder = Folder::new();
    // Ctrl-D asks the same question as Ctrl-C, and answering it with Ctrl-C returns to the game.
    let mut steps = vec!["await Black> ", "type 11-15\\r", "await White> "];
    for key in ["type \\x04", "type \\x03"] {
        steps.extend([key, "await Save the game", "type \\x03", "await White> "]);
    }
    steps.extend(["type \\x04", "await Save the game", "type y\\r", "await File", "type kept.pdn\\r"]);
    let Some(text) = type_to_play(&folder.path(""), &steps, 0) else { return };
    assert!(text.contains("Saved 1 move to kept.pdn."), "{text}");
    assert!(folder.read("kept.pdn").contains("1. 11-15 *"));
}

#[cfg(unix)]
#[test]
fn another_game_begins_only_after_a_question_about_the_unsaved_one() {
    let folder = Folder::new();
    std::fs::write(folder.path("other.pdn"), "1. 9-13 *\n").unwrap();
    let mut steps = vec!["await Black> ", "type 11-15\\r", "await White> "];
    for another in ["type new\\r", "type setup W:W32:BK1\\r", "type load other.pdn\\r"] {
        steps.extend([another, "await Save the game", "type \\r", "await White> "]);
    }
    steps.extend(["type new\\r", "await Save the game", "type y\\r", "await File", "type kept.pdn\\r"]);
    // The new game has no moves, so that nothing is asked.
    steps.extend(["await Black> ", "type quit\\r"]);
    let Some(text) = type_to_play(&folder.path(""), &steps, 0) else { return };
    assert!(text.contains("Saved 1 move to kept.pdn."), "{text}");
    assert!(folder.read("kept.pdn").contains("1. 11-15 *"));
}

#[cfg(unix)]
#[test]
fn the_system_ends_the_program_even_if_the_game_is_not_saved() {
    let folder = Folder::new();
    let steps = ["await Black> ", "type 11-15\\r", "await White> ", "signal SIGTERM"];
    type_to_play(&folder.path(""), &steps, 143);
}

#[cfg(unix)]
#[test]
fn typed_ahead_and_pasted_lines_are_all_executed() {
    let folder = Folder::new();
    let quit = ["await Black> ", "type quit\\r", "await Save", "type n\\r"];
    let sheet = ["1. 11-15    23-19", "2. 8-11     22-17"];
    for typed in [
        // Test lines that arrive together, pasted lines, a pasted list of moves, and a pasted game.
        "type 11-15\\r23-19\\r8-11\\r22-17\\r",
        "type \\x1b[200~11-15\\r23-19\\r8-11\\r22-17\\x1b[201~\\r",
        "type \\x1b[200~flip\\r11-15 23-19\\rflip\\r8-11 22-17\\r\\x1b[201~\\r",
        "type \\x1b[200~1. 11-15 23-19 {a\\rcomment} 2. 8-11 22-17\\x1b[201~\\r",
    ] {
        let steps = [&["await Black> ", typed, "await 2. 8-11     22-17"][..], &quit].concat();
        let Some(text) = type_to_play(&folder.path(""), &steps, 0) else { return };
        for line in sheet {
            assert!(text.contains(line), "{typed}: {text}");
        }
    }
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
