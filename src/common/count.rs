//! Numbers of things, as a person would write them.

/// `1 game`, `2 games`. The noun's plural is the usual one.
///
/// ```
/// use kelso::common::count::counted;
/// assert_eq!([counted(1, "game"), counted(0, "game")], ["1 game", "0 games"]);
/// ```
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}
