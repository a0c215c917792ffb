//! Names of openings. Every first move has a name, and some of its continuations have names of their own.

/// The first moves of openings, and their names.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("9-13", "Edinburgh"),
    ("9-14", "Double Corner"),
    ("10-14", "Denny"),
    ("10-15", "Kelso"),
    ("11-15", "Old Faithful"),
    ("11-15 21-17", "Switcher"),
    ("11-15 22-17 15-19", "Dyke"),
    ("11-15 22-18", "Single Corner"),
    ("11-15 23-18", "Cross"),
    ("11-15 24-19", "Second Double Corner"),
    ("11-15 24-20", "Ayrshire Lassie"),
    ("11-16", "Bristol"),
    ("11-16 23-18", "Bristol Cross"),
    ("12-16", "Dundee"),
];

/// Returns the name of the longest opening that some moves begin with.
pub(super) fn of(moves: &str) -> Option<&'static str> {
    let begins = |opening: &str| {
        moves.strip_prefix(opening).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    NAMES
        .iter()
        .filter(|(opening, _)| begins(opening))
        .max_by_key(|(opening, _)| opening.len())
        .map(|(_, name)| *name)
}
