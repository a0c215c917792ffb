//! Compliance checks: whether an engine does what its protocol requires, for authors of any engine.
//!
//! Each step checks one requirement. When it fails, it reports the reason and a likely cause, and the next steps run with
//! a new process. Some steps are required of every engine that plays matches, the others are optional. Like a client, a
//! step sees nothing of the engine but its output.

mod cases;
mod engine;
mod steps;

use crate::spec::EngineSpec;
use engine::TestedEngine;
use steps::Failure;

pub use steps::{STEPS, Step};

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

/// Runs all steps, and calls `report` after each.
pub fn run(spec: &EngineSpec, mut report: impl FnMut(&Step, StepResult)) {
    let mut engine = None;
    for (number, step) in STEPS.iter().enumerate() {
        let result = run_step(step, spec, &mut engine);
        let failed = matches!(result, StepResult::Failed { .. });
        report(step, result);
        if failed && number == 0 {
            // Without a handshake the remaining steps are pointless.
            break;
        }
    }
}

/// Runs a step with the engine of the previous step, unless that failed or has ended the engine, or with a new one.
fn run_step(step: &Step, spec: &EngineSpec, running: &mut Option<TestedEngine>) -> StepResult {
    let failed = |reason, hint: Option<String>| StepResult::Failed {
        reason,
        hint: hint.unwrap_or_else(|| step.hint.to_owned()),
    };
    let mut engine = match running.take().map_or_else(|| TestedEngine::start(spec), Ok) {
        Ok(engine) => engine,
        Err(reason) => return failed(reason, None),
    };
    let result = match (step.run)(&mut engine) {
        Ok(seen) => StepResult::Passed(seen),
        Err(Failure::Skipped(reason)) => StepResult::Skipped(reason),
        Err(Failure::Failed(reason)) => return failed(reason, engine.still_searching()),
    };
    *running = Some(engine).filter(TestedEngine::is_running);
    result
}
