//! What a tournament has come to, in a file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Tournament;
use common::file::{self, WriteError};
use engine::SettingError;

/// What a tournament has come to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuneState {
    /// What must be the same for another run to go on.
    terms: Terms,
    /// Generations played.
    pub generation: u64,
    /// The holder's weights.
    pub(super) holder: Vec<i32>,
    /// The results of the generation under way, by pair: halves that the challenger got with either colour.
    pub(super) played: Vec<Option<[u8; 2]>>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Terms {
    evaluation: String,
    first: Vec<i32>,
    seed: u64,
    challengers: usize,
    pairs: usize,
    nodes: u64,
    reach: f64,
    /// The engine's options.
    #[serde(default)]
    settings: String,
}

/// Why there is no tournament.
#[derive(Debug)]
pub enum TuneError {
    /// The state can't be read.
    Read(PathBuf, io::Error),
    /// It can't be written.
    Write(WriteError),
    /// It is no state.
    Damaged(PathBuf),
    /// It is the state of another tournament.
    Other(PathBuf),
    /// The engine refuses a setting.
    Setting(SettingError),
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cannot = |f: &mut fmt::Formatter<'_>, path: &Path, why: &str| {
            let path = path.display();
            write!(f, "cannot go on from {path}: {why}; remove it to begin anew, or choose another --out")
        };
        match self {
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Write(error) => error.fmt(f),
            Self::Damaged(path) => cannot(f, path, "it is no state of a tournament, or damaged"),
            Self::Other(path) => {
                cannot(f, path, "it belongs to a tournament with other settings or other first weights")
            }
            Self::Setting(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TuneError {}

/// No state is longer; more of a file isn't read.
const MOST_BYTES: u64 = 1 << 26;

impl TuneState {
    pub(super) fn new(tournament: &Tournament) -> Self {
        let Tournament { first, seed, challengers, pairs, nodes, reach, settings, .. } = tournament;
        let settings: Vec<_> = settings.iter().map(|setting| format!("{setting:?}")).collect();
        Self {
            terms: Terms {
                evaluation: first.evaluation().name().to_owned(),
                first: first.values().to_vec(),
                seed: *seed,
                challengers: *challengers,
                pairs: *pairs,
                nodes: *nodes,
                reach: *reach,
                settings: settings.join(", "),
            },
            generation: 0,
            holder: first.values().to_vec(),
            played: Vec::new(),
        }
    }

    pub(super) fn load(path: &Path, tournament: &Tournament) -> Result<Self, TuneError> {
        let new = Self::new(tournament);
        let text = match file::read_regular(path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(new),
            Err(error) => return Err(TuneError::Read(path.to_owned(), error)),
        };
        let state: Self = serde_json::from_slice(&text).map_err(|_| TuneError::Damaged(path.to_owned()))?;
        if state.terms != new.terms {
            return Err(TuneError::Other(path.to_owned()));
        }
        let most = tournament.challengers * tournament.pairs;
        let sound = state.holder.len() == new.holder.len()
            && state.played.len() <= most
            && state.played.iter().flatten().flatten().all(|&half| half <= 2);
        if sound { Ok(state) } else { Err(TuneError::Damaged(path.to_owned())) }
    }

    pub(super) fn store(&self, path: &Path) -> Result<(), TuneError> {
        let text = serde_json::to_vec(self).unwrap_or_default();
        file::write(path, &text).map_err(TuneError::Write)
    }
}
