//! Builds databases in a folder.
//!
//! A slice and its twin are solved together, compressed and written before work on any dependent slice
//! begins. Valid files in the folder are not rebuilt, so an interrupted build can be resumed. A slice that
//! does not fit in memory is solved on disk. If the build is killed, only part of the work on it is lost: see
//! [`job`].
//!
//! Processes that share a folder, on one machine or several, lock the slices that they build. On file systems
//! without locks, several processes may solve the same slice and write the same file.

mod block;
mod compress;
mod distances;
mod job;
mod memory;
mod pair;
mod plan;
mod request;
mod results;
mod store;
mod table;
mod work;

pub use plan::{BuildJob, Cost};
pub use request::{BuildError, BuildObserver, BuildRequest};

use std::collections::HashSet;
use std::convert::Infallible;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use self::distances::DistanceRule;
use self::pair::Rule;
use self::plan::{disk, least, memory};
use self::request::BuildResult;
use self::results::ResultRule;
use self::store::Store;
use self::work::Work;
use crate::index::Index;
use crate::{Content, Slice};
use runs::lock::Lock;
use runs::pool::{self, lock};

/// Builds the requested databases.
///
/// # Errors
///
/// See [`BuildError`]. Finished files remain.
pub fn build(request: &BuildRequest, observer: &dyn BuildObserver) -> Result<(), BuildError> {
    let at_folder = |error| BuildError::Io(request.folder.clone(), error);
    fs::create_dir_all(&request.folder).map_err(at_folder)?;
    if !request.share {
        remove_unfinished(&request.folder).map_err(at_folder)?;
    }
    // Report insufficient memory before hours of work.
    check_memory::<ResultRule>(request)?;
    check_memory::<DistanceRule>(request)?;
    Builder::<ResultRule>::new(request, observer).run()?;
    Builder::<DistanceRule>::new(request, observer).run()?;
    if request.share { Ok(()) } else { Work::remove(&request.folder, true).map_err(at_folder) }
}

fn check_memory<R: Rule>(request: &BuildRequest) -> BuildResult {
    let most = request.pairs(R::CONTENT).into_iter().map(|pair| (least::<R>(pair), pair)).max();
    most.filter(|&(bytes, _)| bytes > request.memory)
        .map_or(Ok(()), |(bytes, pair)| Err(BuildError::Memory(pair, bytes)))
}

/// Removes the unfinished files of a killed build.
fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let ours = Content::BOTH.iter().any(|kind| name.contains(&format!(".{}.", kind.extension())));
        if ours && (name.ends_with(".tmp") || name.ends_with(".lock")) {
            fs::remove_file(&path)?;
        }
    }
    Work::remove(folder, false)
}

struct PairState {
    /// Slices that have not been started, one of each pair of twins, in the order in which they can be
    /// solved.
    waiting: Vec<Slice>,
    /// Slices being solved, and whether their tables are on disk.
    running: Vec<(Slice, bool)>,
    error: Option<BuildError>,
}

/// A slice to solve, whether its tables are on disk, and its lock if other processes are also building.
type ChosenSlice = (Slice, bool, Option<Lock>);

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
            store: Store::new(request),
            state: Mutex::new(PairState { waiting, running: Vec::new(), error: None }),
            changed: Condvar::new(),
        }
    }

    fn run(&self) -> BuildResult {
        lock(&self.state).waiting.retain(|&slice| !self.is_built(slice, true));
        self.observer.on_resume();
        let workers = std::iter::repeat_n((), self.request.threads.max(1));
        let stop = || {
            lock(&self.state).error.get_or_insert(BuildError::Stopped);
        };
        let Ok(_) = pool::run(workers, |(), _| self.work(), stop, |_: Option<()>| Ok::<_, Infallible>(true));
        lock(&self.state).error.take().map_or(Ok(()), Err)
    }

    /// Returns whether the files of a slice and its twin exist and are valid. If `report` is true, reports
    /// problems.
    fn is_built(&self, slice: Slice, report: bool) -> bool {
        let built = slice.both().all(|slice| {
            let path = self.store.path(slice);
            let file = path.exists().then(|| self.store.file(slice));
            if let Some(Err(error)) = &file
                && report
            {
                self.observer.on_problem(&path, error);
            }
            matches!(file, Some(Ok(_)))
        });
        if built {
            self.store.work.finish(slice);
            self.observer.on_progress(slice.both().map(|slice| Index::new(slice).len()).sum());
        }
        built
    }

    fn work(&self) {
        while let Some((slice, on_disk, file_lock)) = self.next() {
            let done = self.build_pair(slice, on_disk);
            drop(file_lock);
            let mut state = lock(&self.state);
            state.running.retain(|&(running, _)| running != slice);
            if let Err(error) = done {
                state.error.get_or_insert(error);
            }
            self.changed.notify_all();
        }
    }

    /// Waits for the next slice. Returns `None` if no slice is left or the build stops.
    fn next(&self) -> Option<ChosenSlice> {
        let mut state = lock(&self.state);
        let wait = Duration::from_millis(if self.request.share { 1000 } else { 100 });
        while state.error.is_none() {
            match self.poll().and_then(|()| self.choose(&mut state)) {
                Ok(None) if state.waiting.is_empty() => return None,
                Ok(None) => {
                    state = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
                }
                Ok(chosen) => return chosen,
                Err(error) => state.error = Some(error),
            }
        }
        None
    }

    /// Chooses the first slice that can be solved now, and whether to solve it on disk. Prefers a slice that
    /// fits in memory, but never waits for other threads to free memory.
    fn choose(&self, state: &mut PairState) -> BuildResult<Option<ChosenSlice>> {
        // Another process may have built some of the slices.
        state.waiting.retain(|&slice| !self.request.share || !self.is_built(slice, false));
        let running = state.running.iter().map(|&(slice, _)| slice);
        let unfinished: HashSet<Slice> = running.chain(state.waiting.iter().copied()).collect();
        let is_solved = |needed: &Slice| !unfinished.contains(&needed.first());
        let mut ready = state.waiting.clone();
        ready.retain(|slice| slice.needs().iter().all(is_solved));
        let places =
            [false, true].into_iter().flat_map(|on_disk| ready.iter().map(move |&slice| (slice, on_disk)));
        for place @ (slice, on_disk) in places {
            let memory = memory::<R>(&[&state.running[..], &[place]].concat());
            if memory.total() > self.request.memory {
                continue;
            }
            let path = self.store.path(slice);
            let file_lock = self.request.share.then(|| Lock::beside(&path)).transpose();
            let file_lock = file_lock.map_err(|error| BuildError::Io(path, error))?;
            if matches!(file_lock, Some(None)) {
                continue;
            }
            state.waiting.retain(|&waiting| waiting != slice);
            // Another process may have finished the slice before the lock was taken.
            if file_lock.is_some() && self.is_built(slice, false) {
                return self.choose(state);
            }
            state.running.push(place);
            let wanted: HashSet<Slice> = unfinished.iter().flat_map(|slice| slice.needs()).collect();
            self.store.shrink(self.request.memory.saturating_sub(memory.own), &memory.needed, &wanted);
            let more = if on_disk { disk::<R>(slice) } else { 0 };
            self.store.make_room(&mut lock(&self.store.state), more, &wanted);
            return Ok(Some((slice, on_disk, file_lock.flatten())));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::pair::tests::solve_all;
    use super::*;
    use crate::value::wdl_of;
    use crate::{Databases, FileError};
    use draughts::result::KnownValue;
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

    /// Counts solved slices, and stops the build after a given number of slices or polls.
    #[derive(Default)]
    struct Counter {
        begun: AtomicU64,
        most: Option<u64>,
        asked: AtomicU64,
        most_asked: Option<u64>,
        problems: AtomicU64,
        /// The slice, counted from 0, at which a worker panics.
        panic_at: Option<u64>,
    }

    impl BuildObserver for Counter {
        fn keep_going(&self) -> bool {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed);
            let begun = self.begun.load(Ordering::Relaxed);
            self.most.is_none_or(|most| begun < most) && self.most_asked.is_none_or(|most| asked < most)
        }

        fn on_solve(&self, _: Content, _: Slice) {
            let slice = self.begun.fetch_add(1, Ordering::Relaxed);
            assert_ne!(Some(slice), self.panic_at, "this worker panics on purpose");
        }

        fn on_problem(&self, _: &Path, _: &FileError) {
            self.problems.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn build_all(request: &BuildRequest) -> Counter {
        let counter = Counter::default();
        build(request, &counter).unwrap();
        counter
    }

    /// Stops and resumes a build repeatedly. Returns the number of stops and the number of slices started.
    fn build_in_parts(request: &BuildRequest, observer: impl Fn(u64) -> Counter) -> (u64, u64) {
        let (mut stops, mut begun) = (0, 0);
        loop {
            let counter = observer(stops);
            let built = build(request, &counter);
            begun += counter.begun.into_inner();
            match built {
                Ok(()) => return (stops, begun),
                Err(error) => assert!(matches!(error, BuildError::Stopped), "{error}"),
            }
            stops += 1;
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
    fn what_is_compiled_in_is_what_the_builder_makes() {
        let folder = Folder::new();
        build_all(&request(&folder, 4));
        let files = files(&folder);
        assert_eq!(files.len(), 2 * Slice::all(2..=4).len());
        let mut compared = 0;
        for (name, bytes) in Databases::compiled_in_bytes() {
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
    fn what_is_compiled_in_is_what_the_solver_finds() {
        let databases = Databases::compiled_in();
        assert!(databases.take_problems().is_empty());
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
    fn a_stopped_build_keeps_going_where_it_was() {
        let (whole, parts) = (Folder::new(), Folder::new());
        build_all(&request(&whole, 3));
        let request = request(&parts, 3);
        let (_, begun) = build_in_parts(&request, |_| Counter { most: Some(3), ..Counter::default() });
        assert_eq!(files(&whole), files(&parts));
        // Each stop loses at most the slices of two threads.
        assert!(begun <= 3 * 18, "{begun}");
        assert_eq!(build_all(&request).begun.into_inner(), 0);
        // Only damaged and missing files are rebuilt.
        fs::write(parts.path("11v01.wld"), b"damaged").unwrap();
        fs::remove_file(parts.path("01v02.dtw")).unwrap();
        fs::write(parts.path("20v01.wld.123.tmp"), b"begun").unwrap();
        let repair = build_all(&request);
        assert_eq!((repair.begun.into_inner(), repair.problems.into_inner()), (2, 1));
        assert_eq!(files(&whole), files(&parts));
    }

    #[test]
    fn what_does_not_fit_in_memory_is_made_on_the_disk() {
        let (whole, on_disk) = (Folder::new(), Folder::new());
        let request = BuildRequest { distances: 3, ..request(&whole, 4) };
        build_all(&request);
        let most = |content, need: &dyn Fn(Slice) -> u64| {
            request.pairs(content).into_iter().map(need).max().unwrap()
        };
        let least = most(Content::Results, &least::<ResultRule>)
            .max(most(Content::Distances, &least::<DistanceRule>));
        let all = most(Content::Results, &|pair| memory::<ResultRule>(&[(pair, false)]).total());
        assert!(least < all, "some are on the disk: {least} {all}");
        let request = BuildRequest { memory: least, folder: on_disk.as_ref().to_owned(), ..request };
        for (threads, scratch, in_parts) in [(1, 0, false), (2, 1 << 30, false), (2, 1 << 30, true)] {
            let request = BuildRequest { threads, scratch, ..request.clone() };
            if in_parts {
                // Stop a little later each time.
                let later = |at| Counter { most_asked: Some(8 + at * at * 2), ..Counter::default() };
                let (stops, _) = build_in_parts(&request, later);
                assert!(stops > 5, "{stops}");
            } else {
                build_all(&request);
            }
            assert!(files(&whole) == files(&on_disk));
            fs::remove_dir_all(&on_disk).unwrap();
        }
        let error = build(&BuildRequest { memory: least - 1, ..request }, &Counter::default()).unwrap_err();
        assert!(matches!(error, BuildError::Memory(_, bytes) if bytes == least), "{error}");
        assert!(files(&on_disk).is_empty());
    }

    #[test]
    fn several_builders_share_the_work() {
        let (whole, shared) = (Folder::new(), Folder::new());
        build_all(&request(&whole, 3));
        let request = BuildRequest { share: true, threads: 1, ..request(&shared, 3) };
        let counter = Counter::default();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| build(&request, &counter).unwrap());
            }
        });
        assert_eq!(files(&whole), files(&shared));
        assert_eq!(counter.begun.into_inner(), 2 * Slice::pairs(2..=3).len() as u64);
    }

    #[test]
    fn only_what_is_asked_for_is_made_and_what_that_needs() {
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
        assert_eq!(made.len(), request.plan().iter().map(|job| job.slices.len()).sum::<usize>());
        assert!(made.contains_key("11v10.dtw") && !made.contains_key("20v01.dtw"));
        // A request for all slices builds the missing slices.
        build_all(&BuildRequest { slices: Vec::new(), ..request });
        assert!(files(&some) == all);
    }

    /// The limits are for one pair at a time, on one thread.
    #[test]
    fn seven_pieces_fit_in_two_gibibytes_and_eight_in_twelve() {
        for (pieces, in_memory, on_disk) in [(7, 2 << 30, 1 << 30), (8, 12 << 30, 5 << 30)] {
            let pairs = Slice::pairs(2..=pieces);
            let most = pairs.iter().map(|&pair| memory::<ResultRule>(&[(pair, false)]).total()).max();
            assert!(most.unwrap() < in_memory, "{most:?}");
            let most = pairs.iter().map(|&pair| least::<ResultRule>(pair)).max();
            assert!(most.unwrap() < on_disk, "{most:?}");
        }
    }

    #[test]
    fn estimates_are_near_what_is_compiled_in() {
        let folder = Folder::new();
        let estimate = BuildRequest { distances: 4, ..request(&folder, 5) }.cost();
        let bytes: usize = Databases::compiled_in_bytes().iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(estimate.bytes.abs_diff(bytes as u64) < bytes as u64 / 5, "{estimate:?} {bytes}");
    }
}
