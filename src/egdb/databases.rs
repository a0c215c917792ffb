//! All databases that are at hand, and looking positions up in them.
//!
//! Files hold the positions without a capture for the side to move. Of the others, [`Databases::probe`] plays the
//! captures out until it comes to such positions: each move takes a piece, so that this ends soon.
#![expect(clippy::cast_possible_truncation, reason = "places in a block and its values are small")]

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cache::{Block, Cache, WORDS};
use super::distance::{self, Choice};
use super::file::{Content, FileError, Header, SliceFile};
use super::node::Node;
use super::slice::{MOST_PIECES, Slice};
use super::wld;
use crate::board::Position;

/// Results of all positions with 2-5 pieces.
static RESULTS: &[u8] = include_bytes!("data/2-5.wld");
/// Distances of all positions with 2-4 pieces.
static DISTANCES: &[u8] = include_bytes!("data/2-4.dtw");

/// The most of a file that is read when it is opened, to find damage before the game and not in it.
const CHECKED_AT_ONCE: u64 = 64 << 20;

/// Win, loss or draw for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wld {
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
}

impl Wld {
    const fn of(result: u8) -> Self {
        match result {
            wld::WIN => Self::Win,
            wld::LOSS => Self::Loss,
            _ => Self::Draw,
        }
    }
}

impl fmt::Display for Wld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Draw => "draw",
        })
    }
}

/// A file that is not used, and why.
#[derive(Debug)]
pub struct Problem {
    /// Which file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: FileError,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, error) = (self.path.display(), &self.error);
        match error {
            FileError::Missing(..) => write!(f, "endgame databases in {path}: {error}"),
            _ => write!(f, "endgame database {path} is not used: {error}"),
        }
    }
}

/// What to open.
#[derive(Clone, Debug)]
pub struct Options {
    /// A folder with files. Only the default folder may be missing without being a problem.
    pub folder: Option<PathBuf>,
    /// Whether to use what is compiled in.
    pub compiled_in: bool,
    /// Whether files are used in place of what is compiled in, which otherwise comes first since it needs no reading.
    pub files_first: bool,
    /// Positions with more pieces are not looked up.
    pub pieces: u32,
    /// Memory for decoded blocks, in MiB.
    pub cache: usize,
}

impl Options {
    /// The cache's size if nobody sets it, in MiB.
    pub const CACHE: usize = 64;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            folder: super::default_folder(),
            compiled_in: true,
            files_first: false,
            pieces: MOST_PIECES,
            cache: Self::CACHE,
        }
    }
}

struct Entry {
    file: SliceFile,
    /// None for what is compiled in.
    path: Option<PathBuf>,
    usable: AtomicBool,
    /// Marks its blocks in the cache.
    key: u64,
}

/// See the module's head. Shared by all threads that search.
pub struct Databases {
    /// By kind and the slice's code.
    entries: [Vec<Option<Box<Entry>>>; 2],
    cache: Cache,
    most: u32,
    problems: Mutex<Vec<Problem>>,
}

impl fmt::Debug for Databases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Databases").field("most", &self.most).finish_non_exhaustive()
    }
}

impl Databases {
    /// What is compiled in, and nothing else.
    #[must_use]
    pub fn compiled_in() -> Self {
        Self::open(&Options { folder: None, ..Options::default() })
    }

    /// Opens what there is. What is wrong with any of it is told by [`Databases::take_problems`].
    #[must_use]
    pub fn open(options: &Options) -> Self {
        let none = || (0..Slice::CODES).map(|_| None).collect();
        let mut databases = Self {
            entries: [none(), none()],
            cache: Cache::new(options.cache << 20),
            most: 0,
            problems: Mutex::default(),
        };
        for from_files in [options.files_first, !options.files_first] {
            if !from_files {
                if options.compiled_in {
                    databases.open_compiled_in(options.pieces);
                }
            } else if let Some(folder) = &options.folder {
                databases.open_folder(folder, options.pieces);
            }
        }
        databases
    }

    fn open_compiled_in(&mut self, pieces: u32) {
        for mut bytes in [RESULTS, DISTANCES] {
            while !bytes.is_empty() {
                match SliceFile::in_memory(bytes) {
                    Ok((file, rest)) => {
                        self.add(file, None, pieces);
                        bytes = rest;
                    }
                    Err(error) => return self.report(Path::new("compiled in"), error),
                }
            }
        }
    }

    /// What is compiled in, file by file.
    #[cfg(test)]
    pub(super) fn compiled_in_bytes() -> Vec<(String, &'static [u8])> {
        let mut files = Vec::new();
        for mut bytes in [RESULTS, DISTANCES] {
            while !bytes.is_empty() {
                let (file, rest) = SliceFile::in_memory(bytes).unwrap();
                let name = file.header.content.file_name(file.header.slice);
                files.push((name, &bytes[..bytes.len() - rest.len()]));
                bytes = rest;
            }
        }
        files
    }

    fn open_folder(&mut self, folder: &Path, pieces: u32) {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error)
                if error.kind() == std::io::ErrorKind::NotFound
                    && super::default_folder().is_some_and(|default| default == folder) =>
            {
                return;
            }
            Err(error) => return self.report(folder, error.into()),
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let extension = path.extension();
                Content::BOTH
                    .iter()
                    .any(|content| extension.is_some_and(|found| found == content.extension()))
            })
            .collect();
        paths.sort();
        let mut bad = Vec::new();
        for path in paths {
            // The name tells the pieces, so that files beyond the limit are not even opened.
            let name = path.file_stem().and_then(|name| name.to_str()?.parse::<Slice>().ok());
            if name.is_some_and(|slice| slice.pieces() > pieces) {
                continue;
            }
            let opened = SliceFile::open(&path).and_then(|file| {
                if file.header.size() <= CHECKED_AT_ONCE {
                    file.check()?;
                }
                Ok(file)
            });
            match opened {
                Ok(file) => self.add(file, Some(path), pieces),
                Err(error) => {
                    bad.extend(path.file_name().map(ToOwned::to_owned));
                    self.report(&path, error);
                }
            }
        }
        self.report_missing(folder, pieces, &bad);
    }

    /// Tells of files that are not there though others for as many pieces are.
    fn report_missing(&self, folder: &Path, pieces: u32, bad: &[OsString]) {
        for content in Content::BOTH {
            for pieces in 2..=pieces.min(MOST_PIECES) {
                let all = Slice::all(pieces..=pieces);
                let entry = |slice: &Slice| self.entries[content as usize][slice.code()].as_deref();
                if !all.iter().filter_map(entry).any(|entry| entry.path.is_some()) {
                    continue;
                }
                let name = |slice: &Slice| content.file_name(*slice);
                let missing: Vec<String> = all
                    .iter()
                    .filter(|slice| entry(slice).is_none())
                    .map(name)
                    .filter(|name| !bad.iter().any(|bad| bad == name.as_str()))
                    .collect();
                if let Some(first) = missing.first() {
                    let error = FileError::Missing(missing.len(), all.len(), first.clone());
                    self.report(folder, error);
                }
            }
        }
    }

    /// Adds a file unless there is one for the slice.
    fn add(&mut self, file: SliceFile, path: Option<PathBuf>, pieces: u32) {
        let (content, slice) = (file.header.content, file.header.slice);
        if slice.pieces() > pieces {
            return;
        }
        let entry = &mut self.entries[content as usize][slice.code()];
        if entry.is_none() {
            let key = ((slice.code() * 2 + content as usize) as u64 + 1) << 34;
            *entry = Some(Box::new(Entry { file, path, usable: AtomicBool::new(true), key }));
            if content == Content::Results {
                self.most = self.most.max(slice.pieces());
            }
        }
    }

    fn report(&self, path: &Path, error: FileError) {
        if let Ok(mut problems) = self.problems.lock() {
            problems.push(Problem { path: path.to_owned(), error });
        }
    }

    /// What has been found wrong since this was asked last.
    #[must_use]
    pub fn take_problems(&self) -> Vec<Problem> {
        self.problems.lock().map(|mut problems| std::mem::take(&mut *problems)).unwrap_or_default()
    }

    /// The most pieces for which there are results; 0 if there are none. Slices may be missing below.
    #[must_use]
    #[inline]
    pub const fn max_pieces(&self) -> u32 {
        self.most
    }

    /// Whether it can be worth while to look up a position with so many pieces.
    #[must_use]
    #[inline]
    pub const fn covers(&self, pieces: u32) -> bool {
        pieces <= self.most
    }

    /// The heads of all files in use, with their places if they are not compiled in.
    pub fn files(&self) -> impl Iterator<Item = (&Header, Option<&Path>)> {
        let entries = self.entries.iter().flatten().flatten();
        entries
            .filter(|entry| entry.usable.load(Ordering::Relaxed))
            .map(|e| (&e.file.header, e.path.as_deref()))
    }

    /// The result of a position for its side to move, repetitions and counts of moves aside.
    #[must_use]
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Wld> {
        if !self.covers(position.piece_count()) {
            return None;
        }
        self.result(&Node::of(position)).map(Wld::of)
    }

    /// The same for a position in which the side to move has no capture; none for any other.
    #[must_use]
    #[inline]
    pub fn probe_quiet(&self, position: &Position) -> Option<Wld> {
        if !self.covers(position.piece_count()) || position.must_capture() {
            return None;
        }
        self.stored_result(&Node::of(position)).map(Wld::of)
    }

    /// The result of a position, and the plies to its end if the winner hurries and the loser delays. For a draw
    /// that is 0.
    #[must_use]
    pub fn distance(&self, position: &Position) -> Option<(Wld, u32)> {
        if !self.covers(position.piece_count()) {
            return None;
        }
        let value = self.distance_value(&Node::of(position))?;
        Some((Wld::of(distance::result(value)), u32::from(value).saturating_sub(1)))
    }

    fn result(&self, node: &Node) -> Option<u8> {
        if !node.can_capture() {
            return self.stored_result(node);
        }
        let mut best = Some(wld::LOSS);
        node.captures(&mut |child| {
            match self.result(child) {
                Some(wld::LOSS) => best = Some(wld::WIN),
                Some(wld::WIN) => {}
                Some(_) => best = best.map(|_| wld::DRAW),
                None => best = None,
            }
            best != Some(wld::WIN)
        });
        best
    }

    #[inline]
    fn stored_result(&self, node: &Node) -> Option<u8> {
        match one_sided(node) {
            Some(value) => Some(distance::result(value)),
            None => self.value::<2>(Content::Results, node),
        }
    }

    fn distance_value(&self, node: &Node) -> Option<u8> {
        if !node.can_capture() {
            return one_sided(node).or_else(|| self.value::<8>(Content::Distances, node));
        }
        let mut choice = Some(Choice::default());
        node.captures(&mut |child| {
            match (self.distance_value(child), &mut choice) {
                (Some(value), Some(choice)) => choice.add(value),
                _ => choice = None,
            }
            choice.is_some()
        });
        choice.map(|choice| choice.value())
    }

    /// A stored value of so many bits.
    #[inline]
    fn value<const BITS: usize>(&self, content: Content, node: &Node) -> Option<u8> {
        let entry = self.entries[content as usize][node.slice().code() & (Slice::CODES - 1)].as_deref()?;
        let number = entry.file.index.of(node);
        let (block, place) = (number / content.block(), (number % content.block()) as usize);
        let (word, shift) = (place * BITS / 64, place * BITS % 64);
        let key = entry.key | block;
        let word = match self.cache.get(key, word) {
            Some(word) => word,
            None => *self.load::<BITS>(entry, block)?.get(word)?,
        };
        Some((word >> shift & ((1 << BITS) - 1)) as u8)
    }

    #[cold]
    fn load<const BITS: usize>(&self, entry: &Entry, block: u64) -> Option<Block> {
        if !entry.usable.load(Ordering::Relaxed) {
            return None;
        }
        match entry.file.values(block) {
            Ok(values) => {
                let mut words = [0; WORDS];
                for (word, values) in words.iter_mut().zip(values.chunks(64 / BITS)) {
                    *word = values.iter().rev().fold(0, |word, &value| word << BITS | u64::from(value));
                }
                self.cache.insert(entry.key | block, &words);
                Some(words)
            }
            Err(error) => {
                if entry.usable.swap(false, Ordering::Relaxed) {
                    self.report(entry.path.as_deref().unwrap_or(Path::new("compiled in")), error);
                }
                None
            }
        }
    }
}

/// The distance value of a position where a side has no pieces: a loss at once, or a win when the other is to move.
fn one_sided(node: &Node) -> Option<u8> {
    if node.own() == 0 {
        Some(1)
    } else if node.enemy() == 0 {
        Some(2)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::index::Index;
    use super::super::pair::tests::solve_all;
    use super::super::pair::{Counts, Rule};
    use super::super::table::Cells;
    use super::*;
    use crate::board::{Color, Piece, Setup, Square};
    use crate::notation::fen;

    fn at(text: &str) -> Position {
        fen::parse(text).unwrap()
    }

    fn wld_of<R: Rule>(value: u8) -> Wld {
        Wld::of(R::result(value))
    }

    /// Every position of 2 and 3 pieces, and some of 4: stored where the side to move has no capture, and told in any
    /// case.
    #[test]
    fn what_is_compiled_in_is_what_the_solver_finds() {
        let databases = Databases::compiled_in();
        assert!(databases.take_problems().is_empty());
        assert_eq!(databases.max_pieces(), 5);
        let (results, distances) = (solve_all::<wld::Wld>(4), solve_all::<distance::Distance>(4));
        for (slice, solution) in &results {
            let index = Index::new(*slice);
            let step = if slice.pieces() < 4 { 1 } else { 7 };
            for number in (0..index.len()).step_by(step) {
                let node = index.node(number);
                let position = node.position().unwrap();
                let expected = wld_of::<wld::Wld>(solution.table.cells.get(number));
                assert_eq!(databases.probe(&position), Some(expected));
                assert_eq!(databases.probe(&position.flipped()), Some(expected));
                let quiet = !position.must_capture();
                assert_eq!(quiet, !solution.captures.get(number));
                assert_eq!(databases.probe_quiet(&position), quiet.then_some(expected));
                let value = distances[slice].table.cells.get(number);
                let plies = u32::from(value).saturating_sub(1);
                assert_eq!(databases.distance(&position), Some((expected, plies)));
            }
        }
    }

    #[test]
    fn counts_of_five_pieces_are_the_known_ones() {
        let databases = Databases::compiled_in();
        let mut sum = Counts::default();
        for (header, _) in databases.files().filter(|(h, _)| h.slice.pieces() == 5) {
            sum += header.counts;
        }
        let known = Counts { wins: 71_334_772, losses: 56_993_144, draws: 11_122_892, captures: 36_584_364 };
        assert_eq!(sum, known);
    }

    #[test]
    fn positions_beyond_the_databases_are_unknown() {
        let databases = Databases::compiled_in();
        for (text, result, plies) in [
            ("W:W32:B", Wld::Win, Some(1)),
            ("B:W32:B", Wld::Loss, Some(0)),
            ("B:WK32:BK1", Wld::Draw, Some(0)),
            ("B:W10:B6", Wld::Win, Some(1)),
            ("W:WK32,31,30:B1,2", Wld::Win, None),
        ] {
            assert_eq!(databases.probe(&at(text)), Some(result), "{text}");
            assert_eq!(databases.distance(&at(text)).map(|(_, plies)| plies), plies, "{text}");
        }
        assert_eq!(databases.probe(&at("B:W32,31,30:B1,2,3")), None);
        assert_eq!(databases.probe(&Position::start()), None);
        let few = Databases::open(&Options { folder: None, pieces: 3, ..Options::default() });
        assert_eq!(few.max_pieces(), 3);
        assert_eq!(few.probe(&at("W:W32,31:B1,2")), None);
        let none = Databases::open(&Options { folder: None, compiled_in: false, ..Options::default() });
        assert!(none.covers(0) && !none.covers(1));
        assert_eq!(none.probe(&at("W:W32:B1")), None);
        assert_eq!(none.distance(&at("W:W32:B1")), None);
    }

    /// Twelve kings on one side reach more than any slice has.
    #[test]
    fn crowds_are_no_slice() {
        let databases = Databases::compiled_in();
        let mut setup = Setup::empty(Color::Black);
        for square in Square::all().take(12) {
            setup.put(square, Piece { color: Color::Black, kind: crate::board::Kind::King });
        }
        assert_eq!(databases.probe(&Position::try_from(setup).unwrap()), None);
    }

    struct Folder(PathBuf);

    impl Folder {
        /// A folder with the slices of two pieces and one of three.
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("kelso-databases-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            let mut bytes = RESULTS;
            while let Ok((file, rest)) = SliceFile::in_memory(bytes) {
                let slice = file.header.slice;
                if slice.pieces() == 2 || slice.to_string() == "10v02" {
                    let name = Content::Results.file_name(slice);
                    fs::write(folder.join(name), &bytes[..bytes.len() - rest.len()]).unwrap();
                }
                bytes = rest;
            }
            Self(folder)
        }

        fn open(&self) -> Databases {
            let folder = Some(self.0.clone());
            Databases::open(&Options { folder, compiled_in: false, ..Options::default() })
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn any_damage_is_found_and_leaves_the_other_slices() {
        let folder = Folder::new("damage");
        let path = folder.0.join("01v01.wld");
        let bytes = fs::read(&path).unwrap();
        let king_each = at("B:WK32:BK1");
        let man_each = at("B:W32:B1");
        let problems = |what: &str| {
            let databases = folder.open();
            let problems = databases.take_problems();
            let text: Vec<String> =
                problems.iter().map(ToString::to_string).filter(|p| !p.contains("missing")).collect();
            assert_eq!(text.len(), 1, "{what}: {text:?}");
            assert!(text[0].contains("01v01.wld") && !text[0].contains('\n'), "{what}: {text:?}");
            assert_eq!(databases.probe(&king_each), None, "{what}");
            assert!(databases.probe(&man_each).is_some(), "{what}");
            text.concat()
        };
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&path, damaged).unwrap();
            problems(&format!("byte {at}"));
        }
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            problems(&format!("{length} bytes"));
        }
        fs::write(&path, [&bytes[..], b"more"].concat()).unwrap();
        problems("more");
        fs::write(
            &path,
            b"PNG or something else that is long enough to be a header, which is of eighty-four bytes",
        )
        .unwrap();
        assert!(problems("foreign").contains("no endgame database of ours"));
        let mut newer = bytes.clone();
        newer[8] = 2;
        fs::write(&path, newer).unwrap();
        assert!(problems("newer").contains("newer version"));
        fs::write(&path, fs::read(folder.0.join("10v10.wld")).unwrap()).unwrap();
        assert!(problems("renamed").contains("10v10.wld"));
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        problems("a folder");
    }

    #[test]
    fn damage_during_the_game_is_told_once() {
        let folder = Folder::new("later");
        let databases = folder.open();
        assert_eq!(databases.take_problems().len(), 1, "some of three pieces are missing");
        let path = folder.0.join("01v01.wld");
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&path, bytes).unwrap();
        for _ in 0..3 {
            assert_eq!(databases.probe(&at("B:WK32:BK1")), None);
        }
        assert_eq!(databases.take_problems().len(), 1);
        assert!(databases.take_problems().is_empty());
    }

    #[test]
    fn missing_files_are_told() {
        let folder = Folder::new("missing");
        let told: Vec<String> = folder.open().take_problems().iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("11 of 12 files are missing"), "{told:?}");
        let nowhere = Some(folder.0.join("nowhere"));
        let databases = Databases::open(&Options { folder: nowhere, ..Options::default() });
        assert_eq!(databases.take_problems().len(), 1);
        assert_eq!(databases.max_pieces(), 5);
    }
}
