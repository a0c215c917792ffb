//! An engine for tests of the check: this test program, started again.
//!
//! It plays random moves and meets every requirement, except that it can have one fault, named by an
//! environment variable.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use crate::random::RandomPlayer;
use crate::session::answers;
use crate::spec::EngineSpec;
use kelso_process::CommandLine;
use kelso_protocol::Dialect;

const FAULT: &str = "KELSO_TEST_FAULT";
const INTRODUCTION: &str = "id name Test engine\nid author Us\n\
                            option name Seed type spin default 0 min 0 max 9\n\
                            option name Ponder type check default false\nuciok\n";

/// Returns the description of an engine with a fault, or without one if the name is empty. Its margin and its
/// timeout are longer than any test takes.
pub(super) fn spec(fault: &str) -> EngineSpec {
    let program = std::env::current_exe().expect("the test program has a path");
    // With a single thread, the name of the test would precede the engine's first line.
    let arguments = ["--exact", "check::testing::engine", "--ignored", "--test-threads=2"];
    let command = CommandLine::new("env")
        .with_arguments([format!("{FAULT}={fault}")])
        .with_arguments([program])
        .with_arguments(arguments);
    let mut spec = EngineSpec::new(command, Dialect::Native);
    (spec.timeout, spec.margin) = (Duration::from_secs(600), Duration::from_secs(600));
    spec
}

/// Reads lines until `quit` or the end of the input.
#[test]
#[ignore = "the engine that other tests start"]
fn engine() -> io::Result<()> {
    let fault = std::env::var(FAULT).unwrap_or_default();
    let fault = fault.as_str();
    let mut answer_to = answers(RandomPlayer::new(0));
    let mut withheld = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = match line.as_str() {
            "uci" if fault == "no name" => INTRODUCTION.replace("Test engine", ""),
            "uci" if fault == "control character" => INTRODUCTION.replace("Test engine", "Test\x1b engine"),
            "uci" if fault == "no pondering" => INTRODUCTION.replace("Ponder", "Style"),
            "uci" => INTRODUCTION.to_owned(),
            "isready" if fault == "extra move" => "bestmove 11-15\nreadyok\n".to_owned(),
            "stop" | "ponderhit" => withheld.take().unwrap_or_default(),
            "quit" if fault == "no exit" => String::new(),
            "quit" if fault == "failure at the end" => std::process::exit(3),
            "quit" => return Ok(()),
            line if line.starts_with("go") && fault == "no answer" => String::new(),
            line if line.starts_with("go") && fault == "no move" => "bestmove none\n".to_owned(),
            line if line.starts_with("go") && fault == "one move" => "bestmove 11-15\n".to_owned(),
            line if line.starts_with("go depth") && fault == "second move" => answer_to(line).repeat(2),
            line if line.starts_with("go") && fault == "illegal reply" => {
                answer_to(line).trim_end().to_owned() + " ponder 1-32\n"
            }
            "go infinite" if fault == "early answer" => answer_to("go depth 1"),
            line if line.starts_with("go infinite") || line.starts_with("go ponder") => {
                withheld = Some(answer_to("go depth 1"));
                String::new()
            }
            line if line.starts_with("go") && fault == "slow answer" => {
                std::thread::sleep(Duration::from_millis(200));
                answer_to(line)
            }
            line if line.starts_with("setoption name Ponder") => String::new(),
            line if fault == "no moves played" => {
                answer_to(line.split_once(" moves ").map_or(line, |(position, _)| position))
            }
            line => {
                let answer = answer_to(line);
                if fault == "lost position" && !answer.is_empty() && !line.starts_with("go") {
                    answer_to("position startpos");
                }
                answer
            }
        };
        let mut output = io::stdout().lock();
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
    if fault == "no exit" {
        loop {
            std::thread::park();
        }
    }
    if fault == "failure at the end" {
        std::process::exit(3);
    }
    Ok(())
}
