//! The end of what a program writes to stderr.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::lock;

#[derive(Debug)]
pub(super) struct Tail {
    state: Mutex<TailState>,
    ended: Condvar,
    kept: usize,
}

#[derive(Debug, Default)]
struct TailState {
    bytes: VecDeque<u8>,
    cut: bool,
    ended: bool,
}

impl Tail {
    pub(super) fn new(kept: usize) -> Self {
        Self { state: Mutex::default(), ended: Condvar::new(), kept }
    }

    /// Reads to the end.
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
            let surplus = state.bytes.len().saturating_sub(self.kept);
            state.cut |= surplus > 0;
            state.bytes.drain(..surplus);
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

    /// What is kept; if more has been written, from the first line that is whole.
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
    fn the_end_is_kept_from_a_whole_line_on() {
        let tail = Tail::new(8);
        tail.fill(&b"one\n"[..]);
        assert_eq!(tail.text(), "one\n");
        tail.fill(&b"two\nthree\n"[..]);
        assert_eq!(tail.text(), "three\n");
        tail.fill(&b"a line without end"[..]);
        assert_eq!(tail.text(), "hout end");
    }
}
