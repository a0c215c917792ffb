//! A compliance run: does an engine do what its protocol asks, and if not, what is missing?
//!
//! Made for authors of any engine. Each step asks for one thing, and when it fails gives the reason and what the engine may have
//! done instead; the steps after it go on with a new process. Some are required of everyone who wants to play, the others are
//! good to have. Nothing here knows more about the engine than a client would.

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
pub enum StepResult {
    /// As it should; what was seen.
    Passed(String),
    /// Not as it should.
    Failed {
        /// What was wrong.
        reason: String,
        /// What the engine may have done instead.
        instead: String,
    },
    /// It was not asked for, and why.
    Skipped(&'static str),
}

/// What came of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The step.
    pub step: &'static str,
    /// Whether an engine without it can't be played with.
    pub required: bool,
    /// How it went.
    pub verdict: StepResult,
}

/// Examines an engine step by step; `report` hears of each as it is done.
pub fn run(exam: &Exam, mut report: impl FnMut(&Finding)) {
    let mut examinee = None;
    for step in STEPS {
        let verdict = step.run(exam, &mut examinee);
        let failed = matches!(verdict, StepResult::Failed { .. });
        if failed {
            // Nothing that went wrong here may spoil the steps to come.
            examinee = None;
        }
        report(&Finding { step: step.name, required: step.required, verdict });
        if failed && step.is_first() {
            // Who does not come in has nothing to be asked.
            break;
        }
    }
}
