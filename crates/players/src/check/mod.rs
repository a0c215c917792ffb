//! Compliance checks: whether an engine does what its protocol requires.
//!
//! Each step checks one requirement. A failed step reports the reason and a likely cause, and the next step
//! starts a new process. After two consecutive steps without an answer, the check ends. Some steps are
//! required of every engine that plays matches; the others are optional. Like a client, a step sees only the
//! engine's output.

mod conformance;
mod engine;
mod failure;
mod positions;
mod steps;
#[cfg(unix)]
#[cfg(test)]
mod testing;

use crate::spec::EngineSpec;
use engine::CheckedEngine;
use failure::{Cause, Checked, Failure};
use kelso_runtime::stop::StopToken;

pub use steps::{CheckStep, STEPS};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepResult {
    /// The step passed, with a summary.
    Passed(String),
    Failed {
        reason: String,
        /// The likely cause.
        hint: String,
    },
    /// The step does not apply, for the given reason.
    Skipped(&'static str),
}

/// The number of consecutive steps without an answer after which the remaining steps are skipped.
const MAX_SILENT_STEPS: usize = 2;

/// Runs all steps, and calls `on_start` before and `report` after each. Ends early if stopped, which also
/// kills the engine.
pub fn run(
    spec: &EngineSpec,
    interrupt: &StopToken,
    on_start: impl Fn(&CheckStep),
    report: impl FnMut(&CheckStep, StepResult),
) {
    let mut engine = None;
    let run = |step: &CheckStep| {
        on_start(step);
        let result = run_step(step, spec, interrupt, &mut engine);
        (!interrupt.is_stopped()).then_some(result)
    };
    run_steps(run, report);
}

/// Runs the steps in order until stopped. Skips the remaining steps if they are pointless: after a failed
/// handshake, or if the engine does not answer.
fn run_steps(
    mut run: impl FnMut(&CheckStep) -> Option<Checked>,
    mut report: impl FnMut(&CheckStep, StepResult),
) {
    let mut silent_steps = 0;
    for (number, step) in STEPS.iter().enumerate() {
        let Some(result) = run(step) else { break };
        let is_silent = result.as_ref().is_err_and(|failure| failure.cause() == Some(&Cause::Silence));
        silent_steps = if is_silent { silent_steps + 1 } else { 0 };
        let is_last = silent_steps == MAX_SILENT_STEPS || number == 0 && result.is_err();
        report(step, step_result(step, result));
        if is_last {
            break;
        }
    }
}

fn step_result(step: &CheckStep, result: Checked) -> StepResult {
    match result {
        Ok(seen) => StepResult::Passed(seen),
        Err(Failure::Skipped(reason)) => StepResult::Skipped(reason),
        Err(Failure::Failed { reason, cause }) => {
            StepResult::Failed { reason, hint: cause.hint(step.hint, step.is_about_silence) }
        }
    }
}

/// Runs a step with the engine of the previous step, or with a new engine if that step failed or ended the
/// engine.
fn run_step(
    step: &CheckStep,
    spec: &EngineSpec,
    interrupt: &StopToken,
    running: &mut Option<CheckedEngine>,
) -> Checked {
    let mut engine = running.take().map_or_else(|| CheckedEngine::start(spec, interrupt), Ok)?;
    match (step.run)(&mut engine) {
        Err(Failure::Failed { reason, cause: cause @ (Cause::Answer | Cause::Silence) }) => {
            Err(Failure::new(engine.move_after_stop().map_or(cause, Cause::Searching), reason))
        }
        Err(failure @ Failure::Failed { .. }) => Err(failure),
        result => {
            *running = Some(engine).filter(CheckedEngine::is_running);
            result
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of steps run and the last result, when the run is interrupted after a number of
    /// steps.
    fn steps_run(result: impl Fn(usize) -> Checked, interrupted_after: usize) -> (usize, Option<StepResult>) {
        let (mut number, mut reported, mut last) = (0, 0, None);
        let run = |_: &CheckStep| {
            number += 1;
            (number <= interrupted_after).then(|| result(number))
        };
        run_steps(run, |_, result| {
            reported += 1;
            last = Some(result);
        });
        (reported, last)
    }

    fn failed(cause: Cause) -> Checked {
        Err(Failure::new(cause, "no"))
    }

    #[expect(clippy::unnecessary_wraps, reason = "the result of a step")]
    fn passed() -> Checked {
        Ok("yes".to_owned())
    }

    #[test]
    fn a_failed_step_does_not_end_the_check() {
        let all = STEPS.len();
        assert_eq!(steps_run(|_| passed(), all), (all, Some(StepResult::Passed("yes".to_owned()))));
        let later = |number| if number == 1 { passed() } else { failed(Cause::Answer) };
        let (count, last) = steps_run(later, all);
        assert_eq!(count, all);
        assert!(matches!(last, Some(StepResult::Failed { reason, .. }) if reason == "no"));
    }

    #[test]
    fn a_step_about_silence_has_its_own_hint_for_it() {
        for (step, start) in
            STEPS.iter().zip(["it may speak another protocol", "it may have stopped reading its input"])
        {
            let StepResult::Failed { hint, .. } = step_result(step, failed(Cause::Silence)) else { panic!() };
            assert!(hint.starts_with(start), "{}: {hint}", step.name);
        }
    }

    #[test]
    fn nothing_follows_a_failed_handshake_an_interrupt_or_two_silent_steps() {
        let all = STEPS.len();
        assert_eq!(steps_run(|_| failed(Cause::Crash), all).0, 1);
        assert_eq!(steps_run(|_| passed(), 4).0, 4);
        let silent = |number| if number >= 7 { failed(Cause::Silence) } else { passed() };
        assert_eq!(steps_run(silent, all).0, 8);
        let alternating =
            |number: usize| if number.is_multiple_of(2) { failed(Cause::Silence) } else { passed() };
        assert_eq!(steps_run(alternating, all).0, all);
    }
}

#[cfg(unix)]
#[cfg(test)]
mod complete {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::testing::spec;
    use super::*;

    fn step(name: &str) -> &'static CheckStep {
        STEPS.iter().find(|step| step.name == name).unwrap_or_else(|| panic!("no step is called {name}"))
    }

    #[test]
    fn an_engine_without_faults_passes_all_steps() {
        let (names, mut results) = (RefCell::new(Vec::new()), Vec::new());
        let on_start = |step: &CheckStep| names.borrow_mut().push(step.name);
        run(&spec(""), &StopToken::default(), on_start, |step, result| {
            assert_eq!(names.borrow().last(), Some(&step.name));
            results.push(match result {
                StepResult::Passed(summary) => summary,
                other => panic!("{}: {other:?}", step.name),
            });
        });
        // Times are the only numbers with a point.
        let without_time = |text: &String| {
            text.split(' ').take_while(|word| !word.contains('.')).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            results.iter().map(without_time).collect::<Vec<_>>(),
            [
                "Test engine, 2 options",
                "2 set to their defaults",
                "a legal move",
                "depth, score and nodes",
                "12 positions",
                "10 positions",
                "no move, as expected",
                "60 moves",
                "answered in",
                "answered in",
                "answered in",
                "answered in",
                "answered in time",
                "stopped in",
                "no answer, as expected",
                "answered in",
                "answered",
                "stopped",
                "22 lines",
                "6 lines",
                "survived",
                "42 plies",
                "ended in",
                "ended in",
                "ended in",
                "ended in",
            ]
        );
    }

    /// Returns the reason why an engine with a fault fails a step, and the kind of failure.
    fn failure(fault: &str, name: &str, change: impl FnOnce(&mut EngineSpec)) -> (String, Cause) {
        let mut engine = CheckedEngine::start(&spec(fault), &StopToken::default());
        let engine = engine.as_mut().unwrap_or_else(|_| panic!("{fault}: the engine does not start"));
        change(&mut engine.spec);
        match (step(name).run)(engine) {
            Err(Failure::Failed { reason, cause }) => (reason, cause),
            Err(Failure::Skipped(reason)) => (format!("skipped: {reason}"), Cause::Answer),
            Ok(summary) => panic!("{fault}: {name}: {summary}"),
        }
    }

    #[test]
    fn each_fault_is_found_by_the_steps_that_look_for_it() {
        let infinite = "\"go infinite\" was answered at once by \"bestmove ";
        let start = "position fen B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
        for (fault, name, expected) in [
            ("no name", "handshake", "its introduction has no name"),
            (
                "control character",
                "handshake",
                "its name contains control characters: \"Test\\u{1b} engine\"",
            ),
            ("extra move", "limit: depth", "unexpected \"bestmove 11-15\" after the answer"),
            ("extra move", "stop", "unexpected \"bestmove 11-15\" after the answer to stop"),
            ("extra move", "stop without a search", "unexpected \"bestmove 11-15\" after a stop without"),
            ("extra move", "ping during a search", "\"isready\" ended the search"),
            ("extra move", "ponder: the expected move", "unexpected \"bestmove 11-15\" after the answer"),
            ("extra move", "invalid lines", "after \"\": unexpected \"bestmove 11-15\" after \"\""),
            ("extra move", "a long line", "unexpected \"bestmove 11-15\" after a line of 100,000 characters"),
            (
                "second move",
                "positions",
                "the start with White to move: a second move after a search: \"bestmove",
            ),
            ("early answer", "stop", infinite),
            ("no pondering", "ponder: another move", "skipped: the engine declares no option for pondering"),
            (
                "no pondering",
                "end of input after pondering",
                "skipped: the engine declares no option for pondering",
            ),
            ("no move", "a search from the start", "no move in the start"),
            ("no move", "positions", "no move in the start (B:W21-32:B1-12)"),
            ("no move", "rules", "no move in B:W8:BK30 (a black man was crowned)"),
            ("no move", "games with repetitions", "no move in a position after sixty king moves"),
            ("no move", "limit: one clock only", "no move in the start"),
            ("no move", "ponder: another move", "no move in the start"),
            ("no move", "illegal positions", "no move in a position with one move"),
            ("no move", "a game against itself", "no move at ply 1"),
            ("one move", "positions", "the start with White to move: \"bestmove 11-15\": illegal move"),
            ("no moves played", "rules", "a black man was crowned: \"bestmove 25-"),
            ("one move", "lost positions", "no legal move: \"bestmove 11-15\": illegal move"),
            ("illegal reply", "limit: depth", "\"bestmove "),
            ("lost position", "illegal positions", "after \"position fen B:W:B\": \"bestmove "),
            ("failure at the end", "quit", "it ended with exit status: 3 after quit, not with status 0"),
            ("failure at the end", "end of input", "it ended with exit status: 3 after the end of its input"),
        ] {
            let (reason, cause) = failure(fault, name, |_| ());
            assert!(reason.starts_with(expected), "{fault}: {name}: {reason}");
            let is_status = fault.starts_with("failure");
            assert_eq!(cause, if is_status { Cause::Status } else { Cause::Answer }, "{fault}: {name}");
        }
        let (reason, _) = failure("slow answer", "limit: time per move", |spec| spec.margin = Duration::ZERO);
        assert!(
            reason.starts_with("\"position fen W") && reason.contains("\" \"go movetime 100\" took "),
            "{reason}"
        );
        assert!(reason.ends_with(" s; the limit is 0.100 s"), "{reason}");
        // These engines never answer, so the timeout may be short.
        for (fault, name, expected) in [
            ("no answer", "a search from the start", format!("no answer to \"{start}\" \"go depth 1\"")),
            ("no exit", "quit", "it is still running 0.001 s after quit".to_owned()),
            ("no exit", "end of input", "it is still running 0.001 s after the end of its input".to_owned()),
            (
                "no exit",
                "end of input after pondering",
                "it is still running 0.001 s after the end of its input".to_owned(),
            ),
        ] {
            let shorten = |spec: &mut EngineSpec| spec.timeout = Duration::from_millis(1);
            assert_eq!(failure(fault, name, shorten), (expected, Cause::Silence), "{fault}");
        }
    }

    #[test]
    fn an_engine_is_kept_until_it_has_ended_or_failed() {
        let (stop, mut engine) = (StopToken::default(), None);
        for (name, is_kept) in
            [("handshake", true), ("quit", false), ("stop without a search", true), ("end of input", false)]
        {
            assert!(run_step(step(name), &spec(""), &stop, &mut engine).is_ok(), "{name}");
            assert_eq!(engine.is_some(), is_kept, "{name}");
        }
        let (without, name) = (spec("no pondering"), "ponder: another move");
        let skipped = run_step(step(name), &without, &stop, &mut engine);
        assert!(matches!(skipped, Err(Failure::Skipped(_))) && engine.is_some());
        // An engine that answers only to `stop` was still searching.
        let nameless = spec("no name");
        engine = CheckedEngine::start(&nameless, &stop).ok();
        assert!(engine.as_ref().is_some_and(|engine| engine.send("go infinite").is_ok()));
        let failed = run_step(step("handshake"), &nameless, &stop, &mut engine).err();
        assert!(engine.is_none());
        let cause = failed.as_ref().and_then(Failure::cause);
        assert!(matches!(cause, Some(Cause::Searching(line)) if line.starts_with("bestmove ")));
    }

    #[test]
    fn an_interrupted_check_reports_nothing() {
        let (stop, started) = (StopToken::default(), RefCell::new(Vec::new()));
        stop.stop();
        let on_start = |step: &CheckStep| started.borrow_mut().push(step.name);
        run(&spec(""), &stop, on_start, |step, _| panic!("{} is reported", step.name));
        assert_eq!(started.into_inner(), ["handshake"]);
    }
}

#[cfg(unix)]
#[cfg(test)]
mod scripted {
    use super::*;
    use kelso_process::CommandLine;
    use kelso_protocol::Dialect;
    use std::time::Duration;

    const INTRODUCTION: &str = "echo 'id name Script'; echo 'id author Us'; echo uciok";
    const ANSWER: &str = "echo 'info depth 1 score cp 0 nodes 5'; echo 'bestmove 11-15'";

    /// Runs the first steps with a shell script that prints an introduction and an answer to `go`, and
    /// returns the results.
    fn check(introduction: &str, answer: &str, protocol: Dialect, count: usize) -> Vec<StepResult> {
        let script = format!(
            "while read line; do case $line in uci*|hub) {introduction};; isready) echo readyok;; init) echo ready;; \
             ping) echo pong;; go*) {answer};; quit) exit;; esac; done"
        );
        let command = CommandLine::new("sh").with_arguments(["-c", &script]);
        let mut spec = EngineSpec::new(command, protocol);
        (spec.timeout, spec.margin) = (Duration::from_secs(10), Duration::ZERO);
        let (stop, mut results) = (StopToken::default(), Vec::new());
        let (mut engine, mut left) = (None, count);
        let run = |step: &CheckStep| {
            left = left.checked_sub(1)?;
            Some(run_step(step, &spec, &stop, &mut engine))
        };
        run_steps(run, |_, result| results.push(result));
        results
    }

    fn passed(text: &str) -> StepResult {
        StepResult::Passed(text.to_owned())
    }

    /// Returns the reason why the last step failed.
    fn reason(results: &[StepResult]) -> &str {
        let Some(StepResult::Failed { reason, .. }) = results.last() else { return "passed" };
        reason
    }

    #[test]
    fn a_minimal_script_passes_the_first_steps() {
        let results = check(INTRODUCTION, ANSWER, Dialect::Native, 4);
        let expected =
            ["Script, 0 options", "0 set to their defaults", "a legal move", "depth, score and nodes"];
        assert_eq!(results, expected.map(passed));
    }

    #[test]
    fn an_author_is_required_where_the_protocol_requires_it() {
        let results = check("echo 'id name Script'; echo uciok", ANSWER, Dialect::Native, 9);
        assert_eq!(results.len(), 1);
        assert_eq!(reason(&results), "its introduction has no author (id author ...)");
        let hub = check("echo 'id name=Script'; echo wait", "echo 'done move=11-15'", Dialect::Hub, 3);
        assert_eq!(hub[0], passed("Script, 0 options"));
        assert_eq!(hub[2], passed("a legal move"));
    }

    #[test]
    fn every_line_before_the_move_is_checked() {
        for (answer, expected) in [
            ("echo 'bestmove 1-32'", "\"bestmove 1-32\": illegal move"),
            ("echo 'bestmove none'", "no move in the start"),
            (
                "echo 'info depth x'; echo 'bestmove 11-15'",
                "\"info depth x\": depth is \"x\", expected a whole number",
            ),
            ("echo 'info string error: no'", "was refused: \"no\""),
        ] {
            let results = check(INTRODUCTION, answer, Dialect::Native, 3);
            assert!(reason(&results).contains(expected), "{results:?}");
        }
        // Before it answers the ping, the engine rejects the option.
        let option = "echo 'id name S'; echo 'id author U'; echo 'option name A type spin default 1 min 0 max 9'; echo uciok; \
                      read line; echo readyok; read line; echo 'info string error: no A'";
        let results = check(option, ANSWER, Dialect::Native, 2);
        assert_eq!(
            reason(&results),
            "option \"A\" rejects its own default \"1\": \"info string error: no A\""
        );
    }

    #[test]
    fn each_value_of_a_search_is_required() {
        for (info, missing) in
            [("score cp 0 nodes 5", "depth"), ("depth 1 nodes 5", "score"), ("depth 1 score cp 0", "nodes")]
        {
            let answer = format!("echo 'info {info}'; echo 'bestmove 11-15'");
            let results = check(INTRODUCTION, &answer, Dialect::Native, 4);
            assert_eq!(reason(&results), format!("no {missing} was reported before the move"));
        }
    }

    #[test]
    fn a_crash_is_reported_with_the_last_output() {
        let results = check(INTRODUCTION, "echo 'out of luck' >&2; exit 3", Dialect::Native, 3);
        let reason = reason(&results);
        assert!(
            reason.contains("exited on its own") && reason.ends_with("; stderr: out of luck"),
            "{reason}"
        );
        let is_hint = |hint: &str| hint.starts_with("it exited on its own: run it by hand");
        assert!(
            matches!(results.last(), Some(StepResult::Failed { hint, .. }) if is_hint(hint)),
            "{results:?}"
        );
    }
}
