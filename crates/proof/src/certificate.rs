//! Certificates: files that prove the value of a position. docs/proofs.md describes the format.

use std::fmt;
use std::str::{FromStr, SplitInclusive};

use kelso_draughts::board::{Color, Move, Position};
use kelso_draughts::notation::{MoveError, PositionError, fen, movetext};
use kelso_draughts::result::Wdl;
use kelso_endgames::Slice;
use kelso_syntax::{Quoted, WordError};

/// The first line of a certificate.
const FORMAT_LINE: &str = "kelso-proof 1";

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
    pub reason: LineError,
}

/// The reason why a line of a certificate is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A part of the line is malformed.
    #[error(transparent)]
    Word(#[from] WordError),
    #[error("expected {expected}, found {}", Quoted(found))]
    Unexpected { expected: String, found: String },
    #[error("expected every square of the move {}", Quoted(.0))]
    Ambiguous(String),
    #[error("the file ends too early")]
    End,
}

impl Certificate {
    /// The line number of the claim.
    pub(crate) const CLAIM_LINE: usize = 3;

    /// Returns the line numbers of the first leaf, of the first position of the win, and of the hold.
    pub(crate) fn first_lines(&self) -> [usize; 3] {
        // The line above each list has its length.
        let leaf = Self::CLAIM_LINE + 2;
        let win = leaf + self.leaves.len() + 1;
        [leaf, win, win + self.win.len() + 1]
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
        writeln!(f, "{FORMAT_LINE}\nposition {}\nclaim {}", fen::format(&self.position), self.claim)?;
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
        let mut reader = CertificateReader { lines: text.split_inclusive('\n'), line: 0 };
        reader.parse().map_err(|reason| CertificateError { line: reader.line, reason })
    }
}

/// Reads a certificate line by line.
struct CertificateReader<'a> {
    lines: SplitInclusive<'a, char>,
    line: usize,
}

impl<'a> CertificateReader<'a> {
    fn parse(&mut self) -> Result<Certificate, LineError> {
        let first = self.next()?;
        if first != FORMAT_LINE {
            return Err(unexpected(Quoted(FORMAT_LINE), first));
        }
        let position = position(self.value("position")?)?;
        let claim = claim(self.value("claim")?)?;
        let leaves = self.list("leaves", leaf_file)?;
        let win = self.list("win", ranked)?;
        let hold = self.list("hold", choice)?;
        match (self.next()?, self.lines.next()) {
            ("end", None) => Ok(Certificate { position, claim, leaves, win, hold }),
            ("end", Some(more)) => {
                self.line += 1;
                Err(unexpected("nothing after \"end\"", more.trim_end_matches('\n')))
            }
            (other, _) => Err(unexpected("\"end\"", other)),
        }
    }

    fn next(&mut self) -> Result<&'a str, LineError> {
        self.line += 1;
        let line = self.lines.next().and_then(|line| line.strip_suffix('\n'));
        line.ok_or(LineError::End)
    }

    fn value(&mut self, name: &str) -> Result<&'a str, LineError> {
        let line = self.next()?;
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value.ok_or_else(|| unexpected(format_args!("\"{name} ...\""), line))
    }

    fn list<T>(&mut self, name: &str, item: fn(&str) -> Result<T, LineError>) -> Result<Vec<T>, LineError> {
        let count = number(self.value(name)?)?;
        (0..count).map(|_| item(self.next()?)).collect()
    }
}

fn unexpected(expected: impl fmt::Display, found: &str) -> LineError {
    LineError::Unexpected { expected: expected.to_string(), found: found.to_owned() }
}

fn number(text: &str) -> Result<u32, LineError> {
    let number = text.parse().ok().filter(|number: &u32| text.len() <= 9 && number.to_string() == text);
    number.ok_or_else(|| unexpected("a number of at most nine digits", text))
}

fn position(text: &str) -> Result<Position, LineError> {
    let position = fen::parse(text)?;
    let normal = fen::format(&position);
    if normal == text { Ok(position) } else { Err(unexpected(normal, text)) }
}

fn claim(text: &str) -> Result<Wdl, LineError> {
    let value = [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().find(|value| value.to_string() == text);
    value.ok_or_else(|| unexpected("win, draw or loss", text))
}

fn leaf_file(text: &str) -> Result<LeafFile, LineError> {
    let (slice, checksum) = text.split_once(' ').ok_or_else(|| unexpected("a slice and a checksum", text))?;
    let slice = slice.parse()?;
    match u32::from_str_radix(checksum, 16) {
        Ok(value) if format!("{value:08x}") == checksum => Ok(LeafFile { slice, checksum: value }),
        _ => Err(unexpected("eight hexadecimal digits", checksum)),
    }
}

fn ranked(text: &str) -> Result<(Choice, u32), LineError> {
    let (rest, rank) =
        text.rsplit_once(' ').ok_or_else(|| unexpected("a position, a move and a rank", text))?;
    Ok((choice(rest)?, number(rank)?))
}

fn choice(text: &str) -> Result<Choice, LineError> {
    let (fen, text) = text.split_once(' ').ok_or_else(|| unexpected("a position and a move", text))?;
    let position = position(fen)?;
    if position.side() != Color::White {
        return Err(unexpected("a position with White to move", fen));
    }
    let mv = movetext::parse(&position, text)?;
    if movetext::full(&position, mv) != text {
        return Err(LineError::Ambiguous(text.to_owned()));
    }
    Ok(Choice { position, mv })
}
