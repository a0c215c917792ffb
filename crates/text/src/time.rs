//! Durations on the command line, with a unit or a default unit, and today's date.

use std::time::Duration;

/// The default unit of a bare number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bare {
    Milliseconds,
    Seconds,
}

/// The expected form if a number without a unit is in seconds.
pub const IN_SECONDS: &str = "a time such as 0.5s or 50ms (a bare number is in seconds)";

/// Maximum duration: a year, so that sums do not overflow.
pub const MAX_DURATION: Duration = Duration::from_secs(365 * 86_400);

/// Parses `50ms`, `0.5s`, `10m`, `1h`, or a bare number; at most a year.
///
/// ```
/// use std::time::Duration;
/// use kelso_text::time::{Bare, parse};
/// assert_eq!(parse("0.5s", Bare::Milliseconds), Some(Duration::from_millis(500)));
/// assert_eq!(parse("50", Bare::Milliseconds), parse("50ms", Bare::Seconds));
/// assert_eq!(parse("soon", Bare::Seconds), None);
/// ```
pub fn parse(text: &str, bare: Bare) -> Option<Duration> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let seconds = match (unit, bare) {
        ("ms", _) | ("", Bare::Milliseconds) => 0.001,
        ("s", _) | ("", Bare::Seconds) => 1.0,
        ("m" | "min", _) => 60.0,
        ("h", _) => 3600.0,
        _ => return None,
    };
    let is_number = number.split('.').count() <= 2 && number.split('.').all(|digits| !digits.is_empty());
    let time = number.parse::<f64>().ok().filter(|_| is_number)? * seconds;
    Duration::try_from_secs_f64(time).ok().filter(|&time| time <= MAX_DURATION)
}

/// Returns today's local date in PDN format.
#[cfg(feature = "jiff")]
pub fn today() -> String {
    jiff::ZonedDateTime::now().strftime("%Y.%m.%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed_with_units() {
        for (text, bare, ms) in [
            ("50ms", Bare::Seconds, 50),
            ("0.5s", Bare::Milliseconds, 500),
            ("2m", Bare::Seconds, 120_000),
            ("1.5h", Bare::Seconds, 5_400_000),
            ("50", Bare::Milliseconds, 50),
            ("0.25", Bare::Seconds, 250),
            ("0", Bare::Seconds, 0),
        ] {
            assert_eq!(parse(text, bare), Some(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "ms", ".5", "5.", "1.2.3", "-1", "1 s", "1e3", "99999999999", "5 ms", "1d", "٣"] {
            assert_eq!(parse(text, Bare::Seconds), None, "{text}");
        }
    }
}
