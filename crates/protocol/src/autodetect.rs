//! Detection of the protocol from the first line, for the program without arguments.

use super::{Command, CommandError, Conventions, Hub, Native, Output, Protocol};

/// The native protocol, unless the first line that isn't blank is `hub`.
#[derive(Clone, Debug, Default)]
pub enum Autodetect {
    /// No line has been read.
    #[default]
    Undecided,
    /// The first line was another one.
    Native(Native),
    /// The first line was `hub`.
    Hub(Hub),
}

impl Protocol for Autodetect {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        if let (Self::Undecided, Some(word)) = (&self, line.split_whitespace().next()) {
            *self = if word == "hub" { Self::Hub(Hub::default()) } else { Self::Native(Native) };
        }
        match self {
            Self::Undecided => Ok(None),
            Self::Native(native) => native.read(line),
            Self::Hub(hub) => hub.read(line),
        }
    }

    fn write(&mut self, output: &Output) -> String {
        match self {
            Self::Undecided | Self::Native(_) => Native.write(output),
            Self::Hub(hub) => hub.write(output),
        }
    }

    fn conventions(&self) -> Conventions {
        match self {
            Self::Undecided | Self::Native(_) => Native.conventions(),
            Self::Hub(hub) => hub.conventions(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides_once() {
        let mut protocol = Autodetect::default();
        assert_eq!(protocol.read("  "), Ok(None));
        assert_eq!(protocol.read("hub"), Ok(Some(Command::Identify)));
        assert_eq!(protocol.read("uci"), Ok(None));
        assert_ne!(protocol.conventions(), Conventions::default());
        let mut protocol = Autodetect::default();
        assert_eq!(protocol.read("stop"), Ok(Some(Command::Stop)));
        assert!(protocol.read("hub").is_err());
        assert_eq!(protocol.conventions(), Conventions::default());
    }
}
