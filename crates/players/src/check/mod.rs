//! Compliance checks: whether an engine does what its protocol requires, for authors of any engine.
//!
//! Each step checks one requirement. When it fails, it reports the reason and a likely cause, and the next steps run with
//! a new process. Some steps are required of every engine that plays matches, the others are optional. Like a client, a
//! step sees nothing of the engine but its output.

mod cases;
mod engine;
mod steps;

use std::time::Duration;

use crate::process::CommandLine;
use protocol::Dialect;

pub use steps::STEPS;

/// The engine to check, and its limits.
#[derive(Clone, Debug)]
pub struct Config {
    /// The engine's command line.
    pub command: CommandLine,
    /// Its protocol.
    pub protocol: Dialect,
    /// The time for everything but a search.
    pub timeout: Duration,
    /// The time by which an answer may be late.
    pub margin: Duration,
}

/// The result of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepResult {
    /// The step passed; a summary.
    Passed(String),
    /// The step failed.
    Failed {
        /// The reason.
        reason: String,
        /// The likely cause.
        hint: String,
    },
    /// The step does not apply; the reason.
    Skipped(&'static str),
}

/// A finished step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepReport {
    /// The name of the step.
    pub step: &'static str,
    /// Whether an engine that fails it cannot play matches.
    pub required: bool,
    /// The result.
    pub result: StepResult,
}

/// Runs all steps, and calls `report` after each.
pub fn run(config: &Config, mut report: impl FnMut(&StepReport)) {
    let mut engine = None;
    for step in STEPS {
        let result = step.run(config, &mut engine);
        let failed = matches!(result, StepResult::Failed { .. });
        if failed {
            // The next step starts a new process.
            engine = None;
        }
        report(&StepReport { step: step.name, required: step.required, result });
        if failed && step.is_handshake() {
            // Without a handshake the remaining steps are pointless.
            break;
        }
    }
}
