//! Tests that a signal ends every command and its engines, and that the command reports whether the work can
//! be resumed.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kelso_process::quoted;

use crate::helpers::engine::PATIENCE;
use crate::helpers::{Folder, kelso, mock_engine, processes, result};

/// Returns whether a mock engine with this word among its arguments is running.
fn engine_runs(word: &str) -> bool {
    processes::command_lines().any(|words| {
        words.first().is_some_and(|program| program.ends_with("mock_engine"))
            && words.iter().any(|other| other == word)
    })
}

fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Interrupts a command whose engine hangs. Returns its output on stderr.
fn interrupt(folder: &Folder, arguments: &[&str], word: &str, name: &str, status: i32) -> String {
    let mut command = kelso();
    command.args(arguments).current_dir(folder.path(""));
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the engine does not start", || engine_runs(word));
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    let (out, errors, code) = result(&output);
    assert_eq!(code, Some(status), "{arguments:?} {name}: {out}{errors}");
    assert!(!engine_runs(word), "{arguments:?} {name} leaves its engine running");
    errors
}

/// A report of an interrupted run would prevent the run from being resumed by the same command.
#[test]
fn the_same_command_resumes_an_interrupted_analysis_with_a_report() {
    let folder = Folder::new();
    folder.write("game.pdn", "1. 11-15 23-19 *\n");
    let words = "analyse game.pdn --time 1s --resume --problems p.pdn --out a --quiet";
    let mut command = kelso();
    command.args(words.split(' ')).current_dir(folder.path(""));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the analysis does not begin", || folder.path("a.jsonl").exists());
    signal(&child, "-INT");
    let (_, errors, status) = result(&child.wait_with_output().unwrap());
    assert!(status == Some(130) && !folder.path("p.pdn").exists(), "{errors}");
    let (_, errors, status) = result(&command.output().unwrap());
    assert!(status == Some(0) && folder.path("p.pdn").exists(), "{errors}");
}

#[test]
fn no_command_leaves_an_engine_running() {
    for (name, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let word = format!("interrupted{name}");
        let engine = format!("{} stderr {word} hang", quoted(mock_engine().to_str().unwrap()));
        let program = quoted(mock_engine().to_str().unwrap());
        let described = format!("name=Hanging cmd={program} args='stderr {word} hang'");
        let folder = Folder::new();
        folder.write("game.pdn", "1. 11-15 23-19 *\n");
        for (arguments, sentence) in [
            (&["check", "--engine", &engine][..], "interrupted; the remaining steps are not run\n"),
            (&["record", "t.txt", "--engine", &engine], "interrupted; the transcript is kept up to here\n"),
            (
                &["match", "--engine", &described, "--engine", "random nodes=1", "--each", "nodes=1"],
                "interrupted; to resume, repeat the command with --resume\n",
            ),
        ] {
            let errors = interrupt(&folder, arguments, &word, name, status);
            assert!(errors.ends_with(sentence), "{arguments:?}: {errors}");
        }
    }
}

#[test]
fn commands_without_a_state_say_that_nothing_is_kept() {
    let mut command = kelso();
    command.args(["perft", "30"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // The handled signals are 1, 2 and 15.
    let handled = || {
        let caught = processes::status(child.id(), "SigCgt").unwrap();
        u64::from_str_radix(&caught, 16).unwrap() & 0x4003 == 0x4003
    };
    wait_for("no signal is handled", handled);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "interrupted; nothing is kept\n");
}

/// The file has 2^40 bytes without contents, and is never read to its end.
#[test]
fn a_file_that_is_being_loaded_can_be_interrupted() {
    let folder = Folder::new();
    std::fs::File::create(folder.path("large.pdn")).unwrap().set_len(1 << 40).unwrap();
    let mut command = kelso();
    command.args(["play", "--white", "person", "--ascii"]).current_dir(folder.path(""));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "11-15\nload large.pdn 1000000").unwrap();
    let is_open = |name: &str| {
        let links = std::fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap();
        let mut targets = links.filter_map(|link| std::fs::read_link(link.unwrap().path()).ok());
        targets.any(|target| target.ends_with(name))
    };
    wait_for("the file is not opened", || is_open("large.pdn"));
    signal(&child, "-INT");
    writeln!(input, "fen\nquit").unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(output.contains("reading \"large.pdn\" was interrupted"), "{output}");
    assert!(output.contains("W:W21,22"), "the game goes on: {output}");
}
