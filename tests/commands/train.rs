//! `kelso train`.

use crate::helpers::{Folder, kelso, only_progress, result};

fn run(folder: &Folder, words: &str) -> (String, String, Option<i32>) {
    let output = kelso().current_dir(folder).args(words.split_whitespace()).output();
    result(&output.unwrap())
}

/// Returns the output of a command that must succeed and print only progress to stderr.
fn output(folder: &Folder, words: &str) -> String {
    let (out, errors, status) = run(folder, words);
    assert_eq!((only_progress(&errors), status), (true, Some(0)), "{words}: {errors}");
    out
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns the checksum in the header of a weights file.
fn checksum(folder: &Folder, name: &str) -> String {
    let bytes = std::fs::read(folder.path(name)).unwrap();
    format!("{:08x}", u32::from_le_bytes(bytes[12..16].try_into().unwrap()))
}

const PLAY: &str = "train play --out games --games 30 --nodes 40 --option Evaluation=material";

#[test]
fn games_are_fitted_to_weights() {
    let folder = Folder::new();
    let played = output(&folder, PLAY);
    assert!(played.contains("1-1-of-1.pos: 30 of 30 games, "), "{played}");
    let before = std::fs::read(folder.path("games/1-1-of-1.pos")).unwrap();
    assert_eq!(output(&folder, PLAY), played);
    assert_eq!(std::fs::read(folder.path("games/1-1-of-1.pos")).unwrap(), before);

    let once = output(&folder, "train data dedup games games --out once.pos");
    assert!(once.starts_with("read 60 games, ") && once.contains("\nonce.pos: 30 games, "), "{once}");
    let info = output(&folder, "train data info once.pos");
    assert!(info.starts_with("once.pos: "), "{info}");
    assert!(
        info.contains("seed 1, nodes 40, branches 2, stop at none, shard merged, evaluation material, weights none, endgame databases up to "),
        "{info}"
    );
    assert!(info.contains("; 0.0% repeated\n"), "{info}");
    let info = output(&folder, "train data info once.pos games");
    assert!(info.contains("shard 1/1, evaluation material, "), "{info}");
    assert!(info.contains("\n60 games, "), "{info}");

    let fit = "train fit once.pos --epochs 2 --batch 64 --threads 2 --name tiny";
    let fitted = output(&folder, &format!("{fit} --out a.net --svg a.svg"));
    assert!(fitted.contains("\nscale of scores ") && fitted.contains("\nepoch 2: loss 0."));
    assert!(fitted.contains("\npieces  held out    loss  entropy  excess\n"), "{fitted}");
    output(&folder, &format!("{fit} --out b.net"));
    assert_eq!(std::fs::read(folder.path("a.net")).unwrap(), std::fs::read(folder.path("b.net")).unwrap());
    assert!(roxmltree::Document::parse(&folder.read("a.svg")).is_ok());
    let left = ["a.net", "a.svg", "b.net", "games", "once.pos"];
    assert_eq!(names(&folder), left);

    // A fit can start from these weights, as its first loss shows.
    let on = output(&folder, &format!("{fit} --from a.net --out on.net"));
    let loss = |text: &str, epoch: &str| -> f64 {
        let (_, rest) = text.split_once(&format!("epoch {epoch}: loss ")).unwrap();
        rest.split_once(',').unwrap().0.parse().unwrap()
    };
    assert!(loss(&on, "1") < loss(&fitted, "1"), "{on}{fitted}");

    // It must be possible to play with the weights.
    output(&folder, "train play --out more --games 1 --nodes 40 --option EvalFile=a.net");
    let info = output(&folder, "train data info more");
    assert!(
        info.contains(&format!("evaluation network tiny, weights {}, ", checksum(&folder, "a.net"))),
        "{info}"
    );
}

#[test]
fn evaluations_are_judged_by_longer_searches() {
    let folder = Folder::new();
    output(&folder, PLAY);
    let rescore = "train rescore games --count 20 --pieces 10-21 --seed 3 --threads 2 --out judge.pos";
    let scored = output(&folder, &format!("{rescore} --nodes 300"));
    assert_eq!(scored, "judge.pos: 80 of 80 positions\n");
    let before = std::fs::read(folder.path("judge.pos")).unwrap();
    assert_eq!(output(&folder, &format!("{rescore} --nodes 300")), scored);
    assert_eq!(std::fs::read(folder.path("judge.pos")).unwrap(), before);

    // An evaluation is nearer to its own search than to that of another.
    let error = |options: &str| -> f64 {
        let judged = output(&folder, &format!("train judge judge.pos {options}"));
        assert_eq!(judged.lines().count(), 3 + 4, "{judged}");
        assert!(
            judged.contains("\npieces  positions   error  correlation\n10-12          20  0."),
            "{judged}"
        );
        let last = judged.lines().last().unwrap();
        assert!(last.starts_with("19-21          20  0."), "{judged}");
        last.split_whitespace().nth(2).unwrap().parse().unwrap()
    };
    assert!(error("") < error("--option Evaluation=material"));

    let info = output(&folder, "train data info judge.pos");
    assert!(info.contains("seed 3, nodes 300, branches various, "), "{info}");
    for (words, error) in [
        (format!("{rescore} --nodes 301"), "\"judge.pos\" belongs to another run: nodes was"),
        (
            "train rescore games --count 20 --pieces 13-21 --seed 3 --out judge.pos --nodes 300".to_owned(),
            "\"judge.pos\" belongs to another run: its positions are",
        ),
        (
            "train rescore games --count 20 --pieces 9 --out judge.pos".to_owned(),
            "--pieces <MIN-MAX>': expected two numbers",
        ),
        (
            "train rescore games --count 20 --pieces 9-25 --out judge.pos".to_owned(),
            "--pieces <MIN-MAX>': expected numbers up to 24",
        ),
    ] {
        let (_, errors, status) = run(&folder, &words);
        assert!(errors.contains(error) && status == Some(2), "{words}: {errors}");
        assert_eq!(std::fs::read(folder.path("judge.pos")).unwrap(), before);
    }
    let more = "train rescore games --count 22 --pieces 10-21 --seed 3 --nodes 300 --out judge.pos";
    assert_eq!(output(&folder, more), "judge.pos: 88 of 88 positions\n");
    assert!(std::fs::read(folder.path("judge.pos")).unwrap().starts_with(&before));
}

#[test]
fn games_can_stop_at_a_number_of_pieces() {
    let folder = Folder::new();
    output(&folder, &format!("{PLAY} --stop-at 14"));
    let info = output(&folder, "train data info games");
    assert!(info.contains("stop at 14 pieces, ") && info.contains("excess loss\n15  "), "{info}");
    let (_, errors, status) = run(&folder, PLAY);
    assert!(
        errors.contains("stop at was \"14 pieces\" and is now \"none\"") && status == Some(2),
        "{errors}"
    );
}

/// An unusable weights file must not change a session, and fitting must reject it.
#[test]
fn damaged_weights_are_refused() {
    let folder = Folder::new();
    output(&folder, PLAY);
    output(&folder, "train fit games --epochs 1 --batch 256 --name tiny --out a.net");
    let bytes = std::fs::read(folder.path("a.net")).unwrap();
    let mut damaged = bytes.clone();
    damaged[1000] ^= 1;
    std::fs::write(folder.path("bad.net"), damaged).unwrap();
    let script = "setoption name EvalFile value a.net\nsetoption name EvalFile value bad.net\neval\ngo depth 6\nquit\n";
    folder.write("script", script);
    let input = std::fs::File::open(folder.path("script")).unwrap();
    let (out, _, status) = result(&kelso().current_dir(&folder).stdin(input).output().unwrap());
    assert_eq!(status, Some(0));
    assert!(
        out.starts_with("info string error: cannot use EvalFile \"bad.net\": damaged network file"),
        "{out}"
    );
    assert!(out.contains("\neval by network tiny\n") && out.contains("\nbestmove "), "{out}");

    let (out, errors, status) = run(&folder, "train fit games --epochs 1 --out c --from bad.net");
    assert_eq!((out.as_str(), status), ("", Some(2)));
    assert!(errors.contains("bad.net\": damaged network file") && errors.lines().count() == 1, "{errors}");
}

#[test]
fn invalid_arguments_are_reported_before_any_work() {
    let folder = Folder::new();
    output(&folder, PLAY);
    folder.write("other.pos", "no positions");
    folder.write("empty/file.txt", "");
    let fit = "train fit games --epochs 1 --batch 64";
    for (words, error) in [
        ("train data info other.pos", "\"other.pos\" is not a position file: "),
        ("train data info none.pos", "cannot read \"none.pos\": "),
        ("train data info empty", "no .pos files in \"empty\""),
        ("train data dedup games other.pos --out c", "\"other.pos\" is not a position file: "),
        ("train data dedup games --out none/c", "cannot write \"none/c\": "),
        ("train data dedup games --out empty", "cannot write \"empty\": "),
        (&format!("{fit} --out c --from none.net"), "cannot read \"none.net\": "),
        (
            &format!("{fit} --out c --from other.pos"),
            "cannot read weights from \"other.pos\": not a network file",
        ),
        (&format!("{fit} --out none/c"), "cannot write \"none/c\": "),
        (&format!("{fit} --out c --svg none/c"), "cannot write \"none/c\": "),
        (&format!("{fit} --out c other.pos"), "\"other.pos\" is not a position file: "),
        (
            &format!("{PLAY} --option EvalFile=other.pos"),
            "cannot use EvalFile \"other.pos\": not a network file",
        ),
        (
            "train play --out games --games 30 --nodes 41 --option Evaluation=material",
            "games/1-1-of-1.pos\" belongs to another run: nodes",
        ),
    ] {
        let (out, errors, status) = run(&folder, words);
        assert_eq!((out.as_str(), status), ("", Some(2)), "{words}: {errors}");
        let errors = errors.replace('\\', "/");
        assert!(
            errors.starts_with("error: ") && errors.contains(error) && errors.lines().count() == 1,
            "{words}: {errors}"
        );
    }
    for words in ["--blend 1.5", "--blend nan", "--rate 0", "--rate inf", "--batch 1", "--epochs 0"] {
        let (_, errors, status) = run(&folder, &format!("train fit games --out c {words}"));
        assert_eq!(status, Some(2), "{words}");
        assert!(errors.starts_with("error: invalid value"), "{words}: {errors}");
    }
    assert_eq!(names(&folder), ["empty", "games", "other.pos"]);
}

#[test]
fn terms_are_fitted_and_tuned() {
    let folder = Folder::new();
    output(&folder, PLAY);
    let fit = "train terms games";
    let fitted = output(&folder, &format!("{fit} --out a.txt --threads 1"));
    assert!(
        fitted.contains("\nstep 0: loss 0.69315, held out 0.69315, against results 0.69315\n"),
        "{fitted}"
    );
    assert!(fitted.contains("\nstep 3: loss 0.") && fitted.ends_with("\na.txt\n"), "{fitted}");
    output(&folder, &format!("{fit} --out b.txt --threads 3"));
    let text = folder.read("a.txt");
    assert_eq!(text, folder.read("b.txt"));
    assert!(text.starts_with("kelso weights classic\n# Fitted to ") && text.contains("\nman "), "{text}");

    // It must be possible to play with the result.
    let play = "train play --games 1 --nodes 40 --option Evaluation=classic --option Weights=a.txt";
    output(&folder, &format!("{play} --out played"));
    let info = output(&folder, "train data info played");
    assert!(info.contains("evaluation classic with Weights, weights "), "{info}");

    folder.write("bad.txt", "kelso weights classic\nking x y\n");
    folder.write("other.txt", "kelso weights presser\nking 1\n");
    for (words, error) in [
        ("train terms games --out none/c", "cannot write \"none/c\": "),
        (
            "train terms games --out c --without speed",
            "--without: unknown term \"speed\": expected a term of the evaluation \"classic\"",
        ),
        (
            &format!("{PLAY} --option Weights=games/1-1-of-1.pos"),
            "cannot use Weights \"games/1-1-of-1.pos\": ",
        ),
    ] {
        let (out, errors, status) = run(&folder, words);
        let errors = errors.replace('\\', "/");
        assert!((out.as_str(), status) == ("", Some(2)), "{words}: {out}{errors}");
        let is_named = errors.starts_with(&format!("error: {error}"));
        assert!(is_named && errors.lines().count() == 1, "{words}: {errors}");
    }
    let (_, errors, status) = run(&folder, "train terms games --blend 2 --out c");
    assert!(status == Some(2) && errors.starts_with("error: invalid value"), "{errors}");
    assert!(!folder.path("c").exists());
}

#[test]
fn games_of_different_engines_are_kept_apart() {
    let folder = Folder::new();
    let refused = |words: &str, difference: &str| {
        let (out, errors, status) = run(&folder, words);
        assert_eq!((out.as_str(), status), ("", Some(2)), "{words}");
        let expected = format!("\"games/1-1-of-1.pos\" belongs to another run: {difference}; ");
        assert!(errors.contains(&expected) && errors.lines().count() == 1, "{errors}");
    };
    let few = "train play --out games --games 2 --branches 0 --nodes 40 --threads 1 --option Evaluation=classic --option EgdbPieces=4";
    output(&folder, few);
    let path = folder.path("games/1-1-of-1.pos");
    refused(
        &format!("{few} --option EgdbPieces=3"),
        "endgame databases was \"up to 4 pieces\" and is now \"up to 3 pieces\"",
    );
    let info = output(&folder, "train data info games");
    let (_, rest) = info.split_once(", evaluation classic, weights ").unwrap();
    let published = &rest[..8];
    assert_eq!(&rest[8..rest.find('\n').unwrap()], ", endgame databases up to 4 pieces");

    folder.write("own.txt", "kelso weights classic\nman 1 1\n");
    let weighed = format!("{few} --option Weights=own.txt");
    refused(&weighed, "evaluation was \"classic\" and is now \"classic with Weights\"");
    std::fs::remove_file(&path).unwrap();
    output(&folder, &weighed);
    let info = output(&folder, "train data info games");
    let changed = info.split_once(", evaluation classic with Weights, weights ").unwrap().1[..8].to_owned();
    assert_ne!(changed, published);
    folder.write("own.txt", "kelso weights classic\n");
    refused(&weighed, &format!("weights was \"{changed}\" and is now \"{published}\""));
    assert_eq!(output(&folder, "train data info games"), info);

    let more = format!("{} --option Weights=own.txt", few.replace("--games 2", "--games 3"));
    folder.write("own.txt", "kelso weights classic\nman 1 1\n");
    assert!(output(&folder, &more).contains(": 3 of 3 games, "));
    // The file keeps the games of an earlier run.
    let fewer = more.replace("--games 3", "--games 1");
    assert!(output(&folder, &fewer).contains(": 3 of 3 games, "));
    let once = output(&folder, "train data dedup games --out once.pos");
    assert!(once.contains("once.pos: 3 games, "), "{once}");
    // Files that an earlier run has left in the folder must not be read.
    for _ in 0..2 {
        assert_eq!(
            output(&folder, "train data dedup games --out games/all.pos --overwrite")
                .replace("games/all", "once"),
            once
        );
    }
    let (_, errors, status) = run(&folder, "train data dedup once.pos --out once.pos");
    assert!(errors.contains("--out would overwrite the input \"once.pos\"") && status == Some(2), "{errors}");
}

#[test]
fn damaged_files_are_reported_and_not_merged() {
    let folder = Folder::new();
    output(&folder, PLAY);
    let path = folder.path("games/1-1-of-1.pos");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let (out, _, status) = run(&folder, "train data info games");
    assert!(
        out.contains("29 games, ") && out.contains("\nerror: ") && out.contains("incomplete game"),
        "{out}"
    );
    assert_eq!(status, Some(1));
    assert!(out.contains("resume its run") && !out.contains("remove the file"), "{out}");
    let (out, errors, status) = run(&folder, "train data dedup games --out c.pos");
    assert!(out.contains(".pos: 29 games, "), "{out}");
    let expected = "note: \"games/1-1-of-1.pos\": the last game is left out: ";
    assert!(errors.starts_with(expected) && !errors.contains("again"), "{errors}");
    assert_eq!(status, Some(1));
    let mut bytes = whole;
    bytes[1000] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    for words in [PLAY, "train data dedup games --out d.pos", "train fit games --out d.net"] {
        let (_, errors, status) = run(&folder, words);
        assert_eq!(status, Some(2));
        assert!(errors.contains("is damaged: byte ") && errors.lines().count() == 1, "{words}: {errors}");
    }
    assert_eq!(names(&folder), ["c.pos", "games"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_fit_leaves_nothing() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let folder = Folder::new();
    output(&folder, PLAY);
    let fit = "train fit games --epochs 10000 --batch 256 --threads 1 --out long.net";
    let mut command = kelso();
    command.current_dir(&folder).args(fit.split_whitespace());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("epoch 1: ")));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(errors.contains("interrupted; nothing is kept"), "{errors}");
    assert_eq!(names(&folder), ["games"]);
}
