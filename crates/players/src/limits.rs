//! Time controls, and the clocks of a game.

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use kelso_draughts::board::Color;
use kelso_engine::search::{Limits, TimeLimit};
use kelso_protocol::GoParams;
use kelso_text::keyvalue::KeyValue;
use kelso_text::syntax::WordError;
use kelso_text::time::{self, Bare, IN_SECONDS};

/// A time control: a base time for a number of moves or for the whole game, and an increment per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Number of moves after which the base time is added again, or `None` if it is for the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

impl TimeControl {
    /// Parses `40/60+0.6`: moves, base time and increment. Only the base time is required. Times without a
    /// unit are in seconds or have the form minutes:seconds. The error describes the expected form.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const TIME: &str = "a time such as 60, 1:00, 500ms or 40/60+0.6";
        const INCREMENT: &str = "an increment such as 0.5 or 100ms";
        let (moves, times) = text.split_once('/').map_or((None, text), |(moves, times)| (Some(moves), times));
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let (minutes, seconds) = base.split_once(':').unwrap_or(("0", base));
        let moves = moves.map(|moves| moves.parse().ok().filter(|&moves: &u32| moves > 0).ok_or(TIME));
        let minutes = Duration::from_secs(60 * u64::from(minutes.parse::<u32>().map_err(|_| TIME)?));
        let base = time::parse(seconds, Bare::Seconds).ok_or(TIME)? + minutes;
        let increment = time::parse(increment, Bare::Seconds).ok_or(INCREMENT)?;
        match moves.transpose()? {
            _ if base > time::MAX_DURATION => Err(TIME),
            _ if (base + increment).is_zero() => Err("a time above 0"),
            moves => Ok(Self { moves, base, increment }),
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

    /// Returns the increment per move.
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

/// Sets a search limit from a word of an engine's description. Returns `false` if the word names no limit.
///
/// # Errors
///
/// If the word's value is invalid.
pub fn set_limit(limits: &mut Limits, pair: &KeyValue<'_>) -> Result<bool, WordError> {
    match pair.key {
        "movetime" => {
            let time = pair.read(IN_SECONDS, |text| time::parse(text, Bare::Seconds))?;
            limits.time = Some(TimeLimit::Exact(time));
        }
        "nodes" => limits.nodes = Some(pair.parsed::<NonZeroU64>("a whole number, at least 1")?.get()),
        "depth" => limits.depth = Some(pair.parsed::<NonZeroUsize>("a depth in plies")?.get()),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Formats the limits on time, nodes and depth as words that [`set_limit`] reads. Clocks are left out.
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
            let control = TimeControl::parse(text).unwrap();
            assert_eq!(control, TimeControl { moves, base, increment }, "{text}");
            assert_eq!(TimeControl::parse(&control.to_string()).unwrap(), control);
        }
        // A year is the maximum.
        assert_eq!(TimeControl::parse("525600:00").unwrap().base, time::MAX_DURATION);
        assert_eq!(TimeControl::parse("0+1").unwrap().to_string(), "0+1");
        assert_eq!(TimeControl::parse("0+0"), Err("a time above 0"));
        assert_eq!(TimeControl::parse("1+x"), Err("an increment such as 0.5 or 100ms"));
        for wrong in ["525600:01", "", "x", "0/60", "60+", "60+x", "-1", "1e9", "99999999999", "1/2/3", "60 "]
        {
            assert!(TimeControl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_filled_again() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new(TimeControl::parse("2/10+1").unwrap());
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.spend(ms(4000));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(7000), Some(1)));
        clock.spend(ms(7050));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(11_000), Some(2)));
        assert_eq!(clock.increment(), ms(1000));
        // The rest of a game has no further control.
        let mut clock = Clock::new(TimeControl::parse("3").unwrap());
        clock.spend(ms(500));
        assert_eq!((clock.left(), clock.moves_to_go(), clock.increment()), (ms(2500), None, ms(0)));
        clock.spend(ms(9000));
        assert_eq!(clock.left(), ms(0));
    }

    #[test]
    fn a_side_without_a_clock_is_sent_none() {
        let clock = Some(Clock::new(TimeControl::parse("40/60+0.5").unwrap()));
        let limits = Limits::depth(9);
        let go = on_clocks(&limits, [clock, None], Color::Black);
        assert_eq!((go.clocks, go.moves_to_go), ([Some(Duration::from_secs(60)), None], Some(40)));
        assert_eq!(go.increments, [Some(Duration::from_millis(500)), None]);
        assert_eq!(on_clocks(&limits, [clock, None], Color::White), limits.into());
    }

    #[test]
    fn limits_are_formatted_as_they_are_read() {
        for text in ["", "movetime=0.5", "nodes=1000", "depth=20", "movetime=0.05 nodes=7 depth=9"] {
            let mut limits = Limits::default();
            for word in text.split_whitespace() {
                assert_eq!(set_limit(&mut limits, &KeyValue::split(word, "").unwrap()), Ok(true), "{word}");
            }
            assert_eq!(limit_words(&limits), text);
        }
        for word in ["depth=0", "nodes=x", "movetime=", "speed=1"] {
            let mut limits = Limits::default();
            let set = set_limit(&mut limits, &KeyValue::split(word, "").unwrap());
            assert!(set.is_err() || set == Ok(false), "{word}");
        }
    }
}
