//! Reports the progress of long work on standard error.

use std::time::{Duration, Instant};

/// Time between two lines of progress.
const PAUSE: Duration = Duration::from_secs(2);

/// Counts finished work and reports it every two seconds.
pub struct Progress {
    noun: &'static str,
    total: usize,
    done: usize,
    reported: Instant,
}

impl Progress {
    pub fn new(noun: &'static str, total: usize) -> Self {
        Self { noun, total, done: 0, reported: Instant::now() }
    }

    pub fn add(&mut self, count: usize) {
        self.done += count;
        if self.reported.elapsed() >= PAUSE {
            self.reported = Instant::now();
            eprintln!("{}/{} {}", self.done, self.total, self.noun);
        }
    }
}
