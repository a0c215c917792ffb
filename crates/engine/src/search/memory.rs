//! The memory of searches, kept from one move of a game to the next.

use std::collections::HashMap;
use std::sync::Mutex;

use super::buckets::OutOfMemory;
use super::table::TranspositionTable;
use kelso_draughts::board::Move;
use kelso_runtime::sync::lock;

/// The size of each table for known draws, in MiB.
const DRAW_TABLE_MIB: usize = 4;
/// Maximum number of positions whose replies are kept.
const MAX_REPLIES: usize = 50_000;

/// The transposition table and, for known draws, two small tables and the replies that the opponent is
/// expected to make. The small tables take no memory before the first search of a known draw.
#[derive(Debug)]
pub struct SearchMemory {
    pub(crate) table: TranspositionTable,
    /// The table for searches of a known draw, whose scores have a different meaning.
    pub(super) draw_table: TranspositionTable,
    /// The table of the modelled opponent, who has no databases.
    pub(super) opponent_table: TranspositionTable,
    replies: Mutex<HashMap<u64, ExpectedReply>>,
}

/// The opponent's expected reply in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExpectedReply {
    /// The move, or `None` without a legal move.
    pub(super) mv: Option<Move>,
    /// The chance that the reply throws away the draw, in thousandths.
    pub(super) error: i32,
}

impl SearchMemory {
    /// Creates a memory with a transposition table of the given size in MiB, at least 1.
    ///
    /// # Errors
    ///
    /// If a table cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        Ok(Self {
            table: TranspositionTable::new(mebibytes)?,
            draw_table: TranspositionTable::new(DRAW_TABLE_MIB)?,
            opponent_table: TranspositionTable::new(DRAW_TABLE_MIB)?,
            replies: Mutex::default(),
        })
    }

    /// Forgets all searches.
    pub fn clear(&mut self) {
        for table in [&self.table, &self.draw_table, &self.opponent_table] {
            table.clear();
        }
        self.replies = Mutex::default();
    }

    pub(super) fn reply(&self, key: u64) -> Option<ExpectedReply> {
        lock(&self.replies).get(&key).copied()
    }

    pub(super) fn record_reply(&self, key: u64, reply: ExpectedReply) {
        let mut replies = lock(&self.replies);
        if replies.len() >= MAX_REPLIES {
            replies.clear();
        }
        replies.insert(key, reply);
    }
}
