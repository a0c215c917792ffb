//! Progress of long work on standard error: a bar that is drawn over on a terminal, elsewhere a line now and then.

use std::io::{self, IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::say;

/// Work that is done sooner shows nothing where lines stay.
const FIRST: Duration = Duration::from_secs(2);
/// Between two lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Shows work of such a length after one of indicatif's templates. Its `{wide_bar}` is for terminals only.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    let terminal = stderr().is_terminal();
    let target = if terminal {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::term_like_with_hz(Box::new(Log(Mutex::new(Lines::from(Instant::now())))), 1)
    };
    let template = if terminal { template } else { &template.replace(" {wide_bar}", "") };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// A file or a pipe in the place of a terminal.
#[derive(Debug)]
struct Log(Mutex<Lines>);

/// What is to be written to it.
#[derive(Debug)]
struct Lines {
    /// When the next line is due.
    next: Instant,
    /// What was drawn last.
    drawn: String,
}

impl From<Instant> for Lines {
    fn from(began: Instant) -> Self {
        Self { next: began + FIRST, drawn: String::new() }
    }
}

impl Lines {
    /// What was drawn, if it is time for a line and there is any.
    fn take(&mut self, now: Instant) -> Option<String> {
        let drawn = std::mem::take(&mut self.drawn);
        let line = drawn.trim_end();
        if line.is_empty() || now < self.next {
            return None;
        }
        self.next = now + PAUSE;
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
    fn lines_come_after_a_while_and_seldom() {
        let began = Instant::now();
        let mut lines = Lines::from(began);
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
