//! The queue of unread output.

use std::collections::VecDeque;
use std::io::Read;
use std::mem;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::lines::{LineSplitter, Piece};
use super::lock;

/// An event of a program's output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line without its end, and its time of arrival. Invalid UTF-8 is replaced.
    Line(String, Instant),
    /// A line longer than [`MAX_LINE`](super::MAX_LINE), which was dropped.
    Overlong,
    /// The end of the output, usually because the program has ended.
    Eof,
    /// There was too much unread output; the rest is lost.
    Flood,
    /// Nothing came before the deadline.
    Timeout,
}

/// A bounded queue between the thread that reads the output and the caller.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
    max_lines: usize,
    max_bytes: usize,
}

#[derive(Debug, Default)]
struct QueueState {
    events: VecDeque<Event>,
    bytes: usize,
    end: End,
    /// The number of waiting threads; without any, none is notified.
    waiting: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum End {
    #[default]
    Open,
    Eof,
    Flood,
}

impl Queue {
    pub(super) fn new(max_lines: usize, max_bytes: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), max_lines, max_bytes }
    }

    /// Reads to the end of the output or to a flood. The lines of one read are added together.
    pub(super) fn fill(&self, mut output: impl Read, max_length: usize) {
        let mut splitter = LineSplitter::new(max_length);
        let mut buffer = vec![0; 1 << 16];
        let mut batch = Vec::new();
        loop {
            let read = match output.read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                // An error is treated as the end.
                Err(_) => 0,
            };
            let now = Instant::now();
            let mut found = |piece| {
                batch.push(match piece {
                    Piece::Line(line) => Event::Line(line, now),
                    Piece::Overlong => Event::Overlong,
                });
            };
            let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else {
                if let Some(piece) = splitter.finish() {
                    found(piece);
                }
                self.push(&mut batch, End::Eof);
                return;
            };
            splitter.feed(bytes, found);
            if !batch.is_empty() && !self.push(&mut batch, End::Open) {
                return;
            }
        }
    }

    /// Adds events; returns true if more may follow.
    fn push(&self, batch: &mut Vec<Event>, end: End) -> bool {
        let mut state = lock(&self.state);
        state.bytes += batch.iter().map(Event::bytes).sum::<usize>();
        state.events.extend(batch.drain(..));
        let flooded = state.events.len() > self.max_lines || state.bytes > self.max_bytes;
        state.end = if flooded && end == End::Open { End::Flood } else { end };
        if state.waiting > 0 {
            self.changed.notify_all();
        }
        state.end == End::Open
    }

    pub(super) fn recv_until(&self, deadline: Instant) -> Event {
        let mut state = lock(&self.state);
        loop {
            if let Some(event) = state.events.pop_front() {
                state.bytes -= event.bytes();
                return event;
            }
            match state.end {
                End::Open => {}
                End::Eof => return Event::Eof,
                End::Flood => return Event::Flood,
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Event::Timeout;
            }
            state.waiting += 1;
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            state.waiting -= 1;
        }
    }

    /// Waits for the end of the output, and drops all events.
    pub(super) fn wait_for_end(&self, deadline: Instant) {
        let mut state = lock(&self.state);
        while state.end == End::Open {
            // The events must not count as a flood, which would end the reader early.
            state.bytes = 0;
            drop(mem::take(&mut state.events));
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state.waiting += 1;
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            state.waiting -= 1;
        }
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

    fn drain(queue: &Queue) -> Vec<String> {
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
        let queue = Queue::new(9, 99);
        assert_eq!(queue.recv_until(Instant::now()), Event::Timeout);
        queue.fill(&b"a\nb"[..], 9);
        assert_eq!(drain(&queue), ["a", "b", "Eof"]);
        assert_eq!(drain(&queue), ["Eof"]);
    }

    #[test]
    fn too_many_lines_or_bytes_are_a_flood() {
        let queue = Queue::new(3, 99);
        queue.fill(&b"a\nb\nc\nd\n"[..], 9);
        assert_eq!(drain(&queue), ["a", "b", "c", "d", "Flood"]);
        let queue = Queue::new(9, 3);
        queue.fill(&b"abcd\n"[..], 9);
        assert_eq!(drain(&queue), ["abcd", "Flood"]);
    }
}
