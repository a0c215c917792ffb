//! Recomputing what a database says of positions from what it says of their successors, by the rules that the game
//! is played by and not those of the solver.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::databases::Databases;
use super::header::Content;
use super::index::Index;
use super::node::Node;
use super::probe::Wld;
use super::slice::Slice;
use crate::board::Position;

/// Positions that one thread takes on at a time.
const PORTION: u64 = 1 << 14;

/// A position whose value does not follow from those of its successors.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// Of what kind the value is.
    pub content: Content,
    /// The position, with Black to move.
    pub position: Position,
    /// What the database says, with the plies to the end if it tells them.
    pub found: Option<(Wld, Option<u32>)>,
    /// What the successors say.
    pub expected: Option<(Wld, Option<u32>)>,
}

/// What a verification found.
#[derive(Clone, Default, Debug)]
pub struct Verification {
    /// Positions looked at.
    pub checked: u64,
    /// Positions in contradiction to their successors.
    pub wrong: u64,
    /// The first few of them.
    pub examples: Vec<Contradiction>,
}

/// How many contradictions are kept to be shown.
const EXAMPLES: usize = 10;

/// Verifies slices on so many threads: every position, or about so many of each slice, spread evenly. Ends early when
/// `advance`, which is told of positions done, answers no.
#[must_use]
pub fn verify(
    databases: &Databases,
    slices: &[(Content, Slice)],
    sample: Option<u64>,
    threads: usize,
    advance: &(dyn Fn(u64) -> bool + Sync),
) -> Verification {
    let verdict = Mutex::new(Verification::default());
    for &(content, slice) in slices {
        let index = Index::new(slice);
        let len = index.len();
        let step = sample.map_or(1, |sample| len.div_ceil(sample.max(1)));
        let next = AtomicU64::new(0);
        let stopped = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let mut own = Verification::default();
                    loop {
                        let start = next.fetch_add(PORTION * step, Ordering::Relaxed);
                        if start >= len || stopped.load(Ordering::Relaxed) > 0 {
                            break;
                        }
                        let end = len.min(start + PORTION * step);
                        for number in (start..end).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
                            check(databases, content, &index.node(number), &mut own);
                        }
                        if !advance((end - start).div_ceil(step)) {
                            stopped.store(1, Ordering::Relaxed);
                        }
                    }
                    let mut all = verdict.lock().unwrap_or_else(PoisonError::into_inner);
                    all.checked += own.checked;
                    all.wrong += own.wrong;
                    all.examples.extend(own.examples);
                    all.examples.truncate(EXAMPLES);
                });
            }
        });
        if stopped.into_inner() > 0 {
            break;
        }
    }
    verdict.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn check(databases: &Databases, content: Content, node: &Node, verdict: &mut Verification) {
    let Some(position) = node.position() else { return };
    verdict.checked += 1;
    let look = |position: &Position| match content {
        Content::Results => databases.probe(position).map(|result| (result, None)),
        Content::Distances => databases.distance(position).map(|(result, plies)| (result, Some(plies))),
    };
    let (found, expected) = (look(&position), from_successors(&position, look));
    if found.is_none() || found != expected {
        verdict.wrong += 1;
        if verdict.examples.len() < EXAMPLES {
            verdict.examples.push(Contradiction { content, position, found, expected });
        }
    }
}

/// The value of a position from those of its successors, for the side to move, if all that matter are known.
fn from_successors(
    position: &Position,
    look: impl Fn(&Position) -> Option<(Wld, Option<u32>)>,
) -> Option<(Wld, Option<u32>)> {
    let mut shortest: Option<Option<u32>> = None;
    let mut longest = None;
    let mut draw = None;
    let moves = position.moves();
    for &mv in &moves {
        let (result, plies) = look(&position.after(mv))?;
        match result {
            Wld::Loss => shortest = Some(shortest.map_or(plies, |least| least.min(plies))),
            Wld::Win => longest = longest.max(plies),
            Wld::Draw => draw = Some(plies),
        }
    }
    if let Some(plies) = shortest {
        return Some((Wld::Win, plies.map(|plies| plies + 1)));
    }
    if let Some(plies) = draw {
        return Some((Wld::Draw, plies));
    }
    if moves.is_empty() {
        // Lost at once; whether distances are told shows in those of any other position, and not here.
        let told = look(position)?.1;
        return Some((Wld::Loss, told.map(|_| 0)));
    }
    Some((Wld::Loss, longest.map(|plies| plies + 1)))
}

#[cfg(test)]
mod tests {
    use super::super::slice::Slice;
    use super::*;

    fn verdict(slices: &[(Content, Slice)], sample: Option<u64>) -> Verification {
        verify(&Databases::compiled_in(), slices, sample, 2, &|_| true)
    }

    #[test]
    fn what_is_compiled_in_is_consistent() {
        let few = |content| Slice::all(2..=3).into_iter().map(move |slice| (content, slice));
        let all: Vec<_> = Content::BOTH.into_iter().flat_map(few).collect();
        let found = verdict(&all, None);
        assert_eq!((found.checked, found.wrong), (2 * 199_520, 0), "{:?}", found.examples);
        let mut more: Vec<_> = Slice::all(4..=5).into_iter().map(|slice| (Content::Results, slice)).collect();
        more.extend(Slice::all(4..=4).into_iter().map(|slice| (Content::Distances, slice)));
        let found = verdict(&more, Some(2000));
        assert!(found.checked > 90_000);
        assert_eq!(found.wrong, 0, "{:?}", found.examples);
    }

    #[test]
    #[ignore = "minutes"]
    fn everything_that_is_compiled_in_is_consistent() {
        let mut all: Vec<_> = Slice::all(2..=5).into_iter().map(|slice| (Content::Results, slice)).collect();
        all.extend(Slice::all(2..=4).into_iter().map(|slice| (Content::Distances, slice)));
        let found = verdict(&all, None);
        assert_eq!((found.checked, found.wrong), (152_268_480, 0), "{:?}", found.examples);
    }

    #[test]
    fn what_is_unknown_is_no_agreement() {
        let found = verdict(&[(Content::Distances, "20v30".parse().unwrap())], Some(100));
        assert!(found.checked > 0);
        // Captures may lead to what is known.
        assert!(found.wrong > found.checked / 2, "{found:?}");
        assert_eq!(found.examples.len(), EXAMPLES);
        assert!(found.examples.iter().all(|example| example.found.is_none()));
    }
}
