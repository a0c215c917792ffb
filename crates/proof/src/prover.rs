//! The prover: determines the value of a position, and creates the certificate.

use super::certificate::Certificate;
use super::check::{CheckError, check_while, with_white_to_move};
use super::hold::{Hold, choices, is_leaf, open_replies};
use super::leaves::Leaves;
use super::placements::regions;
use super::search::{KeyMap, Search, Stop, Watch};
use kelso_draughts::board::{Color, Position};
use kelso_draughts::result::Wdl;
use kelso_text::plural::counted;

/// Node limit of the first attempt at each question.
const FIRST_ATTEMPT_NODES: u64 = 20_000;
/// The share of the nodes of earlier runs that limits the first attempt of a resumed run. It is at most the
/// limit of the last attempt before.
const RESUMED_SHARE: u64 = 8;
/// The share of the node limit for each attempt at a hold that starts over.
const SEARCH_SHARE: u64 = 8;
/// The maximum number of positions in the table. Each takes about 40 bytes.
const MAX_ENTRIES: usize = 12_000_000;

/// The reason why a position was not proved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unproved {
    /// The claim is wrong. The position has this value.
    #[error("it is a {0}")]
    Wrong(Wdl),
    /// The claim is wrong for another reason.
    #[error("the side to move does not {}", if *.0 == Wdl::Win { "win" } else { "lose" })]
    Refuted(Wdl),
    /// The prover was interrupted, or reached its node limit.
    #[error("{result} after {}", counted(*nodes, "node"))]
    Unfinished {
        interrupted: bool,
        nodes: u64,
        /// The results so far.
        result: PartialResult,
    },
    /// The search ran out of memory and forgot part of the proof, so no certificate can be created.
    #[error("part of the proof was discarded, since it needs more than {MAX_ENTRIES} positions in memory")]
    Memory,
    /// The certificate is invalid: a bug, unless a database turned out to be damaged.
    #[error("the certificate is invalid: {0}")]
    Check(CheckError),
}

/// The progress of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofProgress {
    /// Number of nodes searched in this run.
    pub nodes: u64,
    pub result: PartialResult,
    /// Node limit of the running attempt, or 0 while the certificate is built and checked. Each round of
    /// attempts has twice the limit of the one before.
    pub attempt: u64,
}

/// Results proved so far for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartialResult {
    /// Whether the side to move wins, if known.
    pub wins: Option<bool>,
    /// Whether the side to move loses, if known.
    pub loses: Option<bool>,
}

impl std::fmt::Display for PartialResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(value) = self.value() {
            return write!(f, "{value}, but the certificate is incomplete");
        }
        f.write_str(match (self.wins, self.loses) {
            (Some(false), _) => "the side to move cannot win; draw or loss undecided",
            (_, Some(false)) => "the side to move cannot lose; win or draw undecided",
            _ => "no result",
        })
    }
}

impl PartialResult {
    fn value(self) -> Option<Wdl> {
        match (self.wins, self.loses) {
            (Some(true), _) => Some(Wdl::Win),
            (_, Some(true)) => Some(Wdl::Loss),
            (Some(false), Some(false)) => Some(Wdl::Draw),
            _ => None,
        }
    }

    /// Returns the reason why a claim is wrong, if it is known to be wrong.
    fn refutes(self, claim: Wdl) -> Option<Unproved> {
        match (self.value(), claim) {
            (Some(value), claim) => (value != claim).then_some(Unproved::Wrong(value)),
            (None, Wdl::Win) if self.wins == Some(false) => Some(Unproved::Refuted(claim)),
            (None, Wdl::Loss) if self.loses == Some(false) => Some(Unproved::Refuted(claim)),
            _ => None,
        }
    }
}

/// Proves a position.
#[derive(Debug)]
pub struct Prover<'a> {
    pub(crate) search: Search<'a>,
    /// The hold for each question.
    holds: [Hold; 2],
    /// Unfinished holds that grow from attempt to attempt.
    growing: [Hold; 2],
    limit: u64,
    /// The state of the proof, and the round in which the prover was interrupted.
    result: PartialResult,
    round: Option<Round>,
    /// Number of nodes searched before this run was resumed.
    pub earlier: u64,
}

/// A round of attempts at both questions.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// Node limit of each attempt.
    budget: u64,
    /// The first numbers of a position depend on its pieces. Rounds alternate, since each kind closes holds
    /// that the other does not.
    weighs_material: bool,
    /// The question that is being settled.
    question: Question,
    /// The number of the region to which the attempt at a hold is restricted.
    region: Option<usize>,
}

/// A question: whether White wins a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    /// Does the side to move win? Searched with White to move, on the flipped board if necessary.
    Win,
    /// Does the side to move lose? Searched with Black to move, on the flipped board if necessary.
    Loss,
}

impl Question {
    fn root(self, position: &Position) -> Position {
        match self {
            Self::Win => with_white_to_move(position),
            Self::Loss => with_white_to_move(position).flipped(),
        }
    }

    /// Returns the positions with Black to move that Black must hold so that White does not win.
    fn roots(self, position: &Position, search: &Search<'_>) -> Vec<Position> {
        let root = self.root(position);
        match root.side() {
            Color::White => open_replies(&root, search),
            Color::Black if is_leaf(&root, search) => Vec::new(),
            Color::Black => vec![root],
        }
    }
}

impl<'a> Prover<'a> {
    /// Creates a prover with a node limit.
    pub fn new(leaves: Leaves<'a>, limit: u64) -> Self {
        let search = Search::new(leaves, MAX_ENTRIES);
        Self {
            search,
            holds: Default::default(),
            growing: std::array::from_fn(|_| Hold::growing()),
            limit,
            result: PartialResult::default(),
            round: None,
            earlier: 0,
        }
    }

    /// Returns the number of nodes searched.
    pub const fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// Returns the hold for each question, closed or growing.
    pub(crate) fn saved_holds(&self) -> impl Iterator<Item = &Hold> {
        let holds = self.holds.iter().zip(&self.growing);
        holds.map(|(hold, growing)| if hold.is_closed() { hold } else { growing })
    }

    /// Continues with the moves of saved holds, by the key of the position.
    pub(crate) fn restore_holds(&mut self, position: &Position, saved: &[KeyMap<u8>; 2]) {
        for question in [Question::Win, Question::Loss] {
            let roots = question.roots(position, &self.search);
            let index = question as usize;
            self.growing[index].restore(&roots, &saved[index], &mut self.search);
        }
    }

    /// Proves the value of a position, or a claim about it. `watch` returns `false` to stop the prover. A
    /// second call for the same position continues.
    pub fn prove(
        &mut self,
        position: &Position,
        claim: Option<Wdl>,
        watch: &mut dyn FnMut(ProofProgress) -> bool,
    ) -> Result<Certificate, Unproved> {
        let value = self.decide(position, claim, watch)?;
        let progress = ProofProgress { nodes: 0, result: self.result, attempt: 0 };
        let watch: Watch<'_> = &mut |nodes| watch(ProofProgress { nodes, ..progress });
        let certificate = self.certificate(position, value, watch)?;
        let nodes = self.search.nodes;
        let checked = check_while(&certificate, self.search.leaves.databases, &mut || watch(nodes));
        if checked.map_err(Unproved::Check)? { Ok(certificate) } else { Err(self.unfinished(true)) }
    }

    fn unfinished(&self, interrupted: bool) -> Unproved {
        Unproved::Unfinished { interrupted, nodes: self.earlier + self.search.nodes, result: self.result }
    }

    /// Returns the value of a position.
    fn decide(
        &mut self,
        position: &Position,
        claim: Option<Wdl>,
        watch: &mut dyn FnMut(ProofProgress) -> bool,
    ) -> Result<Wdl, Unproved> {
        let mut round = self.round.unwrap_or(Round {
            budget: FIRST_ATTEMPT_NODES.max(self.earlier / RESUMED_SHARE),
            // A resumed run begins with the hold that it has.
            weighs_material: self.earlier > 0,
            question: Question::Win,
            region: None,
        });
        loop {
            self.search.weigh_material(round.weighs_material);
            if let Some(value) = self.try_question(&mut round, position, claim, watch)? {
                return Ok(value);
            }
            if round.question == Question::Win {
                round.question = Question::Loss;
                continue;
            }
            if self.search.nodes >= self.limit {
                return Err(self.unfinished(false));
            }
            round.budget = round.budget.saturating_mul(2);
            round.weighs_material = !round.weighs_material;
            round.question = Question::Win;
        }
    }

    /// Tries to answer the question of a round, if it is asked. Returns the value of the position once it is
    /// known.
    fn try_question(
        &mut self,
        round: &mut Round,
        position: &Position,
        claim: Option<Wdl>,
        watch: &mut dyn FnMut(ProofProgress) -> bool,
    ) -> Result<Option<Wdl>, Unproved> {
        let (answer, other) = match round.question {
            Question::Win => (self.result.wins, Wdl::Loss),
            Question::Loss => (self.result.loses, Wdl::Win),
        };
        if answer.is_none() && claim != Some(other) {
            let progress = ProofProgress { nodes: 0, result: self.result, attempt: round.budget };
            let settled =
                self.settle(round, position, &mut |nodes| watch(ProofProgress { nodes, ..progress }));
            self.round = Some(*round);
            let answer = match settled {
                Err(Stop::Interrupt) => return Err(self.unfinished(true)),
                settled => settled.ok(),
            };
            match round.question {
                Question::Win => self.result.wins = answer,
                Question::Loss => self.result.loses = answer,
            }
        }
        match claim.and_then(|claim| self.result.refutes(claim)) {
            Some(wrong) => Err(wrong),
            None => Ok(self.result.value()),
        }
    }

    /// Answers a question. If White does not win, completes the hold.
    fn settle(&mut self, round: &mut Round, position: &Position, watch: Watch<'_>) -> Result<bool, Stop> {
        let nodes = round.budget.min(self.limit.saturating_sub(self.search.nodes));
        let root = &round.question.root(position);
        let end = self.search.nodes.saturating_add(nodes);
        loop {
            let left = end.saturating_sub(self.search.nodes);
            self.search.release_all();
            match self.search.solve(root, left.min(nodes / 2), watch) {
                Ok(true) => return Ok(true),
                Err(Stop::Interrupt) => return Err(Stop::Interrupt),
                // A win known only to the databases must still be proved by the search.
                Err(Stop::Nodes) if self.search.is_won(root) => return Err(Stop::Nodes),
                Ok(false) | Err(Stop::Nodes) => {}
            }
            if !self.search.is_won(root) && self.hold(round, position, nodes, watch)? {
                return Ok(false);
            }
            // White wins, so a refutation was wrong.
            if self.search.nodes >= end {
                return Err(Stop::Nodes);
            }
            self.search.forget(root);
            self.search.forget_tentative();
        }
    }

    /// Tries to complete a hold, with different preferences. Returns `false` if White wins.
    fn hold(
        &mut self,
        round: &mut Round,
        position: &Position,
        nodes: u64,
        watch: Watch<'_>,
    ) -> Result<bool, Stop> {
        let question = round.question;
        let roots = question.roots(position, &self.search);
        if round.weighs_material {
            let left = self.limit.saturating_sub(self.search.nodes);
            let growing = &mut self.growing[question as usize];
            let closed = growing.close(&roots, &mut self.search, left.min(nodes), watch)?;
            if closed {
                self.holds[question as usize] = std::mem::replace(growing, Hold::growing());
            }
            return Ok(closed);
        }
        let interrupted = round.region.take();
        for (number, region) in regions().enumerate().skip(interrupted.unwrap_or(0)) {
            let left = self.limit.saturating_sub(self.search.nodes);
            let hold = &mut self.holds[question as usize];
            if interrupted != Some(number) {
                hold.restart(region);
            }
            match hold.close(&roots, &mut self.search, left.min(nodes / SEARCH_SHARE), watch) {
                Ok(true) => return Ok(true),
                Ok(false) if region.is_none() || self.search.is_won(&question.root(position)) => {
                    return Ok(false);
                }
                Ok(false) | Err(Stop::Nodes) => {}
                Err(Stop::Interrupt) => {
                    round.region = Some(number);
                    return Err(Stop::Interrupt);
                }
            }
        }
        Err(Stop::Nodes)
    }

    fn certificate(
        &self,
        position: &Position,
        claim: Wdl,
        watch: Watch<'_>,
    ) -> Result<Certificate, Unproved> {
        let root = with_white_to_move(position);
        let win_roots = match claim {
            _ if self.search.leaves.value(&root).is_some() => Vec::new(),
            Wdl::Win => vec![root],
            Wdl::Draw => Vec::new(),
            Wdl::Loss => root.moves().into_iter().map(|mv| with_white_to_move(&root.after(mv))).collect(),
        };
        let win = self.search.win(&win_roots).ok_or(Unproved::Memory)?;
        let hold = if claim == Wdl::Draw {
            let roots =
                [Question::Win, Question::Loss].map(|question| question.roots(position, &self.search));
            choices(&self.holds, &roots, &self.search, watch).ok_or_else(|| self.unfinished(true))?
        } else {
            Vec::new()
        };
        let mut certificate = Certificate { position: *position, claim, leaves: Vec::new(), win, hold };
        certificate.leaves = self.search.leaves.files(&leaves_of(&certificate, self.search.leaves));
        Ok(certificate)
    }
}

/// Returns the positions whose values a certificate takes from databases.
fn leaves_of(certificate: &Certificate, leaves: Leaves<'_>) -> Vec<Position> {
    let root = with_white_to_move(&certificate.position);
    let mut positions = vec![root];
    positions.extend(root.moves().into_iter().map(|mv| root.after(mv)));
    for choice in certificate.win.iter().map(|(choice, _)| choice).chain(&certificate.hold) {
        let after = choice.position.after(choice.mv);
        if leaves.value(&after).is_some() {
            positions.push(after);
        } else {
            positions.extend(after.moves().into_iter().map(|mv| after.after(mv)));
        }
    }
    positions.retain(|position| leaves.value(position).is_some());
    positions
}
