//! The checkpoint of a build: its settings, and a line for each step.

use serde::{Deserialize, Serialize};

use super::tree::{Judgement, Tree};
use common::checkpoint::CheckpointHeader;
use draughts::notation::fen;
use engine::book::{BookScore, Key};

/// The settings that a resumed build must share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuildHeader {
    /// The evaluation and the checksum of its weights.
    pub judge: String,
    /// The program that searches.
    pub program: String,
    /// Nodes searched for each position.
    pub nodes: u64,
    /// The hundredths of a man that cost as much as a ply.
    pub width: u32,
    /// The engine's options.
    pub options: String,
    /// The most pieces of the endgame databases.
    pub databases: u32,
    /// The sets of roots.
    pub roots: String,
    /// The shard and the number of shards.
    pub shard: String,
}

/// A step of a build: a root, or a position whose moves were searched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuildStep {
    /// Its number, from 0.
    #[serde(rename = "n")]
    pub number: u64,
    /// The position, with Black to move.
    pub fen: String,
    /// True for a root, which was searched itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub root: bool,
    /// For each searched position its value for the side to move, the depth, and 1 if the result is known.
    #[serde(rename = "s")]
    pub searched: Vec<(i16, u8, u8)>,
}

impl BuildStep {
    /// Makes a step.
    pub fn new(number: u64, key: Key, root: bool, searched: &[Judgement]) -> Self {
        let fen = key.position().map(|position| fen::format(&position)).unwrap_or_default();
        let searched = searched
            .iter()
            .map(|known| (known.score.number(), known.depth, u8::from(known.settled)))
            .collect();
        Self { number, fen, root, searched }
    }

    /// Applies the step to a tree.
    ///
    /// # Errors
    ///
    /// Returns an error if the step is invalid, or does not fit the tree.
    pub fn apply(&self, tree: &mut Tree) -> Result<(), String> {
        let position = fen::parse(&self.fen).map_err(|error| error.to_string())?;
        let key = Key::of(&position);
        let searched: Option<Vec<_>> = self
            .searched
            .iter()
            .map(|&(score, depth, settled)| {
                Some(Judgement { score: BookScore::read(score)?, depth, settled: settled == 1 })
            })
            .collect();
        let searched = searched.ok_or("value out of range")?;
        match (self.root, searched.as_slice()) {
            (true, &[judgement]) => {
                tree.add_root(key, judgement);
                Ok(())
            }
            (true, _) => Err("a root with more than one value".to_owned()),
            (false, searched) => tree.expand(key, searched),
        }
    }
}

impl CheckpointHeader for BuildHeader {
    type Item = BuildStep;
    const FORMAT: &'static str = "kelso_book";
    const JOB: &'static str = "book";
    // Every step depends on the previous ones.
    const REMEDY: &'static str =
        "remove this line and all after it to resume, or use --overwrite to start again";

    fn program(&self) -> Option<&str> {
        Some(&self.program)
    }

    fn number(step: &BuildStep) -> u64 {
        step.number
    }
}
