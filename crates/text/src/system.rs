//! Messages of the operating system.

/// Removes the error codes that Rust appends to system errors.
///
/// ```
/// use kelso_text::system::without_codes;
///
/// assert_eq!(
///     without_codes("cannot read a: not found (os error 2); use b (os error 3)"),
///     "cannot read a: not found; use b"
/// );
/// ```
pub fn without_codes(message: &str) -> String {
    const CODE: &str = " (os error ";
    let Some((first, rest)) = message.split_once(CODE) else { return message.to_owned() };
    rest.split(CODE)
        .fold(first.to_owned(), |text, part| text + part.split_once(')').map_or(part, |(_, rest)| rest))
}
