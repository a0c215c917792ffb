//! Files of samples, grouped by game. The format is binary, and a resumed file is cut rather than rewritten,
//! since it may have gigabytes.
//!
//! A file is a header of 80 bytes, followed by games, each with a header of 16 bytes. All numbers are
//! little-endian.
//!
//! | bytes | header of the file |
//! |---|---|
//! | 0-7 | `KELSOPOS` |
//! | 8-11 | version, 1 |
//! | 12-15 | CRC-32 of bytes 16-79 |
//! | 16-23 | seed; 0 if it differs between games |
//! | 24-31 | nodes searched for each move; 0 if this differs between games |
//! | 32-35, 36-39 | shard, counted from 1, and number of shards; 0 and 0 in a merged file |
//! | 40-63 | name of the evaluation, padded with zeros |
//! | 64-67 | maximum number of pieces in the endgame databases |
//! | 68-71 | checksum of the weights of the evaluation |
//! | 72-75 | which fields are known: the sum of 1 for databases, 2 for weights, 4 for branches |
//! | 76-78 | number of branches of each game |
//! | 79 | number of pieces at which games stopped; 0 if they were played to their ends or this differs |
//!
//! | bytes | header of a game |
//! |---|---|
//! | 0-7 | number of the game |
//! | 8-11 | number of samples, at most 65,535 |
//! | 12-15 | CRC-32 of bytes 0-11 and the samples |
//!
//! A sample is 16 bytes ([`TrainingSample::to_bytes`]). Games are only appended; an incomplete last game is
//! dropped when a run is resumed.

mod games;

pub(crate) use games::SampleRun;
pub use games::{GameSamples, SampleReader, StoredGames};

use kelso_batch::error::changed;
use kelso_batch::shard::Shard;

const MAGIC: &[u8; 8] = b"KELSOPOS";
const VERSION: u32 = 1;
const HEAD: usize = 80;
const NAME: usize = 24;

/// The settings that all games of a file share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleHeader {
    /// The seed of the random numbers, or 0 if it differs between games.
    pub seed: u64,
    /// Number of nodes searched for each move, or 0 if it differs.
    pub nodes: u64,
    /// The shard, or `None` in a merged file.
    pub shard: Option<Shard>,
    pub evaluation: String,
    /// Maximum number of pieces in the endgame databases, or `None` if unknown or if it differs.
    pub databases: Option<u32>,
    /// Checksum of the weights, or `None` if there are no weights or they differ.
    pub weights: Option<u32>,
    /// Number of branches of each game, or `None` if it differs.
    pub branches: Option<u32>,
    /// The number of pieces at which games stopped, or `None` if they were played to their ends or this
    /// differs.
    pub stop_at: Option<u8>,
}

impl SampleHeader {
    pub(crate) fn to_bytes(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.seed.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.nodes.to_le_bytes());
        let Shard { index, count } = self.shard.unwrap_or(Shard { index: 0, count: 0 });
        bytes[32..36].copy_from_slice(&index.to_le_bytes());
        bytes[36..40].copy_from_slice(&count.to_le_bytes());
        bytes[40..40 + self.name().len()].copy_from_slice(self.name().as_bytes());
        for (bit, at, value) in [(0, 64, self.databases), (1, 68, self.weights), (2, 76, self.branches)] {
            if let Some(value) = value {
                bytes[72] |= 1 << bit;
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
        if let Some(pieces) = self.stop_at {
            bytes[79] = pieces;
        }
        let check = crc32fast::hash(&bytes[16..]);
        bytes[12..16].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEAD]) -> Result<Self, &'static str> {
        if &bytes[..8] != MAGIC {
            return Err("it does not begin with KELSOPOS");
        }
        if word(bytes, 8) != VERSION {
            return Err("its version is not supported");
        }
        if word(bytes, 12) != crc32fast::hash(&bytes[16..]) {
            return Err("wrong checksum of the header");
        }
        let name: Vec<u8> = bytes[40..40 + NAME].iter().copied().take_while(|&byte| byte != 0).collect();
        Ok(Self {
            seed: long(bytes, 16),
            nodes: long(bytes, 24),
            shard: Some(Shard { index: word(bytes, 32), count: word(bytes, 36) })
                .filter(|shard| shard.count > 0),
            evaluation: String::from_utf8(name).map_err(|_| "the name of the evaluation is not UTF-8")?,
            databases: (bytes[72] & 1 != 0).then(|| word(bytes, 64)),
            weights: (bytes[72] & 2 != 0).then(|| word(bytes, 68)),
            branches: (bytes[72] & 4 != 0).then(|| word(bytes, 76) & 0x00ff_ffff),
            stop_at: Some(bytes[79]).filter(|&pieces| pieces > 0),
        })
    }

    /// Returns the name of the evaluation, truncated to the space in the file.
    fn name(&self) -> &str {
        let mut end = self.evaluation.len().min(NAME);
        while !self.evaluation.is_char_boundary(end) {
            end -= 1;
        }
        &self.evaluation[..end]
    }

    /// Returns the header of a file merged from files with the given headers.
    pub fn common(heads: &[Self]) -> Self {
        let Some((first, rest)) = heads.split_first() else { return Self::default() };
        rest.iter().fold(Self { shard: None, ..first.clone() }, |shared, head| Self {
            seed: if shared.seed == head.seed { shared.seed } else { 0 },
            nodes: if shared.nodes == head.nodes { shared.nodes } else { 0 },
            shard: None,
            databases: shared.databases.filter(|_| shared.databases == head.databases),
            weights: shared.weights.filter(|_| shared.weights == head.weights),
            branches: shared.branches.filter(|_| shared.branches == head.branches),
            stop_at: shared.stop_at.filter(|_| shared.stop_at == head.stop_at),
            evaluation: if shared.name() == head.name() { shared.evaluation } else { "various".to_owned() },
        })
    }

    /// Returns the names and values of the settings.
    pub fn settings(&self) -> [(&'static str, String); 8] {
        let shard = self.shard.map_or_else(|| "merged".to_owned(), |shard| shard.to_string());
        let databases = match self.databases {
            Some(0) => "none".to_owned(),
            Some(pieces) => format!("up to {pieces} pieces"),
            None => "unknown".to_owned(),
        };
        [
            ("seed", number_text(self.seed)),
            ("nodes", number_text(self.nodes)),
            ("branches", self.branches.map_or_else(|| "various".to_owned(), |branches| branches.to_string())),
            ("stop at", self.stop_at.map_or_else(|| "none".to_owned(), |pieces| format!("{pieces} pieces"))),
            ("shard", shard),
            ("evaluation", self.name().to_owned()),
            ("weights", self.weights.map_or_else(|| "none".to_owned(), |checksum| format!("{checksum:08x}"))),
            ("endgame databases", databases),
        ]
    }

    /// Describes the first setting that differs from that of a new run.
    fn difference(&self, now: &Self) -> Option<String> {
        let pairs = self.settings().into_iter().zip(now.settings());
        pairs.into_iter().find_map(|((name, old), (_, now))| changed(name, &old, &now))
    }
}

fn word(bytes: &[u8; HEAD], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn long(bytes: &[u8; HEAD], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// Returns the text of a number, which is 0 in a file merged from files with various numbers.
fn number_text(number: u64) -> String {
    if number == 0 { "various".to_owned() } else { number.to_string() }
}

impl Default for SampleHeader {
    fn default() -> Self {
        Self {
            seed: 0,
            nodes: 0,
            shard: None,
            evaluation: String::new(),
            databases: None,
            weights: None,
            branches: Some(0),
            stop_at: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::head;

    #[test]
    fn a_long_name_is_cut_between_letters_and_still_the_same() {
        let head = SampleHeader {
            evaluation: "network of many, many \u{e4}\u{f6}\u{fc}\u{df}".into(),
            ..SampleHeader::default()
        };
        let back = SampleHeader::from_bytes(&head.to_bytes()).unwrap();
        assert_eq!(back.evaluation, "network of many, many \u{e4}");
        assert_eq!((head.difference(&back), back.difference(&head)), (None, None));
    }

    #[test]
    fn headers_round_trip_through_bytes() {
        let head = head();
        let bytes = head.to_bytes();
        assert_eq!(SampleHeader::from_bytes(&bytes), Ok(head.clone()));
        assert_eq!(bytes[8..12], [1, 0, 0, 0]);
        // The file format must not change.
        assert_eq!(bytes[64..], [6, 0, 0, 0, 0x2b, 0x1a, 0, 0, 7, 0, 0, 0, 3, 2, 0, 0]);
        for (databases, weights) in [(None, Some(0)), (Some(0), None), (None, None), (Some(0), Some(0))] {
            let head = SampleHeader { databases, weights, ..head.clone() };
            assert_eq!(SampleHeader::from_bytes(&head.to_bytes()), Ok(head));
        }
        let stopped = SampleHeader { stop_at: Some(12), ..head.clone() };
        assert_eq!(stopped.to_bytes()[76..], [3, 2, 0, 12]);
        assert_eq!(SampleHeader::from_bytes(&stopped.to_bytes()), Ok(stopped));
        let various = SampleHeader { branches: None, ..head.clone() };
        assert_eq!(various.to_bytes()[72..], [3, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(SampleHeader::from_bytes(&various.to_bytes()), Ok(various));
        for at in 8..HEAD {
            let mut damaged = bytes;
            damaged[at] ^= 4;
            assert!(SampleHeader::from_bytes(&damaged).is_err(), "{at}");
        }
    }

    #[test]
    fn merged_headers_keep_common_values() {
        let head =
            |seed, nodes, name: &str| SampleHeader { seed, nodes, evaluation: name.to_owned(), ..head() };
        let common = |heads: &[SampleHeader]| SampleHeader::common(heads);
        let without = |head: SampleHeader| SampleHeader { shard: None, ..head };
        assert_eq!(common(&[head(3, 5, "a"), head(3, 5, "a")]), without(head(3, 5, "a")));
        assert_eq!(common(&[head(3, 5, "a"), head(4, 5, "b")]), without(head(0, 5, "various")));
        assert_eq!(common(&[head(3, 5, "a"), head(3, 6, "a")]), without(head(3, 0, "a")));
        let other = SampleHeader { databases: Some(5), weights: None, ..head(3, 5, "a") };
        let unknown = SampleHeader { databases: None, weights: None, ..head(3, 5, "a") };
        assert_eq!(common(&[head(3, 5, "a"), other.clone()]), without(unknown.clone()));
        assert_eq!(common(&[unknown.clone(), other]), without(unknown));
        let more = SampleHeader { branches: Some(3), ..head(3, 5, "a") };
        let various = SampleHeader { branches: None, ..head(3, 5, "a") };
        assert_eq!(common(&[head(3, 5, "a"), more.clone()]), without(various.clone()));
        assert_eq!(common(&[various.clone(), more]), without(various));
    }
}
