//! Shared code for the targets with binary files. They patch a valid file, so that the input stays small, and
//! recompute checksums, so that later checks are reached.

use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Applies a patch, five bytes for each change: an offset of three bytes, an operation, and a value.
pub fn patched(base: &[u8], patch: &[u8]) -> Vec<u8> {
    let mut bytes = base.to_vec();
    for &[low, middle, high, action, value] in patch.as_chunks::<5>().0 {
        let offset = usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16;
        let at = offset % bytes.len().max(1);
        match action % 8 {
            0 => bytes.truncate(at),
            1 => bytes.extend(vec![value; offset % 64]),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.insert(at, value),
            _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = value),
        }
    }
    bytes
}

/// Returns the little-endian number in a range of bytes, or 0 beyond the end.
pub fn number(bytes: &[u8], range: Range<usize>) -> usize {
    let digits = bytes.get(range).into_iter().flatten().rev();
    digits.fold(0, |number: usize, &digit| number.wrapping_shl(8) | usize::from(digit))
}

/// Writes the checksum of a part at an offset, if the file reaches that far.
pub fn repair(bytes: &mut [u8], part: Range<usize>, at: usize) {
    if let Some(part) = bytes.get(part.start..part.end.min(bytes.len())) {
        let checksum = crc32fast::hash(part).to_le_bytes();
        if let Some(place) = bytes.get_mut(at..at + 4) {
            place.copy_from_slice(&checksum);
        }
    }
}

/// Calls a function with a file that contains these bytes, in a folder of this process.
pub fn with_file<R>(name: &str, bytes: &[u8], use_it: impl FnOnce(&Path) -> R) -> R {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("a writable folder for temporary files");
    let result = use_it(&path);
    fs::remove_file(&path).expect("the file is still there");
    result
}

fn folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
    let folder = base.join(format!("kelso-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a writable folder for temporary files");
    folder
}
