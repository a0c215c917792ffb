//! The requests that have been read and whose answers have not been written.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use serde_json::Value;

use kelso_runtime::stop::StopToken;
use kelso_runtime::sync::lock;

/// The maximum number of open requests. Then no more are read until an answer is written.
pub(super) const MAX_OPEN: usize = 1000;

/// The open requests, by number.
#[derive(Default, Debug)]
pub(super) struct OpenRequests {
    requests: Mutex<BTreeMap<usize, OpenRequest>>,
    answered: Condvar,
}

#[derive(Debug)]
struct OpenRequest {
    id: Value,
    stop: StopToken,
}

impl OpenRequests {
    /// Adds a request, once there are few enough. Returns the token that stops it.
    pub(super) fn open(&self, number: usize, id: Value) -> StopToken {
        let requests = self.answered.wait_while(lock(&self.requests), |requests| requests.len() >= MAX_OPEN);
        let stop = StopToken::default();
        requests
            .unwrap_or_else(PoisonError::into_inner)
            .insert(number, OpenRequest { id, stop: stop.clone() });
        stop
    }

    /// Removes a request whose answer is written.
    pub(super) fn close(&self, number: usize) {
        lock(&self.requests).remove(&number);
        self.answered.notify_one();
    }

    /// Stops the requests with an id. There may be none, since a request may have been answered meanwhile.
    pub(super) fn stop(&self, id: &Value) {
        lock(&self.requests)
            .values()
            .filter(|request| request.id == *id)
            .for_each(|request| request.stop.stop());
    }
}
