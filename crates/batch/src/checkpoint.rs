//! Checkpoints of long runs that consist of many items, such as games. `NAME.jsonl` has a header and a line
//! of JSON for each finished item. A second file, the [`CompanionFile`], can have the items in the form of
//! other programs, such as PDN. While a run writes these files, `NAME.lock` excludes other runs.
//!
//! Each item is appended when it is finished, so that a killed run loses only unfinished items. An incomplete
//! last line is dropped when the run is resumed. At the end, the files are rewritten in order of item number,
//! since concurrent work finishes out of order. Only the items' file offsets are kept in memory.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use kelso_runtime::files;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::{RunError, Salvage, cannot_write, changed, failed, json};
use super::file::{self, OutputFile};
use super::lock::Lock;
use super::outputs::{OutputPath, Outputs};

/// Version of the format.
const VERSION: u32 = 1;

/// The first line of a checkpoint: the settings that all its items share.
pub trait CheckpointHeader: Serialize + DeserializeOwned {
    /// One unit of finished work.
    type Item: Serialize + DeserializeOwned;
    /// JSON key of the format's version, such as `kelso_match`.
    const FORMAT: &'static str;
    /// The kind of run, for messages, such as `match`.
    const JOB: &'static str;
    /// The extension of the file.
    const EXTENSION: &'static str = ".jsonl";
    /// The part of the file that can be kept if a line is damaged.
    const SALVAGE: Salvage = Salvage::Lines;
    /// The second file, if there is one.
    const COMPANION: Option<CompanionFile<Self>> = None;

    /// Returns the number by which items are ordered.
    fn number(item: &Self::Item) -> u64;

    /// Describes the first setting that prevents a run from resuming this one.
    fn difference(&self, now: &Self) -> Option<String> {
        let (old, now) = (json(self), json(now));
        let mut settings = old.as_object().into_iter().flatten().filter(|(name, _)| *name != PROGRAM);
        settings.find_map(|(name, value)| changed(name, value, &now[name]))
    }

    /// Describes the first program that has changed.
    fn changed_program(&self, now: &Self) -> Option<String> {
        changed("the program", &json(self)[PROGRAM], &json(now)[PROGRAM])
    }

    /// Returns the header of a run that resumes this one.
    #[must_use]
    fn resumed(&self, now: Self) -> Self {
        now
    }
}

/// A second file of a run, which has the items in another form.
pub struct CompanionFile<H: CheckpointHeader> {
    /// The extension of the file, such as `.pdn`.
    pub extension: &'static str,
    /// Formats an item.
    pub format: fn(&H, &H::Item) -> String,
}

/// The header field for the program that produces the items. With [`ResumePolicy::any_program`], it may
/// change.
const PROGRAM: &str = "program";

/// How to treat the files of an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub struct ResumePolicy {
    /// Whether to resume the earlier run, if there is one.
    pub resume: bool,
    /// Whether to replace existing files.
    pub overwrite: bool,
    /// Whether a program, or one of its files, may have changed.
    pub any_program: bool,
    /// Whether to skip damaged lines and lose their items.
    pub salvage: bool,
}

impl ResumePolicy {
    /// Resume a run, or start it if there is no checkpoint.
    pub const RESUME: Self = Self { resume: true, overwrite: false, any_program: false, salvage: false };

    /// Lists the outputs of a run whose checkpoint has this name. `more` lists further files that are resumed
    /// with the checkpoint.
    ///
    /// # Errors
    ///
    /// If another run writes the checkpoint, or the lock file cannot be created.
    pub fn outputs<'a, H: CheckpointHeader>(
        &self,
        name: &OutputPath,
        more: impl IntoIterator<Item = &'a OutputPath>,
    ) -> Result<Outputs, RunError> {
        drop(Lock::of_run(name, &Paths::of::<H>(name).state)?);
        let kept = extensions::<H>().map(|extension| name.extended(extension));
        let outputs = Outputs::new(self.overwrite).keeps(self.resume, kept).continues(more);
        Ok(outputs.reserves(name.extended(".lock")))
    }
}

/// The extensions of the files of a checkpoint, the state first.
fn extensions<H: CheckpointHeader>() -> impl Iterator<Item = &'static str> {
    std::iter::once(H::EXTENSION).chain(H::COMPANION.map(|companion| companion.extension))
}

/// The paths of a checkpoint's state and second file.
#[derive(Debug)]
struct Paths {
    state: PathBuf,
    companion: Option<PathBuf>,
}

impl Paths {
    fn of<H: CheckpointHeader>(name: &Path) -> Self {
        let companion = H::COMPANION.map(|companion| file::extended(name, companion.extension));
        Self { state: file::extended(name, H::EXTENSION), companion }
    }
}

/// Reads a checkpoint. Returns its header and its faults: the damaged lines, which are skipped with
/// `salvage`, since all other lines are still valid, and an incomplete last line, as left by a kill.
///
/// # Errors
///
/// If the file cannot be read, has no valid header, or has a damaged line and `salvage` is false.
pub fn read<H: CheckpointHeader>(
    path: &Path,
    salvage: bool,
    on_item: &mut dyn FnMut(H::Item),
) -> Result<(H, Vec<String>), RunError> {
    let mut reader = CheckpointReader::<H>::open(path, salvage)?;
    while let Some(item) = reader.next_item()? {
        on_item(item);
    }
    let CheckpointReader { header, mut faults, lines, is_incomplete, .. } = reader;
    if is_incomplete {
        faults.push(format!("line {lines}: incomplete line"));
    }
    Ok((header, faults))
}

/// Reads the items of a checkpoint one by one. An incomplete last line is left out.
struct CheckpointReader<H> {
    path: PathBuf,
    input: BufReader<File>,
    header: H,
    salvage: bool,
    /// Number of lines read.
    lines: usize,
    /// The damaged lines that were skipped.
    faults: Vec<String>,
    is_incomplete: bool,
}

/// Returns the indefinite article before a word.
fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

impl<H: CheckpointHeader> CheckpointReader<H> {
    fn open(path: &Path, salvage: bool) -> Result<Self, RunError> {
        let file = files::open_regular(path).map_err(failed("read", path))?;
        let mut input = BufReader::with_capacity(1 << 18, file);
        let line = next_line(&mut input).map_err(failed("read", path))?;
        let header = decode_header(&line).map_err(|reason| RunError::Foreign {
            path: path.to_owned(),
            kind: format!("{} {} checkpoint", article(H::JOB), H::JOB),
            reason,
        })?;
        let path = path.to_owned();
        Ok(Self { path, input, header, salvage, lines: 1, faults: Vec::new(), is_incomplete: false })
    }

    /// Returns the next item, or `None` at the end.
    fn next_item(&mut self) -> Result<Option<H::Item>, RunError> {
        loop {
            let line = next_line(&mut self.input).map_err(failed("read", &self.path))?;
            if line.is_empty() {
                return Ok(None);
            }
            self.lines += 1;
            let Some(item) = line.strip_suffix(b"\n") else {
                self.is_incomplete = true;
                return Ok(None);
            };
            let fault = match parse(item) {
                Ok(item) => return Ok(Some(item)),
                Err(reason) => format!("line {}: {reason}", self.lines),
            };
            if !self.salvage {
                let path = self.path.clone();
                return Err(RunError::Damaged { path, fault, salvage: H::SALVAGE });
            }
            self.faults.push(fault);
            if H::SALVAGE == Salvage::Start {
                return Ok(None);
            }
        }
    }
}

/// Reads a line with its line break, if it is complete.
fn next_line(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    input.read_until(b'\n', &mut line)?;
    Ok(line)
}

/// Parses the first line of a checkpoint. The error is the reason why it is none.
fn decode_header<H: CheckpointHeader>(line: &[u8]) -> Result<H, String> {
    let value: Value = parse(line.strip_suffix(b"\n").ok_or("missing header")?)?;
    match value.get(H::FORMAT) {
        Some(version) if *version == VERSION => {
            serde_json::from_value(value).map_err(|error| error.to_string())
        }
        Some(version) => Err(format!("version {version} is not supported")),
        None => Err(format!("missing field \"{}\"", H::FORMAT)),
    }
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    if !is_intact(line) {
        return Err("wrong checksum".to_owned());
    }
    serde_json::from_slice(line).or_else(|_| {
        // An error in a value names no column, which would not help the user.
        let value: Value = serde_json::from_slice(line).map_err(|_| "the line is not JSON")?;
        serde_json::from_value(value).map_err(|error| error.to_string())
    })
}

/// A checkpoint being written.
#[derive(Debug)]
pub struct Checkpoint<H> {
    header: H,
    paths: Paths,
    state: OutputFile,
    /// The second file, if there is one.
    companion: Option<OutputFile>,
    /// Start and length of each item's line.
    lines: BTreeMap<u64, (u64, usize)>,
    /// Length of the state in bytes.
    end: u64,
    lock: Lock,
}

impl<H: CheckpointHeader> Checkpoint<H> {
    /// Resumes a run, or starts it if there is no checkpoint or `policy` does not request resuming. Calls
    /// `on_item` with the items in the checkpoint, and returns warnings for the user.
    ///
    /// # Errors
    ///
    /// If the files cannot be read or written, must not be replaced, are being written by another run, belong
    /// to a run with other settings, or have a fault that `policy` does not accept, and if `on_item` refuses
    /// an item. The files are then as they were.
    pub fn open<E: From<RunError>>(
        name: &Path,
        header: H,
        policy: ResumePolicy,
        on_item: &mut dyn FnMut(H::Item) -> Result<(), E>,
    ) -> Result<(Self, Vec<String>), E> {
        let paths = Paths::of::<H>(name);
        let state = paths.state.clone();
        let lock = Lock::of_run(name, &state)?;
        let ResumePolicy { resume, overwrite, any_program, salvage } = policy;
        if !resume || !state.exists() {
            let mut files = extensions::<H>().map(|extension| file::extended(name, extension));
            if let Some(path) = files.find(|path| !overwrite && path.exists()) {
                return Err(RunError::Exists { path, resumable: !resume }.into());
            }
            return Ok((Self::begin(header, paths, lock)?.commit()?, Vec::new()));
        }
        let mut reader = CheckpointReader::<H>::open(&state, salvage)?;
        if let Some(difference) = reader.header.difference(&header) {
            return Err(RunError::OtherRun { path: state, job: H::JOB, difference }.into());
        }
        let changed = reader.header.changed_program(&header).filter(|_| !any_program);
        // Rewriting both files drops an incomplete line and makes them agree.
        let mut new = Self::begin(reader.header.resumed(header), paths, lock)?;
        while let Some(item) = reader.next_item()? {
            if let Some(difference) = changed {
                return Err(RunError::ChangedProgram { path: state, difference }.into());
            }
            new.append(&item)?;
            on_item(item)?;
        }
        let shown = state.display();
        let lost = match H::SALVAGE {
            Salvage::Start => "this item and all after it are lost",
            _ => "this item is lost",
        };
        let mut warnings = Vec::new();
        for fault in &reader.faults {
            warnings.push(format!("\"{shown}\", {fault}; {lost}"));
        }
        if !warnings.is_empty() {
            let kept = file::extended(&state, ".damaged");
            fs::copy(&state, &kept).map_err(cannot_write(&kept))?;
            warnings.push(format!("the damaged \"{shown}\" is kept as \"{}\"", kept.display()));
        }
        Ok((new.commit()?, warnings))
    }

    /// Begins new files. The old files remain until the new files are committed.
    fn begin(header: H, paths: Paths, lock: Lock) -> Result<Self, RunError> {
        let first = first_line(&header).map_err(cannot_write(&paths.state))?;
        let mut state = OutputFile::create(&paths.state)?;
        state.write_with(|out| out.write_all(&first))?;
        let companion = paths.companion.as_deref().map(OutputFile::create).transpose()?;
        Ok(Self { header, paths, state, companion, lines: BTreeMap::new(), end: first.len() as u64, lock })
    }

    /// Completes new files, and opens them for appending.
    fn commit(self) -> Result<Self, RunError> {
        let Self { state, companion, .. } = self;
        state.commit()?;
        companion.map_or(Ok(()), OutputFile::commit)?;
        let companion = self.paths.companion.as_deref().map(OutputFile::append).transpose()?;
        Ok(Self { state: OutputFile::append(&self.paths.state)?, companion, ..self })
    }

    /// Appends a finished item.
    pub fn add(&mut self, item: &H::Item) -> Result<(), RunError> {
        self.append(item)?;
        self.state.write_with(|out| out.flush())?;
        self.companion.as_mut().map_or(Ok(()), |companion| companion.write_with(|out| out.flush()))
    }

    fn append(&mut self, item: &H::Item) -> Result<(), RunError> {
        let line =
            serde_json::to_string(item).map_err(|error| cannot_write(&self.paths.state)(error.into()))?;
        let line = sealed(&line);
        self.state.write_with(|out| out.write_all(&line))?;
        self.lines.insert(H::number(item), (self.end, line.len()));
        self.end += line.len() as u64;
        if let Some(file) = &mut self.companion
            && let Some(CompanionFile { format, .. }) = H::COMPANION
        {
            file.write_with(|out| out.write_all(format(&self.header, item).as_bytes()))?;
        }
        Ok(())
    }

    pub fn state_path(&self) -> &Path {
        &self.paths.state
    }

    /// Returns the settings that all items share.
    pub const fn header(&self) -> &H {
        &self.header
    }

    /// Syncs the checkpoint to disk.
    pub fn sync(&self) -> Result<(), RunError> {
        let path = self.state_path();
        let state = File::options().append(true).open(path);
        let synced = state.and_then(|state| file::sync(&state, path));
        synced.map_err(cannot_write(path))
    }

    /// Reads the items one at a time, in numerical order.
    pub fn items(&self) -> Result<impl Iterator<Item = Result<H::Item, RunError>> + use<H>, RunError> {
        let path = self.state_path().to_owned();
        let mut state = files::open_regular(&path).map_err(failed("read", &path))?;
        let lines: Vec<_> = self.lines.values().copied().collect();
        let mut line = Vec::new();
        Ok(lines.into_iter().map(move |(at, length)| {
            line.resize(length, 0);
            let read = state.seek(SeekFrom::Start(at)).and_then(|_| state.read_exact(&mut line));
            let item = read.and_then(|()| serde_json::from_slice(&line).map_err(io::Error::from));
            item.map_err(failed("read", &path))
        }))
    }

    /// Rewrites the files in numerical order of the items.
    pub fn finish(self) -> Result<Self, RunError> {
        let items = self.items()?;
        self.rewrite(items)
    }

    /// Rewrites the files with these items in this order.
    pub fn rewrite<G: Borrow<H::Item>>(
        self,
        items: impl IntoIterator<Item = Result<G, RunError>>,
    ) -> Result<Self, RunError> {
        let mut new = Self::begin(self.header, self.paths, self.lock)?;
        for item in items {
            new.append(item?.borrow())?;
        }
        new.commit()
    }
}

/// The first line of a checkpoint.
#[derive(Serialize)]
struct FirstLine<'a, H> {
    #[serde(flatten)]
    version: BTreeMap<&'static str, u32>,
    #[serde(flatten)]
    header: &'a H,
}

fn first_line<H: CheckpointHeader>(header: &H) -> io::Result<Vec<u8>> {
    let version = BTreeMap::from([(H::FORMAT, VERSION)]);
    Ok(sealed(&serde_json::to_string(&FirstLine { version, header })?))
}

/// Returns the line of a JSON object with a checksum of all that precedes it as its last field.
fn sealed(object: &str) -> Vec<u8> {
    let body = object.strip_suffix('}').unwrap_or(object);
    format!("{body}{CHECKSUM}{:08x}\"}}\n", crc32fast::hash(body.as_bytes())).into_bytes()
}

/// The text that precedes the eight digits of a checksum.
const CHECKSUM: &str = ",\"crc32\":\"";

/// Checks a line's checksum. A line without a checksum is valid: users may have edited it.
fn is_intact(line: &[u8]) -> bool {
    let rest = line.strip_suffix(b"\"}");
    let Some((body, digits)) = rest.and_then(<[u8]>::split_last_chunk::<8>) else { return true };
    let Some(body) = body.strip_suffix(CHECKSUM.as_bytes()) else { return true };
    format!("{:08x}", crc32fast::hash(body)).as_bytes() == digits
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use serde::Deserialize;

    use super::*;
    use crate::testing::Folder;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Settings {
        seed: u32,
        program: String,
    }

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Item {
        n: u64,
        text: String,
    }

    impl CheckpointHeader for Settings {
        type Item = Item;
        const FORMAT: &'static str = "kelso_test";
        const JOB: &'static str = "attempt";
        const COMPANION: Option<CompanionFile<Self>> = Some(CompanionFile {
            extension: ".pdn",
            format: |header, item| format!("{} of {}: {}\n", item.n, header.seed, item.text),
        });

        fn number(item: &Item) -> u64 {
            item.n
        }
    }

    /// Settings of a run whose items are not games.
    #[derive(Debug, Serialize, Deserialize)]
    struct Empty {}

    impl CheckpointHeader for Empty {
        type Item = Item;
        const FORMAT: &'static str = "kelso_empty";
        const JOB: &'static str = "measurement";

        fn number(item: &Item) -> u64 {
            item.n
        }
    }

    fn settings(seed: u32, program: &str) -> Settings {
        Settings { seed, program: program.to_owned() }
    }

    fn item(n: u64) -> Item {
        Item { n, text: format!("item {n}") }
    }

    type Opened<H> = Result<(Checkpoint<H>, Vec<u64>, Vec<String>), RunError>;

    /// Opens a checkpoint. Also returns the numbers of its items, and the warnings.
    fn open<H: CheckpointHeader<Item = Item>>(name: &Path, header: H, policy: ResumePolicy) -> Opened<H> {
        let mut numbers = Vec::new();
        let (store, warnings) = Checkpoint::open(name, header, policy, &mut |found: Item| {
            assert_eq!(found, item(found.n));
            numbers.push(found.n);
            Ok::<_, RunError>(())
        })?;
        Ok((store, numbers, warnings))
    }

    /// Creates a checkpoint of items 2 and 0 at `a`, and closes it.
    fn begun() -> (Folder, PathBuf) {
        let folder = Folder::new();
        let name = folder.path("a");
        let (mut store, ..) = open(&name, settings(7, "one"), ResumePolicy::default()).unwrap();
        for n in [2, 0] {
            store.add(&item(n)).unwrap();
        }
        (folder, name)
    }

    #[test]
    fn a_run_is_resumed_and_finished_in_order() {
        let (folder, name) = begun();
        assert_eq!(folder.names(), ["a.jsonl", "a.pdn"]);
        assert_eq!(folder.read("a.pdn"), "2 of 7: item 2\n0 of 7: item 0\n");
        assert!(
            folder
                .read("a.jsonl")
                .starts_with("{\"kelso_test\":1,\"seed\":7,\"program\":\"one\",\"crc32\":\"")
        );
        // A kill has cut off the last line, and the game was not written.
        fs::write(folder.path("a.pdn"), "2 of").unwrap();
        let faults = || read::<Settings>(&folder.path("a.jsonl"), false, &mut drop).unwrap().1;
        assert!(faults().is_empty());
        File::options().append(true).open(folder.path("a.jsonl")).unwrap().write_all(b"{\"n\":5,").unwrap();
        assert_eq!(faults(), ["line 4: incomplete line"]);
        let (mut store, numbers, warnings) = open(&name, settings(7, "one"), ResumePolicy::RESUME).unwrap();
        assert_eq!((numbers, warnings), (vec![2, 0], vec![]));
        assert_eq!(folder.read("a.pdn"), "2 of 7: item 2\n0 of 7: item 0\n");
        store.add(&item(1)).unwrap();
        assert_eq!(store.items().unwrap().map(|item| item.unwrap().n).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(store.state_path(), folder.path("a.jsonl"));
        let mut store = store.finish().unwrap();
        store.add(&item(3)).unwrap();
        assert_eq!(folder.read("a.pdn"), "0 of 7: item 0\n1 of 7: item 1\n2 of 7: item 2\n3 of 7: item 3\n");
        let mut numbers = Vec::new();
        let read = read::<Settings>(store.state_path(), false, &mut |item| numbers.push(item.n)).unwrap();
        assert_eq!((read, numbers), ((settings(7, "one"), vec![]), vec![0, 1, 2, 3]));
        assert_eq!(store.items().unwrap().map(|item| item.unwrap().n).collect::<Vec<_>>(), [0, 1, 2, 3]);
        drop(store);
        // Without games, there is only one file.
        let name = folder.path("b");
        let (mut store, ..) = open(&name, Empty {}, ResumePolicy::default()).unwrap();
        store.add(&item(4)).unwrap();
        drop(store.finish().unwrap());
        assert_eq!(folder.names(), ["a.jsonl", "a.pdn", "b.jsonl"]);
        assert!(folder.read("b.jsonl").starts_with("{\"kelso_empty\":1,\"crc32\":\""));
        assert_eq!(open(&name, Empty {}, ResumePolicy::RESUME).unwrap().1, [4]);
    }

    #[test]
    fn files_are_replaced_or_resumed_only_as_allowed() {
        let (folder, name) = begun();
        let new = || settings(8, "two");
        let exists = |result: Result<_, RunError>, file: &str| matches!(result, Err(RunError::Exists { path, .. }) if path == folder.path(file));
        assert!(exists(open(&name, new(), ResumePolicy::default()).map(drop), "a.jsonl"));
        fs::rename(folder.path("a.jsonl"), folder.path("b.jsonl")).unwrap();
        assert!(exists(open(&name, new(), ResumePolicy::RESUME).map(drop), "a.pdn"));
        fs::rename(folder.path("b.jsonl"), folder.path("a.jsonl")).unwrap();
        let overwrite = ResumePolicy { overwrite: true, ..ResumePolicy::default() };
        let (store, numbers, _) = open(&name, new(), overwrite).unwrap();
        assert_eq!((numbers, store.header(), folder.read("a.pdn").as_str()), (vec![], &new(), ""));
        let busy = open(&name, new(), ResumePolicy::RESUME).map(drop);
        assert!(matches!(busy, Err(RunError::Busy(path)) if path == folder.path("a.jsonl")));
        // Without items, the program may change.
        drop(store);
        let (store, ..) = open(&name, settings(8, "three"), ResumePolicy::RESUME).unwrap();
        assert_eq!(store.header(), &settings(8, "three"));
    }

    #[test]
    fn other_settings_and_programs_are_refused() {
        let (folder, name) = begun();
        let error = |header, policy| open(&name, header, policy).map(drop).unwrap_err().to_string();
        let path = folder.path("a.jsonl");
        assert_eq!(
            error(settings(8, "two"), ResumePolicy { any_program: true, ..ResumePolicy::RESUME }),
            format!("\"{}\" belongs to another attempt: seed was 7 and is now 8", path.display())
        );
        let changed = error(settings(7, "two"), ResumePolicy::RESUME);
        assert!(changed.ends_with("\": the program was \"one\" and is now \"two\""), "{changed}");
        let any = ResumePolicy { any_program: true, ..ResumePolicy::RESUME };
        assert_eq!(open(&name, settings(7, "two"), any).unwrap().1, [2, 0]);
        for (text, reason) in [
            ("", "missing header"),
            ("{\"kelso_test\":2}\n", "version 2 is not supported"),
            ("{\"seed\":7}\n", "missing field \"kelso_test\""),
            ("{\"kelso_test\":1}\n", "missing field `seed`"),
        ] {
            fs::write(&path, text).unwrap();
            let error = error(settings(7, "two"), any);
            assert!(error.contains(&format!("\" is not an attempt checkpoint: {reason}")), "{error}");
        }
        fs::remove_file(&path).unwrap();
        fs::write(folder.path("c.jsonl"), "").unwrap();
        let error = open(&folder.path("c"), Empty {}, ResumePolicy::RESUME).unwrap_err().to_string();
        assert!(error.contains("\" is not a measurement checkpoint: "), "{error}");
    }

    #[test]
    fn damaged_lines_are_skipped_only_with_salvage() {
        let (folder, name) = begun();
        let damaged = folder.read("a.jsonl").replace("item 2", "item 9");
        fs::write(folder.path("a.jsonl"), &damaged).unwrap();
        let error = open(&name, settings(7, "one"), ResumePolicy::RESUME).unwrap_err().to_string();
        assert!(error.ends_with("is damaged: line 2: wrong checksum"), "{error}");
        let salvage = ResumePolicy { salvage: true, ..ResumePolicy::RESUME };
        let (_, numbers, warnings) = open(&name, settings(7, "one"), salvage).unwrap();
        assert_eq!((numbers, warnings.len()), (vec![0], 2));
        assert!(warnings[0].ends_with("line 2: wrong checksum; this item is lost"), "{warnings:?}");
        assert_eq!(folder.read("a.jsonl.damaged"), damaged);
        assert_eq!(folder.read("a.pdn"), "0 of 7: item 0\n");
    }

    #[test]
    fn the_outputs_of_a_run_are_its_files() {
        let (folder, name) = begun();
        let out = OutputPath::file("--out", &name);
        let check = |policy: ResumePolicy, more: &str| {
            let outputs = policy.outputs::<Settings>(&out, &[]).unwrap();
            outputs.writes([&OutputPath::file("--json", folder.path(more))]).check().map(drop)
        };
        assert!(check(ResumePolicy::RESUME, "b").is_ok());
        let error = check(ResumePolicy::default(), "b").unwrap_err().to_string();
        assert!(error.ends_with("a.jsonl\" already exists"), "{error}");
        for own in ["a.jsonl", "a.pdn", "a.lock"] {
            let error = check(ResumePolicy::RESUME, own).unwrap_err().to_string();
            assert!(error.starts_with("--out and --json would both write to"), "{error}");
        }
        let _store = open(&name, settings(7, "one"), ResumePolicy::RESUME).unwrap();
        assert!(matches!(ResumePolicy::RESUME.outputs::<Settings>(&out, &[]), Err(RunError::Busy(_))));
    }

    #[test]
    fn every_change_of_a_line_is_noticed() {
        let line = sealed(&serde_json::json!({ "n": 3, "score": 12 }).to_string());
        let line = String::from_utf8(line).unwrap();
        assert!(line.starts_with("{\"n\":3,\"score\":12,\"crc32\":\"") && line.ends_with("\"}\n"), "{line}");
        let line = line.trim_end();
        assert!(is_intact(line.as_bytes()));
        assert!(!is_intact(line.replace("12", "13").as_bytes()));
        assert!(is_intact(b"{\"n\":3}"), "a line without a checksum");
        assert!(is_intact(b"") && is_intact(b"\"}"));
    }
}
