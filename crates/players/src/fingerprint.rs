//! Engine fingerprints: the name, and checksums of the program and of the files named by its arguments and
//! options. A different build counts as a different engine, as does an engine whose weights file has changed.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::spec::EngineSpec;
use kelso_batch::error::{RunError, failed};

/// Returns a fingerprint such as `Kelso 1.0, kelso 8e2f01ab, small.net 0f33c9d2`. It contains no paths, so it
/// is the same on every machine with the same files.
///
/// # Errors
///
/// If a file exists and cannot be read.
pub fn of(spec: &EngineSpec, identity: &str) -> Result<String, RunError> {
    let mut parts = vec![identity.trim().to_owned()];
    for path in files(spec) {
        let part = describe(&path).map_err(failed("read", &path))?;
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.retain(|part| !part.is_empty());
    Ok(parts.join(", "))
}

/// Returns the path of an engine's program, and all paths that its arguments and options may name.
pub fn files(spec: &EngineSpec) -> Vec<PathBuf> {
    // A script is an argument of its interpreter, and arguments and options may name weights files.
    let arguments = spec.command.arguments.iter().map(|argument| argument.to_string_lossy().into_owned());
    let options = spec.options.iter().map(|(_, value)| value.clone());
    let files = arguments.chain(options).flat_map(|text| {
        let value = text.split_once('=').map_or(text.as_str(), |(_, value)| value);
        [text.as_str(), value].map(|path| spec.command.path_from_there(Path::new(path)))
    });
    spec.command.program_file().into_iter().chain(files).collect()
}

/// Returns the name and the checksum of a file, or of a directory with the names and sizes of its files.
/// Empty if there is neither.
fn describe(path: &Path) -> io::Result<String> {
    let (Ok(metadata), Some(name)) = (fs::metadata(path), path.file_name()) else { return Ok(String::new()) };
    let checksum = if metadata.is_file() {
        checksum(path)?
    } else if metadata.is_dir() {
        let mut files = Vec::new();
        for file in fs::read_dir(path)? {
            let file = file?;
            files.push(format!("{} {}", file.file_name().to_string_lossy(), file.metadata()?.len()));
        }
        files.sort();
        crc32fast::hash(files.join("\n").as_bytes())
    } else {
        return Ok(String::new());
    };
    Ok(format!("{} {checksum:08x}", name.to_string_lossy()))
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
    use crate::spec::{OwnProgram, parse_engine};
    use kelso_batch::testing::Folder;
    use kelso_engine::search::Limits;

    fn engine(text: &str) -> EngineSpec {
        let own = OwnProgram { path: "kelso".into(), random: "random" };
        parse_engine(text, &Limits::default(), &own).unwrap()
    }

    #[test]
    fn fingerprints_depend_on_file_contents() {
        let folder = Folder::new();
        for (name, text) in [("engine", "one"), ("a.net", "weights"), ("script.py", "print")] {
            fs::write(folder.path(name), text).unwrap();
        }
        let there = folder.as_ref().display();
        let engine = engine(&format!(
            "cmd=./engine dir='{there}' args='script.py --net=a.net' option.EvalFile=a.net nodes=1"
        ));
        let before = of(&engine, "X 1").unwrap();
        let names: Vec<_> = before.split(", ").map(|part| part.split(' ').next().unwrap()).collect();
        assert_eq!(names, ["X", "engine", "script.py", "a.net"], "{before}");
        assert_ne!(of(&engine, "X 2").unwrap(), before);
        for name in ["engine", "a.net", "script.py"] {
            let old = fs::read(folder.path(name)).unwrap();
            fs::write(folder.path(name), "other").unwrap();
            assert_ne!(of(&engine, "X 1").unwrap(), before, "{name}");
            fs::write(folder.path(name), old).unwrap();
        }
        assert_eq!(of(&engine, "X 1").unwrap(), before);
    }

    #[test]
    fn a_fingerprint_has_checksums_but_no_paths() {
        let folder = Folder::new();
        for (name, text) in [("engine", "one"), ("a.net", "weights"), ("data/b", "12"), ("data/a", "3")] {
            folder.write(name, text);
        }
        let there = folder.as_ref().display();
        let engine = engine(&format!(
            "cmd=./engine dir='{there}' arg=--net=a.net arg=a.net option.Data=data option.None=x nodes=1"
        ));
        // The checksums of "one", "weights" and "a 1\nb 2".
        let files = "engine 7a6c86f1, a.net 1ad27358, data 52fd8627";
        assert_eq!(of(&engine, " X 1 ").unwrap(), format!("X 1, {files}"));
        assert_eq!(of(&engine, "").unwrap(), files);
        let large = vec![7; 100_000];
        assert_eq!(checksum(&folder.write("large", &large)).unwrap(), crc32fast::hash(&large));
    }
}
