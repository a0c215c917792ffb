//! Time controls, and the clocks of a game.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use kelso_draughts::board::Color;
use kelso_engine::search::Limits;
use kelso_protocol::GoParams;
use kelso_syntax::WordError;
use kelso_text::time::{self, Bare};

/// A time control: a base time for a number of moves or for the whole game, and an increment per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Number of moves after which the base time is added again, or `None` if it is for the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

/// Parses `40/60+0.6`: moves, base time and increment. Only the base time is required. Times without a unit
/// are in seconds or have the form minutes:seconds.
impl FromStr for TimeControl {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let wrong = |expected: &'static str| WordError::invalid("time control", text, expected);
        let wrong_time = || wrong("a time such as 60, 1:00, 500ms or 40/60+0.6");
        let (moves, times) = text.split_once('/').map_or((None, text), |(moves, times)| (Some(moves), times));
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let (minutes, seconds) = base.split_once(':').unwrap_or(("0", base));
        let moves = moves.map(str::parse::<NonZeroU32>).transpose().map_err(|_| wrong_time())?;
        let minutes: u32 = minutes.parse().map_err(|_| wrong_time())?;
        let seconds = time::parse(seconds, Bare::Seconds).ok_or_else(wrong_time)?;
        let increment = time::parse(increment, Bare::Seconds)
            .ok_or_else(|| wrong("an increment such as 0.5 or 100ms"))?;
        match seconds + Duration::from_secs(60 * u64::from(minutes)) {
            base if base > time::MAX_DURATION => Err(wrong_time()),
            base if (base + increment).is_zero() => Err(wrong("a time above 0")),
            base => Ok(Self { moves: moves.map(NonZeroU32::get), base, increment }),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// The clocks of a game, Black's first. A side may have no clock.
pub type Clocks = [Option<Clock>; 2];

/// Adds clocks to the limits of a search, unless the side to move has none.
pub fn on_clocks(limits: &Limits, clocks: Clocks, side: Color) -> GoParams {
    let own_clock = clocks[side.index()];
    let clocks = clocks.map(|clock| clock.filter(|_| own_clock.is_some()));
    GoParams {
        clocks: clocks.map(|clock| clock.map(|clock| clock.left())),
        increments: clocks.map(|clock| clock.map(|clock| clock.increment())),
        moves_to_go: own_clock.and_then(|clock| clock.moves_to_go()),
        ..limits.clone().into()
    }
}

/// A side's clock during a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    moves_made: u32,
}

impl Clock {
    /// Creates the clock of a side that has not moved. No increment is added before the first move.
    pub const fn new(control: TimeControl) -> Self {
        Self { control, left: control.base, moves_made: 0 }
    }

    pub const fn left(&self) -> Duration {
        self.left
    }

    pub const fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Returns the number of moves to the next time control, if there is one.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.control.moves.map(|moves| moves - self.moves_made % moves)
    }

    /// Subtracts the time of a move, then adds the increment and, at a time control, the base time.
    /// Subtracting more than the remaining time leaves zero.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time).saturating_add(self.control.increment);
        self.moves_made = self.moves_made.saturating_add(1);
        if self.control.moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
            self.left = self.left.saturating_add(self.control.base);
        }
    }
}

/// Formats the limits on time, nodes and depth as words of an engine's description. Clocks are left out.
pub fn limit_words(limits: &Limits) -> String {
    let words = [
        limits.exact_time().map(|time| format!("movetime={}", time.as_secs_f64())),
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        limits.depth.map(|depth| format!("depth={depth}")),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written_back() {
        let ms = Duration::from_millis;
        for (text, moves, base, increment) in [
            ("60", None, ms(60_000), ms(0)),
            ("10+0.1", None, ms(10_000), ms(100)),
            ("40/0:30+1", Some(40), ms(30_000), ms(1000)),
            ("1:30.5", None, ms(90_500), ms(0)),
            ("10s+50ms", None, ms(10_000), ms(50)),
            ("5m", None, ms(300_000), ms(0)),
        ] {
            let control = text.parse::<TimeControl>().unwrap();
            assert_eq!(control, TimeControl { moves, base, increment }, "{text}");
            assert_eq!(control.to_string().parse::<TimeControl>().unwrap(), control);
        }
        // A year is the maximum.
        assert_eq!("525600:00".parse::<TimeControl>().unwrap().base, time::MAX_DURATION);
        assert_eq!("0+1".parse::<TimeControl>().unwrap().to_string(), "0+1");
        let expected = |text: &str| text.parse::<TimeControl>().unwrap_err().expected;
        assert_eq!(expected("0+0"), "a time above 0");
        assert_eq!(expected("1+x"), "an increment such as 0.5 or 100ms");
        for wrong in ["525600:01", "", "x", "0/60", "60+", "60+x", "-1", "1e9", "99999999999", "1/2/3", "60 "]
        {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_filled_again() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new("2/10+1".parse().unwrap());
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.spend(ms(4000));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(7000), Some(1)));
        clock.spend(ms(7050));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(11_000), Some(2)));
        assert_eq!(clock.increment(), ms(1000));
        // The rest of a game has no further control.
        let mut clock = Clock::new("3".parse().unwrap());
        clock.spend(ms(500));
        assert_eq!((clock.left(), clock.moves_to_go(), clock.increment()), (ms(2500), None, ms(0)));
        clock.spend(ms(9000));
        assert_eq!(clock.left(), ms(0));
    }

    #[test]
    fn a_side_without_a_clock_is_sent_none() {
        let clock = Some(Clock::new("40/60+0.5".parse().unwrap()));
        let limits = Limits::depth(9);
        let go = on_clocks(&limits, [clock, None], Color::Black);
        assert_eq!((go.clocks, go.moves_to_go), ([Some(Duration::from_secs(60)), None], Some(40)));
        assert_eq!(go.increments, [Some(Duration::from_millis(500)), None]);
        assert_eq!(on_clocks(&limits, [clock, None], Color::White), limits.into());
    }
}
