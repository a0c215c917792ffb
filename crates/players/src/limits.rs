//! How long an engine may think: what was asked for, and what is left of it.

use std::fmt;
use std::time::Duration;

use nom::Parser;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, u32 as number};
use nom::combinator::{map, map_opt, opt, verify};
use nom::error::context;
use nom::sequence::{preceded, terminated};

use common::time::{self, Bare};
use draughts::notation::syntax::{Mismatch, Parsed, whole};

/// A game clock: so much time for so many moves (or for all), and some more with every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Moves after which `base` is added again; none if it is for the whole game.
    pub moves: Option<u32>,
    /// The time.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

impl Clock {
    /// Reads `40/60+0.6`: moves, a time, a time for each move; only the first time is a must. Without a unit times are seconds, or
    /// minutes:seconds.
    ///
    /// # Errors
    ///
    /// Where the text leaves this grammar.
    pub fn parse(text: &str) -> Result<Self, Mismatch> {
        whole(clock, text)
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

fn clock(input: &str) -> Parsed<'_, Clock> {
    let moves = map_opt(terminated(number, char('/')), |moves| (moves > 0).then_some(moves));
    let increment = preceded(char('+'), context("an increment such as 0.5 or 100ms", seconds));
    let parts = (opt(moves), context("a time such as 60, 1:00, 500ms or 40/60+0.6", base), opt(increment));
    let clock = map(parts, |(moves, base, increment)| Clock {
        moves,
        base,
        increment: increment.unwrap_or_default(),
    });
    context("more time than none", verify(clock, |clock| !(clock.base + clock.increment).is_zero()))
        .parse(input)
}

fn base(input: &str) -> Parsed<'_, Duration> {
    let minutes = opt(terminated(number, char(':')));
    map_opt((minutes, seconds), |(minutes, seconds)| {
        let time = seconds.checked_add(Duration::from_secs(u64::from(minutes.unwrap_or(0)) * 60));
        time.filter(|&time| time <= time::LONGEST)
    })
    .parse(input)
}

/// Seconds, or a time with a unit.
fn seconds(input: &str) -> Parsed<'_, Duration> {
    let text = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '.');
    map_opt(text, |text| time::parse(text, Bare::Seconds).ok()).parse(input)
}

/// Everything that bounds an engine's thinking. At least one of the first four is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// A game clock.
    pub clock: Option<Clock>,
    /// A time for each move.
    pub movetime: Option<Duration>,
    /// Positions for each move.
    pub nodes: Option<u64>,
    /// Plies of depth for each move.
    pub depth: Option<u32>,
    /// How late an answer may be without losing.
    pub margin: Duration,
    /// When an engine without a clock counts as hanging, and how long it may take for everything but thinking.
    pub timeout: Duration,
}

impl Limits {
    /// No bound at all, until one is set.
    pub const NONE: Self = Self {
        clock: None,
        movetime: None,
        nodes: None,
        depth: None,
        margin: Duration::from_millis(50),
        timeout: Duration::from_secs(60),
    };

    /// Whether anything ends a search.
    #[must_use]
    pub const fn is_bounded(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| format!("tc={clock}")),
            self.movetime.map(|time| format!("movetime={}", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// One side's clock during a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remaining {
    clock: Clock,
    left: Duration,
    moves_made: u32,
}

impl Remaining {
    /// A clock that has just been started; its first move has its increment already, as every other one.
    #[must_use]
    pub const fn new(clock: Clock) -> Self {
        Self { clock, left: clock.base, moves_made: 0 }
    }

    /// The time that is left.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// What each move adds.
    #[must_use]
    pub const fn increment(&self) -> Duration {
        self.clock.increment
    }

    /// The moves until more time comes, if ever.
    #[must_use]
    pub fn moves_to_go(&self) -> Option<u32> {
        self.clock.moves.map(|moves| moves - self.moves_made % moves)
    }

    /// Takes the time of a move. Lateness within the margin is forgiven: the clock then shows nothing left.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time).saturating_add(self.clock.increment);
        self.moves_made = self.moves_made.saturating_add(1);
        if self.clock.moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
            self.left = self.left.saturating_add(self.clock.base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written_back() {
        let ms = Duration::from_millis;
        for (text, moves, base, increment) in [
            ("60", None, ms(60_000), ms(0)),
            ("10+0.1", None, ms(10_000), ms(100)),
            ("40/0:30+1", Some(40), ms(30_000), ms(1000)),
            ("1:30.5", None, ms(90_500), ms(0)),
            ("10s+50ms", None, ms(10_000), ms(50)),
            ("5m", None, ms(300_000), ms(0)),
        ] {
            let clock = Clock::parse(text).unwrap();
            assert_eq!(clock, Clock { moves, base, increment }, "{text}");
            assert_eq!(Clock::parse(&clock.to_string()).unwrap(), clock);
        }
        for wrong in ["", "x", "0/60", "60+", "60+x", "-1", "1e9", "99999999999", "1/2/3", "60 "] {
            assert!(Clock::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_filled_again() {
        let ms = Duration::from_millis;
        let mut clock = Remaining::new(Clock::parse("2/10+1").unwrap());
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.spend(ms(4000));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(7000), Some(1)));
        clock.spend(ms(7050));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(11_000), Some(2)));
    }
}
