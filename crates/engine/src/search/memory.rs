//! The memory of searches, kept from one move of a game to the next.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use super::buckets::OutOfMemory;
use super::table::TranspositionTable;
use draughts::board::Move;
use runtime::sync::lock;

/// The size of each table for known draws, in MiB.
const DRAW_TABLE_MIB: usize = 4;
/// Maximum number of positions whose replies are kept.
const MAX_REPLIES: usize = 50_000;

/// The transposition table and, for known draws, two small tables and the replies that the opponent is expected
/// to make. The first search of a known draw allocates these tables.
#[derive(Debug)]
pub struct SearchMemory {
    pub(crate) table: TranspositionTable,
    draw_table: OnceLock<Option<TranspositionTable>>,
    opponent_table: OnceLock<Option<TranspositionTable>>,
    replies: Mutex<HashMap<u64, Reply>>,
}

/// The opponent's expected reply in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
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
    /// If the table cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        Ok(Self {
            table: TranspositionTable::new(mebibytes)?,
            draw_table: OnceLock::new(),
            opponent_table: OnceLock::new(),
            replies: Mutex::default(),
        })
    }

    /// Forgets all searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.draw_table.take();
        self.opponent_table.take();
        self.replies = Mutex::default();
    }

    /// Returns the table for searches of a known draw, whose scores have a different meaning, or `None` if out
    /// of memory.
    pub(super) fn draw_table(&self) -> Option<&TranspositionTable> {
        self.draw_table.get_or_init(|| TranspositionTable::new(DRAW_TABLE_MIB).ok()).as_ref()
    }

    /// Returns the table of the modelled opponent, who has no databases, or `None` if out of memory.
    pub(super) fn opponent_table(&self) -> Option<&TranspositionTable> {
        self.opponent_table.get_or_init(|| TranspositionTable::new(DRAW_TABLE_MIB).ok()).as_ref()
    }

    pub(super) fn reply(&self, key: u64) -> Option<Reply> {
        lock(&self.replies).get(&key).copied()
    }

    pub(super) fn record_reply(&self, key: u64, reply: Reply) {
        let mut replies = lock(&self.replies);
        if replies.len() >= MAX_REPLIES {
            replies.clear();
        }
        replies.insert(key, reply);
    }
}
