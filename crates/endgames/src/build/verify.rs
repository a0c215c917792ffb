//! Verifies databases: recomputes each value from the values of the successors, with the game's move
//! generator rather than the solver's.

use std::convert::Infallible;
use std::ops::Range;

use crate::index::Index;
use crate::node::Node;
use crate::{Content, Databases, Slice};
use kelso_batch::pool;
use kelso_draughts::board::Position;
use kelso_draughts::result::{KnownValue, Wdl};

/// Number of positions that a thread verifies at a time.
const POSITIONS_PER_JOB: u64 = 1 << 14;

/// A position whose value does not follow from the values of its successors.
#[derive(Clone, Debug)]
pub struct WrongValue {
    /// The kind of value that is wrong.
    pub content: Content,
    /// The position, with Black to move.
    pub position: Position,
    /// The value in the database, with the plies to the end for distances.
    pub found: Option<KnownValue>,
    /// The value that follows from the successors.
    pub expected: Option<KnownValue>,
}

/// The result of a verification.
#[derive(Clone, Default, Debug)]
pub struct Verification {
    /// Number of positions verified.
    pub checked: u64,
    /// Number of positions whose value does not follow from the values of their successors.
    pub wrong: u64,
    /// Number of positions with an unknown successor.
    pub unknown: u64,
    /// The first few positions with wrong values.
    pub examples: Vec<WrongValue>,
}

const MAX_EXAMPLES: usize = 10;

/// Positions of a slice that are verified together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SlicePart {
    /// The kind of values to verify.
    pub content: Content,
    /// The slice that contains the positions.
    pub slice: Slice,
    pub numbers: Range<u64>,
    /// Only every `step`th position is verified.
    pub step: u64,
}

impl SlicePart {
    /// Maximum number of positions of a part: a few minutes of work.
    const MAX: u64 = 1 << 27;

    /// Splits a slice into parts, which cover all positions or an evenly spaced sample of about this size.
    #[must_use]
    pub fn all(content: Content, slice: Slice, sample: Option<u64>) -> Vec<Self> {
        let len = Index::new(slice).len();
        let (step, max) = sample.map_or((1, Self::MAX), |sample| (len.div_ceil(sample.max(1)), len));
        let starts = (0..len.div_ceil(max)).map(|part| part * max);
        starts.map(|start| Self { content, slice, numbers: start..len.min(start + max), step }).collect()
    }

    /// Returns the number of positions to verify.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        (self.numbers.end - self.numbers.start).div_ceil(self.step)
    }
}

/// Verifies a part of a slice. `advance` is called with the number of positions verified since the last call,
/// and returns `false` to stop.
pub fn verify(
    databases: &Databases,
    part: &SlicePart,
    threads: usize,
    advance: &(dyn Fn(u64) -> bool + Sync),
) -> Verification {
    let step = part.step;
    let numbers = &part.numbers;
    let index = Index::new(part.slice);
    let size = POSITIONS_PER_JOB * step;
    let starts = (0..(numbers.end - numbers.start).div_ceil(size)).map(|i| numbers.start + i * size);
    let portions = starts.map(|start| start..numbers.end.min(start + size));
    let verifications = pool::divide(
        vec![Verification::default(); threads.max(1)],
        portions,
        |own: &mut Verification, numbers: Range<u64>| {
            let positions = (numbers.end - numbers.start).div_ceil(step);
            for number in numbers.step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
                check(databases, part.content, &index.node(number), own);
            }
            positions
        },
        |done| Ok::<_, Infallible>(advance(done.unwrap_or(0))),
    );
    verifications.into_iter().flatten().fold(Verification::default(), Verification::plus)
}

impl Verification {
    /// Returns the sum of two results, with the first few wrong values from both.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        self.examples.extend(other.examples);
        self.examples.truncate(MAX_EXAMPLES);
        Self {
            checked: self.checked + other.checked,
            wrong: self.wrong + other.wrong,
            unknown: self.unknown + other.unknown,
            examples: self.examples,
        }
    }
}

fn check(databases: &Databases, content: Content, node: &Node, result: &mut Verification) {
    let Some(position) = node.position() else { return };
    result.checked += 1;
    let look = |position: &Position| match content {
        Content::Results => databases.probe(position).map(|result| KnownValue::new(result, None)),
        Content::Distances => databases.distance(position),
    };
    judge(content, &position, look(&position), from_successors(&position, look), result);
}

/// Compares a value with the value that follows from the successors.
fn judge(
    content: Content,
    position: &Position,
    found: Option<KnownValue>,
    expected: Option<KnownValue>,
    result: &mut Verification,
) {
    if expected.is_none() {
        result.unknown += 1;
    } else if found != expected {
        result.wrong += 1;
        if result.examples.len() < MAX_EXAMPLES {
            result.examples.push(WrongValue { content, position: *position, found, expected });
        }
    }
}

/// Returns the value that follows from the values of the successors, if all are known.
fn from_successors(
    position: &Position,
    look: impl Fn(&Position) -> Option<KnownValue>,
) -> Option<KnownValue> {
    let moves = position.moves();
    if moves.is_empty() {
        return look(position).map(|value| KnownValue::new(Wdl::Loss, value.plies.map(|_| 0)));
    }
    let successors: Option<Vec<_>> = moves.iter().map(|&mv| look(&position.after(mv))).collect();
    successors?.into_iter().map(KnownValue::for_parent).max_by_key(|value| value.rank())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Counts;
    use crate::bits::{SEVENTH_ROW, rotate};
    use crate::coverage::Coverage;
    use crate::index::to_usize;
    use crate::walk::Walk;

    fn verified(slices: &[(Content, Slice)], sample: Option<u64>) -> Verification {
        let databases = Databases::compiled_in();
        let parts = slices.iter().flat_map(|&(content, slice)| SlicePart::all(content, slice, sample));
        parts
            .map(|part| verify(&databases, &part, 2, &|_| true))
            .fold(Verification::default(), Verification::plus)
    }

    #[test]
    fn parts_cover_a_slice() {
        let slice: Slice = "13v12".parse().unwrap();
        let parts = SlicePart::all(Content::Results, slice, None);
        assert!(parts.len() > 5);
        assert!(parts.windows(2).all(|pair| pair[0].numbers.end == pair[1].numbers.start));
        assert_eq!((parts[0].numbers.start, parts.last().unwrap().numbers.end), (0, Index::new(slice).len()));
        let sample = SlicePart::all(Content::Results, slice, Some(1000));
        assert_eq!(sample.len(), 1);
        assert!((900..=1000).contains(&sample[0].positions()), "{sample:?}");
    }

    /// Checks corner cases of numbering and coverage with 2-4 pieces, and a sample with 5.
    #[test]
    fn verification_covers_corner_cases() {
        type Corner = (&'static str, fn(&Node, Slice) -> bool);
        let corners: [Corner; 7] = [
            ("men only", |_, slice| slice.kings == [0, 0]),
            ("kings only", |_, slice| slice.men == [0, 0]),
            ("a man before its crowning", |node, _| node.own_men & SEVENTH_ROW != 0),
            ("an enemy man before its crowning", |node, _| node.enemy_men & rotate(SEVENTH_ROW) != 0),
            ("a side without moves", |node, _| !node.can_capture() && !can_step(node)),
            ("a mirror slice", |_, slice| slice == slice.twin()),
            ("left out of a mirror slice", |node, slice| {
                slice == slice.twin() && !node.can_capture() && Coverage::Even.leaves_out(node)
            }),
        ];
        let databases = Databases::compiled_in();
        for (name, is_corner) in corners {
            let mut found = Verification::default();
            for slice in Slice::all(2..=5) {
                let index = Index::new(slice);
                let step = to_usize(index.len() / 3000) + 1;
                for number in (0..index.len()).step_by(step) {
                    let node = index.node(number);
                    if is_corner(&node, slice) {
                        check(&databases, Content::Results, &node, &mut found);
                        if slice.pieces() < 5 {
                            check(&databases, Content::Distances, &node, &mut found);
                        }
                    }
                }
            }
            assert!(found.checked > 20 && found.wrong == 0, "{name}: {found:?}");
        }
    }

    fn can_step(node: &Node) -> bool {
        node.king_moves() > 0 || (node.own_men << 4 | node.own_men << 5) & node.empty() != 0
    }

    /// With so few pieces, at least one side can always move.
    #[test]
    fn both_sides_are_never_blocked_at_once() {
        let mut blocked = 0;
        for slice in Slice::all(2..=4) {
            let index = Index::new(slice);
            let mut walk = Walk::from(&index, 0);
            for _ in 0..index.len() {
                let node = &walk.node;
                if !node.can_capture() && !can_step(node) {
                    blocked += 1;
                    let other = node.turned();
                    assert!(other.can_capture() || can_step(&other), "{node:?}");
                }
                walk.step();
            }
        }
        assert!(blocked > 1000, "{blocked}");
    }

    /// The counts and the longest win for one king against one king, as published by Ed Trice from an
    /// independent forward solver: 230 wins, 72 of them by captures, 108 losses, 654 draws, 11 plies.
    #[test]
    fn king_against_king_is_as_published() {
        let databases = Databases::compiled_in();
        let slice: Slice = "01v01".parse().unwrap();
        let counts = databases.files().map(|(header, _)| header).find(|header| header.slice == slice);
        let known = Counts::from_numbers([230, 108, 654, 72]);
        assert_eq!(counts.unwrap().counts, known);
        let index = Index::new(slice);
        let plies = (0..index.len()).map(|number| {
            databases.distance(&index.node(number).position().unwrap()).filter(|known| known.wdl == Wdl::Win)
        });
        assert_eq!(plies.flatten().filter_map(|known| known.plies).max(), Some(11));
    }

    #[test]
    fn the_embedded_databases_are_consistent() {
        let few = |content| Slice::all(2..=3).into_iter().map(move |slice| (content, slice));
        let all: Vec<_> = Content::BOTH.into_iter().flat_map(few).collect();
        let found = verified(&all, None);
        assert_eq!((found.checked, found.wrong), (2 * 199_520, 0), "{:?}", found.examples);
        let mut more: Vec<_> = Slice::all(4..=5).into_iter().map(|slice| (Content::Results, slice)).collect();
        more.extend(Slice::all(4..=4).into_iter().map(|slice| (Content::Distances, slice)));
        let found = verified(&more, Some(2000));
        assert!(found.checked > 90_000);
        assert_eq!(found.wrong, 0, "{:?}", found.examples);
    }

    #[test]
    #[ignore = "minutes"]
    fn all_embedded_positions_are_consistent() {
        let mut all: Vec<_> = Slice::all(2..=5).into_iter().map(|slice| (Content::Results, slice)).collect();
        all.extend(Slice::all(2..=4).into_iter().map(|slice| (Content::Distances, slice)));
        let found = verified(&all, None);
        assert_eq!((found.checked, found.wrong), (152_268_480, 0), "{:?}", found.examples);
    }

    #[test]
    fn unknown_successors_do_not_count_as_agreement() {
        let found = verified(&[(Content::Distances, "20v30".parse().unwrap())], Some(100));
        assert!(found.checked > 0);
        // Some successors are known, since captures may lead to known slices.
        assert!(found.unknown > found.checked / 2, "{found:?}");
        assert!(found.examples.iter().all(|example| example.found.is_none()));
    }

    #[test]
    fn judge_counts_unknown_successors_separately() {
        let node = Index::new("10v01".parse().unwrap()).node(300);
        let mut found = Verification::default();
        let successors = |known| from_successors(&node.position().unwrap(), |_| known);
        assert_eq!(
            successors(Some(KnownValue::new(Wdl::Draw, None))),
            Some(KnownValue::new(Wdl::Draw, None))
        );
        assert_eq!(successors(None), None);
        judge(
            Content::Results,
            &node.position().unwrap(),
            Some(KnownValue::new(Wdl::Win, None)),
            None,
            &mut found,
        );
        assert_eq!((found.wrong, found.unknown), (0, 1));
        judge(Content::Results, &node.position().unwrap(), None, None, &mut found);
        assert_eq!((found.wrong, found.unknown), (0, 2));
        judge(
            Content::Results,
            &node.position().unwrap(),
            None,
            Some(KnownValue::new(Wdl::Win, None)),
            &mut found,
        );
        assert_eq!((found.wrong, found.unknown), (1, 2));
    }
}
