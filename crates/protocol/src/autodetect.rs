//! Detects the protocol from the first line of input, if the program has no arguments.

use super::{Command, CommandError, EngineOutput, Hub, Native, Protocol};

/// Speaks Hub if the first non-blank line is `hub`, otherwise the native protocol.
#[derive(Default)]
pub struct Autodetect {
    /// The protocol of the first line, once it has been read.
    detected: Option<Box<dyn Protocol>>,
}

impl Protocol for Autodetect {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        let Some(word) = line.split_whitespace().next() else { return Ok(None) };
        let detected = self.detected.get_or_insert_with(|| match word {
            "hub" => Box::new(Hub::default()),
            _ => Box::new(Native),
        });
        detected.read(line)
    }

    fn write(&mut self, output: &EngineOutput) -> String {
        match &mut self.detected {
            None => Native.write(output),
            Some(protocol) => protocol.write(output),
        }
    }

    fn interrupts(&self) -> bool {
        self.detected.as_ref().is_some_and(|protocol| protocol.interrupts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_selects_the_protocol_for_good() {
        let mut protocol = Autodetect::default();
        assert_eq!(protocol.read("  ").unwrap(), None);
        assert_eq!(protocol.read("hub").unwrap(), Some(Command::Identify));
        assert_eq!(protocol.read("uci").unwrap(), None);
        assert!(protocol.interrupts());
        let mut protocol = Autodetect::default();
        assert_eq!(protocol.read("stop").unwrap(), Some(Command::Stop));
        assert!(protocol.read("hub").is_err());
        assert!(!protocol.interrupts());
    }
}
