//! The queue of unread output.

use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::time::Instant;

use super::watched::Watched;
use protocol::{Input, read_lines};

/// The size of a read.
const BUFFER: usize = 1 << 16;

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
    state: Watched<QueueState>,
    max_lines: usize,
    max_bytes: usize,
}

#[derive(Debug, Default)]
struct QueueState {
    events: VecDeque<Event>,
    bytes: usize,
    /// The last event, once the reader has ended.
    end: Option<Event>,
}

impl Queue {
    pub(super) fn new(max_lines: usize, max_bytes: usize) -> Self {
        Self { state: Watched::default(), max_lines, max_bytes }
    }

    /// Reads to the end of the output or to a flood.
    pub(super) fn fill(&self, output: impl Read) {
        read_lines(BufReader::with_capacity(BUFFER, output), |input| {
            self.push(match input {
                Input::Line(line) => Event::Line(line, Instant::now()),
                Input::TooLong => Event::Overlong,
                Input::End => Event::Eof,
            })
        });
    }

    /// Adds an event; returns true if more may follow.
    fn push(&self, event: Event) -> bool {
        self.state.update(|state| {
            state.bytes += event.bytes();
            match event {
                Event::Eof => state.end = Some(event),
                event => state.events.push_back(event),
            }
            if state.events.len() > self.max_lines || state.bytes > self.max_bytes {
                state.end.get_or_insert(Event::Flood);
            }
            state.end.is_none()
        })
    }

    pub(super) fn recv_until(&self, deadline: Instant) -> Event {
        let next = |state: &mut QueueState| {
            let Some(event) = state.events.pop_front() else { return state.end.clone() };
            state.bytes -= event.bytes();
            Some(event)
        };
        self.state.wait_until(deadline, next).unwrap_or(Event::Timeout)
    }

    /// Waits for the end of the output. All events are dropped: they must not count as a flood, which would end the
    /// reader early.
    pub(super) fn wait_for_end(&self, deadline: Instant) {
        self.state.wait_until(deadline, |state| {
            state.bytes = 0;
            state.events.clear();
            state.end.clone()
        });
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
        queue.fill(&b"a\nb"[..]);
        assert_eq!(drain(&queue), ["a", "b", "Eof"]);
        assert_eq!(drain(&queue), ["Eof"]);
    }

    #[test]
    fn too_many_lines_or_bytes_are_a_flood() {
        let queue = Queue::new(3, 99);
        queue.fill(&b"a\nb\nc\nd\n"[..]);
        assert_eq!(drain(&queue), ["a", "b", "c", "d", "Flood"]);
        let queue = Queue::new(9, 3);
        queue.fill(&b"abcd\n"[..]);
        assert_eq!(drain(&queue), ["abcd", "Flood"]);
    }
}
