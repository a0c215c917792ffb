//! Escaping of text in HTML, SVG and XML.

use std::fmt::Write;

/// Escapes text for XML and HTML, in attributes and between tags. Characters that XML cannot hold are
/// replaced.
///
/// ```
/// assert_eq!(kelso_text::markup::escaped("a < b & c"), "a &lt; b &amp; c");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => {
                // Escape these, since parsers turn them into spaces in attributes. Writing to a string cannot
                // fail.
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn escaped_text_round_trips(text in "(\\PC|[<>&\"'\n\t\u{0}\u{1b}\u{85}\u{fffe}])*") {
            let xml = format!("<a b=\"{}\">{}</a>", escaped(&text), escaped(&text));
            let document = roxmltree::Document::parse(&xml).unwrap();
            let expected: String = text
                .chars()
                .map(|c| if c < ' ' && !"\n\t".contains(c) || c == '\u{fffe}' { '\u{fffd}' } else { c })
                .collect();
            let root = document.root_element();
            prop_assert_eq!(root.attribute("b"), Some(expected.as_str()));
            prop_assert_eq!(root.text().unwrap_or_default(), expected);
        }
    }
}
