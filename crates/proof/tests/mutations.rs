//! Tests that this crate's checker and the Python checker accept every certificate of the prover, and reject
//! all certificates that random changes have made false.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use kelso_batch::testing::Folder;
use kelso_draughts::board::{Color, Piece, PieceKind, Position, Setup, Square};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::Wdl;
use kelso_endgames::{COMPILED_IN, Content, DatabaseOptions, Databases, Slice};
use kelso_proof::{Certificate, Leaves, Prover, Unproved, check};
use kelso_random::{IndexedRandom, Rng, RngExt};

const MUTATIONS: usize = 2_000;
/// The characters of certificates, and others that a lenient reader might accept.
const ALPHABET: [char; 25] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'f', 'F', 'K', 'W', 'B', 'v', ',', ':', '-', 'x',
    ' ', '_', '\r', '１',
];
/// The first needs no file, since all of its leaves capture the last piece. In the others, moves lead again
/// to positions that had been dropped from the hold.
const REGRESSIONS: [&str; 4] =
    ["W:WK1,K12:BK5", "W:WK1,K2:BK15,K18", "B:WK6,K25:B11,K24", "W:WK17,K19:BK2,K28"];
const NODES: u64 = 60_000;
/// Number of random endings with all databases, and with some.
const ENDINGS: u32 = 80;

/// Runs the Python checker on all certificates, and prints a line for each.
const DRIVER: &str = "\
import sys
sys.path.insert(0, sys.argv[1])
import check_proof
for number in range(int(sys.argv[3])):
    try:
        print(check_proof.check(f'{sys.argv[2]}/{number}.txt', sys.argv[2]))
    except check_proof.Invalid as error:
        print(f'error: {error}')
";

/// Returns the compiled-in database files with results, by slice.
fn files() -> Vec<(Slice, &'static [u8])> {
    let databases = Databases::compiled_in();
    let results = databases.files().filter(|(header, _)| header.content == Content::Results);
    let sizes: HashMap<Slice, usize> =
        results.map(|(header, _)| (header.slice, usize::try_from(header.size()).unwrap())).collect();
    let (mut files, mut rest) = (Vec::new(), COMPILED_IN[0]);
    while let Some(&[men, kings, other_men, other_kings]) = rest.get(12..16) {
        let slice = Slice::new([men, other_men], [kings, other_kings]).unwrap();
        let (file, next) = rest.split_at(sizes[&slice]);
        files.push((slice, file));
        rest = next;
    }
    files
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

/// Changes a certificate. Returns whether it must be rejected, and the text.
fn mutated(certificate: &Certificate, random: &mut impl Rng) -> (bool, String) {
    let mut changed = certificate.clone();
    let wins = certificate.win.len();
    let index = random.random_range(0..certificate.positions());
    let rejected = match random.random_range(0..10) {
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
            let leaf = random.random_range(0..changed.leaves.len());
            let is_repeated = random.random();
            if is_repeated {
                changed.leaves.push(changed.leaves[leaf]);
            } else {
                changed.leaves.remove(leaf);
            }
            is_repeated
        }
        6 => {
            let text = certificate.to_string();
            let mut end = random.random_range(0..text.len() - 1);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            return (true, text[..end].to_owned());
        }
        7 | 8 => {
            let mut text: Vec<char> = certificate.to_string().chars().collect();
            let at = random.random_range(0..text.len());
            let there = random.random_range(0..2);
            text.splice(at..at + there, ALPHABET.choose(random).copied());
            return (false, text.into_iter().collect());
        }
        _ => {
            let choice =
                if index < wins { &mut changed.win[index].0 } else { &mut changed.hold[index - wins] };
            let moves = choice.position.moves();
            choice.mv = moves[random.random_range(0..moves.len())];
            false
        }
    };
    (rejected, changed.to_string())
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
    for (slice, file) in files() {
        folder.write(&Content::Results.file_name(slice), file);
    }
    let databases = Databases::compiled_in();
    let certificates = certificates(&databases);
    let mut random = kelso_random::stream(&[48]);
    let (mut accepted, mut texts) = (Vec::new(), Vec::new());
    for number in 0..MUTATIONS {
        let original = &certificates[number % certificates.len()];
        let mut whole = original.to_string();
        let (rejected, text) = match number / certificates.len() {
            0 => (false, whole),
            // The last line feed is part of the format.
            1 => {
                whole.pop();
                (true, whole)
            }
            _ => mutated(original, &mut random),
        };
        let parsed = text.parse::<Certificate>();
        let is_accepted = parsed.as_ref().is_ok_and(|certificate| check(certificate, &databases).is_ok());
        if is_accepted {
            assert!(!rejected, "{text}");
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

/// Returns a random position in which both sides have a piece.
fn ending(random: &mut impl Rng, pieces: u32) -> Position {
    let squares: Vec<Square> = Square::all().collect();
    loop {
        let mut setup = Setup::empty(*Color::BOTH.choose(random).unwrap());
        for _ in 0..pieces {
            let color = *Color::BOTH.choose(random).unwrap();
            let kind = *[PieceKind::Man, PieceKind::King].choose(random).unwrap();
            setup.put(*squares.choose(random).unwrap(), Piece { color, kind });
        }
        if let Ok(position) = Position::try_from(setup)
            && position.piece_count() == pieces
            && Color::BOTH.iter().all(|&color| !position.pieces(color).is_empty())
        {
            return position;
        }
    }
}

/// Proves random endings with all databases and with a random half of the files. Both checkers must accept
/// every certificate.
#[test]
fn certificates_of_random_endings_are_valid() {
    let mut random = kelso_random::stream(&[58]);
    let whole = Databases::compiled_in();
    let (mut proved, mut tried) = (0, 0);
    for half in [false, true] {
        let folder = Folder::new();
        for (slice, file) in files() {
            if !half || random.random_bool(0.5) {
                folder.write(&Content::Results.file_name(slice), file);
            }
        }
        let paths = DatabaseOptions {
            folder: Some(folder.as_ref().to_owned()),
            embedded: &[],
            ..DatabaseOptions::default()
        };
        let databases = if half { Databases::open(&paths) } else { Databases::compiled_in() };
        let mut count = 0;
        let fixed = REGRESSIONS.map(|text| fen::parse(text).unwrap());
        let endings: Vec<Position> =
            (0..ENDINGS).map(|number| ending(&mut random, 2 + number % 5)).chain(fixed).collect();
        for position in endings {
            let leaves = Leaves::up_to(&databases, position.piece_count() - u32::from(!half));
            tried += 1;
            match Prover::new(leaves, NODES).prove(&position, None, &mut |_| true) {
                Ok(certificate) => {
                    assert_eq!(whole.probe(&position).unwrap_or(certificate.claim), certificate.claim);
                    folder.write(&format!("{count}.txt"), certificate.to_string());
                    count += 1;
                }
                Err(bug @ Unproved::Check(_)) => panic!("{}: {bug}", fen::format(&position)),
                Err(_) => {}
            }
        }
        proved += count;
        if let Some(accepted) = in_python(&folder, count) {
            let refused = accepted.iter().position(|accepted| !accepted);
            assert_eq!(refused.map(|number| folder.read(&format!("{number}.txt"))), None);
        }
    }
    println!("proved: {proved} of {tried}");
    assert!(proved > tried / 2, "{proved} of {tried}");
}
