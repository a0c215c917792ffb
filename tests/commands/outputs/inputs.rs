//! No command changes or leaves a file if an input is missing, and no two runs write one output.

use std::fs::File;

use super::{Trial, contents, copied, run, trials, with_inputs};
use crate::helpers::Folder;

/// Commands with an input that is missing, without the options for existing outputs. `~` is a space within an
/// argument, and `OLD` the stem of all outputs.
const MISSING: &[&str] = &[
    "match --engine random --engine random~name=B --openings missing MATCH",
    "match --engine level=1 --engine level=2 --each nodes=10 --rounds 1 --openings missing MATCH",
    "match --engine name=A~cmd=./missing~nodes=1 --engine level=1 --each nodes=10 MATCH",
    "match --engine level=1 --engine name=B~cmd=./missing --each nodes=10 MATCH",
    "match --engine level=1 --engine name=B~dir=missing~level=2 --each nodes=10 MATCH",
    "match --engine level=1~option.EvalFile=missing --engine level=2 --each nodes=10 MATCH",
    "match --engine level=1 --engine level=2~option.Nonsense=1 --each nodes=10 MATCH",
    "match --engine random --engine random~name=B --openings in.pdn --egdb missing MATCH",
    "stats missing --json OLD.json --html OLD.html",
    "stats m.jsonl missing --json OLD.json --html OLD.html",
    "analyse missing ANALYSE",
    "analyse in.pdn missing ANALYSE",
    "analyse in.pdn --engine name=A~cmd=./missing ANALYSE",
    "analyse in.pdn --option EgdbPath=missing ANALYSE",
    "analyse in.pdn --option EvalFile=missing ANALYSE",
    "prove B:W32:BK22,K23 --egdb missing --out OLD.txt",
    "replay t.txt missing --update NEVER",
    "replay t.txt --update --engine ./missing NEVER",
    "record OLD.txt --engine ./missing",
    "pdn format missing --out OLD.pdn",
    "pdn format in.pdn missing --out OLD.pdn",
    "pdn dedup in.pdn missing --out OLD.pdn",
    "pdn find in.pdn missing --out OLD.pdn",
    "book build --nodes 50 --roots missing --out OLD",
    "book build --nodes 50 --positions 9 --option EvalFile=missing --out OLD",
    "book merge in.book missing --out OLD.book",
    "book export missing --out OLD.pdn",
    "train data dedup missing --out OLD.pos",
    "train fit missing --epochs 1 --out OLD.net",
    "train fit games --from missing --epochs 1 --out OLD.net",
    "train terms missing --out OLD.txt",
    "train terms games missing --out OLD.txt",
    "train margins --option Weights=missing --out OLD.txt NEVER",
    "train play --games 2 --option EvalFile=missing --out OLD NEVER",
];

/// Writes a file for every output that the commands have.
fn with_old_outputs(folder: &Folder, stem: &str) {
    for end in ["jsonl", "pdn", "log", "json", "html", "txt", "book", "pos", "net", "problems"] {
        folder.write(&format!("{stem}.{end}"), format!("precious {end}"));
    }
}

#[test]
fn a_missing_input_changes_no_file() {
    let template = with_inputs();
    for row in MISSING {
        for old in [false, true] {
            let folder = copied(&template);
            if old {
                with_old_outputs(&folder, "old");
            }
            let before = contents(folder.as_ref());
            let words = row
                .replace("MATCH", "--out OLD --json OLD.json --html OLD.html --log OLD.log")
                .replace(
                    "ANALYSE",
                    "--nodes 50 --out OLD --json OLD.json --html OLD.html --problems OLD.problems",
                )
                .replace("OLD", "old");
            // Some commands have no option that allows replacing files.
            let (words, more) = match words.strip_suffix(" NEVER") {
                Some(_) if old => continue,
                Some(words) => (words, &[][..]),
                None if old => (words.as_str(), &["--overwrite"][..]),
                None => (words.as_str(), &[][..]),
            };
            let (_, error, status) = run(&folder, words, more);
            let after = contents(folder.as_ref());
            assert_eq!(status, Some(2), "{words} {more:?}: {error}");
            assert!(
                after == before,
                "{words} {more:?} left {:?}: {error}",
                after.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes)).collect::<Vec<_>>()
            );
        }
    }
}

/// Locks a file, as a run does that is writing it.
fn held(folder: &Folder, name: &str) -> File {
    let path = folder.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = File::create(path).unwrap();
    file.lock().unwrap();
    file
}

impl Trial<'_> {
    /// Another run is writing the output.
    fn busy(&self) {
        let name = if self.is_state() { "busy.lock" } else { "busy.4000000000-0.tmp" };
        let mut other = None;
        let error = self.is_refused("written by another run", "busy", self.overwrite(), |folder| {
            other = Some(held(folder, name));
        });
        // Without another output that it needs, the command is refused for that reason.
        let is_refused = ["is being written by another run", "required arguments were not provided"];
        assert!(
            is_refused.iter().any(|text| error.contains(text)),
            "{} {}: {error}",
            self.row.words,
            self.option
        );
    }
}

#[test]
fn the_second_run_into_one_output_is_refused() {
    let template = with_inputs();
    trials(&template, &|trial| trial.busy());
    for (words, name) in [
        ("train play --games 2 --nodes 9 --threads 1 --out played", "played/1-1-of-1.pos.lock"),
        ("train margins --pairs 1 --nodes 9 --out busy", "busy.lock"),
        ("egdb build --pieces 2 --egdb built", "built/build.lock"),
        (
            "match --engine random --engine random~name=B --openings in.pdn --out x --log l",
            "l.4000000000-0.tmp",
        ),
    ] {
        let folder = copied(&template);
        let _other = held(&folder, name);
        let before = contents(folder.as_ref());
        let (_, error, status) = run(&folder, words, &[]);
        assert_eq!(status, Some(2), "{words}: {error}");
        assert!(error.contains("another"), "{words}: {error}");
        assert!(contents(folder.as_ref()) == before, "{words}: {error}");
    }
}
