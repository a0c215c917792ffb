//! What the games of an analysis have in common. Only runs that agree in all of it can go on with each other's work.

use serde::{Deserialize, Serialize};

/// The first line of a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Who judges: what he calls himself, and what he is made of.
    pub judge: String,
    /// Kelso's own program, whose verdicts these are.
    pub program: String,
    /// The limits for each move.
    pub limits: String,
    /// His options.
    pub options: String,
    /// Up to how many pieces there are endgame databases.
    pub databases: u32,
    /// The games that were read: bytes and checksum.
    pub input: String,
    /// Which of them are analysed.
    pub games: String,
    /// Which shard of how many.
    pub shard: String,
    /// Whether problems are looked for.
    pub problems: bool,
    /// Whether only moves with a verdict have comments.
    #[serde(default)]
    pub brief: bool,
}
