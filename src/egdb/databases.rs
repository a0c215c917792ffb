//! All databases that are at hand, and looking positions up in them.
//!
//! Files hold the positions without a capture for the side to move. Of the others, [`Databases::probe`] plays the
//! captures out until it comes to such positions: each move takes a piece, so that this ends soon.

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
        write!(f, "endgame database {} is not used: {}", self.path.display(), self.error)
    }
}

/// What to open.
#[derive(Clone, Debug)]
pub struct Options {
    /// A folder with files; one that does not exist is as good as empty.
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

    fn open_folder(&mut self, folder: &Path, pieces: u32) {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
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
                Err(error) => self.report(&path, error),
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
            let key = (slice.code() * 2 + content as usize) as u64 + 1 << 34;
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
