//! Processes, where the system shows them in `/proc`. Elsewhere, there are none.

use std::fs;

/// Returns the number of files that a process has open.
pub fn open_files(process: u32) -> usize {
    fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count)
}

/// Returns a part of the status of a process, such as `VmRSS`.
pub fn status(process: u32, name: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut parts = status.lines().filter_map(|line| line.split_once(':'));
    parts.find(|part| part.0 == name).map(|part| part.1.trim().to_owned())
}

/// Returns the memory of a process in KiB: now (`VmRSS`), or at its peak (`VmHWM`).
pub fn kibibytes(process: u32, name: &str) -> Option<u64> {
    status(process, name)?.trim_end_matches(" kB").parse().ok()
}

/// Returns the state of a process, and its parent.
fn state(process: &str) -> Option<(String, u32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // They follow the name, which may have spaces and brackets.
    let mut words = stat.rsplit(')').next()?.split_whitespace();
    Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
}

/// Returns whether a process has not ended.
pub fn lives(process: &str) -> bool {
    state(process).is_some_and(|(state, _)| state != "Z")
}

fn all() -> impl Iterator<Item = String> {
    let folders = fs::read_dir("/proc").into_iter().flatten().flatten();
    folders.filter_map(|folder| folder.file_name().into_string().ok())
}

/// Returns the children of a process, and whether each has ended.
pub fn children(process: u32) -> impl Iterator<Item = (u32, bool)> {
    all().filter_map(move |number| {
        let (state, parent) = state(&number)?;
        (parent == process).then_some((number.parse().ok()?, state == "Z"))
    })
}

/// Returns the words of the command lines of all processes.
pub fn command_lines() -> impl Iterator<Item = Vec<String>> {
    let lines = all().filter_map(|number| fs::read_to_string(format!("/proc/{number}/cmdline")).ok());
    lines.map(|line| line.split('\0').map(str::to_owned).collect())
}
