//! The end of what a program wrote to stderr.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::time::Instant;

use super::watched::Watched;

#[derive(Debug)]
pub(super) struct Tail {
    state: Watched<TailState>,
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
        Self { state: Watched::default(), capacity }
    }

    pub(super) fn fill(&self, mut errors: impl Read) {
        // An error is treated as the end.
        let _ = io::copy(&mut errors, &mut &*self);
        self.state.update(|state| state.ended = true);
    }

    pub(super) fn wait_for_end(&self, deadline: Instant) {
        self.state.wait_until(deadline, |state| state.ended.then_some(()));
    }

    /// Returns the kept text; if it is incomplete, from the first complete line.
    pub(super) fn text(&self) -> String {
        self.state.update(|state| {
            let bytes = &*state.bytes.make_contiguous();
            let first_line = bytes.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let begin = if state.cut { first_line } else { 0 };
            String::from_utf8_lossy(bytes.get(begin..).unwrap_or_default()).into_owned()
        })
    }
}

impl Write for &Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.state.update(|state| {
            state.bytes.extend(bytes);
            let excess = state.bytes.len().saturating_sub(self.capacity);
            state.cut |= excess > 0;
            state.bytes.drain(..excess);
        });
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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
