//! Signals that ask a command to end.
//!
//! The first one stops a token, so that the command finishes what it is doing; the second one ends the program at once. All files
//! survive that, as they survive a kill.

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
