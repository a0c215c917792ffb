//! Checks certificates. The checker shares only the rules with the prover.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::certificate::{Certificate, Choice};
use super::leaves::slice_of;
use draughts::board::{Color, Position};
use draughts::notation::{fen, movetext};
use endgames::{Content, Databases, Slice, Wdl};

/// The first invalid line of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Fault {
    /// Line number, from 1.
    pub line: usize,
    pub reason: String,
}

/// Checks that a certificate proves its claim. Leaves are looked up in the databases, which must contain the
/// files that the certificate names.
pub fn check(certificate: &Certificate, databases: &Databases) -> Result<(), Fault> {
    let mut checker =
        Checker { databases, files: BTreeMap::new(), win: HashMap::new(), hold: HashSet::new() };
    checker.read_files(certificate)?;
    checker.check_win(certificate)?;
    checker.check_hold(certificate)?;
    checker.check_claim(certificate).map_err(|reason| Fault { line: 3, reason })
}

struct Checker<'a> {
    databases: &'a Databases,
    files: BTreeMap<Slice, u32>,
    win: HashMap<Position, u32>,
    hold: HashSet<Position>,
}

/// Returns the position with White to move, flipping it if it is Black's move.
pub(crate) fn turned(position: &Position) -> Position {
    if position.side() == Color::White { *position } else { position.flipped() }
}

impl Checker<'_> {
    fn read_files(&mut self, certificate: &Certificate) -> Result<(), Fault> {
        let results = self.databases.files().filter(|(header, _)| header.content == Content::Results);
        let known: HashMap<Slice, u32> =
            results.map(|(header, _)| (header.slice, header.checksum())).collect();
        for (index, leaf) in certificate.leaves.iter().enumerate() {
            let reason = match known.get(&leaf.slice) {
                None => format!("the database {}.wld is missing", leaf.slice),
                Some(checksum) if *checksum != leaf.checksum => {
                    format!("the database {}.wld has the checksum {checksum:08x}", leaf.slice)
                }
                Some(_) if self.files.insert(leaf.slice, leaf.checksum).is_some() => {
                    format!("{}.wld is listed twice", leaf.slice)
                }
                Some(_) => continue,
            };
            return Err(Fault { line: 5 + index, reason });
        }
        Ok(())
    }

    /// Returns the value of a position in the databases that the certificate lists.
    fn leaf(&self, position: &Position) -> Option<Wdl> {
        if self.files.is_empty() {
            return None;
        }
        if position.must_capture() {
            let children = position.moves().into_iter().map(|mv| self.leaf(&position.after(mv)));
            return children.collect::<Option<Vec<_>>>()?.into_iter().min().map(Wdl::reversed);
        }
        match slice_of(position) {
            Some(slice) if !self.files.contains_key(&slice) => None,
            _ => self.databases.probe(position),
        }
    }

    fn check_win(&mut self, certificate: &Certificate) -> Result<(), Fault> {
        let mut last = 0;
        for (index, (choice, rank)) in certificate.win.iter().enumerate() {
            let fault = |reason| Fault { line: certificate.line(false, index), reason };
            if *rank < last {
                return Err(fault(format!("the rank {rank} comes after {last}")));
            }
            last = *rank;
            self.check_winning(choice, *rank).map_err(fault)?;
            if self.win.insert(choice.position, *rank).is_some() {
                return Err(fault("the position is listed twice".to_owned()));
            }
        }
        Ok(())
    }

    fn check_winning(&self, choice: &Choice, rank: u32) -> Result<(), String> {
        let after = choice.position.after(choice.mv);
        if self.leaf(&after) == Some(Wdl::Loss) {
            return Ok(());
        }
        answered(&after, |reply| {
            self.win.get(reply).is_some_and(|found| *found < rank) || self.leaf(reply) == Some(Wdl::Win)
        })
        .map_err(|reply| format!("after {reply} White has no win of a lower rank"))
    }

    fn check_hold(&mut self, certificate: &Certificate) -> Result<(), Fault> {
        for (index, choice) in certificate.hold.iter().enumerate() {
            if self.win.contains_key(&choice.position) || !self.hold.insert(choice.position) {
                let reason = "the position is listed twice".to_owned();
                return Err(Fault { line: certificate.line(true, index), reason });
            }
        }
        for (index, choice) in certificate.hold.iter().enumerate() {
            let after = choice.position.after(choice.mv);
            if self.leaf(&after).is_some_and(|value| value != Wdl::Win) {
                continue;
            }
            answered(&after, |reply| self.holds(reply)).map_err(|reply| {
                let reason = format!("after {reply} White has no move that holds");
                Fault { line: certificate.line(true, index), reason }
            })?;
        }
        Ok(())
    }

    fn holds(&self, position: &Position) -> bool {
        self.hold.contains(position) || self.leaf(position).is_some_and(|value| value != Wdl::Loss)
    }

    fn wins(&self, position: &Position) -> bool {
        self.win.contains_key(position) || self.leaf(position) == Some(Wdl::Win)
    }

    fn check_claim(&self, certificate: &Certificate) -> Result<(), String> {
        let root = turned(&certificate.position);
        let after = |test: &dyn Fn(&Position) -> bool| answered(&root, |reply| test(&turned(reply)));
        match certificate.claim {
            Wdl::Win if !self.wins(&root) => Err("the position is not among those that win".to_owned()),
            Wdl::Draw if !self.holds(&root) => Err("the position is not among those that hold".to_owned()),
            Wdl::Draw => after(&|reply| self.holds(reply))
                .map_err(|mv| format!("after {mv} the other side has no move that holds")),
            Wdl::Loss => {
                after(&|reply| self.wins(reply)).map_err(|mv| format!("after {mv} the other side has no win"))
            }
            Wdl::Win => Ok(()),
        }
    }
}

/// Tests the position after every move. Returns the text of the first move that fails.
fn answered(position: &Position, test: impl Fn(&Position) -> bool) -> Result<(), String> {
    let open = position.moves().into_iter().find(|&mv| !test(&position.after(mv)));
    open.map_or(Ok(()), |mv| Err(format!("{} in {}", movetext::full(position, mv), fen::format(position))))
}
