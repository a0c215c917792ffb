//! Data that searches in known draws reuse from one move of a game to the next.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use crate::search::TranspositionTable;
use draughts::board::Move;
use runtime::sync::lock;

/// The size of each transposition table in MiB.
const TABLE_MIB: usize = 4;
/// Maximum number of positions whose replies are kept.
const MAX_REPLIES: usize = 50_000;

/// Tables for known draws. They are allocated by the first search that needs them.
///
/// If the root is a known draw, scores have a different meaning than in other searches and need a separate
/// table. The modelled opponent, which has no databases, has its own table, as a real opponent does.
#[derive(Debug, Default)]
pub struct PracticalMemory {
    table: OnceLock<Option<TranspositionTable>>,
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

impl PracticalMemory {
    /// Returns the table for known draws, or `None` if out of memory.
    pub(super) fn table(&self) -> Option<&TranspositionTable> {
        self.table.get_or_init(|| TranspositionTable::new(TABLE_MIB).ok()).as_ref()
    }

    /// Returns the opponent's table, or `None` if out of memory.
    pub(super) fn opponent_table(&self) -> Option<&TranspositionTable> {
        self.opponent_table.get_or_init(|| TranspositionTable::new(TABLE_MIB).ok()).as_ref()
    }

    pub(super) fn reply(&self, key: u64) -> Option<Reply> {
        lock(&self.replies).get(&key).copied()
    }

    pub(super) fn record(&self, key: u64, reply: Reply) {
        let mut replies = lock(&self.replies);
        if replies.len() >= MAX_REPLIES {
            replies.clear();
        }
        replies.insert(key, reply);
    }
}
