//! The end of what a program wrote to stderr.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use common::pool::lock;

/// The end of an output that another thread reads.
#[derive(Debug)]
pub(super) struct Tail {
    kept: Arc<Mutex<Kept>>,
    /// Disconnected when the output has ended.
    reading: Mutex<Receiver<()>>,
}

#[derive(Debug)]
struct Kept {
    bytes: VecDeque<u8>,
    capacity: usize,
    is_cut: bool,
}

impl Tail {
    /// Returns the end of an output, and the function that reads it.
    pub(super) fn new<R: Read>(mut output: R, capacity: usize) -> (Self, impl FnOnce() + use<R>) {
        let kept = Arc::new(Mutex::new(Kept { bytes: VecDeque::new(), capacity, is_cut: false }));
        let (sender, reading) = channel::<()>();
        let tail = Self { kept: Arc::clone(&kept), reading: Mutex::new(reading) };
        let fill = move || {
            let _sender = sender;
            // An error is treated as the end.
            let _ = io::copy(&mut output, &mut Writer(kept));
        };
        (tail, fill)
    }

    pub(super) fn wait_for_end(&self, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now());
        let _ = lock(&self.reading).recv_timeout(left);
    }

    /// Returns the kept text; if it is incomplete, from the first complete line.
    pub(super) fn text(&self) -> String {
        let mut kept = lock(&self.kept);
        let is_cut = kept.is_cut;
        let bytes = &*kept.bytes.make_contiguous();
        let first_line = bytes.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        String::from_utf8_lossy(&bytes[if is_cut { first_line } else { 0 }..]).into_owned()
    }
}

struct Writer(Arc<Mutex<Kept>>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let kept = &mut *lock(&self.0);
        kept.bytes.extend(bytes);
        let excess = kept.bytes.len().saturating_sub(kept.capacity);
        kept.is_cut |= excess > 0;
        kept.bytes.drain(..excess);
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
        for (output, end) in
            [("one\n", "one\n"), ("one\ntwo\nthree\n", "three\n"), ("three\na line without end", "hout end")]
        {
            let (tail, fill) = Tail::new(output.as_bytes(), 8);
            fill();
            assert_eq!(tail.text(), end);
        }
    }
}
