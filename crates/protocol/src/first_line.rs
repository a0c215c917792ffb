//! The program without arguments speaks whichever protocol its first line is of.

use super::{Command, CommandError, Habits, Hub, Native, Output, Protocol};

/// The native protocol, unless the first line that isn't blank is `hub`.
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
    fn chosen(&self) -> &dyn Protocol {
        match self {
            Self::Open => &Native,
            Self::Native(native) => native,
            Self::Hub(hub) => hub,
        }
    }
}

impl Protocol for FirstLine {
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

    fn write(&mut self, output: &Output) -> String {
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
        let mut protocol = FirstLine::default();
        assert_eq!(protocol.read("  "), Ok(None));
        assert_eq!(protocol.read("hub"), Ok(Some(Command::Identify)));
        assert_eq!(protocol.read("uci"), Ok(None));
        assert_ne!(protocol.habits(), Habits::default());
        let mut protocol = FirstLine::default();
        assert_eq!(protocol.read("stop"), Ok(Some(Command::Stop)));
        assert!(protocol.read("hub").is_err());
        assert_eq!(protocol.habits(), Habits::default());
    }
}
