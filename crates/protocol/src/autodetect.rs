//! Detects the protocol from the first line of input, if the program has no arguments.

use super::{Command, CommandError, EngineOutput, Hub, Native, Protocol};
use kelso_engine::Registry;

/// Speaks Hub if the first non-blank line is `hub`, otherwise the native protocol.
#[derive(Default)]
pub struct Autodetect {
    registry: Registry,
    /// The protocol of the first line, once it has been read.
    detected: Option<Box<dyn Protocol>>,
}

impl Autodetect {
    /// Creates a protocol for an engine with the evaluations and searchers of a registry.
    pub const fn new(registry: Registry) -> Self {
        Self { registry, detected: None }
    }
}

impl Protocol for Autodetect {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        let Some(word) = line.split_whitespace().next() else { return Ok(None) };
        let registry = self.registry;
        let detect = || -> Box<dyn Protocol> {
            if word == "hub" { Box::new(Hub::new(registry)) } else { Box::new(Native::new(registry)) }
        };
        self.detected.get_or_insert_with(detect).read(line)
    }

    fn write(&mut self, output: &EngineOutput) -> String {
        match &mut self.detected {
            None => Native::new(self.registry).write(output),
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
        assert_eq!(protocol.read("  "), Ok(None));
        assert_eq!(protocol.read("hub"), Ok(Some(Command::Identify)));
        assert_eq!(protocol.read("uci"), Ok(None));
        assert!(protocol.interrupts());
        let mut protocol = Autodetect::default();
        assert_eq!(protocol.read("stop"), Ok(Some(Command::Stop)));
        assert!(protocol.read("hub").is_err());
        assert!(!protocol.interrupts());
    }
}
