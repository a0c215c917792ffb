//! The capabilities of the terminal on standard output.

use std::env;
use std::io::{self, IsTerminal};

use draughts::diagram::Ink;

/// Detects how boards are drawn: as plain text if `ascii` or the variable `NO_COLOR` asks for it, without a terminal, and on
/// one without colours or Unicode.
pub fn detect_ink(ascii: bool) -> Ink {
    if ascii || !io::stdout().is_terminal() {
        return Ink::Plain;
    }
    ink_of(|name| env::var(name).ok())
}

fn ink_of(variable: impl Fn(&str) -> Option<String>) -> Ink {
    let value = |name| variable(name).filter(|value| !value.is_empty());
    if value("NO_COLOR").is_some() {
        return Ink::Plain;
    }
    // Terminals on Windows have no such variables and support everything.
    if cfg!(windows) {
        return Ink::True;
    }
    let unicode = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value).is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    let Some(term) = value("TERM").filter(|term| term != "dumb" && unicode) else { return Ink::Plain };
    if value("COLORTERM").is_some_and(|colours| colours == "truecolor" || colours == "24bit") {
        Ink::True
    } else if term.contains("256color") || ["xterm", "screen", "tmux"].contains(&term.as_str()) {
        Ink::Palette
    } else {
        Ink::Plain
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides() {
        for (variables, ink) in [
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8")][..], Ink::Palette),
            (&[("TERM", "xterm-256color"), ("LANG", "en_GB.utf8"), ("COLORTERM", "truecolor")], Ink::True),
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("NO_COLOR", "1")], Ink::Plain),
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("NO_COLOR", "")], Ink::Palette),
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("LC_ALL", "C")], Ink::Plain),
            (&[("TERM", "dumb"), ("LANG", "C.UTF-8"), ("COLORTERM", "truecolor")], Ink::Plain),
            (&[("TERM", "vt100"), ("LANG", "C.UTF-8")], Ink::Plain),
            (&[("LANG", "C.UTF-8")], Ink::Plain),
            (&[], Ink::Plain),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(ink_of(variable), ink, "{variables:?}");
        }
    }
}
