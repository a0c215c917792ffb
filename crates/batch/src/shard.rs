//! Parts of the work, each for a different process or machine.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A part of the work: the items, counted from 0, whose number modulo `count` is `index - 1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// The part, counted from 1.
    pub index: u32,
    pub count: u32,
}

impl Shard {
    /// All of the work.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Returns whether an item, counted from 0, is in this part.
    pub fn has(self, item: impl Into<u64>) -> bool {
        item.into() % u64::from(self.count) == u64::from(self.index) - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The error for text that is not a part of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected I/N with I from 1 to N, such as 2/8")]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text.split_once('/').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        match numbers {
            Some((index, count)) if index >= 1 && index <= count => Ok(Self { index, count }),
            _ => Err(ShardError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_in_one_shard() {
        let shards: Vec<Shard> = (1..=3).map(|index| format!("{index}/3").parse().unwrap()).collect();
        for item in 0..10_u32 {
            assert_eq!(shards.iter().filter(|shard| shard.has(item)).count(), 1);
        }
        assert!(shards[1].has(4_u32) && Shard::WHOLE.has(4_u32));
    }

    #[test]
    fn invalid_values_are_rejected() {
        for wrong in ["", "0/3", "4/3", "1/0", "1", "a/b", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        assert_eq!("2/8".parse(), Ok(Shard { index: 2, count: 8 }));
    }
}
