//! Snapshots: the state of a run in one binary file, which is replaced as a whole. It begins with the name of its
//! format and ends with a CRC-32, so that a file of another kind or a damaged one is noticed.
//!
//! A run whose state changes has a snapshot; a run whose results only grow has a [checkpoint](super::checkpoint).

/// The reason why bytes are not a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The bytes do not begin with the name of the format.
    #[error("another kind of file")]
    Foreign,
    #[error("too short")]
    Short,
    #[error("wrong checksum")]
    Checksum,
}

/// Adds the checksum to a snapshot, which must begin with the name of its format.
pub fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Returns the contents of a snapshot: the bytes between the name of its format and its checksum.
///
/// # Errors
///
/// If the snapshot has another format or is damaged.
pub fn open<'a>(bytes: &'a [u8], format: &[u8]) -> Result<&'a [u8], SnapshotError> {
    let rest = bytes.strip_prefix(format).ok_or(SnapshotError::Foreign)?;
    let (contents, checksum) = rest.split_last_chunk::<4>().ok_or(SnapshotError::Short)?;
    let expected = crc32fast::hash(&bytes[..bytes.len() - 4]);
    if u32::from_le_bytes(*checksum) == expected { Ok(contents) } else { Err(SnapshotError::Checksum) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_is_opened_if_it_is_whole() {
        let sealed = seal(b"format and contents".to_vec());
        assert_eq!(open(&sealed, b"format"), Ok(&b" and contents"[..]));
        assert_eq!(open(&sealed, b"formal"), Err(SnapshotError::Foreign));
        assert_eq!(open(&sealed[..8], b"format"), Err(SnapshotError::Short));
        for at in 6..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1;
            assert_eq!(open(&damaged, b"format"), Err(SnapshotError::Checksum), "{at}");
        }
    }
}
