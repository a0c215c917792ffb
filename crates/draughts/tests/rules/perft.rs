//! Counts the leaves of the move trees in `tests/data/perft/`, with and without playing the last move.
//!
//! The expected counts come from the reference in `tests/shared/rules.rs`, not from the engine. Each line in
//! the files is a comment (`#`), a position, or a depth and the number of leaves at that depth below the
//! previous position. Tests marked `#[ignore]` count the largest trees.

use std::fs;
use std::path::Path;

use crate::shared::rules::Board;
use kelso_draughts::board::{Position, Setup, divide, perft};
use kelso_draughts::notation::fen;

struct Count {
    place: String,
    position: Position,
    depth: u32,
    leaves: u64,
}

fn counts() -> Vec<Count> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/perft");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut counts = Vec::new();
    for file in files {
        let mut position = None;
        for (line, text) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let place = format!("{}:{}", file.file_name().unwrap().display(), line + 1);
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if text.contains(':') {
                position = Some(fen::parse(text).unwrap_or_else(|error| panic!("{place}: {error}")));
                continue;
            }
            let (depth, leaves) = text.split_once(' ').unwrap_or_else(|| panic!("{place}: no count"));
            let position = position.unwrap_or_else(|| panic!("{place}: no position"));
            counts.push(Count {
                position,
                depth: depth.parse().unwrap_or_else(|error| panic!("{place}: {error}")),
                leaves: leaves.parse().unwrap_or_else(|error| panic!("{place}: {error}")),
                place,
            });
        }
    }
    counts
}

/// Checks every line up to a number of leaves, and returns the sum of the leaves.
fn count_up_to(limit: u64, count: impl Fn(&Position, u32) -> u64) -> u64 {
    let mut total = 0;
    for Count { place, position, depth, leaves } in counts() {
        if leaves <= limit {
            assert_eq!(
                count(&position, depth),
                leaves,
                "{place}: depth {depth} of {}",
                fen::format(&position)
            );
            total += leaves;
        }
    }
    total
}

#[test]
fn counting_the_last_ply_finds_the_leaves() {
    assert!(count_up_to(60_000_000, perft) > 500_000_000);
}

#[test]
fn the_start_has_the_published_leaves_to_depth_twelve() {
    assert_eq!(perft(&Position::start(), 12), 388_623_673);
}

#[test]
fn dividing_finds_the_leaves() {
    let divided = |position: &Position, depth| {
        let mut leaves = 0;
        divide(position, depth, &mut || true, &mut |branch| leaves += branch.leaves);
        leaves
    };
    assert!(count_up_to(4_000_000, divided) > 10_000_000);
}

#[test]
fn playing_moves_of_positions_finds_the_leaves() {
    fn leaves(position: &Position, depth: u32) -> u64 {
        // A move counts once for each of its paths.
        match depth {
            0 => 1,
            _ => position
                .moves()
                .iter()
                .map(|&mv| ways(position, mv) * leaves(&position.after(mv), depth - 1))
                .sum(),
        }
    }
    fn ways(position: &Position, mv: kelso_draughts::board::Move) -> u64 {
        if mv.is_king() && mv.captured().len() >= 4 { position.paths(mv).len() as u64 } else { 1 }
    }
    assert!(count_up_to(4_000_000, leaves) > 10_000_000);
}

#[test]
fn the_reference_finds_the_leaves() {
    assert!(count_up_to(100_000, by_reference) > 1_000_000);
}

#[test]
#[ignore = "takes half an hour"]
fn the_longest_lines_have_their_leaves() {
    count_up_to(u64::MAX, perft);
    count_up_to(400_000_000, by_reference);
}

fn by_reference(position: &Position, depth: u32) -> u64 {
    Board::new(&Setup::from(position)).perft(depth)
}
