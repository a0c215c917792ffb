//! The colours of the style sheet, for pictures outside pages.

use super::STYLE;

/// Returns a colour of the light theme by its name without the two hyphens, as `#rrggbb`.
#[must_use]
pub(super) fn hex(name: &str) -> Option<&'static str> {
    let theme = STYLE.split('}').next()?;
    theme.lines().find_map(|line| {
        let (known, value) = line.trim().strip_prefix("--")?.split_once(':')?;
        (known == name).then(|| value.trim().trim_end_matches(';'))
    })
}

/// Returns a colour as red, green and blue.
#[must_use]
pub(super) fn rgb(name: &str) -> [u8; 3] {
    let digits = hex(name).and_then(|text| text.strip_prefix('#')).unwrap_or_default();
    [0, 2, 4].map(|at| {
        digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or_default()
    })
}

/// Replaces every `var(--name)` by its value, for programs without CSS variables.
#[must_use]
pub(super) fn resolved(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("var(--") {
        let (name, tail) = after.split_once(')').unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(hex(name).unwrap_or("#888888"));
        rest = tail;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::PIECES;

    #[test]
    fn colours_are_those_of_the_light_theme() {
        assert_eq!(hex("ink"), Some("#1c1e21"));
        assert_eq!(hex("dark"), None);
        assert_eq!(rgb("ink"), [0x1c, 0x1e, 0x21]);
        assert_eq!(resolved("a=\"var(--ink)\" b"), "a=\"#1c1e21\" b");
    }

    #[test]
    fn every_colour_that_is_used_is_there() {
        for text in [STYLE, PIECES] {
            for used in text.split("var(--").skip(1) {
                let name = used.split(')').next().unwrap();
                assert!(hex(name).is_some(), "{name}");
            }
        }
    }
}
