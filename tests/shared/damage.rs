//! Damaged PDN files.

use std::fmt::Write;

use super::random::Random;
use kelso_draughts::notation::pdn::PdnReader;

/// Asserts that games survive writing and reading, and that faults are listed in the order of the text.
pub fn holds(bytes: &[u8]) {
    let mut file = String::new();
    let mut games = Vec::new();
    for (entry, number) in PdnReader::new(bytes).zip(1..) {
        assert_eq!(entry.number, number);
        let places: Vec<_> = entry.errors().map(|fault| (fault.line, fault.column)).collect();
        assert!(places.is_sorted() && entry.errors().all(|fault| fault.game == number));
        writeln!(file, "{}", entry.game).unwrap();
        games.push(entry.game.to_string());
    }
    let mut again = Vec::new();
    for entry in PdnReader::new(file.as_bytes()) {
        assert_eq!(entry.errors().next(), None, "in {file}");
        again.push(entry.game.to_string());
    }
    assert_eq!(again, games);
}

/// Returns a seed with random bytes changed, removed and inserted.
pub fn damaged(random: &mut Random, seeds: &[&[u8]]) -> Vec<u8> {
    let words: [&[u8]; 24] = [
        b"(",
        b")",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"\\",
        b"\n",
        b"\r\n%",
        b";",
        b"*",
        b"1-0",
        b"1-0 2. ",
        b"$1",
        b"1.",
        b"11-15",
        b"1115 ",
        b" 11 15 ",
        b"[Event \"x\"]\n",
        b"[Result \"0-1\"]",
        b"[FEN \"B:WK1:BK32\"]",
        b"\xc2\xbd",
        b"\xef\xbb\xbf",
    ];
    let mut bytes = random.pick(seeds).to_vec();
    for _ in 0..random.below(40) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(30)).min(bytes.len());
        match random.below(5) {
            0 if at < bytes.len() => bytes[at] = random.next().to_le_bytes()[0],
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, piece));
            }
            3 => drop(bytes.splice(at..at, random.pick(&words).repeat(1 + random.below(20)))),
            _ => drop(bytes.splice(at..at, random.pick(&words).to_vec())),
        }
    }
    bytes
}

pub const SEEDS: [&[u8]; 6] = [
    include_bytes!("../data/pdn/styles.pdn"),
    include_bytes!("../data/pdn/faults.pdn"),
    include_bytes!("../data/pdn/harbour-cup.pdn"),
    include_bytes!("../data/pdn/positions.pdn"),
    include_bytes!("../../examples/old-games.pdn"),
    include_bytes!("../../examples/game.pdn"),
];
