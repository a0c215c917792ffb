//! A mutated file of training positions: its games can be read, or there is an error.

use std::sync::LazyLock;

use crate::file::{number, patched, repair, with_file};
use kelso_draughts::board::Position;
use kelso_draughts::result::Wdl;
use kelso_training::{SampleReader, TrainingSample};

const HEADER: usize = 80;
const GAME_HEADER: usize = 16;

/// A file with two games of three samples each.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut bytes = [b"KELSOPOS".as_slice(), &[1, 0, 0, 0], &[0; 28], b"network"].concat();
    bytes.resize(HEADER, 0);
    for game in 0..2_u64 {
        bytes.extend([&game.to_le_bytes()[..], &[3, 0, 0, 0], &[0; 4]].concat());
        for ply in 0..3 {
            bytes.extend(TrainingSample::new(&Position::start(), 12, Wdl::Win, ply).to_bytes());
        }
    }
    bytes
});

fn repair_all(bytes: &mut [u8]) {
    repair(bytes, 16..HEADER, 12);
    let mut at = HEADER;
    while at + GAME_HEADER <= bytes.len() {
        let end = at + GAME_HEADER + number(bytes, at + 8..at + 12) * TrainingSample::BYTES;
        let Some(game) = bytes.get(at..end) else { return };
        let checked = [&game[..12], &game[GAME_HEADER..]].concat();
        bytes[at + 12..at + GAME_HEADER].copy_from_slice(&crc32fast::hash(&checked).to_le_bytes());
        at = end;
    }
}

pub fn run(patch: &[u8]) {
    let mut bytes = patched(&FILE, patch);
    repair_all(&mut bytes);
    with_file("a.positions", &bytes, |path| {
        let Ok(mut reader) = SampleReader::open(path) else { return };
        let mut read = HEADER as u64;
        while let Some(Ok(game)) = reader.next() {
            read += (GAME_HEADER + game.samples.len() * TrainingSample::BYTES) as u64;
            assert_eq!(reader.position, read);
            for sample in game.samples {
                assert_eq!(TrainingSample::from_bytes(&sample.to_bytes()), Some(sample));
            }
        }
        assert!(read <= bytes.len() as u64);
    });
}
