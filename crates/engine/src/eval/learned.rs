//! Weights that were learned, of any form: a network, one of several layers, or patterns.

use super::envelope::LearnedError;
use super::{deep, network, patterns};

/// The weights of a file. Its first bytes say which form they have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Learned {
    /// Of a network.
    Network(Box<network::Weights>),
    /// Of a network of several layers.
    Deep(Box<deep::Weights>),
    /// Of patterns.
    Patterns(patterns::Weights),
}

impl Learned {
    /// The largest size of a file; of a larger one, so much is enough to find that it is none.
    pub const MOST_BYTES: u64 = 1 << 26;

    /// The weights of a file.
    ///
    /// # Errors
    ///
    /// When the bytes are no weights, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LearnedError> {
        if deep::ENVELOPE.holds_version(bytes) {
            deep::Weights::from_bytes(bytes).map(|weights| Self::Deep(Box::new(weights)))
        } else if let Some(version) = network::ENVELOPE.version_of(bytes) {
            let version = version?;
            if !network::ENVELOPE.holds_version(bytes) {
                return Err(LearnedError::Version(version));
            }
            network::Weights::from_bytes(bytes).map(|weights| Self::Network(Box::new(weights)))
        } else if patterns::ENVELOPE.holds(bytes) {
            patterns::Weights::from_bytes(bytes).map(Self::Patterns)
        } else {
            Err(LearnedError::Magic("KELSONET or KELSOPAT"))
        }
    }

    /// The checksum that a file has in its head, if it is one of weights.
    #[must_use]
    pub fn checksum(bytes: &[u8]) -> Option<u32> {
        bytes.get(12..16)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// As stored in a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Network(weights) => weights.to_bytes(),
            Self::Deep(weights) => weights.to_bytes(),
            Self::Patterns(weights) => weights.to_bytes(),
        }
    }

    /// What they are called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Network(weights) => &weights.name,
            Self::Deep(weights) => &weights.name,
            Self::Patterns(weights) => &weights.name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_say_the_form() {
        let weights = network::Weights { scale: 1, ..network::Weights::zero() };
        let foreign = Err(LearnedError::Magic("KELSONET or KELSOPAT"));
        let network = Learned::Network(Box::new(weights));
        let patterns = Learned::Patterns(patterns::Weights::zero());
        let deep = Learned::Deep(Box::new(deep::Weights::zero()));
        for weights in [network, deep, patterns] {
            let bytes = weights.to_bytes();
            assert_eq!(Learned::from_bytes(&bytes), Ok(weights));
            assert!(bytes.len() as u64 <= Learned::MOST_BYTES);
            assert_eq!(Learned::from_bytes(&bytes[1..]), foreign);
            let cut = Learned::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err();
            assert!(matches!(cut, LearnedError::Size { .. } | LearnedError::Checksum), "{cut}");
        }
        assert_eq!(Learned::from_bytes(b""), foreign);
    }
}
