//! The program without arguments speaks whichever dialect its first line is of.

use super::{Command, CommandError, Dialect, Habits, Hub, Native, Output};

/// The native dialect, unless the first line that isn't blank is `hub`.
#[derive(Clone, Debug, Default)]
pub enum FirstLine {
    /// Nothing has been said yet.
    #[default]
    Open,
    /// It was something else.
    Native(Native),
    /// It was `hub`.
    Hub(Hub),
}

impl FirstLine {
    fn chosen(&self) -> &dyn Dialect {
        match self {
            Self::Open => &Native,
            Self::Native(native) => native,
            Self::Hub(hub) => hub,
        }
    }
}

impl Dialect for FirstLine {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        if let (Self::Open, Some(word)) = (&self, line.split_whitespace().next()) {
            *self = if word == "hub" { Self::Hub(Hub::default()) } else { Self::Native(Native) };
        }
        match self {
            Self::Open => Ok(None),
            Self::Native(native) => native.read(line),
            Self::Hub(hub) => hub.read(line),
        }
    }

    fn write(&mut self, output: &Output<'_>) -> String {
        match self {
            Self::Open => Native.write(output),
            Self::Native(native) => native.write(output),
            Self::Hub(hub) => hub.write(output),
        }
    }

    fn habits(&self) -> Habits {
        self.chosen().habits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides_once() {
        let mut dialect = FirstLine::default();
        assert_eq!(dialect.read("  "), Ok(None));
        assert_eq!(dialect.read("hub"), Ok(Some(Command::Identify)));
        assert_eq!(dialect.read("uci"), Ok(None));
        assert_ne!(dialect.habits(), Habits::default());
        let mut dialect = FirstLine::default();
        assert_eq!(dialect.read("stop"), Ok(Some(Command::Stop)));
        assert!(dialect.read("hub").is_err());
        assert_eq!(dialect.habits(), Habits::default());
    }
}
