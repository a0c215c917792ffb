//! Builds and verifies endgame databases.
//!
//! A slice and its twin are solved together in memory, compressed and written before work on any dependent
//! slice begins. Valid files in the folder are not rebuilt, so an interrupted build can be resumed.
//!
//! # Building
//!
//! Slices are solved in order of the number of pieces, then of men, each together with its twin: the same
//! pieces with the other side to move (`pair`). A pair is solved block by block, where a block consists of all
//! positions with the men on the same squares (`block`), for results or for distances (`results`,
//! `distances`). A build uses several threads, and can be interrupted at any moment. `verify` recomputes
//! values from the rules of the game.
//!
//! # Memory
//!
//! A slice needs the tables of all slices that captures and promotions lead to. Including its own table, this
//! takes at most 105 MiB of memory with six pieces, 1.3 GiB with seven and 10.8 GiB with eight. A build of
//! slices that need more than its limit is refused. Slices wait while others use the memory. Tables that are
//! dropped to make room are read again from their files.

mod block;
mod compress;
mod distances;
mod pair;
mod request;
mod results;
mod store;
mod table;
mod verify;

pub use request::{BuildError, BuildObserver, BuildRequest};
pub use verify::{SlicePart, Verification, WrongValue, verify};

use std::collections::HashSet;
use std::convert::Infallible;
use std::fs;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use self::compress::Coding;
use self::distances::DistanceRule;
use self::pair::{Rule, SlicePair};
use self::request::BuildResult;
use self::results::ResultRule;
use self::store::Store;
use self::table::{ValueTable, table_size};
use endgames::Slice;
use endgames::index::Index;
use runtime::pool;
use runtime::sync::lock;

/// Builds the requested databases.
///
/// # Errors
///
/// See [`BuildError`]. Finished files remain.
pub fn build(request: &BuildRequest, observer: &dyn BuildObserver) -> Result<(), BuildError> {
    // Report insufficient memory before hours of work.
    check_memory::<ResultRule>(request)?;
    check_memory::<DistanceRule>(request)?;
    fs::create_dir_all(&request.folder).map_err(|error| BuildError::Io(request.folder.clone(), error))?;
    Builder::<ResultRule>::new(request, observer).run()?;
    Builder::<DistanceRule>::new(request, observer).run()
}

fn check_memory<R: Rule>(request: &BuildRequest) -> BuildResult {
    let needs = request.pairs(R::CONTENT).into_iter().map(|pair| (memory::<R>(&[pair]).total(), pair));
    needs
        .max()
        .filter(|&(bytes, _)| bytes > request.memory)
        .map_or(Ok(()), |(bytes, pair)| Err(BuildError::Memory(pair, bytes)))
}

/// Memory in bytes needed to compress a slice.
const CODING_BYTES: u64 = 4 << 20;

struct MemoryNeed {
    /// The slices whose tables are read.
    needed: HashSet<Slice>,
    /// Size of the needed tables in bytes.
    tables: u64,
    /// All other memory, in bytes.
    own: u64,
}

impl MemoryNeed {
    const fn total(&self) -> u64 {
        self.tables + self.own
    }
}

/// Returns the memory needed to solve these pairs at the same time.
fn memory<R: Rule>(pairs: &[Slice]) -> MemoryNeed {
    let mut needed = HashSet::new();
    let mut own = 0;
    for slice in pairs {
        let tables = slice.both().map(table_size::<R::Best>).sum::<u64>();
        own += R::working_memory(&Index::new(*slice)) + CODING_BYTES.min(tables) + tables;
        needed.extend(slice.needs());
    }
    let tables = needed.iter().map(|&slice| table_size::<R::Best>(slice)).sum();
    MemoryNeed { needed, tables, own }
}

struct PairState {
    /// Slices that have not been started, one of each pair of twins, in the order in which they can be
    /// solved.
    waiting: Vec<Slice>,
    running: Vec<Slice>,
    error: Option<BuildError>,
}

struct Builder<'a, R: Rule> {
    request: &'a BuildRequest,
    observer: &'a dyn BuildObserver,
    store: Store<R>,
    state: Mutex<PairState>,
    changed: Condvar,
}

impl<'a, R: Rule> Builder<'a, R> {
    fn new(request: &'a BuildRequest, observer: &'a dyn BuildObserver) -> Self {
        let waiting = request.pairs(R::CONTENT);
        Self {
            request,
            observer,
            store: Store::new(&request.folder),
            state: Mutex::new(PairState { waiting, running: Vec::new(), error: None }),
            changed: Condvar::new(),
        }
    }

    fn run(&self) -> BuildResult {
        lock(&self.state).waiting.retain(|&slice| !self.is_built(slice));
        self.observer.on_resume();
        let workers = std::iter::repeat_n((), self.request.threads.max(1));
        let stop = || {
            lock(&self.state).error.get_or_insert(BuildError::Stopped);
        };
        let Ok(_) = pool::run(workers, |(), _| self.work(), stop, |_: Option<()>| Ok::<_, Infallible>(true));
        lock(&self.state).error.take().map_or(Ok(()), Err)
    }

    /// Returns an error if the build has been asked to stop.
    fn poll(&self) -> BuildResult {
        if self.observer.keep_going() { Ok(()) } else { Err(BuildError::Stopped) }
    }

    /// Returns whether the files of a slice and its twin exist and are valid. Reports errors.
    fn is_built(&self, slice: Slice) -> bool {
        let built = slice.both().all(|slice| {
            let path = self.store.path(slice);
            let file = path.exists().then(|| self.store.file(slice));
            if let Some(Err(error)) = &file {
                self.observer.on_error(&path, error);
            }
            matches!(file, Some(Ok(_)))
        });
        if built {
            self.observer.on_progress(slice.both().map(|slice| Index::new(slice).len()).sum());
        }
        built
    }

    fn work(&self) {
        while let Some(slice) = self.next() {
            let result = self.build_pair(slice);
            let mut state = lock(&self.state);
            state.running.retain(|&running| running != slice);
            if let Err(error) = result {
                state.error.get_or_insert(error);
            }
            self.changed.notify_all();
        }
    }

    /// Waits for the next slice. Returns `None` if no slice is left or the build stops.
    fn next(&self) -> Option<Slice> {
        let mut state = lock(&self.state);
        while state.error.is_none() {
            match self.poll().map(|()| self.choose(&mut state)) {
                Ok(None) if state.waiting.is_empty() => return None,
                Ok(None) => {
                    let waited = self.changed.wait_timeout(state, Duration::from_millis(100));
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Ok(chosen) => return chosen,
                Err(error) => state.error = Some(error),
            }
        }
        None
    }

    /// Chooses the first slice that can be solved now, in the memory that is left.
    fn choose(&self, state: &mut PairState) -> Option<Slice> {
        let unfinished: HashSet<Slice> = state.running.iter().chain(&state.waiting).copied().collect();
        let is_solved = |needed: &Slice| !unfinished.contains(&needed.first());
        let (place, need) = state.waiting.iter().enumerate().find_map(|(place, slice)| {
            let need = memory::<R>(&[&state.running[..], &[*slice]].concat());
            let is_ready = need.total() <= self.request.memory && slice.needs().iter().all(is_solved);
            is_ready.then_some((place, need))
        })?;
        let slice = state.waiting.remove(place);
        state.running.push(slice);
        self.store.shrink(self.request.memory.saturating_sub(need.own), &need.needed);
        Some(slice)
    }

    /// Solves and writes a slice and its twin.
    fn build_pair(&self, slice: Slice) -> BuildResult {
        let content = R::CONTENT;
        let total: u64 = slice.both().map(|slice| Index::new(slice).len()).sum();
        let mut progress = JobProgress { observer: self.observer, total, reported: 0 };
        let own: io::Result<Vec<_>> = slice.both().map(ValueTable::new).collect();
        let mut pair = SlicePair::new(own.map_err(|error| BuildError::Io(self.store.path(slice), error))?);
        self.observer.on_read(content, slice);
        let tables = self.store.tables(&slice.needs(), &|| self.poll())?;
        self.observer.on_solve(content, slice);
        pair.solve::<R>(&tables, &mut |positions| {
            // The last quarter of the progress is reserved for compression.
            progress.report(positions / 4 * 3);
            self.poll()
        })?;
        self.observer.on_compress(content, slice);
        for (coding, &counts) in Coding::all::<R>(&pair.own, &|| self.poll())?.iter().zip(&pair.counts) {
            let index = &coding.table.index;
            let before = progress.reported;
            coding.write(counts, &self.store.path(index.slice), &mut |done| {
                progress.report(before + done / 4);
                self.poll()
            })?;
            progress.report(before + index.len() / 4);
            let file = self.store.file(index.slice);
            let header = file.map_err(|error| BuildError::File(self.store.path(index.slice), error))?.header;
            self.observer.on_finish(&header);
        }
        for table in pair.own {
            self.store.keep(Arc::new(table));
        }
        progress.report(total);
        Ok(())
    }
}

struct JobProgress<'a> {
    observer: &'a dyn BuildObserver,
    total: u64,
    reported: u64,
}

impl JobProgress<'_> {
    fn report(&mut self, done: u64) {
        let done = done.min(self.total);
        self.observer.on_progress(done.saturating_sub(self.reported));
        self.reported = self.reported.max(done);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::pair::tests::solve_all;
    use super::*;
    use draughts::result::KnownValue;
    use endgames::file::SliceFile;
    use endgames::value::wdl_of;
    use endgames::{COMPILED_IN, Content, Databases, FileError};
    use runs::testing::Folder;

    fn request(folder: &Folder, pieces: u32) -> BuildRequest {
        BuildRequest {
            folder: folder.as_ref().to_owned(),
            pieces,
            distances: pieces,
            threads: 2,
            memory: 256 << 20,
            ..BuildRequest::default()
        }
    }

    fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
        let files = folder.names().into_iter().filter(|name| folder.path(name).is_file());
        files.map(|name| (name.clone(), fs::read(folder.path(&name)).unwrap())).collect()
    }

    /// Counts solved slices, and stops the build after a given number of slices.
    #[derive(Default)]
    struct Counter {
        begun: AtomicU64,
        max: Option<u64>,
        errors: AtomicU64,
        /// The slice, counted from 0, at which a worker panics.
        panic_at: Option<u64>,
    }

    impl BuildObserver for Counter {
        fn keep_going(&self) -> bool {
            let begun = self.begun.load(Ordering::Relaxed);
            self.max.is_none_or(|max| begun < max)
        }

        fn on_solve(&self, _: Content, _: Slice) {
            let slice = self.begun.fetch_add(1, Ordering::Relaxed);
            assert_ne!(Some(slice), self.panic_at, "this worker panics on purpose");
        }

        fn on_error(&self, _: &Path, _: &FileError) {
            self.errors.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn build_all(request: &BuildRequest) -> Counter {
        let counter = Counter::default();
        build(request, &counter).unwrap();
        counter
    }

    /// Builds three slices at a time. Returns the number of slices started.
    fn build_in_parts(request: &BuildRequest) -> u64 {
        let mut begun = 0;
        loop {
            let counter = Counter { max: Some(3), ..Counter::default() };
            let built = build(request, &counter);
            begun += counter.begun.into_inner();
            match built {
                Ok(()) => return begun,
                Err(error) => assert!(matches!(error, BuildError::Stopped), "{error}"),
            }
        }
    }

    #[test]
    fn a_panic_of_a_worker_ends_the_build_and_loses_nothing() {
        let (folder, whole) = (Folder::new(), Folder::new());
        let counter = Counter { panic_at: Some(3), ..Counter::default() };
        let ended = std::panic::catch_unwind(|| build(&request(&folder, 3), &counter).is_ok());
        assert!(ended.is_err());
        build_all(&request(&folder, 3));
        build_all(&request(&whole, 3));
        assert_eq!(files(&folder), files(&whole));
    }

    #[test]
    fn the_embedded_databases_equal_a_fresh_build() {
        let folder = Folder::new();
        build_all(&request(&folder, 4));
        let files = files(&folder);
        assert_eq!(files.len(), 2 * Slice::all(2..=4).len());
        let mut compared = 0;
        let files_in = |bytes: &'static &[u8]| SliceFile::split(bytes).map(Result::unwrap);
        for (header, bytes) in COMPILED_IN.iter().flat_map(files_in) {
            let name = header.content.file_name(header.slice);
            if let Some(built) = files.get(&name) {
                assert!(built == bytes, "{name}");
                compared += 1;
            }
        }
        assert_eq!(compared, files.len());
        let results: usize = files.iter().filter(|(n, _)| n.ends_with("wld")).map(|(_, f)| f.len()).sum();
        assert!(results <= 250 << 10, "{results}");
    }

    /// Probes every position of 2 and 3 pieces, and some of 4.
    #[test]
    fn the_embedded_results_equal_the_solvers() {
        let databases = Databases::compiled_in();
        assert!(databases.take_errors().is_empty());
        assert_eq!(databases.max_pieces(), 5);
        let (results, distances) = (solve_all::<ResultRule>(4), solve_all::<DistanceRule>(4));
        for (slice, solution) in &results {
            let index = Index::new(*slice);
            let step = if slice.pieces() < 4 { 1 } else { 7 };
            for number in (0..index.len()).step_by(step) {
                let node = index.node(number);
                let position = node.position().unwrap();
                let expected = wdl_of(solution.table.get(number));
                assert_eq!(databases.probe(&position), Some(expected));
                assert_eq!(databases.probe(&position.flipped()), Some(expected));
                let quiet = !position.must_capture();
                assert_eq!(quiet, !node.can_capture());
                assert_eq!(databases.probe_quiet(&position), quiet.then_some(expected));
                let value = distances[slice].table.get(number);
                let plies = value.checked_sub(1).map(u32::from);
                assert_eq!(databases.distance(&position), Some(KnownValue { result: expected, plies }));
            }
        }
    }

    #[test]
    fn a_stopped_build_is_resumed() {
        let (whole, parts) = (Folder::new(), Folder::new());
        build_all(&request(&whole, 3));
        let request = request(&parts, 3);
        let begun = build_in_parts(&request);
        assert_eq!(files(&whole), files(&parts));
        // Each stop loses at most the slices of two threads.
        assert!(begun <= 3 * 18, "{begun}");
        assert_eq!(build_all(&request).begun.into_inner(), 0);
        // Only damaged and missing files are rebuilt.
        fs::write(parts.path("11v01.wld"), b"damaged").unwrap();
        fs::remove_file(parts.path("01v02.dtw")).unwrap();
        fs::write(parts.path("01v02.dtw.123-4.tmp"), b"begun").unwrap();
        let repair = build_all(&request);
        assert_eq!((repair.begun.into_inner(), repair.errors.into_inner()), (2, 1));
        assert_eq!(files(&whole), files(&parts));
    }

    #[test]
    fn a_build_with_little_memory_waits_and_with_too_little_fails() {
        let (whole, small) = (Folder::new(), Folder::new());
        let request = BuildRequest { distances: 3, ..request(&whole, 4) };
        build_all(&request);
        let max = |content, need: &dyn Fn(Slice) -> u64| {
            request.pairs(content).into_iter().map(need).max().unwrap()
        };
        let min = max(Content::Results, &|pair| memory::<ResultRule>(&[pair]).total())
            .max(max(Content::Distances, &|pair| memory::<DistanceRule>(&[pair]).total()));
        let request = BuildRequest { memory: min, folder: small.as_ref().to_owned(), ..request };
        build_all(&request);
        assert!(files(&whole) == files(&small));
        fs::remove_dir_all(&small).unwrap();
        let error = build(&BuildRequest { memory: min - 1, ..request }, &Counter::default()).unwrap_err();
        assert!(matches!(error, BuildError::Memory(_, bytes) if bytes == min), "{error}");
        assert!(!small.path("").exists());
    }

    #[test]
    fn a_build_makes_the_requested_slices_and_their_dependencies() {
        let (whole, some) = (Folder::new(), Folder::new());
        build_all(&BuildRequest { distances: 3, ..request(&whole, 4) });
        let asked = ["12v10", "02v02"].map(|text| text.parse::<Slice>().unwrap());
        let request = BuildRequest { distances: 3, slices: asked.to_vec(), ..request(&some, 4) };
        build_all(&request);
        let (all, made) = (files(&whole), files(&some));
        assert!(made.iter().all(|(name, bytes)| all[name] == *bytes));
        // Each slice exists together with its twin, and no slice needs two men on each side.
        let there = |name: &&str| made.contains_key(&format!("{name}.wld"));
        assert!(["12v10", "10v12", "02v02", "03v10", "11v10"].iter().all(there));
        assert!(!["11v11", "20v10", "20v02"].iter().any(there));
        assert!(made.contains_key("11v10.dtw") && !made.contains_key("20v01.dtw"));
        // A request for all slices builds the missing slices.
        build_all(&BuildRequest { slices: Vec::new(), ..request });
        assert!(files(&some) == all);
    }

    /// The limits are for one pair at a time, on one thread.
    #[test]
    fn seven_pieces_fit_in_two_gibibytes_and_eight_in_eleven() {
        for (pieces, limit) in [(6, 106 << 20), (7, 1340 << 20), (8, 11 << 30)] {
            let pairs = Slice::pairs(2..=pieces);
            let max = pairs.iter().map(|&pair| memory::<ResultRule>(&[pair]).total()).max();
            assert!(max.unwrap() < limit, "{max:?}");
        }
    }
}
