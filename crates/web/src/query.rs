//! Queries of URLs.

/// Returns the decoded value of a parameter of a query.
#[must_use]
pub fn parameter(query: &str, name: &str) -> Option<String> {
    let value = query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))?;
    Some(decoded(value))
}

/// Decodes a part of a query.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(if first == b'+' { b' ' } else { first });
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_query_is_decoded() {
        assert_eq!(decoded("a+b%20c%C3%BC"), "a b cü");
        assert_eq!(decoded("%zz%4%"), "%zz%4%");
        assert_eq!(decoded("%ff"), "\u{fffd}");
    }
}
