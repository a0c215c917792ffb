//! `kelso record`, and replaying of its transcripts.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::helpers::{Folder, kelso, mock_command, result};

fn record(folder: &Folder, actions: &str) -> Command {
    let mut command = kelso();
    command.arg("record").arg(folder.path("t.txt")).args(["--engine", &mock_command(actions)]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn replays(folder: &Folder, actions: &str) {
    let mut command = kelso();
    command.arg("replay").arg(folder.path("t.txt")).args(["--engine", &mock_command(actions)]);
    let (out, errors, status) = result(&command.output().unwrap());
    assert_eq!(status, Some(0), "{out}{errors}\n{}", folder.read("t.txt"));
}

#[test]
fn a_session_is_recorded_in_order_and_can_be_replayed() {
    let folder = Folder::new();
    let mut child = record(&folder, "uci exit 3").spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    for (line, last) in
        [("isready", "readyok"), ("go depth 2", "bestmove 11-15"), ("", "error: unknown command ``")]
    {
        writeln!(input, "{line}").unwrap();
        while output.next().unwrap().unwrap() != last {}
        // Lines are written to the file when they are shown.
        for _ in 0..500 {
            if folder.read("t.txt").contains(last) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(folder.read("t.txt").contains(last));
    }
    writeln!(input, "quit").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(
        folder.read("t.txt"),
        "> isready\n< readyok\n> go depth 2\n\
         < info depth 1 score 12 nodes 7 time [n] nps [n] pv 11-15\n\
         < info depth 2 score 12 nodes 14 time [n] nps [n] pv 11-15\n\
         < bestmove 11-15\n>\n< error: unknown command ``\n> quit\n! exit 3\n"
    );
    replays(&folder, "uci exit 3");
}

/// A search that is stopped after a second names moves at other times in every run.
#[test]
fn moves_being_searched_are_neither_recorded_nor_expected() {
    let folder = Folder::new();
    let named = "echo say 'info depth 9 currmove 9-13 currmovenumber 2' say a";
    for (recorded, replayed) in [(named, "echo say a"), ("echo say a", named), (named, named)] {
        let mut child = record(&folder, recorded).arg("--overwrite").spawn().unwrap();
        drop(child.stdin.take());
        assert!(child.wait_with_output().unwrap().status.success());
        assert!(!folder.read("t.txt").contains("currmove"), "{}", folder.read("t.txt"));
        replays(&folder, replayed);
    }
}

#[test]
fn piped_input_is_closed_at_its_end() {
    let folder = Folder::new();
    let mut child = record(&folder, "echo say '[n]' say ...").spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"one\r\ntwo").unwrap();
    let (out, errors, status) = result(&child.wait_with_output().unwrap());
    assert_eq!((out.as_str(), errors.as_str(), status), ("echo: one\necho: two\n[n]\n...\n", "", Some(0)));
    let text = folder.read("t.txt");
    assert!(text.starts_with("> one\n"), "{text}");
    assert!(text.contains("! close\n"), "{text}");
    assert!(text.ends_with("< [[]n]\n< [.]..\n! exit 0\n"), "{text}");
    replays(&folder, "echo say '[n]' say ...");
}

#[test]
fn a_file_is_only_overwritten_on_request() {
    let folder = Folder::new();
    folder.write("t.txt", "precious");
    let (_, errors, status) = result(&record(&folder, "uci").output().unwrap());
    assert_eq!(status, Some(2));
    assert!(errors.contains("already exists") && errors.contains("--overwrite"), "{errors}");
    assert_eq!(folder.read("t.txt"), "precious");
    let output = record(&folder, "say a").arg("--overwrite").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(folder.read("t.txt").ends_with("< a\n! exit 0\n"));
}

#[test]
fn misbehaving_engines_are_reported() {
    for (actions, patience, message) in [
        ("say a hang", "0.5", "error: the engine did not exit within 0.5 s of the end of its input\n"),
        ("flood", "10", "error: the engine wrote too much output\n"),
        ("overlong 2000000", "10", "error: the engine printed a line of more than 1048576 bytes\n"),
    ] {
        let folder = Folder::new();
        let output = record(&folder, actions).args(["--timeout", patience]).output().unwrap();
        let (_, errors, status) = result(&output);
        assert_eq!((errors.as_str(), status), (message, Some(2)));
    }
    let folder = Folder::new();
    let output =
        kelso().arg("record").arg(folder.path("t.txt")).args(["--engine", "no/such"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path("t.txt").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_recording_is_complete() {
    for (signal, status) in [("-INT", Some(130)), ("-KILL", None)] {
        let folder = Folder::new();
        let mut child = record(&folder, "uci").spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        writeln!(input, "isready").unwrap();
        assert_eq!(output.next().unwrap().unwrap(), "readyok");
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), status);
        assert!(folder.read("t.txt").starts_with("> isready\n< readyok\n"));
    }
}
