//! `kelso prove`.

use crate::helpers::{Folder, kelso, result};

/// An ending whose proof takes more than 20,000 nodes without databases.
const POSITION: &str = "W:WK10,15:BK1,K5";

fn run(folder: &Folder, words: &str) -> (String, String, Option<i32>) {
    let mut command = kelso();
    result(&command.arg("prove").args(words.split(' ')).current_dir(folder).output().unwrap())
}

#[test]
fn an_unfinished_proof_is_saved_and_resumed() {
    let folder = Folder::new();
    let prove = |more: &str| {
        let (out, errors, status) = run(&folder, &format!("{POSITION} --leaves 0 --out p.txt {more}"));
        (out, errors.contains("to resume, repeat the command with --resume"), status)
    };
    let unproved = |nodes: &str| {
        let known = "not proved: the side to move cannot win; draw or loss undecided";
        (format!("{POSITION}: {known} after {nodes} nodes\n"), true, Some(1))
    };
    assert_eq!(prove("--nodes 20000"), unproved("20,000"));
    assert_eq!(folder.names(), ["p.txt.state"]);
    // A new proof must not replace the state.
    assert_eq!(prove(""), (String::new(), false, Some(2)));
    assert_eq!(prove("--resume --nodes 1"), unproved("20,001"));
    let other = run(&folder, "W:WK10:BK1 --leaves 0 --out p.txt --resume");
    assert!(
        other.1.starts_with("error: cannot resume from \"p.txt.state\": the state of another proof: "),
        "{other:?}"
    );
    let (out, _, status) = prove("--resume");
    assert!(out.starts_with(&format!("{POSITION}: draw, proved by ")), "{out}");
    assert_eq!((folder.names(), status), (vec!["p.txt".to_owned()], Some(0)));
    // A finished proof is not made again.
    let again = run(&folder, &format!("{POSITION} --leaves 0 --out p.txt --resume"));
    assert!(out.starts_with(again.0.trim_end()) && !again.0.is_empty(), "{again:?}");
    assert_eq!((again.1.as_str(), again.2), ("the proof is already finished\n", Some(0)));
    for (words, error) in [
        ("W:WK10:BK1 --leaves 0 --out p.txt --resume", "is the proof of another position, W:WK10,15:BK1,K5"),
        (&format!("{POSITION} --leaves 0 --out p.txt --resume --claim win"), "proves another value: draw"),
    ] {
        let refused = run(&folder, words);
        assert_eq!(
            (refused.0, refused.1, refused.2),
            (String::new(), format!("error: \"p.txt\" {error}; use --overwrite to replace it\n"), Some(2))
        );
    }
    let (checked, _, status) = run(&folder, "--check p.txt");
    assert_eq!((out.starts_with(checked.trim_end()), status), (true, Some(0)), "{checked}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_proof_is_saved() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::io::Read;
    use std::process::Stdio;

    let folder = Folder::new();
    let mut command = kelso();
    command.args(["prove", "startpos", "--out", "p.txt"]).current_dir(&folder);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A signal before the proof begins would end the program at once.
    let mut progress = [0; 1];
    child.stderr.as_mut().unwrap().read_exact(&mut progress).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let (out, errors, status) = result(&child.wait_with_output().unwrap());
    assert!(out.contains(": not proved: no result after "), "{out} {errors}");
    assert_eq!((folder.names(), status), (vec!["p.txt.state".to_owned()], Some(130)));
}

#[test]
fn a_certificate_that_proves_nothing_is_invalid() {
    let folder = Folder::new();
    // The certificate relies on a database file.
    let (proof, ..) = run(&folder, "B:WK32:BK22,K23 --out p.txt");
    let certificate = folder.read("p.txt");
    let (out, _, status) = run(&folder, "--check p.txt");
    assert_eq!((proof.starts_with(out.trim_end()), status), (true, Some(0)), "{out}");
    let leaf = certificate.lines().nth(4).unwrap();
    let (slice, checksum) = leaf.split_once(' ').unwrap();
    let refused = |other: &str| {
        folder.write("q.txt", certificate.replace(leaf, other));
        run(&folder, "--check q.txt")
    };
    let other = refused(&format!("{slice} 00000001"));
    let reason = format!("line 5: the database {slice}.wld has the checksum {checksum}, not 00000001");
    assert_eq!(other, (format!("\"q.txt\": invalid: {reason}\n"), String::new(), Some(1)));
    let (out, errors, status) = refused("42v11 00000000");
    let remedy = "create it with `kelso egdb build --slice 42v11`, or use --egdb";
    let message =
        format!("error: cannot check \"q.txt\": line 5: the database 42v11.wld is missing; {remedy}\n");
    assert_eq!((out.as_str(), errors, status), ("", message, Some(2)));
}

#[test]
fn bytes_that_are_no_text_are_an_invalid_certificate() {
    let folder = Folder::new();
    std::fs::write(folder.path("p.txt"), b"kelso-proof 1\n\xff\xfe\n").unwrap();
    let (out, errors, status) = run(&folder, "--check p.txt");
    assert!(out.starts_with("\"p.txt\": invalid: line 2: "), "{out}");
    assert_eq!((errors.as_str(), status), ("", Some(1)));
}

/// The win takes 65 plies.
#[test]
fn a_long_win_is_proved_by_its_distances() {
    let folder = Folder::new();
    folder.write("temporary/note", "");
    let mut command = kelso();
    command.args(["prove", "W:WK4,K12,K30:BK11,K21", "--out", "p.txt"]).current_dir(&folder);
    let (out, errors, status) = result(&command.env("TMPDIR", folder.path("temporary")).output().unwrap());
    assert!(out.starts_with("W:WK4,K12,K30:BK11,K21: win, proved by ") && status == Some(0), "{out}{errors}");
    // Nothing is left of the distances, and the certificate does not need them.
    assert_eq!(std::fs::read_dir(folder.path("temporary")).unwrap().count(), 1);
    assert_eq!(run(&folder, "--check p.txt").2, Some(0));
}
