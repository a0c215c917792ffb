//! Replays the transcripts of `tests/data/transcripts` against the program, by the same means as `kelso replay`.

use crate::support::{kelso, result};

#[test]
fn the_program_keeps_to_its_transcripts() {
    let output = kelso()
        .args(["replay", "tests/data/transcripts"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let (out, errors, status) = result(&output);
    assert_eq!(status, Some(0), "{out}{errors}");
}
