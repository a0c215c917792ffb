//! Messages of the operating system.

/// Removes the error codes that Rust appends to system errors.
///
/// ```
/// use text::system::without_codes;
///
/// assert_eq!(
///     without_codes("cannot read a: not found (os error 2); use b (os error 3)"),
///     "cannot read a: not found; use b"
/// );
/// ```
#[must_use]
pub fn without_codes(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(')').map_or(part, |(_, rest)| rest))
}
