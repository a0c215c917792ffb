//! What the tests of training share.

use std::fs;
use std::path::PathBuf;

use super::sample::{Label, Sample};
use crate::board::Position;
use crate::chance::Random;
use crate::eval::{Evaluate, Material};
use crate::train::Played;

/// A folder for a test, gone with it.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kelso-train-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// What is in it.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A game of random moves. Its samples are labelled by who is ahead, and scored by that.
pub(super) fn random_game(number: u64, plies: usize) -> Played {
    let mut random = Random::new(Random::mix(&[77, number]));
    let mut position = Position::start();
    let mut samples = Vec::new();
    for ply in 0..plies {
        let moves = position.moves();
        let Some(&mv) = moves.get(random.below(moves.len())) else { break };
        if !mv.is_capture() {
            let value = Material.evaluate(&position);
            let label = match value {
                1.. => Label::Win,
                0 => Label::Draw,
                _ => Label::Loss,
            };
            samples.push(Sample::new(&position, i16::try_from(value).unwrap(), label, ply));
        }
        position = position.after(mv);
    }
    Played { number, samples }
}
