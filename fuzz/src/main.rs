//! Fuzz targets, one for each grammar and each binary file. The variable `KELSO_FUZZ` names the target to
//! run.
//!
//! With the feature `libfuzzer`, libFuzzer looks for inputs that a target cannot handle. Without it, the
//! target gets some random inputs, and the files in the folders that the arguments name.

#![cfg_attr(feature = "libfuzzer", no_main)]

mod file;
mod targets;

#[cfg(not(feature = "libfuzzer"))]
use std::collections::BTreeSet;
use std::env;
#[cfg(not(feature = "libfuzzer"))]
use std::path::PathBuf;
use std::sync::LazyLock;

static TARGET: LazyLock<targets::Target> = LazyLock::new(|| {
    let name = env::var("KELSO_FUZZ").expect("KELSO_FUZZ names a target");
    targets::named(&name).expect("KELSO_FUZZ names one of the files in fuzz/src/targets")
});

#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));

/// Runs the target with random inputs, and with each file of the folders and some changed copies of it.
#[cfg(not(feature = "libfuzzer"))]
fn main() -> std::io::Result<()> {
    const RANDOM_INPUTS: u64 = 100;
    const COPIES: u64 = 4;
    let mut count = 0;
    for _ in 0..RANDOM_INPUTS {
        TARGET(&random_bytes(count));
        count += 1;
    }
    for folder in env::args_os().skip(1) {
        let entries = std::fs::read_dir(folder)?;
        for path in entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<BTreeSet<_>>>()? {
            let bytes = std::fs::read(&path)?;
            let _named = Named(path);
            TARGET(&bytes);
            // The copies do not depend on the other files.
            let seed = bytes.iter().fold(0, |seed, &byte| kelso_draughts::board::mix(seed ^ u64::from(byte)));
            for copy in 0..COPIES {
                TARGET(&file::patched(&bytes, &random_bytes(seed.wrapping_add(copy))));
            }
            count += 1 + COPIES;
        }
    }
    println!("stat::number_of_executed_units: {count}");
    Ok(())
}

/// Names the file if the target fails.
#[cfg(not(feature = "libfuzzer"))]
struct Named(PathBuf);

#[cfg(not(feature = "libfuzzer"))]
impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with {} or a changed copy of it", self.0.display());
        }
    }
}

/// Returns up to 39 bytes that depend on a seed.
#[cfg(not(feature = "libfuzzer"))]
fn random_bytes(seed: u64) -> Vec<u8> {
    let words = (0..5).map(|word| kelso_draughts::board::mix(seed << 3 | word));
    let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    let (&length, bytes) = bytes.split_last().expect("there are forty");
    bytes[..usize::from(length) % 40].to_vec()
}
