//! No command replaces a file without permission: tests each output option of `outputs/table.rs` with each
//! kind of file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::helpers::{Folder, kelso, result};

mod inputs;
mod table;

use table::{MATCH, NO_OUTPUTS, ROWS, Row};

/// Returns all files of a directory with their contents.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            let bytes = fs::read(&path).unwrap_or_default();
            found.insert(path, bytes);
        }
    }
    found
}

/// Creates a directory with inputs for every command.
pub(super) fn with_inputs() -> Folder {
    let folder = Folder::new();
    folder.write("in.pdn", "[Event \"e\"]\n1. 11-15 23-19 2. 8-11 1-0\n");
    folder.write("t.txt", "> isready\n< readyok\n");
    for words in [
        "train play --out games --games 12 --nodes 20 --branches 0 --threads 1 --option Evaluation=material",
        "book build --nodes 50 --threads 1 --roots start --quiet --positions 20 --out in",
        "match --engine random --engine name=B:random --rounds 1 --quiet --openings in.pdn --out m",
        "train terms games --out in.txt",
    ] {
        let (_, error, status) = run(&folder, words, &[]);
        assert_eq!(status, Some(0), "{words}: {error}");
    }
    folder
}

/// Copies a directory with all its files.
pub(super) fn copied(from: &Folder) -> Folder {
    let folder = Folder::new();
    for (path, bytes) in contents(from.as_ref()) {
        let name = path.strip_prefix(from).unwrap().to_str().unwrap();
        folder.write(name, bytes);
    }
    folder
}

fn command(folder: &Folder, words: &str, more: &[&str]) -> Command {
    let mut command = kelso();
    // A tilde, or a colon before `random`, stands for a space in the description of an engine.
    command
        .args(words.split(' ').map(|word| word.replace(":random", " random").replace('~', " ")))
        .args(more);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Folder, words: &str, more: &[&str]) -> (String, String, Option<i32>) {
    result(&command(folder, words, more).output().unwrap())
}

/// A command with a file for one of its options.
struct Trial<'a> {
    template: &'a Folder,
    row: &'a Row,
    /// The options of the command that name outputs.
    outputs: &'a [String],
    option: &'a str,
    count: &'a AtomicUsize,
}

impl Trial<'_> {
    /// Runs the command after `prepare`, and asserts that it is rejected and has changed nothing. Returns the
    /// error.
    fn is_refused(&self, what: &str, name: &str, more: &[&str], prepare: impl FnOnce(&Folder)) -> String {
        let folder = copied(self.template);
        prepare(&folder);
        let before = contents(folder.as_ref());
        let words: Vec<&str> = [self.option, name].into_iter().filter(|word| !word.is_empty()).collect();
        let (_, error, status) = run(&folder, self.row.words, &[&words, more].concat());
        let trial = format!("{} {} {name} {more:?} ({what})", self.row.words, self.option);
        assert_eq!(status, Some(2), "{trial}: {error}");
        assert!(error.starts_with("error: "), "{trial}: {error}");
        // An existing checkpoint is rejected before it is compared with the inputs.
        if (what.contains("input") || what == "other output")
            && !error.contains("already exists; use --resume")
        {
            let named = if self.option.is_empty() { "FILE" } else { self.option };
            assert!(error.contains(named), "{trial} does not name the option: {error}");
        }
        assert!(contents(folder.as_ref()) == before, "{trial} has changed a file");
        self.count.fetch_add(1, Ordering::Relaxed);
        error
    }

    /// Returns the files that the option writes for a name.
    fn files(&self, name: &str) -> Vec<String> {
        if self.is_state() {
            self.row.state.iter().map(|end| format!("{name}.{end}")).collect()
        } else {
            vec![name.to_owned()]
        }
    }

    fn is_state(&self) -> bool {
        self.option == "--out" && !self.row.state.is_empty()
    }

    fn existing_files(&self) {
        for file in self.files("old") {
            self.is_refused("existing file", "old", &[], |folder| drop(folder.write(&file, "precious")));
            self.is_refused("existing file", "./old", &[], |folder| drop(folder.write(&file, "precious")));
        }
        // A file that can be resumed may be created through a link.
        #[cfg(unix)]
        for file in self.files("old").iter().filter(|_| !self.overwrite().is_empty()) {
            self.is_refused("dangling link", "old", &[], |folder| {
                std::os::unix::fs::symlink("nowhere", folder.path(file)).unwrap();
            });
        }
    }

    fn inputs(&self) {
        for input in self.row.inputs {
            let end = Path::new(input).extension().unwrap().to_str().unwrap();
            let name = |stem: &str| {
                if self.is_state() {
                    self.row.state.contains(&end).then(|| stem.to_owned())
                } else {
                    Some(format!("{stem}.{end}"))
                }
            };
            let Some(direct) = name(input.strip_suffix(end).unwrap().trim_end_matches('.')) else { continue };
            self.is_refused("input", &direct, &[], |_| {});
            // No option allows replacing margins that can be resumed.
            self.is_refused("input", &format!("./{direct}"), self.overwrite(), |_| {});
            let Some(link) = name("link") else { continue };
            let to = format!("link.{end}");
            self.is_refused("hard link to an input", &link, self.overwrite(), |folder| {
                fs::hard_link(folder.path(input), folder.path(&to)).unwrap();
            });
            #[cfg(unix)]
            self.is_refused("link to an input", &link, self.overwrite(), |folder| {
                std::os::unix::fs::symlink(input, folder.path(&to)).unwrap();
            });
        }
    }

    /// Returns the option that allows existing outputs to be replaced, if any.
    fn overwrite(&self) -> &'static [&'static str] {
        if self.row.words.starts_with("train margins") { &[] } else { &["--overwrite"] }
    }

    fn other_outputs(&self) {
        for other in self.outputs.iter().filter(|other| *other != self.option) {
            let same: Vec<String> = if self.is_state() {
                self.files("both").iter().map(|file| format!("./{file}")).collect()
            } else if other == "--out" && !self.row.state.is_empty() {
                continue;
            } else {
                vec!["./both".to_owned()]
            };
            for same in same {
                self.is_refused("other output", "both", &[other, &same], |_| {});
                self.is_refused("other output", "both", &[other, &same, "--overwrite"], |folder| {
                    folder.write(&same, "precious");
                });
            }
        }
        for own in self.row.own.iter().filter(|_| !self.is_state()) {
            self.is_refused("own state", own, &["--overwrite"], |_| {});
        }
    }

    fn unwritable(&self) {
        self.is_refused("no such directory", "no/such/x", &[], |_| {});
        for file in self.files("locked") {
            self.is_refused("read-only file", "locked", self.overwrite(), |folder| {
                let path = folder.write(&file, "precious");
                let mut permissions = fs::metadata(&path).unwrap().permissions();
                permissions.set_readonly(true);
                fs::set_permissions(&path, permissions).unwrap();
            });
        }
        self.is_refused("directory", "games", self.overwrite(), |folder| {
            for file in self.files("games") {
                fs::create_dir_all(folder.path(&file)).unwrap();
            }
        });
    }

    /// Simulates a full disk with a file size limit of zero bytes.
    #[cfg(unix)]
    fn full_disk(&self) {
        let folder = copied(self.template);
        for file in self.files("full") {
            folder.write(&file, "precious");
        }
        let before = contents(folder.as_ref());
        let words: Vec<&str> = [self.option, "full"].into_iter().filter(|word| !word.is_empty()).collect();
        let whole = command(&folder, self.row.words, &[&words, self.overwrite()].concat());
        let mut limited = Command::new("sh");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]).arg(whole.get_program());
        limited.args(whole.get_args()).current_dir(&folder).stdin(Stdio::null());
        let (_, error, status) = result(&limited.output().unwrap());
        let trial = format!("{} {} on a full disk", self.row.words, self.option);
        assert_eq!(status, Some(2), "{trial}: {error}");
        let mut after = contents(folder.as_ref());
        // Ignore the other outputs of a resumable run, which are kept.
        after.retain(|path, bytes| before.contains_key(path) || !bytes.is_empty());
        assert!(after == before, "{trial} has changed a file: {error}");
        self.count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Collects a command and its subcommands, with their help.
pub(super) fn commands(name: &str, found: &mut Vec<(String, String)>) {
    let words: Vec<&str> = name.split_whitespace().chain(["--help"]).collect();
    let (help, error, _) = result(&kelso().args(words).output().unwrap());
    assert_eq!(error, "", "kelso {name}");
    let list = if name.is_empty() { Some(help.as_str()) } else { help.split("\nCommands:\n").nth(1) };
    let is_name = |word: &&str| {
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !word.is_empty() && word.bytes().all(is_letter) && *word != "help"
    };
    let line = |line: &str| line.strip_prefix("  ")?.split_once("  ").map(|(word, _)| word.to_owned());
    for next in list.into_iter().flat_map(str::lines).filter_map(line).filter(|word| is_name(&word.as_str()))
    {
        commands(format!("{name} {next}").trim(), found);
    }
    found.push((name.to_owned(), help));
}

/// Returns the options of a command that name files, and its arguments, according to its help.
fn path_options(help: &str) -> impl Iterator<Item = String> {
    help.lines().filter_map(|line| {
        let word = line.trim_start();
        let (name, value) = word.trim_end_matches('.').split_once(['<', '[']).unwrap_or((word, ""));
        let is_option = line.len() - word.len() <= 6 && (name.is_empty() || name.starts_with('-'));
        let value = value.split(['>', ']']).next()?;
        let is_path = ["FILE", "DIR"].iter().any(|kind| value.split('|').any(|part| part == *kind));
        let option = name.trim().split(", ").last().filter(|name| !name.is_empty()).unwrap_or(value);
        (is_option && (is_path || option == "--out")).then(|| option.to_owned())
    })
}

/// Returns the options of all commands that name files, with the names of the commands.
fn all_path_options() -> Vec<(String, String)> {
    let mut all = Vec::new();
    commands("", &mut all);
    let of =
        |(name, help): &(String, String)| path_options(help).map(|option| (name.clone(), option)).collect();
    all.iter().flat_map(|command| -> Vec<_> { of(command) }).collect()
}

/// Returns the output options of a row's command. `options` lists all options that name files.
fn outputs_of(row: &Row, options: &[(String, String)]) -> Vec<String> {
    let begins =
        options.iter().filter(|(name, _)| format!("{} ", row.words).starts_with(&format!("{name} ")));
    let command = begins.map(|(name, _)| name).max_by_key(|name| name.len()).unwrap();
    let own = options.iter().filter(|(name, _)| name == command);
    let outputs = own.filter(|(name, option)| !NO_OUTPUTS.contains(&(name.as_str(), option.as_str())));
    outputs.map(|(_, option)| if option.starts_with('-') { option.clone() } else { String::new() }).collect()
}

#[test]
fn every_command_with_outputs_is_in_the_table() {
    let options = all_path_options();
    for (command, option) in NO_OUTPUTS {
        let is_known = options.iter().any(|(name, known)| name == command && known == option);
        assert!(is_known, "kelso {command} has no {option}; remove it from NO_OUTPUTS");
    }
    let tested: usize = ROWS.iter().map(|row| outputs_of(row, &options).len()).sum();
    let mut count = 0;
    for (command, option) in &options {
        if !NO_OUTPUTS.contains(&(command.as_str(), option.as_str())) {
            let has_row =
                ROWS.iter().any(|row| format!("{} ", row.words).starts_with(&format!("{command} ")));
            assert!(has_row, "add kelso {command} to ROWS for {option}, or {option} to NO_OUTPUTS");
            count += 1;
        }
    }
    assert_eq!(tested, count, "each output has one row");
}

#[test]
fn no_output_replaces_what_it_must_not() {
    trials(&with_inputs(), &|trial| {
        trial.existing_files();
        trial.inputs();
        trial.other_outputs();
        trial.unwritable();
        #[cfg(unix)]
        if trial.row.quick {
            trial.full_disk();
        }
    });
}

/// Tries every output of every command.
fn trials(template: &Folder, attempt: &(dyn Fn(&Trial<'_>) + Sync)) {
    let (count, next) = (&AtomicUsize::new(0), &AtomicUsize::new(0));
    let options = all_path_options();
    let rows: Vec<(&Row, Vec<String>)> = ROWS.iter().map(|row| (row, outputs_of(row, &options))).collect();
    let mut trials: Vec<(&Row, &[String], &str)> = Vec::new();
    for (row, outputs) in &rows {
        trials.extend(outputs.iter().map(|option| (*row, outputs.as_slice(), option.as_str())));
    }
    let trials = &trials;
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                while let Some(&(row, outputs, option)) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
                    attempt(&Trial { template, row, outputs, option, count });
                }
            });
        }
    });
    println!("{} outputs, {} combinations", trials.len(), count.load(Ordering::Relaxed));
}

#[test]
fn a_name_may_have_the_extension_of_a_file_that_is_written() {
    let folder = Folder::new();
    folder.write("in.pdn", "1. 11-15 23-19 2. 8-11 1-0\n");
    for (words, names) in
        [(MATCH, ["a.pdn", "a.jsonl"]), ("analyse in.pdn --nodes 50 --quiet", ["b.pdn", "b.jsonl"])]
    {
        let (_, error, status) = run(&folder, words, &["--out", names[0]]);
        assert_eq!(status, Some(0), "{error}");
        assert!(
            names.iter().all(|name| folder.path(name).is_file()),
            "{:?}",
            contents(folder.as_ref()).keys()
        );
    }
    assert_eq!(contents(folder.as_ref()).len(), 5);
}

#[cfg(unix)]
#[test]
fn signals_end_a_command_with_their_status_and_leave_no_temporary_files() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::time::{Duration, Instant};

    let folder = Folder::new();
    let ended_by = |signal: Signal| {
        let mut child =
            command(&folder, "pdn format - --out out.pdn", &[]).stdin(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        while contents(folder.as_ref()).is_empty() {
            assert!(began.elapsed() < crate::helpers::engine::PATIENCE);
            thread::sleep(Duration::from_millis(2));
        }
        // Keep the input open: waiting would close it, and the command would succeed.
        let _input = child.stdin.take();
        kill_process(Pid::from_child(&child), signal).unwrap();
        child.wait().unwrap().code()
    };
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        assert_eq!(ended_by(signal), Some(status));
        assert!(contents(folder.as_ref()).is_empty(), "{:?}", contents(folder.as_ref()).keys());
    }
    // A kill leaves the temporary file, and the next run removes it. The first file, which only tests whether
    // the folder is writable, is removed immediately.
    let kills = (0..50).map(|_| ended_by(Signal::KILL)).take_while(Option::is_none);
    assert!(
        kills.into_iter().any(|_| contents(folder.as_ref()).len() == 1),
        "{:?}",
        contents(folder.as_ref())
    );
    let (_, error, status) = run(&folder, "pdn format - --out out.pdn", &[]);
    assert_eq!(status, Some(0), "{error}");
    assert_eq!(folder.names(), ["out.pdn"], "nothing was read, and the temporary file is gone");
    assert_eq!(folder.read("out.pdn"), "");
}
