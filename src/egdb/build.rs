//! Building databases in a folder: which slices, in what order, on how many threads, within how much memory.
//!
//! A slice and its twin are solved together, compressed, and written; only then is anything that leads to them begun.
//! What is found whole in the folder is not built again, so that a build that was stopped, in whatever way, goes on
//! where it was.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::claim::{Claims, RENEWAL};
use super::compress::{Choice, Values};
use super::coverage::Coverage;
use super::distance::DistanceRule;
use super::file::to_bytes;
use super::header::Content;
use super::index::Index;
use super::pair::{self, Rule, Solution};
use super::request::{BuildError, BuildWatch, Request};
use super::slice::Slice;
use super::store::{Store, table_size};
use super::table::Table;
use super::wld::ResultRule;
use crate::common::file;

/// Builds what is asked for.
///
/// # Errors
///
/// See [`BuildError`]. What has been written stays.
pub fn build(request: &Request, watch: &dyn BuildWatch) -> Result<(), BuildError> {
    let at_folder = |error| BuildError::Io(request.folder.clone(), error);
    fs::create_dir_all(&request.folder).map_err(at_folder)?;
    if !request.share {
        remove_remains(&request.folder).map_err(at_folder)?;
    }
    Builder::<ResultRule>::new(request, watch).run()?;
    Builder::<DistanceRule>::new(request, watch).run()
}

/// Removes what a killed build left of files that it had begun.
fn remove_remains(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ours = Content::BOTH.iter().any(|kind| name.contains(&format!(".{}.", kind.extension())));
        if ours && (name.ends_with(".tmp") || name.ends_with(".claim")) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Waiting,
    Running,
    Done,
}

struct BuildState {
    status: Vec<Status>,
    /// Why everyone stops.
    error: Option<BuildError>,
}

/// Builds all slices of one kind.
struct Builder<'a, R: Rule> {
    request: &'a Request,
    watch: &'a dyn BuildWatch,
    jobs: Vec<Slice>,
    places: HashMap<Slice, usize>,
    store: Store<R>,
    claims: Option<Claims>,
    state: Mutex<BuildState>,
    changed: Condvar,
    over: AtomicBool,
}

impl<'a, R: Rule> Builder<'a, R> {
    fn new(request: &'a Request, watch: &'a dyn BuildWatch) -> Self {
        let jobs = request.pairs(R::CONTENT);
        let places =
            jobs.iter().enumerate().flat_map(|(i, &slice)| slice.both().map(move |s| (s, i))).collect();
        Self {
            request,
            watch,
            places,
            store: Store::new(&request.folder),
            claims: request.share.then(Claims::new),
            state: Mutex::new(BuildState { status: vec![Status::Waiting; jobs.len()], error: None }),
            changed: Condvar::new(),
            over: AtomicBool::new(false),
            jobs,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BuildState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) -> Result<(), BuildError> {
        for (job, status) in self.lock().status.iter_mut().enumerate() {
            if self.is_built(job, true) {
                *status = Status::Done;
            }
        }
        self.watch.resume();
        std::thread::scope(|scope| {
            if let Some(claims) = &self.claims {
                scope.spawn(|| {
                    let mut since = Instant::now();
                    while !self.over.load(Ordering::Relaxed) {
                        std::thread::sleep(Duration::from_millis(50));
                        if since.elapsed() >= RENEWAL {
                            claims.renew();
                            since = Instant::now();
                        }
                    }
                });
            }
            let workers: Vec<_> =
                (0..self.request.threads.max(1)).map(|_| scope.spawn(|| self.work())).collect();
            for worker in workers {
                if worker.join().is_err() {
                    self.lock().error.get_or_insert(BuildError::Stopped);
                }
            }
            self.over.store(true, Ordering::Relaxed);
        });
        self.lock().error.take().map_or(Ok(()), Err)
    }

    /// Whether both files of a pair are there and whole. `first` is whether to look for the first time, where
    /// something wrong is worth telling.
    fn is_built(&self, job: usize, first: bool) -> bool {
        let built = self.jobs[job].both().all(|slice| {
            let path = self.store.path(slice);
            if !path.exists() {
                return false;
            }
            match self.store.file(slice) {
                Ok(_) => true,
                Err(error) => {
                    if first {
                        self.watch.problem(&path, &error);
                    }
                    false
                }
            }
        });
        if built {
            self.watch.advance(self.jobs[job].both().map(|slice| Index::new(slice).len()).sum());
        }
        built
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            let done = self.solve(self.jobs[job]);
            if let Some(claims) = &self.claims {
                claims.release(&self.store.path(self.jobs[job]));
            }
            let mut state = self.lock();
            match done {
                Ok(()) => state.status[job] = Status::Done,
                Err(error) => {
                    state.status[job] = Status::Waiting;
                    state.error.get_or_insert(error);
                }
            }
            self.changed.notify_all();
        }
    }

    /// Waits for something to do; nothing if all is done or everyone stops.
    fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if !self.watch.go_on() {
                state.error.get_or_insert(BuildError::Stopped);
            }
            if state.error.is_some() || state.status.iter().all(|&status| status == Status::Done) {
                self.changed.notify_all();
                return None;
            }
            match self.choose(&mut state) {
                Ok(Some(job)) => {
                    state.status[job] = Status::Running;
                    return Some(job);
                }
                Ok(None) => {}
                Err(error) => {
                    state.error.get_or_insert(error);
                    continue;
                }
            }
            let wait = Duration::from_millis(if self.claims.is_some() { 1000 } else { 100 });
            state = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The first slice that can be solved now.
    fn choose(&self, state: &mut BuildState) -> Result<Option<usize>, BuildError> {
        let running: Vec<usize> =
            (0..self.jobs.len()).filter(|&job| state.status[job] == Status::Running).collect();
        for job in 0..self.jobs.len() {
            if state.status[job] != Status::Waiting {
                continue;
            }
            // Someone else may have built it meanwhile.
            if self.claims.is_some() && self.is_built(job, false) {
                state.status[job] = Status::Done;
                continue;
            }
            let slice = self.jobs[job];
            if slice.needs().iter().any(|needed| state.status[self.places[needed]] != Status::Done) {
                continue;
            }
            let mut together = running.clone();
            together.push(job);
            let together: Vec<Slice> = together.iter().map(|&job| self.jobs[job]).collect();
            let memory = memory::<R>(&together);
            if memory.total() > self.request.memory {
                if running.is_empty() {
                    return Err(BuildError::Memory(slice, memory.total()));
                }
                continue;
            }
            if let Some(claims) = &self.claims {
                let path = self.store.path(slice);
                if !claims.take(&path).map_err(|error| BuildError::Io(path, error))? {
                    continue;
                }
            }
            self.store.shrink(self.request.memory.saturating_sub(memory.own), &memory.needed);
            return Ok(Some(job));
        }
        Ok(None)
    }

    /// Solves a slice and its twin, and writes them.
    fn solve(&self, slice: Slice) -> Result<(), BuildError> {
        let start = Instant::now();
        self.watch.begin(R::CONTENT, slice);
        let tables =
            self.store.tables(&slice.needs()).map_err(|(path, error)| BuildError::File(path, error))?;
        let total: u64 = slice.both().map(|slice| Index::new(slice).len()).sum();
        let mut told = 0;
        let solutions = pair::solve::<R>(slice, &tables, |solved| {
            // The rest of the time goes into compressing.
            let now = solved * 3 / 4;
            self.watch.advance(now.saturating_sub(told));
            told = told.max(now);
            self.watch.go_on() && !self.over.load(Ordering::Relaxed)
        });
        let solutions = solutions.ok_or(BuildError::Stopped)?;
        let go_on = || self.watch.go_on() && !self.over.load(Ordering::Relaxed);
        let plans = coverages::<R>(&solutions, &go_on).ok_or(BuildError::Stopped)?;
        for (solution, (coverage, choice)) in solutions.into_iter().zip(plans) {
            let index = &solution.table.index;
            let values = Values { index, cells: &solution.table.cells, coverage, block: R::CONTENT.block() };
            let compressed = values.compress(&choice, &go_on).ok_or(BuildError::Stopped)?;
            let path = self.store.path(index.slice);
            let written = to_bytes(R::CONTENT, index.slice, solution.counts, &compressed).and_then(|bytes| {
                file::write(&path, &bytes).map_err(|failed| failed.error)?;
                Ok(())
            });
            written.map_err(|error| BuildError::File(path.clone(), error))?;
            let header = self.store.file(index.slice).map_err(|error| BuildError::File(path, error))?.header;
            self.watch.finish(&header, start.elapsed());
            self.store.keep(solution.table);
        }
        self.watch.advance(total.saturating_sub(told));
        Ok(())
    }
}

/// What must be in memory while some slices are solved.
pub(super) struct MemoryNeed {
    /// The slices whose tables must be there.
    needed: HashSet<Slice>,
    /// Bytes of those tables.
    tables: u64,
    /// Bytes besides.
    own: u64,
}

impl MemoryNeed {
    /// All bytes.
    pub(super) const fn total(&self) -> u64 {
        self.tables + self.own
    }
}

/// What must be in memory while slices, one of each pair, are solved at the same time.
pub(super) fn memory<R: Rule>(pairs: &[Slice]) -> MemoryNeed {
    let mut needed = HashSet::new();
    let mut own = 0;
    for &slice in pairs {
        needed.extend(slice.needs());
        // Values, and the compressed form at its largest.
        own += slice.both().map(|slice| table_size::<R::Cells>(slice) * 9 / 8).sum::<u64>();
        own += R::working_memory(&Index::new(slice));
    }
    let tables = needed.iter().map(|&slice| table_size::<R::Cells>(slice)).sum();
    MemoryNeed { needed, tables, own }
}

/// What each file of a pair leaves out: what makes both together the smallest, by samples.
fn coverages<R: Rule>(
    solutions: &[Solution<R::Cells>],
    go_on: &dyn Fn() -> bool,
) -> Option<Vec<(Coverage, Choice)>> {
    let choose = |solution: &Solution<R::Cells>, coverage| {
        let Table { index, cells } = &*solution.table;
        let values = Values { index, cells, coverage, block: R::CONTENT.block() };
        Some((coverage, values.choose(R::OFFSETS, go_on)?))
    };
    match solutions {
        [one, other] => {
            let (full, less) = (choose(one, Coverage::Quiet)?, choose(one, Coverage::Calm)?);
            let (other_full, other_less) = (choose(other, Coverage::Quiet)?, choose(other, Coverage::Calm)?);
            if full.1.cost + other_less.1.cost <= less.1.cost + other_full.1.cost {
                Some(vec![full, other_less])
            } else {
                Some(vec![less, other_full])
            }
        }
        alone => alone.iter().map(|solution| choose(solution, Coverage::Even)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::sync::atomic::AtomicU64;

    use super::super::databases::Databases;
    use super::super::header::FileError;
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("kelso-build-{name}-{}", std::process::id())))
        }

        fn request(&self, pieces: u32) -> Request {
            Request {
                folder: self.0.clone(),
                pieces,
                distances: pieces,
                threads: 2,
                memory: 256 << 20,
                share: false,
            }
        }

        fn files(&self) -> BTreeMap<String, Vec<u8>> {
            let entries = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap());
            entries
                .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
                .collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.0));
        }
    }

    /// Counts what is solved, and stops after so many slices.
    struct Counter {
        begun: AtomicU64,
        most: u64,
        problems: AtomicU64,
    }

    impl Counter {
        fn new(most: u64) -> Self {
            Self { begun: AtomicU64::new(0), most, problems: AtomicU64::new(0) }
        }
    }

    impl BuildWatch for Counter {
        fn go_on(&self) -> bool {
            self.begun.load(Ordering::Relaxed) < self.most
        }

        fn begin(&self, _: Content, _: Slice) {
            self.begun.fetch_add(1, Ordering::Relaxed);
        }

        fn problem(&self, _: &Path, _: &FileError) {
            self.problems.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn what_is_compiled_in_is_what_the_builder_makes() {
        let folder = Folder::new("same");
        build(&folder.request(4), &Counter::new(u64::MAX)).unwrap();
        let files = folder.files();
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

    #[test]
    fn a_stopped_build_goes_on_where_it_was() {
        let (whole, parts) = (Folder::new("whole"), Folder::new("parts"));
        build(&whole.request(3), &Counter::new(u64::MAX)).unwrap();
        let request = parts.request(3);
        let mut begun = 0;
        for _ in 0..100 {
            let counter = Counter::new(3);
            let built = build(&request, &counter);
            begun += counter.begun.load(Ordering::Relaxed);
            match built {
                Ok(()) => break,
                Err(error) => assert!(matches!(error, BuildError::Stopped)),
            }
        }
        assert_eq!(whole.files(), parts.files());
        // Each time at most the slices of two threads are begun in vain.
        assert!(begun <= 3 * 18, "{begun}");
        let again = Counter::new(u64::MAX);
        build(&request, &again).unwrap();
        assert_eq!(again.begun.into_inner(), 0);
        // What is damaged or gone, and nothing else, is built again.
        fs::write(parts.0.join("11v01.wld"), b"damaged").unwrap();
        fs::remove_file(parts.0.join("01v02.dtw")).unwrap();
        fs::write(parts.0.join("20v01.wld.123.tmp"), b"begun").unwrap();
        let repair = Counter::new(u64::MAX);
        build(&request, &repair).unwrap();
        assert_eq!((repair.begun.into_inner(), repair.problems.into_inner()), (2, 1));
        assert_eq!(whole.files(), parts.files());
    }

    #[test]
    fn several_builders_share_the_work() {
        let (whole, shared) = (Folder::new("alone"), Folder::new("shared"));
        build(&whole.request(3), &Counter::new(u64::MAX)).unwrap();
        let request = Request { share: true, threads: 1, ..shared.request(3) };
        let counter = Counter::new(u64::MAX);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| build(&request, &counter).unwrap());
            }
        });
        assert_eq!(whole.files(), shared.files());
        assert_eq!(counter.begun.into_inner(), 2 * Slice::pairs(2..=3).len() as u64);
    }

    #[test]
    fn too_little_memory_is_told() {
        let folder = Folder::new("memory");
        let request = Request { memory: 100_000, ..folder.request(3) };
        let error = build(&request, &Counter::new(u64::MAX)).unwrap_err();
        assert!(matches!(error, BuildError::Memory(..)), "{error}");
    }

    /// One pair at a time, on one thread.
    #[test]
    fn seven_pieces_fit_in_two_gibibytes_and_eight_in_twelve() {
        for (pieces, gibibytes) in [(7, 2), (8, 12)] {
            let largest =
                Slice::pairs(2..=pieces).into_iter().map(|pair| memory::<ResultRule>(&[pair]).total()).max();
            assert!(largest.unwrap() < gibibytes << 30, "{largest:?}");
        }
    }

    #[test]
    fn estimates_are_near_what_is_compiled_in() {
        let folder = Folder::new("estimate");
        let estimate = Request { distances: 4, ..folder.request(5) }.estimate();
        let bytes: usize = Databases::compiled_in_bytes().iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(estimate.bytes.abs_diff(bytes as u64) < bytes as u64 / 5, "{estimate:?} {bytes}");
    }
}
