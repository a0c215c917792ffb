//! The examples in the help of every command, and options that have two forms.
#![cfg_attr(not(unix), allow(unused_imports, dead_code, reason = "the examples need a shell"))]

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::outputs::{copied, with_inputs};
use crate::helpers::{Folder, kelso, result};

/// Time after which an example that does not end, such as a server, is interrupted.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(2);

#[cfg(unix)]
fn inputs() -> Folder {
    let folder = with_inputs();
    let game = "[Event \"e\"]\n[Black \"M. Tinsley\"]\n[White \"A. N. Other\"]\n1. 11-15 23-19 2. 8-11 1-0\n";
    folder.write("games.pdn", game);
    folder.write("collection/a.pdn", game);
    folder.write("session.txt", "> isready\n< readyok\n");
    folder.write("sessions/a.txt", "> isready\n< readyok\n");
    folder.write("positions.txt", "startpos\n");
    folder.write("requests.jsonl", "{\"nodes\": 10}\n");
    fs::copy(folder.path("m.jsonl"), folder.path("class.jsonl")).unwrap();
    fs::rename(folder.path("m.jsonl"), folder.path("cup.jsonl")).unwrap();
    fs::rename(folder.path("in.book"), folder.path("my.book")).unwrap();
    folder
}

/// Runs an example as a shell does. Returns the messages and the status, or `None` if it had to be
/// interrupted.
#[cfg(unix)]
fn run(example: &str, folder: &Folder) -> (String, Option<i32>) {
    use rustix::process::{Pid, Signal, kill_process};

    let program = Path::new(env!("CARGO_BIN_EXE_kelso"));
    for engine in ["new", "old"] {
        std::os::unix::fs::symlink(program, folder.path(engine)).unwrap();
    }
    let errors = fs::File::create(folder.path("errors")).unwrap();
    let mut child = Command::new("sh")
        .args(["-c", &format!("PATH=\"{}:$PATH\"; exec {example}", program.parent().unwrap().display())])
        .current_dir(folder)
        // Nothing may be written to the user's real data folder.
        .env("XDG_DATA_HOME", folder.path("data"))
        .env("HOME", folder.path("home"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .unwrap();
    let began = Instant::now();
    let mut interrupted = false;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > PATIENCE && !interrupted {
            interrupted = true;
            kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        }
        thread::sleep(Duration::from_millis(5));
    };
    (folder.read("errors"), status.code().filter(|_| !interrupted))
}

/// Returns the examples in the help of every command that has a manual page.
#[cfg(unix)]
fn examples() -> Vec<String> {
    let folder = Folder::new();
    assert!(kelso().arg("man").arg(folder.path("man")).status().unwrap().success());
    let mut found = Vec::new();
    for page in fs::read_dir(folder.path("man")).unwrap() {
        let page = page.unwrap().file_name().into_string().unwrap();
        let words = page.trim_end_matches(".1").split('-').skip(1);
        let (help, _, _) = result(&kelso().args(words).arg("--help").output().unwrap());
        let (_, list) = help.split_once("Examples:\n").unwrap_or_default();
        found.extend(list.lines().map(|line| line.trim().to_owned()));
    }
    assert!(found.len() > 40, "{found:?}");
    found
}

/// Every example must work. Long-running ones are interrupted, and must not fail before that.
#[cfg(unix)]
#[test]
fn the_examples_of_the_help_work() {
    let template = &inputs();
    let all = examples();
    let left: &Mutex<VecDeque<&str>> = &Mutex::new(all.iter().map(String::as_str).collect());
    let interrupted = &Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some(example) = { left.lock().unwrap().pop_front() } {
                    let (errors, status) = run(example, &copied(template));
                    assert!(status.is_none_or(|status| status == 0), "$ {example}\n{errors}");
                    assert!(!errors.contains("error: "), "$ {example}\n{errors}");
                    if status.is_none() {
                        interrupted.lock().unwrap().push(example);
                    }
                }
            });
        }
    });
    let interrupted = interrupted.lock().unwrap();
    println!("interrupted: {interrupted:#?}");
    assert!(interrupted.iter().filter(|example| example.starts_with("kelso serve")).count() == 2);
}

#[test]
fn a_position_is_an_argument_or_an_option() {
    for command in ["show", "perft 2", "tree --depth 2", "egdb probe", "book probe"] {
        let shown = |position: &[&str]| {
            let (out, error, _) = result(&kelso().args(command.split(' ')).args(position).output().unwrap());
            assert_eq!(error, "", "{command}");
            // The second line of perft is the time.
            let lines = if command.starts_with("perft") { 1 } else { usize::MAX };
            out.lines().take(lines).map(str::to_owned).collect::<Vec<_>>()
        };
        let fen = "W:W21-32:B1-12";
        let as_argument = shown(&[fen]);
        assert!(!as_argument.is_empty(), "{command}");
        assert_eq!(as_argument, shown(&["--fen", fen]), "{command}");
        assert_ne!(as_argument, shown(&["W:W30:B1"]), "{command}");
    }
}

/// A report must not end up in the file of the other output.
#[cfg(unix)]
#[test]
fn a_report_does_not_overwrite_redirected_output() {
    let folder = with_inputs();
    for path in ["/dev/stdout", "all.txt"] {
        let out = fs::File::create(folder.path("all.txt")).unwrap();
        let mut command = kelso();
        command.args(["stats", "in.pdn", "--overwrite", "--json", path]).current_dir(&folder);
        let (_, errors, status) = result(&command.stdout(out).output().unwrap());
        assert!(errors.contains("to which standard output goes; use --json -"), "{errors}");
        assert_eq!((status, folder.read("all.txt").as_str()), (Some(2), ""));
    }
}
