//! The queue of unread output.

use std::io::{self, BufReader, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use kelso_runtime::lines::{InputLine, read_lines};
use kelso_runtime::sync::lock;

const BUFFER_BYTES: usize = 1 << 16;

/// An event in a program's output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line without its newline, and its time of arrival. Invalid UTF-8 is replaced.
    Line(String, Instant),
    /// A line longer than [`MAX_LINE`](super::MAX_LINE), which was dropped.
    Overlong,
    /// The end of the output, usually because the program has exited.
    Eof,
    /// There was too much unread output. The rest is lost.
    Flood,
    /// Nothing arrived before the deadline.
    Timeout,
}

/// A bounded queue between the thread that reads the output and the caller.
#[derive(Debug)]
pub(super) struct LineQueue {
    events: Mutex<Receiver<Event>>,
    unread: Arc<Unread>,
}

#[derive(Debug, Default)]
struct Unread {
    lines: AtomicUsize,
    bytes: AtomicUsize,
    flooded: AtomicBool,
    /// Locked while lines that have been read are being added to the queue.
    reading: Mutex<()>,
}

/// An output stream that holds the lock between reads, while its lines are added to the queue.
struct Locked<'a, R> {
    output: R,
    reading: &'a Mutex<()>,
    guard: Option<MutexGuard<'a, ()>>,
}

impl<R: Read> Read for Locked<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.guard = None;
        let count = self.output.read(buffer);
        self.guard = Some(lock(self.reading));
        count
    }
}

impl LineQueue {
    /// Returns a queue, and a function that fills it from an output stream until the end of the output or a
    /// flood.
    pub(super) fn new<R: Read>(
        output: R,
        max_lines: usize,
        max_bytes: usize,
    ) -> (Self, impl FnOnce() + use<R>) {
        let (sender, events) = channel();
        let unread = Arc::new(Unread::default());
        let queue = Self { events: Mutex::new(events), unread: Arc::clone(&unread) };
        (queue, move || {
            let output = Locked { output, reading: &unread.reading, guard: None };
            read_lines(BufReader::with_capacity(BUFFER_BYTES, output), |input| {
                let event = match input {
                    InputLine::Line(line) => Event::Line(line, Instant::now()),
                    InputLine::TooLong => Event::Overlong,
                    InputLine::End(_) => return false,
                };
                let bytes = event.bytes();
                let is_full = unread.lines.fetch_add(1, Relaxed) >= max_lines
                    || unread.bytes.fetch_add(bytes, Relaxed) + bytes > max_bytes;
                unread.flooded.store(is_full, Relaxed);
                sender.send(event).is_ok() && !is_full
            });
        })
    }

    /// Returns the next event. All lines that were read together are returned before a timeout.
    pub(super) fn recv_until(&self, deadline: Instant) -> Event {
        let left = deadline.saturating_duration_since(Instant::now());
        let events = lock(&self.events);
        let event = events.recv_timeout(left).or_else(|error| {
            drop(lock(&self.unread.reading));
            events.try_recv().map_err(|_| error)
        });
        match event {
            Ok(event) => {
                self.unread.lines.fetch_sub(1, Relaxed);
                self.unread.bytes.fetch_sub(event.bytes(), Relaxed);
                event
            }
            Err(RecvTimeoutError::Timeout) => Event::Timeout,
            Err(RecvTimeoutError::Disconnected) if self.unread.flooded.load(Relaxed) => Event::Flood,
            Err(RecvTimeoutError::Disconnected) => Event::Eof,
        }
    }

    /// Waits for the end of the output. All events are dropped, since the reader ends early at a flood.
    pub(super) fn wait_for_end(&self, deadline: Instant) {
        while matches!(self.recv_until(deadline), Event::Line(..) | Event::Overlong)
            && Instant::now() < deadline
        {}
    }
}

impl Event {
    fn bytes(&self) -> usize {
        if let Self::Line(line, _) = self { line.len() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(queue: &LineQueue) -> Vec<String> {
        let mut all = Vec::new();
        loop {
            match queue.recv_until(Instant::now()) {
                Event::Line(line, _) => all.push(line),
                event => {
                    all.push(format!("{event:?}"));
                    return all;
                }
            }
        }
    }

    #[test]
    fn lines_come_before_the_end() {
        let (queue, fill) = LineQueue::new(&b"a\nb"[..], 9, 99);
        assert_eq!(queue.recv_until(Instant::now()), Event::Timeout);
        fill();
        assert_eq!(drain(&queue), ["a", "b", "Eof"]);
        assert_eq!(drain(&queue), ["Eof"]);
    }

    #[test]
    fn lines_of_one_read_come_together() {
        for _ in 0..100 {
            let text = "a\n".repeat(1000);
            let (queue, fill) = LineQueue::new(text.as_bytes(), 1000, 1000);
            std::thread::scope(|scope| {
                scope.spawn(fill);
                while queue.recv_until(Instant::now()) == Event::Timeout {}
                assert_eq!(drain(&queue).len(), 1000);
            });
        }
    }

    #[test]
    fn too_many_lines_or_bytes_are_a_flood() {
        let (queue, fill) = LineQueue::new(&b"a\nb\nc\nd\n"[..], 3, 99);
        fill();
        assert_eq!(drain(&queue), ["a", "b", "c", "d", "Flood"]);
        let (queue, fill) = LineQueue::new(&b"abcd\n"[..], 9, 3);
        fill();
        assert_eq!(drain(&queue), ["abcd", "Flood"]);
    }
}
