//! Checks certificates. The checker shares only the rules with the prover.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::certificate::{Certificate, Choice, LeafFile};
use super::leaves::leaf;
use kelso_draughts::board::{Color, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::Wdl;
use kelso_endgames::{Content, Databases, Slice};

/// Number of lines between the questions whether to continue.
const CHECK_INTERVAL: usize = 256;

/// The first invalid line of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct CheckError {
    /// Line number, from 1.
    pub line: usize,
    pub fault: CheckFault,
}

/// The fault in a line of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckFault {
    #[error("the database {0}.wld is missing")]
    MissingDatabase(Slice),
    #[error("the database {}.wld has the checksum {checksum:08x}, not {:08x}", leaf.slice, leaf.checksum)]
    OtherDatabase {
        /// The file that the certificate lists.
        leaf: LeafFile,
        /// The checksum of the file that was found.
        checksum: u32,
    },
    #[error("{0}.wld is listed twice")]
    RepeatedDatabase(Slice),
    #[error("the position is listed twice")]
    RepeatedPosition,
    #[error("the rank {rank} comes after {last}")]
    Order { rank: u32, last: u32 },
    #[error("the position is not among those that {0}")]
    Unlisted(&'static str),
    #[error("after {reply} {missing}")]
    Reply {
        /// A move without a listed answer, and the position before it.
        reply: String,
        /// The missing answer, such as `White has no move that holds`.
        missing: &'static str,
    },
}

/// Checks that a certificate proves its claim. Leaves are looked up in the databases, which must contain the
/// files that the certificate names.
pub fn check(certificate: &Certificate, databases: &Databases) -> Result<(), CheckError> {
    check_while(certificate, databases, &mut || true).map(drop)
}

/// Like [`check`], but asks from time to time whether to continue. Returns whether the check was completed.
pub(crate) fn check_while(
    certificate: &Certificate,
    databases: &Databases,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<bool, CheckError> {
    let mut checker =
        Checker { databases, files: BTreeSet::new(), win: HashMap::new(), hold: HashSet::new() };
    checker.read_files(certificate)?;
    if !checker.check_win(certificate, keep_going)? || !checker.check_hold(certificate, keep_going)? {
        return Ok(false);
    }
    checker.check_claim(certificate).map_err(|fault| CheckError { line: Certificate::CLAIM_LINE, fault })?;
    Ok(true)
}

struct Checker<'a> {
    databases: &'a Databases,
    files: BTreeSet<Slice>,
    win: HashMap<Position, u32>,
    hold: HashSet<Position>,
}

/// Flips a position if it is Black's move.
pub(crate) fn with_white_to_move(position: &Position) -> Position {
    if position.side() == Color::White { *position } else { position.flipped() }
}

impl Checker<'_> {
    fn read_files(&mut self, certificate: &Certificate) -> Result<(), CheckError> {
        let results = self.databases.files().filter(|(header, _)| header.content == Content::Results);
        let checksums: HashMap<Slice, u32> =
            results.map(|(header, _)| (header.slice, header.checksum())).collect();
        let [first, ..] = certificate.first_lines();
        for (line, leaf) in (first..).zip(&certificate.leaves) {
            let slice = leaf.slice;
            let fault = match checksums.get(&slice) {
                None => CheckFault::MissingDatabase(slice),
                Some(&checksum) if checksum != leaf.checksum => {
                    CheckFault::OtherDatabase { leaf: *leaf, checksum }
                }
                Some(_) if !self.files.insert(slice) => CheckFault::RepeatedDatabase(slice),
                Some(_) => continue,
            };
            return Err(CheckError { line, fault });
        }
        Ok(())
    }

    /// Returns the value of a position in the databases that the certificate lists.
    fn leaf(&self, position: &Position) -> Option<Wdl> {
        leaf(self.databases, position, &mut |slice| self.files.contains(&slice))
    }

    fn check_win(
        &mut self,
        certificate: &Certificate,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<bool, CheckError> {
        let [_, first, _] = certificate.first_lines();
        let mut last = 0;
        for (index, (choice, rank)) in certificate.win.iter().enumerate() {
            if index.is_multiple_of(CHECK_INTERVAL) && !keep_going() {
                return Ok(false);
            }
            let checked = self.check_winning(choice, *rank, last);
            checked.map_err(|fault| CheckError { line: first + index, fault })?;
            last = *rank;
        }
        Ok(true)
    }

    /// Checks a winning move, and adds its position to the wins.
    fn check_winning(&mut self, choice: &Choice, rank: u32, last: u32) -> Result<(), CheckFault> {
        if rank < last {
            return Err(CheckFault::Order { rank, last });
        }
        self.check_lower_ranks(choice, rank)?;
        if self.win.insert(choice.position, rank).is_some() {
            return Err(CheckFault::RepeatedPosition);
        }
        Ok(())
    }

    fn check_lower_ranks(&self, choice: &Choice, rank: u32) -> Result<(), CheckFault> {
        let after = choice.position.after(choice.mv);
        if self.leaf(&after) == Some(Wdl::Loss) {
            return Ok(());
        }
        answered(&after, "White has no win of a lower rank", |reply| {
            self.win.get(reply).is_some_and(|found| *found < rank) || self.leaf(reply) == Some(Wdl::Win)
        })
    }

    fn check_hold(
        &mut self,
        certificate: &Certificate,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<bool, CheckError> {
        let [.., first] = certificate.first_lines();
        for (index, choice) in certificate.hold.iter().enumerate() {
            if self.win.contains_key(&choice.position) || !self.hold.insert(choice.position) {
                return Err(CheckError { line: first + index, fault: CheckFault::RepeatedPosition });
            }
        }
        for (index, choice) in certificate.hold.iter().enumerate() {
            if index.is_multiple_of(CHECK_INTERVAL) && !keep_going() {
                return Ok(false);
            }
            let after = choice.position.after(choice.mv);
            if self.leaf(&after).is_some_and(|value| value != Wdl::Win) {
                continue;
            }
            answered(&after, "White has no move that holds", |reply| self.holds(reply))
                .map_err(|fault| CheckError { line: first + index, fault })?;
        }
        Ok(true)
    }

    fn holds(&self, position: &Position) -> bool {
        self.hold.contains(position) || self.leaf(position).is_some_and(|value| value != Wdl::Loss)
    }

    fn wins(&self, position: &Position) -> bool {
        self.win.contains_key(position) || self.leaf(position) == Some(Wdl::Win)
    }

    fn check_claim(&self, certificate: &Certificate) -> Result<(), CheckFault> {
        let root = with_white_to_move(&certificate.position);
        if self.leaf(&root) == Some(certificate.claim) {
            return Ok(());
        }
        match certificate.claim {
            Wdl::Win if !self.wins(&root) => Err(CheckFault::Unlisted("win")),
            Wdl::Draw if !self.holds(&root) => Err(CheckFault::Unlisted("hold")),
            Wdl::Draw => answered(&root, "the other side has no move that holds", |reply| {
                self.holds(&with_white_to_move(reply))
            }),
            Wdl::Loss => {
                answered(&root, "the other side has no win", |reply| self.wins(&with_white_to_move(reply)))
            }
            Wdl::Win => Ok(()),
        }
    }
}

/// Tests the position after every move. The error names the first move that fails, and the `missing` answer.
fn answered(
    position: &Position,
    missing: &'static str,
    test: impl Fn(&Position) -> bool,
) -> Result<(), CheckFault> {
    match position.moves().into_iter().find(|&mv| !test(&position.after(mv))) {
        None => Ok(()),
        Some(mv) => {
            let reply = format!("{} in {}", movetext::full(position, mv), fen::format(position));
            Err(CheckFault::Reply { reply, missing })
        }
    }
}
