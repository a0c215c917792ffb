//! What a growing book keeps on disk: how it is made, and a line for each step.

use serde::{Deserialize, Serialize};

use super::tree::{Judgement, Misfit, Tree};
use common::checkpoint::{Checkpoint, CheckpointHeader};
use draughts::notation::fen;
use engine::book::{BookScore, Key};

/// How a book is made. Only runs that agree in all of it can go on with each other's work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The evaluation, and the checksum of its weights.
    pub judge: String,
    /// The program whose searches these are.
    pub program: String,
    /// Nodes for each position.
    pub nodes: u64,
    /// Hundredths of a man that weigh as much as a ply.
    pub width: u32,
    /// The engine's options.
    pub options: String,
    /// Up to how many pieces there are endgame databases.
    pub databases: u32,
    /// Where the book begins.
    pub roots: String,
    /// Which shard of how many.
    pub shard: String,
}

/// A root, or a position whose moves were searched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 0.
    #[serde(rename = "n")]
    pub number: u64,
    /// The position, with Black to move.
    pub fen: String,
    /// Whether it is a root, which has been searched itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub root: bool,
    /// For each position that was searched: what it is worth to its mover, the depth, and 1 if the result is known.
    #[serde(rename = "s")]
    pub searched: Vec<(i16, u8, u8)>,
}

impl Step {
    /// A step, as it is written.
    #[must_use]
    pub fn new(number: u64, key: Key, root: bool, searched: &[Judgement]) -> Self {
        let fen = key.position().map(|position| fen::format(&position)).unwrap_or_default();
        let searched = searched
            .iter()
            .map(|known| (known.worth.number(), known.depth, u8::from(known.settled)))
            .collect();
        Self { number, fen, root, searched }
    }

    /// Makes the step in a tree.
    ///
    /// # Errors
    ///
    /// When it isn't one, or doesn't fit.
    pub fn make(&self, tree: &mut Tree) -> Result<(), String> {
        let position = fen::parse(&self.fen).map_err(|error| error.to_string())?;
        let key = Key::of(&position);
        let searched: Option<Vec<_>> = self
            .searched
            .iter()
            .map(|&(worth, depth, settled)| {
                Some(Judgement { worth: BookScore::read(worth)?, depth, settled: settled == 1 })
            })
            .collect();
        let searched = searched.ok_or("a worth beyond all bounds")?;
        let made = match (self.root, searched.as_slice()) {
            (true, &[judgement]) => tree.add_root(key, judgement).map(|_| ()),
            (true, _) => return Err("a root with more than one worth".to_owned()),
            (false, searched) => tree.expand(key, searched),
        };
        made.map_err(|misfit: Misfit| misfit.to_string())
    }
}

/// The steps of a growing book on disk.
pub type Steps = Checkpoint<Header>;

impl CheckpointHeader for Header {
    type Item = Step;
    const FORMAT: &'static str = "kelso_book";
    const JOB: &'static str = "book";
    // Every step stands on those before it.
    const REMEDY: &'static str =
        "remove this line and all after it to resume, or use --overwrite to start again";

    fn program(&self) -> Option<&str> {
        Some(&self.program)
    }

    fn number(step: &Step) -> u64 {
        step.number
    }
}
