//! A run of the prover, which saves an unfinished proof, and builds the distances of a long win.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, process};

use crate::{Certificate, ProofProgress, Prover, Unproved};
use kelso_batch::error::RunError;
use kelso_batch::file::{self, NewFolder};
use kelso_draughts::board::Position;
use kelso_draughts::result::Wdl;
use kelso_endgames::build::{BuildError, BuildObserver, BuildRequest, build};
use kelso_endgames::{DatabaseOptions, Databases, Slice};

/// The position and claim of a proof, and how it is searched.
#[derive(Clone, Copy, Debug)]
pub struct ProofRun<'a> {
    pub position: &'a Position,
    /// The only value to prove, or any.
    pub claim: Option<Wdl>,
    /// The file in which an unfinished proof is saved.
    pub state: Option<&'a Path>,
    /// Number of threads that build distances.
    pub threads: usize,
}

/// A report on a proof while it is searched.
#[derive(Debug)]
pub enum ProofEvent {
    Progress(ProofProgress),
    /// The distances of the ending are being built, since the win is long.
    Building,
    /// They cannot be built, and the search continues without them.
    NotBuilt(BuildError),
}

/// Number of nodes after which the distances of a won ending are built, since its win is long: about a
/// second.
const NODES_BEFORE_DISTANCES: u64 = 2_000_000;
/// Maximum number of pieces of endings whose distances are built, which takes up to a minute.
const DISTANCE_PIECES: u32 = 5;
const DISTANCE_MEMORY: u64 = 2 << 30;
/// Time between saves of an unfinished proof. A kill loses at most the work since the last save.
const SAVE_INTERVAL: Duration = Duration::from_secs(180);

impl Prover<'_> {
    /// Proves a position as long as `keep_going` returns `true`. Saves the proof if it is unfinished.
    ///
    /// # Errors
    ///
    /// If the proof cannot be saved. The inner error is the reason why there is no proof.
    pub fn run(
        &mut self,
        run: &ProofRun<'_>,
        keep_going: impl Fn() -> bool + Sync,
        on_event: &mut dyn FnMut(ProofEvent),
    ) -> Result<Result<Certificate, Unproved>, RunError> {
        let ProofRun { position, claim, state, threads } = *run;
        let value = self.search.leaves.databases.value(position);
        let value = value.filter(|_| position.piece_count() <= DISTANCE_PIECES);
        let mut lacks_distances = value.is_some_and(|value| value.plies.is_none() && value.wdl != Wdl::Draw);
        let mut saved = Instant::now();
        let mut saved_nodes = 0;
        // Kept until the search ends.
        let mut folder = None;
        loop {
            let mut reached = 0;
            let result = self.prove(position, claim, &mut |progress| {
                on_event(ProofEvent::Progress(progress));
                reached = progress.nodes;
                // The certificate is built and checked without further nodes.
                let must_save = state.is_some() && reached > saved_nodes && saved.elapsed() > SAVE_INTERVAL;
                let must_build = lacks_distances && reached > NODES_BEFORE_DISTANCES;
                keep_going() && !must_save && !must_build
            });
            let Err(Unproved::Unfinished { interrupted, .. }) = result else { return Ok(result) };
            let goes_on = interrupted && keep_going();
            if goes_on && lacks_distances && reached > NODES_BEFORE_DISTANCES {
                lacks_distances = false;
                on_event(ProofEvent::Building);
                match build_distances(position, threads, &keep_going) {
                    Ok((distances, built)) => {
                        self.search.distances = Some(distances);
                        folder.get_or_insert(built);
                    }
                    Err(_) if !keep_going() => {}
                    Err(error) => on_event(ProofEvent::NotBuilt(error)),
                }
                continue;
            }
            if let Some(path) = state {
                file::write(path, &self.save(position))?;
                (saved, saved_nodes) = (Instant::now(), reached);
            }
            if !goes_on || state.is_none() {
                return Ok(result);
            }
        }
    }
}

/// An observer that ends a build when a function returns `false`.
struct StopWhen<F>(F);

impl<F: Fn() -> bool + Sync> BuildObserver for StopWhen<F> {
    fn keep_going(&self) -> bool {
        (self.0)()
    }
}

/// Builds the distances of an ending and of those that it leads to, in a temporary folder.
fn build_distances(
    position: &Position,
    threads: usize,
    keep_going: impl Fn() -> bool + Sync,
) -> Result<(Databases, NewFolder), BuildError> {
    let folder = NewFolder::create(&env::temp_dir().join(format!("kelso-distances-{}", process::id())))?;
    let pieces = position.piece_count();
    let request = BuildRequest {
        folder: folder.to_path_buf(),
        pieces,
        distances: pieces,
        slices: Slice::of(position).into_iter().collect(),
        threads,
        memory: DISTANCE_MEMORY,
    };
    build(&request, &StopWhen(keep_going))?;
    let options = DatabaseOptions { folder: Some(folder.to_path_buf()), ..DatabaseOptions::default() };
    Ok((Databases::open(&options), folder))
}
