//! Signals that ask a command to end.
//!
//! The first stops a token, so that work ends in good order; the second ends the program at once. What is half written then is no
//! worse than after a kill, which all files are made to survive.

use std::process::ExitCode;

use super::interrupted;
use common::signal;
use common::stop::StopToken;

/// Returns a token that the first signal stops.
pub(super) fn listen() -> StopToken {
    let stop = StopToken::default();
    let token = stop.clone();
    signal::listen(move || {
        if token.is_stopped() {
            signal::exit();
        }
        token.stop();
    });
    stop
}

/// The exit status of a command that did what it could.
pub(super) fn status(stop: &StopToken) -> ExitCode {
    if stop.is_stopped() { interrupted() } else { ExitCode::SUCCESS }
}
