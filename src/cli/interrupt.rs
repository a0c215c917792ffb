//! Interrupts from the keyboard, and the system's requests to end.
//!
//! The first stops a token, so that work ends in good order; the second ends the program at once. What is half written then is no
//! worse than after a kill, which all files are made to survive.

use std::process::{self, ExitCode};

use super::{Failure, INTERRUPTED};
use common::stop::StopToken;

/// Returns a token that the first interrupt stops. To be called once in a run.
pub(super) fn listen() -> Result<StopToken, Failure> {
    let stop = StopToken::default();
    let token = stop.clone();
    ctrlc::set_handler(move || {
        if token.is_stopped() {
            process::exit(INTERRUPTED.into());
        }
        token.stop();
    })
    .map_err(|error| Failure(format!("cannot listen for interrupts: {error}")))?;
    Ok(stop)
}

/// The exit status of a command that did what it could.
pub(super) fn status(stop: &StopToken) -> ExitCode {
    if stop.is_stopped() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS }
}
