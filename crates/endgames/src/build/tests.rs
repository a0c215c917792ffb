use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::pair::tests::solve_all;
use super::*;
use crate::file::SliceFile;
use crate::{COMPILED_IN, Content, Databases};
use kelso_batch::testing::Folder;

pub(super) fn request(folder: &Folder, pieces: u32) -> BuildRequest {
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
pub(super) struct Counter {
    begun: AtomicU64,
    max: Option<u64>,
    damaged: AtomicU64,
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

    fn on_damage(&self, _: &Path) {
        self.damaged.fetch_add(1, Ordering::Relaxed);
    }
}

pub(super) fn build_all(request: &BuildRequest) -> Counter {
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
    let (results, distances) = (solve_all::<ResultSolver>(4), solve_all::<DistanceSolver>(4));
    for (slice, solution) in &results {
        let index = Index::new(*slice);
        let step = if slice.pieces() < 4 { 1 } else { 7 };
        for number in (0..index.len()).step_by(step) {
            let node = index.node(number);
            let position = node.position().unwrap();
            let expected = solution.table.get(number);
            assert_eq!(databases.probe(&position), Some(expected));
            assert_eq!(databases.probe(&position.flipped()), Some(expected));
            let quiet = !position.must_capture();
            assert_eq!(quiet, !node.can_capture());
            assert_eq!(databases.probe_quiet(&position), quiet.then_some(expected));
            let distance = distances[slice].table.get(number).known_value();
            assert_eq!((databases.distance(&position), distance.wdl), (Some(distance), expected));
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
    fs::write(parts.path("11v01.wld"), &files(&whole)["11v01.wld"][..100]).unwrap();
    fs::remove_file(parts.path("01v02.dtw")).unwrap();
    fs::write(parts.path("01v02.dtw.123-4.tmp"), b"begun").unwrap();
    let repair = build_all(&request);
    assert_eq!((repair.begun.into_inner(), repair.damaged.into_inner()), (2, 1));
    assert_eq!(files(&whole), files(&parts));
    // Files that only have the names of databases, and databases with wrong names, are kept.
    for foreign in [&b"my notes"[..], b"", &files(&whole)["01v02.wld"]] {
        fs::write(parts.path("11v01.wld"), foreign).unwrap();
        let error = build(&request, &Counter::default()).unwrap_err();
        assert!(matches!(error, BuildError::File(..)), "{error}");
        assert_eq!(fs::read(parts.path("11v01.wld")).unwrap(), foreign);
    }
}

#[test]
fn a_build_with_little_memory_waits_and_with_too_little_fails() {
    let (whole, small) = (Folder::new(), Folder::new());
    let request = BuildRequest { distances: 3, ..request(&whole, 4) };
    build_all(&request);
    let max =
        |content, need: &dyn Fn(Slice) -> u64| request.pairs(content).into_iter().map(need).max().unwrap();
    let min = max(Content::Results, &|pair| MemoryNeed::of::<ResultSolver>(&[pair]).total())
        .max(max(Content::Distances, &|pair| MemoryNeed::of::<DistanceSolver>(&[pair]).total()));
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
    let request = BuildRequest { distances: 3, slices: asked.to_vec(), ..request(&some, 0) };
    build_all(&request);
    let (all, made) = (files(&whole), files(&some));
    assert!(made.iter().all(|(name, bytes)| all[name] == *bytes));
    // Each slice exists together with its twin, and no slice needs two men on each side.
    let there = |name: &&str| made.contains_key(&format!("{name}.wld"));
    assert!(["12v10", "10v12", "02v02", "03v10", "11v10"].iter().all(there));
    assert!(!["11v11", "20v10", "20v02"].iter().any(there));
    assert!(made.contains_key("11v10.dtw") && !made.contains_key("20v01.dtw"));
    // A request for all slices builds the missing slices.
    build_all(&BuildRequest { slices: Vec::new(), pieces: 4, ..request });
    assert!(files(&some) == all);
}

/// The limits are for one pair at a time, on one thread.
#[test]
fn seven_pieces_fit_in_two_gibibytes_and_eight_in_eleven() {
    for (pieces, limit) in [(6, 106 << 20), (7, 1340 << 20), (8, 11 << 30)] {
        let pairs = Slice::pairs(2..=pieces);
        let max = pairs.iter().map(|&pair| MemoryNeed::of::<ResultSolver>(&[pair]).total()).max();
        assert!(max.unwrap() < limit, "{max:?}");
    }
}
