//! A compliance run: does an engine do what its protocol asks, and if not, what is missing?
//!
//! Made for authors of any engine. Each step asks for one thing and gives its reason when it fails; the steps after it
//! go on with a new process. Nothing here knows more about the engine than a client would.

mod examinee;
mod material;
mod steps;

use std::time::Duration;

use super::spec::Protocol;
use crate::process::CommandLine;

pub use steps::STEPS;

/// What is examined, and how patiently.
#[derive(Clone, Debug)]
pub struct Exam {
    /// The program.
    pub command: CommandLine,
    /// Its language.
    pub protocol: Protocol,
    /// How long it may take for everything but thinking.
    pub patience: Duration,
    /// How late an answer may be.
    pub margin: Duration,
}

/// How a step went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The step.
    pub step: &'static str,
    /// What was seen, or what was wrong.
    pub result: Result<String, String>,
}

/// Examines an engine step by step; `report` hears of each as it is done. Says whether all went well.
pub fn run(exam: &Exam, mut report: impl FnMut(&Finding)) -> bool {
    let mut examinee = None;
    let mut passed = true;
    for step in STEPS {
        let result = step.run(exam, &mut examinee);
        if result.is_err() {
            // Nothing that went wrong here may spoil the steps to come.
            examinee = None;
        }
        passed &= result.is_ok();
        let failed = result.is_err();
        report(&Finding { step: step.name, result });
        if failed && step.is_first() {
            // Who does not come in has nothing to be asked.
            break;
        }
    }
    passed
}
