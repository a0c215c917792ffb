//! Formatting of numbers for users.

/// Formats a count with its noun, such as `1 game`, `2 plies` or `1,000 games`.
///
/// ```
/// use kelso_text::plural::counted;
/// assert_eq!([counted(1, "game"), counted(0, "game"), counted(2, "ply")], ["1 game", "0 games", "2 plies"]);
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    let (stem, ending) = match noun.strip_suffix("ply") {
        _ if number == 1 => (noun, ""),
        Some(stem) => (stem, "plies"),
        None => (noun, if noun.ends_with("ch") { "es" } else { "s" }),
    };
    format!("{} {stem}{ending}", grouped(number))
}

/// Formats a number with thousands separators.
///
/// ```
/// use kelso_text::plural::grouped;
/// assert_eq!([0, 999, 1000, 2_426_085_676].map(grouped), ["0", "999", "1,000", "2,426,085,676"]);
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
