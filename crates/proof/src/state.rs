//! Saves and resumes an interrupted prover: its holds, and the results of its search for each position.
//!
//! A state begins with two lines of text: the format, then the position and the leaves. The rest is binary,
//! little-endian: the number of nodes in 8 bytes; the two holds, each as the number of its positions in 8
//! bytes, then the key of each position and the index of the move, 9 bytes; and the entries, 18 bytes each:
//! the key of a position, its two numbers, the index of the decisive move, and 1 if a refutation is
//! tentative. A CRC-32 ends the file. An incorrect state only costs time, since certificates are checked.

use super::prover::Prover;
use super::search::{KeyMap, Numbers, SearchEntry};
use kelso_draughts::board::Position;
use kelso_draughts::notation::fen;

const FORMAT_LINE: &str = "kelso-proof-state 1";
const ENTRY_BYTES: usize = 18;
/// Size of a position of a hold.
const CHOICE_BYTES: usize = 9;

/// The reason why a state cannot be resumed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// The file is not a saved state.
    #[error("not the state of a proof: expected a line \"{FORMAT_LINE}\"")]
    Foreign,
    /// The state belongs to another position or other leaves.
    #[error("the state of another proof: {found} instead of {expected}")]
    Other {
        /// The position and the leaves for which the file was saved.
        found: String,
        /// The position and the leaves to prove now.
        expected: String,
    },
    /// The state is truncated or corrupted.
    #[error("damaged: {0}")]
    Damaged(&'static str),
}

impl Prover<'_> {
    /// Returns the state of the prover for a position.
    pub fn save(&self, position: &Position) -> Vec<u8> {
        let mut bytes = format!("{FORMAT_LINE}\n{}\n", self.task(position)).into_bytes();
        bytes.extend(self.earlier.saturating_add(self.search.nodes).to_le_bytes());
        for hold in self.saved_holds() {
            let moves: Vec<(u64, u8)> = hold.saved().collect();
            bytes.extend((moves.len() as u64).to_le_bytes());
            for (key, index) in moves {
                bytes.extend(key.to_le_bytes());
                bytes.push(index);
            }
        }
        let table = &self.search.table;
        bytes.reserve(table.len() * ENTRY_BYTES + size_of::<u32>());
        for (key, SearchEntry { numbers, best, tentative }) in table {
            bytes.extend(key.to_le_bytes());
            bytes.extend(numbers.proof.to_le_bytes());
            bytes.extend(numbers.disproof.to_le_bytes());
            bytes.extend([*best, u8::from(*tentative)]);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Resumes from a state of the same position.
    pub fn resume(&mut self, position: &Position, state: &[u8]) -> Result<(), StateError> {
        let line = format!("{FORMAT_LINE}\n");
        let rest = state.strip_prefix(line.as_bytes()).ok_or(StateError::Foreign)?;
        let (rest, checksum) = rest.split_last_chunk().ok_or(StateError::Damaged("too short"))?;
        if u32::from_le_bytes(*checksum) != crc32fast::hash(&state[..state.len() - size_of::<u32>()]) {
            return Err(StateError::Damaged("wrong checksum"));
        }
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or(StateError::Damaged("no position"))?;
        let (task, entries) = rest.split_at(end);
        let expected = self.task(position);
        if task != expected.as_bytes() {
            let found = String::from_utf8_lossy(task).into_owned();
            return Err(StateError::Other { found, expected });
        }
        let counted = entries.get(1..).and_then(<[u8]>::split_first_chunk);
        let (nodes, mut entries) = counted.ok_or(StateError::Damaged("missing number of nodes"))?;
        let mut holds: [KeyMap<u8>; 2] = Default::default();
        for hold in &mut holds {
            (*hold, entries) = moves(entries).ok_or(StateError::Damaged("an incomplete hold"))?;
        }
        if !entries.len().is_multiple_of(ENTRY_BYTES) {
            return Err(StateError::Damaged("a wrong length"));
        }
        self.earlier = u64::from_le_bytes(*nodes);
        self.search.restore(entries.chunks_exact(ENTRY_BYTES).filter_map(entry));
        self.restore_holds(position, &holds);
        Ok(())
    }

    fn task(&self, position: &Position) -> String {
        format!("{} leaves {}", fen::format(position), self.search.leaves.pieces)
    }
}

/// Reads the moves of a hold. Returns them and the rest.
fn moves(bytes: &[u8]) -> Option<(KeyMap<u8>, &[u8])> {
    let (count, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(CHOICE_BYTES)?;
    let (choices, rest) = rest.split_at_checked(length)?;
    Some((choices.chunks_exact(CHOICE_BYTES).filter_map(choice).collect(), rest))
}

fn choice(bytes: &[u8]) -> Option<(u64, u8)> {
    let (key, index) = bytes.split_first_chunk()?;
    Some((u64::from_le_bytes(*key), *index.first()?))
}

fn entry(bytes: &[u8]) -> Option<(u64, SearchEntry)> {
    let (key, rest) = bytes.split_first_chunk()?;
    let (proof, rest) = rest.split_first_chunk()?;
    let (disproof, rest) = rest.split_first_chunk()?;
    let &[best, tentative] = rest else { return None };
    let numbers = Numbers { proof: u32::from_le_bytes(*proof), disproof: u32::from_le_bytes(*disproof) };
    Some((u64::from_le_bytes(*key), SearchEntry { numbers, best, tentative: tentative != 0 }))
}

#[cfg(test)]
mod tests {
    use kelso_endgames::Databases;

    use super::*;
    use crate::{Leaves, Unproved};

    #[test]
    fn a_proof_resumes_where_it_was_interrupted() {
        let databases = Databases::compiled_in();
        let leaves = Leaves::up_to(&databases, 5);
        let position = fen::parse("B:W8,20,29:B2,16,21,26").unwrap();
        let mut whole = Prover::new(leaves, 10_000_000);
        let claim = whole.prove(&position, None, &mut |_| true).unwrap().claim;
        let mut first = Prover::new(leaves, 10_000_000);
        let limit = whole.nodes() / 2;
        let stopped = first.prove(&position, None, &mut |progress| progress.nodes < limit);
        assert!(matches!(stopped, Err(Unproved::Unfinished { interrupted: true, .. })), "{limit} nodes");
        let state = first.save(&position);
        let mut second = Prover::new(leaves, 10_000_000);
        second.resume(&position, &state).unwrap();
        assert_eq!(second.prove(&position, None, &mut |_| true).unwrap().claim, claim);
        assert!(second.nodes() < whole.nodes(), "{} of {}", second.nodes(), whole.nodes());
        let mut third = Prover::new(leaves, 1);
        third.resume(&position, &state).unwrap();
        let Err(Unproved::Unfinished { interrupted: false, nodes, .. }) =
            third.prove(&position, None, &mut |_| true)
        else {
            panic!("proved with one node");
        };
        assert!(nodes > limit, "{nodes} nodes of all runs");
    }

    /// A prover that is interrupted often, such as to save its state, gets as far.
    #[test]
    fn a_proof_continues_after_pauses() {
        let databases = Databases::compiled_in();
        for text in ["B:W8,20,29:B2,16,21,26", "W:WK1,K2:BK15,K18"] {
            let position = fen::parse(text).unwrap();
            let leaves = Leaves::up_to(&databases, position.piece_count() - 1);
            let mut whole = Prover::new(leaves, 10_000_000);
            let claim = whole.prove(&position, None, &mut |_| true).unwrap().claim;
            let mut paused = Prover::new(leaves, 10_000_000);
            let mut count = 0;
            let proved = loop {
                let end = paused.nodes() + whole.nodes() / 8;
                match paused.prove(&position, None, &mut |progress| progress.nodes < end) {
                    Err(Unproved::Unfinished { interrupted: true, nodes, .. }) => {
                        assert_eq!(nodes, paused.nodes());
                        count += 1;
                    }
                    result => break result.unwrap(),
                }
            };
            assert_eq!(proved.claim, claim);
            let (nodes, other) = (paused.nodes(), whole.nodes());
            assert!(count > 4 && nodes < 3 * other, "{count} pauses: {nodes} nodes instead of {other}");
        }
    }

    #[test]
    fn a_growing_hold_is_resumed() {
        let databases = Databases::compiled_in();
        let leaves = Leaves::up_to(&databases, 5);
        let position = fen::parse("W:W10,17,K19:BK20,K22,25").unwrap();
        let mut first = Prover::new(leaves, 1_500_000);
        assert!(first.prove(&position, None, &mut |_| true).is_err());
        let sizes =
            |prover: &Prover<'_>| prover.saved_holds().map(|hold| hold.saved().count()).collect::<Vec<_>>();
        let before = sizes(&first);
        assert!(before.iter().any(|&size| size > 100), "{before:?}");
        let mut second = Prover::new(leaves, 1_500_000);
        second.resume(&position, &first.save(&position)).unwrap();
        assert_eq!(sizes(&second), before);
    }

    #[test]
    fn other_and_damaged_states_are_refused() {
        let databases = Databases::compiled_in();
        let position = fen::parse("W:WK1,K12:B7,10,11").unwrap();
        let mut prover = Prover::new(Leaves::up_to(&databases, 0), 1);
        let state = prover.save(&position);
        assert_eq!(prover.resume(&position, &state), Ok(()));
        let other = prover.resume(&position.flipped(), &state).unwrap_err();
        assert!(other.to_string().starts_with("the state of another proof: W:W"), "{other}");
        assert_eq!(prover.resume(&position, b"text"), Err(StateError::Foreign));
        for end in FORMAT_LINE.len() + 1..state.len() {
            let cut = prover.resume(&position, &state[..end]);
            assert!(matches!(cut, Err(StateError::Damaged(_))), "{end}: {cut:?}");
        }
        for at in FORMAT_LINE.len() + 1..state.len() {
            let mut damaged = state.clone();
            damaged[at] ^= 1;
            let error = prover.resume(&position, &damaged);
            assert_eq!(error, Err(StateError::Damaged("wrong checksum")), "{at}");
        }
    }
}
