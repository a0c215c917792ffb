//! `kelso pdn` with files, folders and pipes: its output, errors and exit statuses.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::helpers::Folder;
use crate::helpers::engine::PATIENCE;
use crate::shared::damage::{SEEDS, damaged, holds};
use crate::shared::random::Random;

const GOOD: &str = "[Event \"one\"]\n[Black \"Ann\"]\n\n1. 11-15 23-18 {cross} 2. 8-11 27-23 1-0\n\n[Event \"two\"]\n\n1. 9-14 22-18 *\n";
const BAD: &str =
    "[Event \"three\"]\n\n1. 11-15 23-11 0-1\n\n[Event \"four\"]\n[Result \"0-1\"]\n\n1. 11-15 23-18 1-0\n";

fn kelso(arguments: &[&str], input: &[u8]) -> (String, String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kelso"))
        .arg("pdn")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may exit before it has read everything.
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap(), status.code().unwrap())
}

/// Returns a folder with a good and a bad file, and the path of the bad one.
fn good_and_bad() -> (Folder, String) {
    let folder = Folder::new();
    fs::write(folder.path("good.pdn"), GOOD).unwrap();
    fs::write(folder.path("bad.pdn"), BAD).unwrap();
    let bad = folder.path("bad.pdn").to_str().unwrap().to_owned();
    (folder, bad)
}

#[test]
fn check_counts_games_plies_and_faults() {
    let (out, errors, status) = kelso(&["check", "-"], GOOD.as_bytes());
    assert_eq!(out, "");
    assert_eq!(errors, "2 games, 6 plies: 0 errors, 0 warnings; 0 games incomplete\n");
    assert_eq!(status, 0);
}

#[test]
fn check_reports_every_fault_with_its_place() {
    let (folder, bad) = good_and_bad();
    let (out, _, status) = kelso(&["check", folder.path("").to_str().unwrap(), "-"], BAD.as_bytes());
    let [illegal, results, from_input, _] = out.lines().collect::<Vec<_>>()[..] else { panic!("{out}") };
    assert!(illegal.starts_with(&format!("{bad}:3:10: error: game 1: illegal move \"23-11\"")), "{out}");
    assert!(results.starts_with(&format!("{bad}:8:16: warning: game 2: contradictory results: ")), "{out}");
    assert!(from_input.starts_with("-:3:10: error: game 1: "), "{out}");
    assert_eq!(status, 1);
}

#[test]
fn check_writes_json() {
    let (_folder, bad) = good_and_bad();
    let (out, _, status) = kelso(&["check", "--json", &bad], b"");
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert_eq!(lines[0]["game"], 1);
    assert_eq!(lines[0]["line"], 3);
    assert_eq!(lines[1]["severity"], "warning");
    assert_eq!(lines[2]["games"], 2);
    assert_eq!(status, 1);
}

#[test]
fn check_reads_the_other_files_if_one_is_unreadable() {
    let (folder, _) = good_and_bad();
    let (out, errors, status) = kelso(&["check", "no such file", folder.path("").to_str().unwrap()], b"");
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(errors.starts_with("error: cannot read \"no such file\": "), "{errors}");
    assert_eq!(status, 2);
}

#[test]
fn a_library_is_written_and_read_like_a_file() {
    let folder = Folder::new();
    let library = folder.path("a.library");
    let library = library.to_str().unwrap();
    let format = ["format", "-", "--out", library];
    assert_eq!(kelso(&format, GOOD.as_bytes()), (String::new(), String::new(), 0));
    let (text, errors, status) = kelso(&["format", library], b"");
    assert_eq!(
        (text.as_str(), errors.as_str(), status),
        (kelso(&["format", "-"], GOOD.as_bytes()).0.as_str(), "", 0)
    );
    // It is never overwritten, and no other file is left.
    for more in [&[][..], &["--overwrite"]] {
        let (_, errors, status) = kelso(&[&format[..], more].concat(), b"11-15 *");
        let reason = "already exists, and a library is never overwritten; use --add or another --out";
        assert!(errors.contains(reason) && status == 2, "{errors}");
    }
    assert_eq!((kelso(&["format", library], b"").0, folder.names()), (text, vec!["a.library".to_owned()]));
}

#[test]
fn games_are_added_to_a_library_once() {
    let folder = Folder::new();
    let library = folder.path("a.library");
    let add = ["format", "-", "--add", "--out", library.to_str().unwrap()];
    for (games, report) in [
        ("1. 11-15 *\n\n1. 9-13 *\n", "2 games added; already there: 0\n"),
        ("1. 9-13 *\n\n1. 10-14 *\n", "1 game added; already there: 1\n"),
    ] {
        assert_eq!(kelso(&add, games.as_bytes()), (String::new(), report.to_owned(), 0));
    }
    assert_eq!(kelso(&["format", library.to_str().unwrap()], b"").0.matches(" *").count(), 3);
    // Other files are refused and not changed.
    let other = folder.path("b.library");
    fs::write(&other, "my notes").unwrap();
    let (_, errors, status) =
        kelso(&["format", "-", "--add", "--out", other.to_str().unwrap()], b"1. 9-13 *");
    assert!(status == 2 && errors.contains("is not a library of games"), "{errors}");
    assert_eq!(fs::read(&other).unwrap(), b"my notes");
    let (_, errors, status) = kelso(&["format", "-", "--add", "--out", "a.pdn"], b"1. 9-13 *");
    assert!(status == 2 && errors.contains("--add needs a library"), "{errors}");
}

/// A signal that can be handled leaves nothing; what another leaves is removed by the next run.
#[cfg(unix)]
#[test]
fn a_killed_command_leaves_no_part_of_a_library() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = Folder::new();
    let library = folder.path("a.library");
    let format = ["format", "-", "--out", library.to_str().unwrap()];
    for (signal, left) in [(Signal::TERM, 0), (Signal::KILL, 1)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kelso"));
        let mut child = command.arg("pdn").args(format).stdin(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        let is_begun =
            || fs::read_dir(folder.path("")).unwrap().any(|f| f.unwrap().metadata().unwrap().len() > 0);
        while !is_begun() {
            assert!(began.elapsed() < PATIENCE, "no file is begun");
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        child.wait().unwrap();
        assert_eq!(folder.names().len(), left, "{:?}", folder.names());
    }
    assert_eq!(kelso(&format, GOOD.as_bytes()).2, 0);
    assert_eq!(folder.names(), ["a.library"]);
}

#[test]
fn format_writes_one_form_and_loses_nothing() {
    let folder = Folder::new();
    let path = folder.path("all.pdn");
    let text = format!("\u{feff}{GOOD}\n{BAD}").replace('\n', "\r\n");
    fs::write(&path, &text).unwrap();
    let name = path.to_str().unwrap();

    let (kept, errors, status) = kelso(&["format", name], b"");
    assert_eq!((status, errors.lines().count()), (1, 2), "{errors}");
    assert!(kept.contains("23-11 0-1") && kept.contains("{cross}") && !kept.contains('\r'), "{kept}");
    let (cut, ..) = kelso(&["format", "--faulty", "cut", name], b"");
    assert!(!cut.contains("23-11") && cut.contains("1. 11-15 0-1"), "{cut}");
    let (dropped, ..) = kelso(&["format", "--faulty", "drop", name], b"");
    assert_eq!(dropped.matches("[Event ").count(), 3, "{dropped}");
    // Formatting a formatted file changes nothing, and the output may replace the input.
    let (again, errors, status) = kelso(&["format", "-"], cut.as_bytes());
    assert_eq!((again, errors.as_str(), status), (cut.clone(), "", 0));
    assert_eq!(kelso(&["format", "--faulty", "cut", name, "--in-place"], b"").2, 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), cut);
    let (_, errors, status) = kelso(&["format", name, "--out", "no/such/folder/x.pdn"], b"");
    assert_eq!(status, 2);
    assert!(errors.contains("no/such/folder/x.pdn"), "{errors}");
}

fn find(arguments: &[&str]) -> (String, String, i32) {
    kelso(&[&["find", "-"], arguments].concat(), format!("{GOOD}\n{BAD}").as_bytes())
}

#[test]
fn find_writes_games() {
    let (out, errors, status) = find(&["--player", "ann"]);
    assert_eq!(out.matches("[Event ").count(), 1, "{out}");
    assert_eq!(errors, "1 game\n");
    assert_eq!(status, 0);
}

#[test]
fn find_counts_games() {
    for (arguments, count) in [
        (&["--result", "1-0"][..], 2),
        (&["--begins", "11-15"], 3),
        (&["--moves", "8-11 27-23"], 1),
        (&["--ballot", "Cross"], 2),
        (&["--tag", "event=T"], 2),
        (&["--tag", "Result=1-0"], 2),
        (&["--tag", "GameType=21"], 4),
        (&["--tag", "FEN=W"], 0),
        (&["--not", "--tag", "event=T"], 2),
        (&["--plies", "2..3"], 2),
        (&["--plies", "..1"], 1),
        (&["--date", "1950.."], 0),
        (&["--fen", "W:W21-32:B1-10,12,15"], 3),
        (&["--fen", "B:WK1:BK32"], 0),
        (&["--limit", "1", "--begins", "11-15"], 1),
    ] {
        let (out, _, status) = find(&[arguments, &["--count"]].concat());
        assert_eq!(out, format!("{count}\n"), "{arguments:?}");
        assert_eq!(status, i32::from(count == 0), "{arguments:?}");
    }
}

#[test]
fn find_writes_json() {
    let (out, ..) = find(&["--moves", "23-18", "--json"]);
    let line: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(line["game"], 1);
    assert_eq!(line["ply"], 1);
    assert_eq!(line["tags"]["Black"], "Ann");
    assert_eq!(line["tags"]["Result"], "1-0");
}

#[test]
fn find_refuses_invalid_conditions() {
    for (arguments, culprit) in [
        (["--fen", "nonsense"], "nonsense"),
        (["--limit", "0"], "'0'"),
        (["--plies", "9..3"], "'9..3'"),
        (["--date", ".."], "'..'"),
        (["--date", "1954.13"], "expected dates that exist"),
        (["--begins", "1-2"], "\"1-2\""),
        (["--begins", "11-15, 18x11"], "\"18x11\""),
    ] {
        let (out, errors, status) = find(&arguments);
        assert_eq!(out, "", "{arguments:?}");
        assert!(errors.contains(culprit), "{errors}");
        assert_eq!(status, 2, "{arguments:?}");
    }
}

#[test]
fn parts_of_games_are_left_out() {
    let text = "{a} 1. 11-15! {b} (11-16 {c} 23-18?) 22-18 {score=+3 depth=4} *";
    for (words, expected) in [
        ("--strip comments", "1. 11-15 $1 (1. 11-16 23-18 $2) 1... 22-18 *"),
        ("--strip variations", "{a} 1. 11-15 $1 {b} 1... 22-18 {score=+3 depth=4} *"),
        ("--strip glyphs", "{a} 1. 11-15 {b} (1. 11-16 {c} 1... 23-18) 1... 22-18 {score=+3 depth=4} *"),
        ("--strip comments --strip variations --strip glyphs", "1. 11-15 22-18 *"),
    ] {
        let arguments: Vec<&str> = ["format", "-"].into_iter().chain(words.split(' ')).collect();
        let (out, errors, status) = kelso(&arguments, text.as_bytes());
        let moves = out.split_once("\n\n").unwrap().1.replace('\n', " ");
        assert_eq!((moves.trim(), errors.as_str(), status), (expected, "", 0), "{words}");
    }
}

#[test]
fn games_are_split_into_files_of_a_new_folder() {
    let folder = Folder::new();
    let parts = folder.path("parts");
    let all = format!("{GOOD}\n{GOOD}\n{GOOD}");
    let split = |games: &str| {
        kelso(&["format", "-", "--out", parts.to_str().unwrap(), "--split", games], all.as_bytes())
    };
    assert_eq!(split("4"), (String::new(), String::new(), 0));
    let count = |name: &str| folder.read(&format!("parts/{name}")).matches("[Event ").count();
    assert_eq!([count("000001.pdn"), count("000002.pdn")], [4, 2]);
    // An existing folder is left alone.
    assert_eq!(split("1").2, 2);
    assert_eq!(fs::read_dir(&parts).unwrap().count(), 2);
    fs::remove_dir_all(&parts).unwrap();
    assert_eq!(split("1").2, 0);
    assert_eq!(fs::read_dir(&parts).unwrap().count(), 6);
    // If an input cannot be read, nothing is kept.
    fs::remove_dir_all(&parts).unwrap();
    let out = parts.to_str().unwrap();
    assert_eq!(kelso(&["format", "-", "no such file", "--out", out, "--split", "1"], all.as_bytes()).2, 2);
    assert!(!parts.exists());
}

#[cfg(unix)]
#[test]
fn standard_output_may_not_be_an_input() {
    let folder = Folder::new();
    for command in
        ["pdn format", "pdn find", "pdn dedup", "pdn check", "pdn tree", "stats", "analyse --nodes 9"]
    {
        folder.write("games.pdn", GOOD);
        let out = fs::File::options().append(true).open(folder.path("games.pdn")).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_kelso"))
            .args(command.split(' '))
            .arg("games.pdn")
            .current_dir(&folder)
            .stdout(out)
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        let expected =
            "error: standard output would overwrite the input \"games.pdn\"; choose another name\n";
        assert_eq!((errors.as_str(), output.status.code()), (expected, Some(2)), "{command}");
        assert_eq!(folder.read("games.pdn"), GOOD, "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_that_cannot_be_read_is_reported_once() {
    for command in ["pdn format", "pdn find", "pdn check", "analyse"] {
        let output = Command::new(env!("CARGO_BIN_EXE_kelso"))
            .args(command.split(' '))
            .arg("/proc/self/mem")
            .output()
            .unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(text.matches("Input/output error").count(), 1, "{command}: {text}");
        assert!(output.status.code() == Some(2) && !text.contains("os error"), "{command}: {text}");
    }
}

#[test]
fn men_on_the_last_row_become_kings_on_request() {
    let text = "[Event \"x\"]\n[FEN \"B:W1,30:B12\"]\n\n1. 12-16 1-6 *\n";
    let (out, _, status) = kelso(&["check", "-"], text.as_bytes());
    assert!(status == 1 && out.contains("on 1"), "{out}");
    let (out, ..) = kelso(&["format", "--crown", "-"], text.as_bytes());
    assert!(out.contains("[FEN \"B:WK1,30:B12\"]"), "{out}");
}

/// A game that is too long for memory must not be copied partially.
#[test]
fn a_game_that_cannot_be_copied_whole_stops_the_command() {
    let folder = Folder::new();
    let file = folder.path("long.pdn");
    let long = format!("{GOOD}\n[Event \"long\"]\n11-15 {{{}}} *\n", "on and ".repeat(700_000));
    fs::write(&file, &long).unwrap();
    let (name, out) = (file.to_str().unwrap(), folder.path("out.pdn"));
    for command in ["format", "dedup"] {
        let arguments = [command, name, "--out", out.to_str().unwrap()];
        let (_, errors, status) = kelso(&arguments, b"");
        assert_eq!(status, 2, "{command}");
        assert!(errors.contains("game 3: ") && errors.contains("--faulty drop"), "{errors}");
        assert!(!out.exists(), "{command}");
    }
    let (text, _, status) = kelso(&["format", "--faulty", "drop", name], b"");
    assert_eq!((text.matches("[Event ").count(), status), (2, 1));
}

/// After a read error, the file must not be copied partially.
#[cfg(target_os = "linux")]
#[test]
fn a_truncated_file_is_not_copied_and_has_its_own_status() {
    // A directory can be opened but not read.
    let (_, errors, status) = kelso(&["check", "/proc/self/mem"], b"");
    assert_eq!(status, 2, "{errors}");
    let (out, errors, status) = kelso(&["format", "--faulty", "cut", "/proc/self/mem"], b"");
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(errors.contains("/proc/self/mem"), "{errors}");
}

/// The summary must match the output, even if that is empty.
#[test]
fn a_file_without_games_left_is_written() {
    let folder = Folder::new();
    let text = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let [a, b, faulty, keep] = ["a.pdn", "b.pdn", "faulty.pdn", "keep.pdn"].map(text);
    let game = "[Event \"one\"]\n\n1. 11-15 23-18 1-0\n";
    folder.write("a.pdn", game);
    folder.write("b.pdn", game);
    let (_, errors, status) = kelso(&["dedup", "--in-place", &a, &b], b"");
    assert!(errors.starts_with("2 games, 1 duplicate removed") && status == 0, "{errors}");
    assert!(folder.read("a.pdn").contains("11-15") && folder.read("b.pdn").is_empty());
    folder.write("faulty.pdn", "[Event \"two\"]\n\n1. 11-15 23-99 1-0\n");
    let (_, errors, status) = kelso(&["format", "--in-place", "--faulty", "drop", &faulty], b"");
    assert_eq!((folder.read("faulty.pdn").as_str(), status), ("", 1), "{errors}");
    folder.write("keep.pdn", game);
    let (_, errors, status) = kelso(&["find", "-o", &keep, "--overwrite", "--player", "Nobody", &a], b"");
    assert_eq!((folder.read("keep.pdn").as_str(), errors.as_str(), status), ("", "0 games\n", 1));
    // A file without readable games must not change.
    folder.write("b.pdn", "% nothing\n");
    assert_eq!(kelso(&["format", "--in-place", &b], b"").2, 0);
    assert_eq!(folder.read("b.pdn"), "% nothing\n");
    let (_, errors, status) = kelso(&["dedup", "--in-place", &a, &a], b"");
    assert!(errors.contains("is given twice; name it once") && status == 2, "{errors}");
}

#[test]
fn a_library_is_not_replaced_by_its_games() {
    let folder = Folder::new();
    let text = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let [games, library] = ["games.pdn", "games.library"].map(text);
    folder.write("games.pdn", "[Event \"one\"]\n\n1. 11-15 23-18 1-0\n");
    assert_eq!(kelso(&["format", &games, "--out", &library], b"").2, 0);
    let before = std::fs::read(&library).unwrap();
    for command in ["format", "dedup"] {
        let (_, errors, status) = kelso(&[command, "--in-place", &library], b"");
        assert!(errors.contains("--in-place cannot replace the library") && status == 2, "{errors}");
    }
    for option in ["--json", "--count"] {
        let (_, errors, status) = kelso(&["find", option, "--overwrite", "--out", &library, &games], b"");
        assert!(errors.contains("a library can only be made of games") && status == 2, "{errors}");
    }
    assert!(std::fs::read(&library).unwrap() == before);
}

#[test]
fn dedup_tree_and_openings_count_games() {
    let twice = format!("{GOOD}\n{}\n{GOOD}", GOOD.replace("Ann", "Bob"));
    let (out, errors, status) = kelso(&["dedup", "-"], twice.as_bytes());
    assert_eq!((out.matches("[Event ").count(), status), (2, 0));
    assert_eq!(errors, "6 games, 4 duplicates removed (same moves, regardless of tags)\n");
    let (out, ..) = kelso(&["dedup", "--list", "-"], twice.as_bytes());
    assert!(out.starts_with("-: game 3 is a duplicate of -: game 1\n"), "{out}");

    let (out, _, status) = kelso(&["tree", "--json", "-"], twice.as_bytes());
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((report["games"].as_u64(), status), (Some(6), 0));
    assert_eq!(report["moves"][0]["move"].as_str(), Some("11-15"));
    let (out, ..) = kelso(&["tree", "--moves", "11-15 23-18", "-"], twice.as_bytes());
    let row = out.lines().find(|line| line.starts_with("8-11 ")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[..4], ["8-11", "3", "100.0%", "3"], "{out}");
    let other_game = format!("{GOOD}\n[GameType \"20\"]\n1. 32-28 19-23 2-0\n");
    let (out, errors, _) = kelso(&["tree", "-"], other_game.as_bytes());
    assert!(!out.contains("ended here") && errors.starts_with("1 game left out"), "{out}{errors}");

    let (out, ..) = kelso(&["openings", "-"], GOOD.as_bytes());
    assert!(out.contains("-: game 1: three-move ") && out.contains(": 11-15 23-18 8-11 (Cross)"), "{out}");
    assert!(out.contains("-: game 2: two-move 10: 9-14 22-18 (Double Corner)\n"), "{out}");
    let (out, ..) = kelso(&["openings", "-"], b"1. 11-15 *\n");
    assert!(out.contains("-: game 1: no ballot: 11-15\n"), "{out}");
    let begun = "[FEN \"W:W18,21,22,24-32:B1-7,9-12,15\"]\n1. 22-17 *\n";
    let (out, ..) = kelso(&["openings", "-"], begun.as_bytes());
    assert!(out.contains(": 11-15 23-18 8-11 (Cross)"), "{out}");
    let (out, ..) = kelso(&["openings", "--summary", "-"], twice.as_bytes());
    let row: Vec<&str> =
        out.lines().find(|line| line.contains("three-move")).unwrap().split_whitespace().collect();
    assert_eq!(row[..5], ["3", "3", "0", "0", "three-move"], "{out}");
}

/// No command may crash, hang or fail on random bytes and damaged games.
#[test]
fn every_command_handles_invalid_input() {
    let mut random = Random::new(19);
    let seeds = [GOOD, BAD, include_str!("../data/pdn/styles.pdn"), include_str!("../data/pdn/faults.pdn")];
    for round in 0..12 {
        let mut bytes = Vec::new();
        for _ in 0..20 {
            let mut piece = random.pick(&seeds).as_bytes().to_vec();
            for _ in 0..random.below(20) {
                let at = random.below(piece.len());
                match random.below(3) {
                    0 => piece[at] = random.next().to_le_bytes()[0],
                    1 => drop(piece.drain(at..(at + 10).min(piece.len()))),
                    _ => piece.insert(at, random.pick(b"({})[];%\"\\x-*. 19\xff\0\n")),
                }
            }
            bytes.extend(piece);
        }
        for command in [
            &["check", "-"][..],
            &["check", "--json", "-"],
            &["format", "--faulty", "cut", "-"],
            &["find", "--mirror", "--fen", "B:W21-32:B1-12", "-"],
            &["dedup", "--list", "-"],
            &["tree", "--json", "-"],
            &["openings", "-"],
        ] {
            let (out, errors, status) = kelso(command, &bytes);
            assert!((0..=1).contains(&status), "{command:?} {round}: {status} {errors}");
            if command[0] == "format" {
                let (_, errors, status) = kelso(&["check", "-"], out.as_bytes());
                assert_eq!(status, 0, "{errors}");
            }
        }
    }
}

/// Asserts that every command handles a damaged file or reports its faults.
fn every_command_takes(bytes: &[u8]) {
    for arguments in [
        "check --json -",
        "format --faulty keep -",
        "find --mirror --variations --fen B:WK1:BK32 -",
        "find --variations --moves 11-15,23-18 --json -",
        "find --material B3:W3 --count -",
        "dedup --list -",
        "tree --mirror -",
        "openings -",
        "openings --summary --json -",
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let (_, errors, status) = kelso(&words, bytes);
        assert!((0..=1).contains(&status) && !errors.contains("panicked"), "{arguments}: {status}, {errors}");
    }
    let (cut, ..) = kelso(&["format", "--faulty", "cut", "-"], bytes);
    let (faults, errors, status) = kelso(&["check", "-"], cut.as_bytes());
    assert_eq!((faults.as_str(), status), ("", 0), "what was written has faults: {errors}");
    let (again, ..) = kelso(&["format", "-"], cut.as_bytes());
    assert_eq!(again, cut);
    // The analysis must read the same games.
    let folder = Folder::new();
    fs::write(folder.path("games.pdn"), bytes).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_kelso"))
        .args(["analyse", "games.pdn", "--depth", "1", "--quiet", "--option", "Hash=1", "--html", "a.html"])
        .args(["--problems", "p.pdn"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let nothing = output.status.code() == Some(1) && errors.contains("no moves can be read");
    let analysed = matches!(output.status.code(), Some(0 | 1));
    assert!((analysed || nothing) && !errors.contains("panicked"), "{errors}");
    if !nothing {
        let (faults, errors, status) = kelso(&["check", folder.path("analysis.pdn").to_str().unwrap()], b"");
        assert_eq!((faults.as_str(), status), ("", 0), "what was analysed has faults: {errors}");
    }
}

fn damaged_file(random: &mut Random) -> Vec<u8> {
    let parts: Vec<_> = (0..random.below(4)).map(|_| damaged(random, &SEEDS)).collect();
    parts.join(&b'\n')
}

#[test]
fn every_command_takes_damaged_files() {
    let mut random = Random::new(31);
    for _ in 0..6 {
        every_command_takes(&damaged_file(&mut random));
    }
}

/// In turns, the library reads a thousand files and every command reads one. Each run uses different
/// files.
#[test]
#[ignore = "takes an hour"]
fn an_hour_of_damaged_files() {
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let (began, mut random, mut files) = (Instant::now(), Random::new(seed), 0_u64);
    let checked = |number: u64, bytes: &[u8], check: fn(&[u8])| {
        if let Err(panic) = std::panic::catch_unwind(|| check(bytes)) {
            let path = std::env::temp_dir().join(format!("kelso-damaged-{seed}-{number}.pdn"));
            fs::write(&path, bytes).unwrap();
            println!("seed {seed}, file {number}: {}", path.display());
            std::panic::resume_unwind(panic);
        }
    };
    while began.elapsed() < Duration::from_secs(3600) {
        for _ in 0..1000 {
            checked(files, &damaged(&mut random, &SEEDS), holds);
            files += 1;
        }
        checked(files, &damaged_file(&mut random), every_command_takes);
        files += 1;
    }
    println!("seed {seed}: {files} files in {:?}", began.elapsed());
}

/// An incomplete result must not replace a complete one, or be taken for one.
#[cfg(unix)]
#[test]
fn no_output_is_written_if_an_input_cannot_be_opened() {
    let folder = Folder::new();
    folder.write("games/a.pdn", GOOD);
    // Permissions do not restrict the superuser, so use a link that leads nowhere.
    std::os::unix::fs::symlink("nowhere", folder.path("games/b.pdn")).unwrap();
    let text = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let [games, missing, old, new] = ["games", "missing.pdn", "old.pdn", "new.pdn"].map(text);
    folder.write("old.pdn", "precious");
    for command in ["format", "dedup", "find"] {
        for input in [&games, &missing] {
            let (_, errors, status) = kelso(&[command, input, "-o", &old, "--overwrite"], b"");
            assert!(errors.starts_with("error: cannot read \"") && status == 2, "{command}: {errors}");
            assert_eq!(folder.read("old.pdn"), "precious", "{command} {input}");
            let (_, errors, status) = kelso(&[command, input, "-o", &new], b"");
            assert!(!folder.path("new.pdn").exists() && status == 2, "{command} {input}: {errors}");
        }
        // Standard output has the games that can be read.
        let (out, _, status) = kelso(&[command, &games], b"");
        assert_eq!((out.matches("[Event ").count(), status), (2, 2), "{command}");
    }
}
