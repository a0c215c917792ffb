//! Tests that this crate's checker and the Python checker reject all certificates that random changes have
//! made false.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::path::Path;
use std::process::Command;

use draughts::board::{Color, Position, Setup, Square};
use draughts::notation::{fen, movetext};
use endgames::{BuildObserver, BuildRequest, DatabasePaths, Databases, Wdl, build};
use proof::{Certificate, Leaves, Prover, check};
use runs::rng::{self, Rng, RngExt};
use runs::testing::Folder;

const MUTATIONS: usize = 2_000;

/// Runs the Python checker on all certificates, and prints a line for each.
const DRIVER: &str = "\
import sys
sys.path.insert(0, sys.argv[1])
import check_proof
for number in range(int(sys.argv[3])):
    try:
        with open(f'{sys.argv[2]}/{number}.txt') as file:
            print(check_proof.check(file, sys.argv[2]))
    except check_proof.Invalid as error:
        print(f'error: {error}')
";

/// An observer that never stops a build.
struct Patient;

impl BuildObserver for Patient {
    fn keep_going(&self) -> bool {
        true
    }
}

fn certificates(databases: &Databases) -> Vec<Certificate> {
    let all = [
        ("B:W32:BK22,K23", 0),
        ("W:W32:BK22,K23", 0),
        ("W:WK10:B16", 0),
        ("B:WK32:BK1", 0),
        ("W:WK1,K12:B7,10", 3),
        ("W:W32:BK18,K21,27", 0),
        ("B:WK10:BK18", 1),
    ];
    let prove = |(text, leaves)| {
        let mut prover = Prover::new(Leaves::up_to(databases, leaves), 1_000_000);
        prover.prove(&fen::parse(text).unwrap(), None, &mut |_| true).unwrap()
    };
    all.into_iter().map(prove).collect()
}

/// Moves a random piece to a random square.
fn shifted(position: &Position, random: &mut impl Rng) -> Option<Position> {
    let squares: Vec<Square> = Square::all().collect();
    let mut setup = Setup::from(position);
    let [from, to] = [0; 2].map(|_| squares[random.random_range(0..squares.len())]);
    let piece = setup.squares[from.index()].take()?;
    setup.put(to, piece);
    Position::try_from(setup).ok()
}

/// Changes a certificate. Returns whether something was removed, and the text.
fn mutated(certificate: &Certificate, random: &mut impl Rng) -> (bool, String) {
    let mut changed = certificate.clone();
    let wins = certificate.win.len();
    let index = random.random_range(0..certificate.positions());
    let left_out = match random.random_range(0..8) {
        0 if index < wins => {
            changed.win.remove(index);
            true
        }
        0 => {
            changed.hold.remove(index - wins);
            true
        }
        1 if index < wins => {
            let rank = random.random_range(0..changed.win[wins - 1].1 + 2);
            changed.win[index].1 = rank;
            false
        }
        2 => {
            let values = [Wdl::Win, Wdl::Draw, Wdl::Loss];
            changed.claim = values[random.random_range(0..3)];
            false
        }
        3 => {
            changed.position =
                shifted(&certificate.position, random).unwrap_or(certificate.position.flipped());
            false
        }
        4 if !changed.leaves.is_empty() => {
            let leaf = random.random_range(0..changed.leaves.len());
            changed.leaves[leaf].checksum ^= 1 << random.random_range(0..32);
            true
        }
        5 if !changed.leaves.is_empty() => {
            changed.leaves.remove(random.random_range(0..changed.leaves.len()));
            false
        }
        6 => {
            let text = certificate.to_string();
            let mut end = random.random_range(0..text.len() - 1);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            return (true, text[..end].to_owned());
        }
        _ => {
            let choice =
                if index < wins { &mut changed.win[index].0 } else { &mut changed.hold[index - wins] };
            let moves = choice.position.moves();
            choice.mv = moves[random.random_range(0..moves.len())];
            false
        }
    };
    (left_out, changed.to_string())
}

/// Asserts that every statement in a certificate is true.
fn assert_true(certificate: &Certificate, databases: &Databases) {
    let value = |position: &Position| databases.probe(position).unwrap();
    assert_eq!(value(&certificate.position), certificate.claim, "{certificate}");
    for (choice, _) in &certificate.win {
        assert_eq!(value(&choice.position.after(choice.mv)), Wdl::Loss, "{choice}");
    }
    for choice in &certificate.hold {
        assert!(value(&choice.position.after(choice.mv)) != Wdl::Win, "{choice}");
    }
}

/// Returns the verdicts of the Python checker on certificates in a folder, or `None` without Python.
fn in_python(folder: &Folder, count: usize) -> Option<Vec<bool>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/python");
    let python = std::env::var_os("KELSO_PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = Command::new(python);
    command.args(["-B", "-c", DRIVER]).arg(script).arg(folder.as_ref()).arg(count.to_string());
    let Ok(output) = command.output() else {
        println!("skipped: the checker in Python, since there is no Python");
        return None;
    };
    let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{error}");
    Some(out.lines().map(|line| !line.starts_with("error: ")).collect())
}

#[test]
fn no_mutation_is_accepted_that_makes_a_certificate_wrong() {
    let folder = Folder::new();
    let request = BuildRequest {
        folder: folder.as_ref().to_owned(),
        pieces: 3,
        distances: 0,
        memory: 1 << 30,
        ..BuildRequest::default()
    };
    build(&request, &Patient).unwrap();
    let databases = Databases::open(&DatabasePaths { folder: None, ..DatabasePaths::default() });
    let certificates = certificates(&databases);
    let mut random = rng::stream(&[48]);
    let (mut accepted, mut texts) = (Vec::new(), Vec::new());
    for number in 0..MUTATIONS {
        let original = &certificates[number % certificates.len()];
        let (left_out, text) = if number < certificates.len() {
            (false, original.to_string())
        } else {
            mutated(original, &mut random)
        };
        let parsed = text.parse::<Certificate>();
        let is_accepted = parsed.as_ref().is_ok_and(|certificate| check(certificate, &databases).is_ok());
        if is_accepted {
            assert!(!left_out, "something is missing:\n{text}");
            assert_true(&parsed.unwrap(), &databases);
        }
        assert!(is_accepted || text != original.to_string());
        folder.write(&format!("{number}.txt"), &text);
        accepted.push(is_accepted);
        texts.push(text);
    }
    let count = accepted.iter().filter(|accepted| **accepted).count();
    println!("accepted: {count} of {MUTATIONS}");
    assert!((certificates.len()..MUTATIONS / 2).contains(&count), "{count}");
    if let Some(others) = in_python(&folder, MUTATIONS) {
        let differs = accepted.iter().zip(&others).position(|(one, other)| one != other);
        assert_eq!(differs, None, "the checkers disagree:\n{}", texts[differs.unwrap_or(0)]);
    }
}

#[test]
fn every_color_has_its_certificate() {
    let databases = Databases::compiled_in();
    for certificate in certificates(&databases) {
        let position = certificate.position.flipped();
        let flipped = Certificate { position, ..certificate.clone() };
        assert_eq!(check(&flipped, &databases), Ok(()));
        assert!(Color::BOTH.contains(&position.side()));
        for choice in &certificate.hold {
            assert!(choice.to_string().ends_with(&movetext::full(&choice.position, choice.mv)));
        }
    }
}
