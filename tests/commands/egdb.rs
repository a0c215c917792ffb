//! `kelso egdb`.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::helpers::Folder;
use crate::helpers::engine::Kelso;
use crate::helpers::tools::has;

/// Returns the names of the complete database files.
fn files(folder: &Folder) -> Vec<String> {
    let is_database = |name: &String| {
        Path::new(name).extension().is_some_and(|extension| extension == "wld" || extension == "dtw")
    };
    folder.names().into_iter().filter(is_database).collect()
}

fn kelso(folder: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kelso"));
    command.arg("egdb").args(arguments).arg("--egdb").arg(folder.as_ref());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn run(folder: impl AsRef<Path>, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = kelso(folder, arguments).output().unwrap();
    (status.code(), text(&stdout), text(&stderr))
}

const BUILD: [&str; 7] = ["build", "--pieces", "4", "--distances", "3", "--threads", "2"];

#[test]
fn a_killed_build_resumes_where_it_was() {
    let folder = Folder::new();
    let mut finished = 0;
    for pause in [30, 60, 90, 120, 200, 300] {
        let mut child = kelso(&folder, &BUILD).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        // Existing files are complete, so only missing ones are reported.
        let (_, _, errors) = run(&folder, &["info"]);
        let known = ["files are missing", "no .wld or .dtw files"];
        assert!(errors.lines().all(|line| known.iter().any(|part| line.contains(part))), "{errors}");
        let files = files(&folder).len();
        assert!(files >= finished);
        finished = files;
    }
    // Either the slice or its mirror image may have been written.
    let (status, out, errors) = run(&folder, &BUILD);
    assert_eq!(status, Some(0), "{errors}");
    let written: usize = out.split_whitespace().next().unwrap().parse().unwrap();
    assert!(written + finished <= 57 + 2, "{out}");
    assert_eq!(files(&folder).len(), 41 + 16);
    let (status, out, _) = run(&folder, &["verify", "--sample", "3000"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.contains("of 57 slices") && out.contains(", 0 wrong"), "{out}");
}

/// Builds with little memory; the files must equal the built-in ones.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes a minute"]
fn builds_keep_to_their_memory() {
    let folder = Folder::new();
    let build = ["build", "--pieces", "5", "--distances", "0", "--threads", "2", "--memory", "32"];
    let mut child = kelso(&folder, &build).stderr(Stdio::null()).spawn().unwrap();
    let mut max = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        max = crate::helpers::processes::kibibytes(child.id(), "VmHWM").unwrap_or(0).max(max);
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(status.success() && max <= 32 << 10, "{max} KiB");
    for (name, bytes) in compiled_in() {
        assert!(std::fs::read(folder.path(&name)).unwrap() == bytes, "{name}");
    }
}

/// Returns the built-in files of results with their names.
#[cfg(target_os = "linux")]
fn compiled_in() -> Vec<(String, Vec<u8>)> {
    let all = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/endgames/src/data/2-5.wld"))
        .unwrap();
    let mut files = Vec::new();
    let mut rest = &all[..];
    while let Some((head, _)) = rest.split_at_checked(84) {
        let number = |at: usize, len: usize| {
            head[at..at + len].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
        };
        // The header, the model, eight bytes for each group of 64 blocks of 2048 values, and the blocks.
        let directory = if number(64, 8) == 0 { 0 } else { number(24, 8).div_ceil(64 * 2048) * 8 };
        let (file, after) = rest.split_at(84 + number(20, 4) + directory + number(64, 8));
        files.push((format!("{}{}v{}{}.wld", head[12], head[13], head[14], head[15]), file.to_vec()));
        rest = after;
    }
    files
}

/// A limit on the size of files simulates a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new();
    let build = |limit: &str| {
        let script = format!("trap '' XFSZ; {limit} exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_kelso"), "egdb"]).args(BUILD);
        command.arg("--egdb").arg(folder.as_ref()).stdin(Stdio::null());
        let Output { status, stdout, stderr } = command.output().unwrap();
        (status.code(), text(&stdout), text(&stderr))
    };
    // The limit is in units of 512 bytes. Some files are smaller, some larger.
    let (status, _, errors) = build("ulimit -f 20;");
    assert_eq!(status, Some(2), "{errors}");
    let last = errors.lines().last().unwrap();
    assert!(
        last.contains(".wld\": ") && last.contains("too large") && last.ends_with("are kept"),
        "{errors}"
    );
    let before = files(&folder).len();
    assert!(before > 4);
    let (status, out, errors) = build("");
    assert_eq!(status, Some(0), "{errors}");
    let written: usize = out.split_whitespace().next().unwrap().parse().unwrap();
    assert!(written + before <= 57 + 1, "{out} {before}");
    let (status, out, _) = run(&folder, &["verify", "--sample", "1000"]);
    assert_eq!(status, Some(0), "{out}");
}

#[test]
fn two_builds_cannot_use_one_folder() {
    let folder = Folder::new();
    let mut first = kelso(&folder, &BUILD).stderr(Stdio::null()).spawn().unwrap();
    // The folder is locked before its first file is written.
    while !folder.names().iter().any(|name| name.contains(".wld")) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let (status, _, errors) = run(&folder, &BUILD);
    assert!(status == Some(2) && errors.contains("another build is running in "), "{errors}");
    first.kill().unwrap();
    first.wait().unwrap();
    let (status, _, errors) = run(&folder, &["build", "--pieces", "2", "--distances", "2"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(!folder.path("build.lock").exists());
}

#[test]
fn a_flipped_byte_affects_only_its_slice() {
    let folder = Folder::new();
    let build = ["build", "--pieces", "3", "--distances", "2"];
    assert_eq!(run(&folder, &build).0, Some(0));
    let path = folder.path("11v01.wld");
    let whole = std::fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    std::fs::write(&path, bytes).unwrap();
    let (status, out, errors) = run(&folder, &["verify"]);
    assert_eq!(status, Some(1), "{out}");
    assert!(errors.contains("11v01.wld\": damaged") && errors.lines().count() == 1, "{errors}");
    let (verified, rest) = out.split_once('\n').unwrap();
    assert!(verified.contains(" of 19 slices verified in ") && verified.ends_with(", 0 wrong"), "{out}");
    let open = " positions could not be verified: databases of their successors are missing or damaged\n";
    assert!(rest.ends_with(open), "{out}");
    // Only this slice and its mirror image must be built again.
    let (status, out, errors) = run(&folder, &build);
    assert!(status == Some(0) && out.starts_with("2 slices written, "), "{out}");
    assert!(errors.contains("rebuilding ") && errors.contains("11v01.wld\", which is damaged"), "{errors}");
    assert!(std::fs::read(&path).unwrap() == whole);
    assert_eq!(run(&folder, &["verify"]).0, Some(0));
}

#[test]
fn single_slices_are_built_with_their_dependencies() {
    let folder = Folder::new();
    let build = ["build", "--slice", "02v02", "--slice", "11v01", "--distances", "0"];
    let (status, out, errors) = run(&folder, &build);
    assert!(status == Some(0) && errors.starts_with("building "), "{errors}");
    let mut files = files(&folder);
    files.sort();
    // Slices without men depend only on slices with fewer kings; those with men also depend on promotions.
    let expected = [
        "01v01.wld",
        "01v02.wld",
        "01v10.wld",
        "01v11.wld",
        "02v01.wld",
        "02v02.wld",
        "10v01.wld",
        "11v01.wld",
    ];
    assert_eq!(files, expected);
    assert!(out.starts_with("8 slices written, "), "{out}");
    // Some slices of three and four pieces are missing. The others must be usable.
    let (status, out, errors) = run(&folder, &["probe", "B:WK22,K23:BK1,K2"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(errors.lines().count() == 3 && errors.lines().all(|line| line.starts_with("note: ")), "{errors}");
    let engine = Kelso::start();
    engine.send(&format!("setoption name EgdbPath value {}", folder.as_ref().display()));
    let said = engine.send("position fen B:WK22,K23:BK1,K2").send("probe").until("probe side").0;
    assert!(said.iter().all(|line| !line.contains("string error")), "{said:?}");
    for (arguments, part) in [
        (&["build", "--slice", "02v02", "--pieces", "4"][..], "cannot be used with"),
        (&["build", "--slice", "55v10"], "invalid value '55v10' for '--slice <SLICE>'"),
        (&["build", "--slice", "04v04", "--memory", "100"], "--memory 100 is too small: slice 04v04 needs "),
    ] {
        let (status, out, errors) = run(&folder, arguments);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(errors.contains(part), "{errors}");
    }
    let file = Folder::new();
    let path = file.path("file");
    std::fs::write(&path, "").unwrap();
    let (status, _, errors) = run(&path, &["build", "--pieces", "2"]);
    assert!(status == Some(2) && errors.contains("file\" is not a directory"), "{errors}");
}

#[test]
fn the_default_folder_must_have_databases_if_the_user_names_it() {
    let data = Folder::new();
    let folder = data.path("kelso/egdb");
    std::fs::create_dir_all(&folder).unwrap();
    let name = if cfg!(windows) { "APPDATA" } else { "XDG_DATA_HOME" };
    let output = kelso(&folder, &["info"]).env(name, data.path("")).output().unwrap();
    assert!(text(&output.stderr).contains(": no .wld or .dtw files"), "{output:?}");
}

#[test]
fn counts_and_values_are_shown() {
    let folder = Folder::new();
    // A folder given by the user must have databases, although the built-in ones are always available.
    let (status, _, errors) = run(&folder, &["stats", "--sums"]);
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.starts_with("error: endgame databases in ") && errors.contains(": no .wld or .dtw files"));
    let (status, _, errors) = run(&folder, &["build", "--pieces", "2", "--distances", "2"]);
    assert_eq!(status, Some(0), "{errors}");
    let (status, out, errors) = run(&folder, &["stats", "--sums"]);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let squeezed: Vec<String> =
        out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        squeezed[1..],
        [
            "2 3,488 716 402 2,370 216",
            "3 196,032 100,250 87,305 8,477 22,772",
            "4 6,209,316 2,574,304 1,917,090 1,717,922 1,144,388",
            "5 139,450,808 71,334,772 56,993,144 11,122,892 36,584,364",
        ]
    );
    let (status, out, _) = run(&folder, &["probe", "W:W9:BK1,2"]);
    assert_eq!(status, Some(0));
    assert_eq!(
        out,
        "W:W9:BK1,2: loss in 2\n  9-6: loss in 2, 0 of 2 replies err\n  9-5: loss in 2, 0 of 3 replies err\n"
    );
    let (_, after, _) = run(&folder, &["probe", "W:W9:BK1,2", "--moves", "9-5"]);
    assert!(after.starts_with("B:W5:BK1,2: "), "{after}");
    let (_, start, _) = run(&folder, &["probe", "startpos"]);
    assert!(start.starts_with("B:W21,22"), "{start}");
    let (status, out, _) = run(&folder, &["probe", "W:W21-32:B1-12"]);
    assert_eq!(status, Some(1));
    assert!(out.ends_with(": unknown\n  25-22: unknown\n") || out.contains(": unknown\n"), "{out}");
}

#[test]
fn invalid_arguments_and_files_are_one_line_errors() {
    let folder = Folder::new();
    for arguments in [
        &["probe", "nonsense"][..],
        &["verify", "--slice", "99v99"],
        &["build", "--pieces", "9"],
        &["build", "--pieces", "1"],
        &["verify"],
    ] {
        let (status, out, errors) = run(&folder, arguments);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}");
        // A note about the empty folder precedes the output.
        let error = errors.lines().find(|line| !line.starts_with("note: ")).unwrap();
        assert!(error.starts_with("error: "), "{errors}");
    }
    std::fs::write(folder.path("11v11.wld"), "no database").unwrap();
    let (status, out, errors) = run(&folder, &["info"]);
    assert_eq!(status, Some(1));
    assert_eq!(errors.lines().count(), 2, "the others of four pieces are missing: {errors}");
    assert!(errors.contains("11v11.wld\": not an endgame database"), "{errors}");
    assert!(out.contains("built in"));
}

/// Compares the reader in Python with the built-in databases on positions of 2-4 pieces.
fn readers_agree(count: u32) {
    if !has("python3") {
        return;
    }
    let folder = Folder::new();
    let (status, _, errors) = run(&folder, &["build", "--pieces", "4", "--distances", "4"]);
    assert_eq!(status, Some(0), "{errors}");
    let databases = kelso_endgames::Databases::compiled_in();
    let mut state = 5u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut asked = Vec::new();
    let mut expected = Vec::new();
    let mut found = 0;
    while found < count {
        let mut pieces = [Vec::new(), Vec::new()];
        for _ in 0..2 + random(3) {
            let king = if random(2) == 0 { "K" } else { "" };
            pieces[usize::from(random(2) == 0)].push(format!("{king}{}", 1 + random(32)));
        }
        let side = if random(2) == 0 { "W" } else { "B" };
        let fen = format!("{side}:W{}:B{}", pieces[0].join(","), pieces[1].join(","));
        let Ok(position) = kelso_draughts::notation::fen::parse(&fen) else { continue };
        let known = databases.distance(&position).unwrap();
        found += 1;
        expected.push(match known.plies {
            None => format!("{fen}: {}", known.wdl),
            Some(plies) => format!("{fen}: {} in {plies}", known.wdl),
        });
        asked.push(fen);
    }
    let list = folder.path("positions.txt");
    std::fs::write(&list, asked.join("\n")).unwrap();
    let output = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/python/endgames.py"))
        .arg(folder.as_ref())
        .stdin(std::fs::File::open(&list).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = text(&output.stdout);
    assert_eq!(out.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_reader_in_python_refuses_what_is_no_position() {
    if !has("python3") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/python/endgames.py");
    for fen in
        ["X", "", "W:W1:B9", "B:W9:B29", "W:W5,5:B9", "W:W5:B5", "W:W99:B1", "W:W5:W9", "W:W7-5:B9", "W:W:B"]
    {
        let output = Command::new("python3").arg(&script).args([".", fen]).output().unwrap();
        let error = format!("error: '{fen}' is not a position\n");
        assert_eq!((text(&output.stderr), output.status.code()), (error, Some(1)));
    }
}

#[test]
fn a_reader_in_python_agrees() {
    readers_agree(150);
}

#[test]
#[ignore = "takes minutes"]
fn a_reader_in_python_agrees_on_a_million_positions() {
    readers_agree(1_000_000);
}
