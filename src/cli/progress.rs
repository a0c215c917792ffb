//! Progress of long work on standard error: a bar on a terminal, elsewhere a line every few seconds.

use std::fmt;
use std::io::{self, IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};

use super::outcome::say;
use kelso_text::plural::grouped;

const FIRST_REPORT_DELAY: Duration = Duration::from_secs(2);
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// Creates a progress bar from an indicatif template. Without a terminal, `{wide_bar}` is left out.
pub(crate) fn bar(length: impl Into<Option<u64>>, template: &str) -> ProgressBar {
    let terminal = stderr().is_terminal();
    let target = if terminal {
        ProgressDrawTarget::stderr()
    } else {
        let lines = LogLines { next: Instant::now() + FIRST_REPORT_DELAY, drawn: String::new() };
        ProgressDrawTarget::term_like_with_hz(Box::new(Log(Mutex::new(lines))), 1)
    };
    let template = if terminal { template } else { &template.replace(" {wide_bar}", "") };
    let bar = ProgressBar::with_draw_target(length.into(), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("per_sec", |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = write!(out, "{}", rate(state.per_sec()));
        }));
    }
    bar
}

/// Estimates the time that is left from the mean speed from now on. By default, the last seconds count most,
/// and if nothing advances for a minute, centuries seem to be left.
pub(crate) fn expect_mean_speed(bar: &ProgressBar) {
    let began = Instant::now();
    let start = bar.position();
    bar.set_style(bar.style().with_key("eta", move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let done = state.pos().saturating_sub(start);
        let left = state.len().unwrap_or(done).saturating_sub(state.pos());
        let _ = match time_left(began.elapsed(), done, left) {
            Some(time) => write!(out, "{:#}", HumanDuration(time)),
            None => write!(out, "?"),
        };
    }));
}

/// Returns the time that `left` steps take at the speed of those that are done.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn time_left(elapsed: Duration, done: u64, left: u64) -> Option<Duration> {
    (done > 0).then(|| elapsed.mul_f64(left as f64 / done as f64))
}

/// Progress on standard error.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Do not show progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Progress {
    pub(crate) fn bar(self, length: impl Into<Option<u64>>, template: &str) -> ProgressBar {
        if self.quiet { ProgressBar::hidden() } else { bar(length, template) }
    }

    pub(crate) fn say(self, line: &str) {
        if !self.quiet {
            say(line);
        }
    }
}

/// Formats a rate with its significant digits only.
pub(crate) fn rate(per_second: f64) -> String {
    if per_second < 10.0 {
        return format!("{per_second:.1}/s");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a positive number, saturated"
    )]
    let rounded = per_second.round() as u64;
    format!("{}/s", grouped(rounded))
}

/// Standard error as a file or a pipe.
#[derive(Debug)]
struct Log(Mutex<LogLines>);

#[derive(Debug)]
struct LogLines {
    next: Instant,
    /// The text drawn last.
    drawn: String,
}

impl LogLines {
    /// Takes the line to print, if one is due.
    fn take(&mut self, now: Instant) -> Option<String> {
        let drawn = std::mem::take(&mut self.drawn);
        let line = drawn.trim_end();
        if line.is_empty() || now < self.next {
            return None;
        }
        self.next = now + REPORT_INTERVAL;
        Some(line.to_owned())
    }
}

impl TermLike for Log {
    fn width(&self) -> u16 {
        200
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if let Ok(mut lines) = self.0.lock() {
            lines.drawn.push_str(text);
        }
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let line = self.0.lock().ok().and_then(|mut lines| lines.take(Instant::now()));
        if let Some(line) = line {
            say(&line);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_their_significant_digits() {
        let rates = [0.0, 0.333, 9.94, 10.4, 1479.1762, 2_000_000.0].map(rate);
        assert_eq!(rates, ["0.0/s", "0.3/s", "9.9/s", "10/s", "1,479/s", "2,000,000/s"]);
    }

    #[test]
    fn the_time_left_grows_only_with_the_time_since_the_last_step() {
        let at = |seconds, done| time_left(Duration::from_secs(seconds), done, 30 - done);
        assert_eq!(at(10, 0), None);
        let times =
            [(10, 10), (60, 10), (60, 20), (60, 30)].map(|(seconds, done)| at(seconds, done).unwrap());
        assert_eq!(times, [20, 120, 30, 0].map(Duration::from_secs));
    }

    #[test]
    fn lines_are_printed_at_intervals() {
        let began = Instant::now();
        let mut lines = LogLines { next: began + FIRST_REPORT_DELAY, drawn: String::new() };
        let shown: Vec<u64> = (0..30)
            .filter(|&second| {
                lines.drawn = format!("{second}/30 games   ");
                let line = lines.take(began + Duration::from_secs(second));
                assert!(line.as_ref().is_none_or(|line| *line == format!("{second}/30 games")));
                line.is_some()
            })
            .collect();
        assert_eq!(shown, [2, 12, 22]);
        assert_eq!(lines.take(began + Duration::from_secs(60)), None, "nothing was drawn");
    }
}
