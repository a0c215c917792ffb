//! Weights that were learned, of either form: a network or patterns.

use std::fmt;

use super::network::{self, NetworkError};
use super::patterns::{self, PatternsError};

/// The weights of a file. Its first bytes say which form they have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Learned {
    /// Of a network.
    Network(Box<network::Weights>),
    /// Of patterns.
    Patterns(patterns::Weights),
}

/// Why bytes are no weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LearnedError {
    /// They begin otherwise.
    Magic,
    /// They begin as a network, but can't be used.
    Network(NetworkError),
    /// They begin as patterns, but can't be used.
    Patterns(PatternsError),
}

impl fmt::Display for LearnedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => write!(f, "no weights: expected them to begin with KELSONET or KELSOPAT"),
            Self::Network(error) => error.fmt(f),
            Self::Patterns(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LearnedError {}

impl Learned {
    /// The largest size of a file; of a larger one, so much is enough to find that it is none.
    pub const MOST_BYTES: u64 = 1 << 26;

    /// The weights of a file.
    ///
    /// # Errors
    ///
    /// When the bytes are no weights, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LearnedError> {
        if bytes.starts_with(network::MAGIC) {
            let weights = network::Weights::from_bytes(bytes).map_err(LearnedError::Network)?;
            Ok(Self::Network(Box::new(weights)))
        } else if bytes.starts_with(patterns::MAGIC) {
            patterns::Weights::from_bytes(bytes).map(Self::Patterns).map_err(LearnedError::Patterns)
        } else {
            Err(LearnedError::Magic)
        }
    }

    /// As stored in a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Network(weights) => weights.to_bytes(),
            Self::Patterns(weights) => weights.to_bytes(),
        }
    }

    /// What they are called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Network(weights) => &weights.name,
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
        let network = Learned::Network(Box::new(weights));
        let patterns = Learned::Patterns(patterns::Weights::zero());
        for weights in [network, patterns] {
            let bytes = weights.to_bytes();
            assert_eq!(Learned::from_bytes(&bytes), Ok(weights));
            assert!(bytes.len() as u64 <= Learned::MOST_BYTES);
            assert_eq!(Learned::from_bytes(&bytes[1..]), Err(LearnedError::Magic));
            let cut = Learned::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err();
            assert!(matches!(cut, LearnedError::Network(_) | LearnedError::Patterns(_)));
        }
        assert_eq!(Learned::from_bytes(b""), Err(LearnedError::Magic));
    }
}
