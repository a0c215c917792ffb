//! The end of what a program wrote to stderr.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::lock;

#[derive(Debug)]
pub(super) struct Tail {
    state: Mutex<TailState>,
    ended: Condvar,
    capacity: usize,
}

#[derive(Debug, Default)]
struct TailState {
    bytes: VecDeque<u8>,
    cut: bool,
    ended: bool,
}

impl Tail {
    pub(super) fn new(capacity: usize) -> Self {
        Self { state: Mutex::default(), ended: Condvar::new(), capacity }
    }

    pub(super) fn fill(&self, mut errors: impl Read) {
        let mut buffer = [0; 4096];
        loop {
            let read = match errors.read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            let mut state = lock(&self.state);
            if read == 0 {
                state.ended = true;
                self.ended.notify_all();
                return;
            }
            state.bytes.extend(buffer.get(..read).unwrap_or_default());
            let excess = state.bytes.len().saturating_sub(self.capacity);
            state.cut |= excess > 0;
            state.bytes.drain(..excess);
        }
    }

    pub(super) fn wait_for_end(&self, deadline: Instant) {
        let mut state = lock(&self.state);
        while !state.ended {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns the kept text; if it is incomplete, from the first complete line.
    pub(super) fn text(&self) -> String {
        let mut state = lock(&self.state);
        let cut = state.cut;
        let bytes = &*state.bytes.make_contiguous();
        let begin =
            if cut { bytes.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1) } else { 0 };
        String::from_utf8_lossy(bytes.get(begin..).unwrap_or_default()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_from_a_complete_line_on() {
        let tail = Tail::new(8);
        tail.fill(&b"one\n"[..]);
        assert_eq!(tail.text(), "one\n");
        tail.fill(&b"two\nthree\n"[..]);
        assert_eq!(tail.text(), "three\n");
        tail.fill(&b"a line without end"[..]);
        assert_eq!(tail.text(), "hout end");
    }
}
