//! Certificates: files that prove the value of a position. docs/proofs.md describes the format.

use std::fmt;
use std::str::{FromStr, Lines};

use draughts::board::{Color, Move, Position};
use draughts::notation::{fen, movetext};
use endgames::{Slice, Wdl};

/// The first line of a certificate.
const FIRST: &str = "kelso-proof 1";

/// A proof of the value of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub position: Position,
    /// The claimed value for the side to move.
    pub claim: Wdl,
    /// The database files whose values are used.
    pub leaves: Vec<LeafFile>,
    /// Positions with White to move that White wins, in order of rank.
    pub win: Vec<(Choice, u32)>,
    /// Positions with White to move that White does not lose.
    pub hold: Vec<Choice>,
}

/// A position with White to move, and White's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub position: Position,
    pub mv: Move,
}

/// A database file, named by its slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafFile {
    pub slice: Slice,
    /// The checksum of the header, which depends on the whole file.
    pub checksum: u32,
}

/// The reason why text is not a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct CertificateError {
    /// Line number, from 1.
    pub line: usize,
    pub reason: String,
}

impl Certificate {
    /// Returns the line number of a position of the win or, if `hold`, of the hold.
    pub(crate) fn line(&self, hold: bool, index: usize) -> usize {
        // Three header lines, and a line above each list.
        let win = 3 + 1 + self.leaves.len() + 1;
        1 + index + if hold { win + self.win.len() + 1 } else { win }
    }

    /// Returns the number of positions that have a move.
    pub fn positions(&self) -> usize {
        self.win.len() + self.hold.len()
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", fen::format(&self.position), movetext::full(&self.position, self.mv))
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}\nposition {}\nclaim {}", fen::format(&self.position), self.claim)?;
        writeln!(f, "leaves {}", self.leaves.len())?;
        for LeafFile { slice, checksum } in &self.leaves {
            writeln!(f, "{slice} {checksum:08x}")?;
        }
        writeln!(f, "win {}", self.win.len())?;
        for (choice, rank) in &self.win {
            writeln!(f, "{choice} {rank}")?;
        }
        writeln!(f, "hold {}", self.hold.len())?;
        for choice in &self.hold {
            writeln!(f, "{choice}")?;
        }
        f.write_str("end\n")
    }
}

impl FromStr for Certificate {
    type Err = CertificateError;

    fn from_str(text: &str) -> Result<Self, CertificateError> {
        let mut reader = Reader { lines: text.lines(), line: 0 };
        reader.parse().map_err(|reason| CertificateError { line: reader.line, reason })
    }
}

/// Reads a certificate line by line.
struct Reader<'a> {
    lines: Lines<'a>,
    line: usize,
}

impl<'a> Reader<'a> {
    fn parse(&mut self) -> Result<Certificate, String> {
        let first = self.next()?;
        if first != FIRST {
            return Err(format!("expected \"{FIRST}\", found \"{first}\""));
        }
        let position = fen::parse(self.value("position")?).map_err(|error| error.to_string())?;
        let claim = claim(self.value("claim")?)?;
        let leaves = self.list("leaves", leaf_file)?;
        let win = self.list("win", ranked)?;
        let hold = self.list("hold", choice)?;
        match (self.next()?, self.lines.next()) {
            ("end", None) => Ok(Certificate { position, claim, leaves, win, hold }),
            ("end", Some(_)) => Err("expected nothing after \"end\"".to_owned()),
            (other, _) => Err(format!("expected \"end\", found \"{other}\"")),
        }
    }

    fn next(&mut self) -> Result<&'a str, String> {
        self.line += 1;
        self.lines.next().ok_or_else(|| "the file ends too early".to_owned())
    }

    fn value(&mut self, name: &str) -> Result<&'a str, String> {
        let line = self.next()?;
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value.ok_or_else(|| format!("expected \"{name} ...\", found \"{line}\""))
    }

    fn list<T>(&mut self, name: &str, item: fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
        let count: usize = number(self.value(name)?)?;
        (0..count).map(|_| item(self.next()?)).collect()
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("expected a number, found \"{text}\""))
}

fn claim(text: &str) -> Result<Wdl, String> {
    let known = [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().find(|value| value.to_string() == text);
    known.ok_or_else(|| format!("expected win, draw or loss, found \"{text}\""))
}

fn leaf_file(text: &str) -> Result<LeafFile, String> {
    let (slice, checksum) = text.split_once(' ').ok_or("expected a slice and a checksum")?;
    let slice = slice.parse().map_err(|_| format!("invalid slice \"{slice}\""))?;
    let checksum =
        u32::from_str_radix(checksum, 16).map_err(|_| format!("invalid checksum \"{checksum}\""))?;
    Ok(LeafFile { slice, checksum })
}

fn ranked(text: &str) -> Result<(Choice, u32), String> {
    let (rest, rank) = text.rsplit_once(' ').ok_or("expected a position, a move and a rank")?;
    Ok((choice(rest)?, number(rank)?))
}

fn choice(text: &str) -> Result<Choice, String> {
    let (position, mv) = text.split_once(' ').ok_or("expected a position and a move")?;
    let position = fen::parse(position).map_err(|error| error.to_string())?;
    if position.side() != Color::White {
        return Err("expected a position with White to move".to_owned());
    }
    let text = mv;
    let mv = movetext::parse(&position, text).map_err(|error| error.to_string())?;
    let jumps = text.matches('x').count();
    if u32::try_from(jumps) != Ok(mv.captured().len()) {
        return Err(format!("expected every square of the move \"{text}\""));
    }
    Ok(Choice { position, mv })
}
