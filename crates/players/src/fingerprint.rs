//! Engine fingerprints: the name, and checksums of the program and of the files named by its arguments and
//! options. A different build counts as a different engine, as does an engine whose weights file has changed.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::spec::EngineSpec;

/// Returns a fingerprint such as `Kelso 1.0, kelso 8e2f01ab, small.net 0f33c9d2`. It contains no paths, so it
/// is the same on every machine with the same files.
pub fn of(spec: &EngineSpec, identity: &str) -> String {
    let mut parts = vec![identity.trim().to_owned()];
    for part in files(spec).iter().filter_map(|path| describe(path)) {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// Returns the path of an engine's program, and all paths that its arguments and options may name.
pub fn files(spec: &EngineSpec) -> Vec<PathBuf> {
    // A script is an argument of its interpreter, and arguments and options may name weights files.
    let arguments = spec.command.arguments.iter().map(|argument| argument.to_string_lossy().into_owned());
    let options = spec.options.iter().map(|(_, value)| value.clone());
    let named = arguments.chain(options).flat_map(|text| {
        let value = text.split_once('=').map_or(text.as_str(), |(_, value)| value);
        [text.as_str(), value].map(|path| spec.command.path_from_there(Path::new(path)))
    });
    spec.command.program_file().into_iter().chain(named).collect()
}

/// Returns the name and the checksum of a file, or of a directory with the names and sizes of its files, if
/// it exists.
fn describe(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    let checksum = if metadata.is_file() {
        checksum(path).map_or_else(|_| "unreadable".to_owned(), |checksum| format!("{checksum:08x}"))
    } else if metadata.is_dir() {
        let mut files: Vec<String> = fs::read_dir(path)
            .ok()?
            .flatten()
            .filter_map(|file| {
                Some(format!("{} {}", file.file_name().to_string_lossy(), file.metadata().ok()?.len()))
            })
            .collect();
        files.sort();
        format!("{:08x}", crc32fast::hash(files.join("\n").as_bytes()))
    } else {
        return None;
    };
    Some(format!("{name} {checksum}"))
}

fn checksum(path: &Path) -> io::Result<u32> {
    let mut file = File::open(path)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finalize()),
            length => hasher.update(&buffer[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::parse_engines;
    use runs::testing::Folder;

    #[test]
    fn other_contents_make_another_engine() {
        let folder = Folder::new();
        for (name, text) in [("engine", "one"), ("a.net", "weights"), ("script.py", "print")] {
            fs::write(folder.path(name), text).unwrap();
        }
        let there = folder.as_ref().display();
        let text =
            format!("cmd=./engine dir='{there}' args='script.py --net=a.net' option.EvalFile=a.net nodes=1");
        let engine = parse_engines(&[text], &[], &"kelso".into()).unwrap().remove(0);
        let before = of(&engine, "X 1");
        let names: Vec<_> = before.split(", ").map(|part| part.split(' ').next().unwrap()).collect();
        assert_eq!(names, ["X", "engine", "script.py", "a.net"], "{before}");
        assert_ne!(of(&engine, "X 2"), before);
        for name in ["engine", "a.net", "script.py"] {
            let old = fs::read(folder.path(name)).unwrap();
            fs::write(folder.path(name), "other").unwrap();
            assert_ne!(of(&engine, "X 1"), before, "{name}");
            fs::write(folder.path(name), old).unwrap();
        }
        assert_eq!(of(&engine, "X 1"), before);
    }

    #[test]
    fn a_fingerprint_has_checksums_but_no_paths() {
        let folder = Folder::new();
        for (name, text) in [("engine", "one"), ("a.net", "weights"), ("data/b", "12"), ("data/a", "3")] {
            folder.write(name, text);
        }
        let there = folder.as_ref().display();
        let text = format!(
            "cmd=./engine dir='{there}' arg=--net=a.net arg=a.net option.Data=data option.None=x nodes=1"
        );
        let engine = parse_engines(&[text], &[], &"kelso".into()).unwrap().remove(0);
        // The checksums of "one", "weights" and "a 1\nb 2".
        let files = "engine 7a6c86f1, a.net 1ad27358, data 52fd8627";
        assert_eq!(of(&engine, " X 1 "), format!("X 1, {files}"));
        assert_eq!(of(&engine, ""), files);
        let large = vec![7; 100_000];
        assert_eq!(checksum(&folder.write("large", &large)).unwrap(), crc32fast::hash(&large));
    }
}
