//! Which of the expected lines became which lines of output: the alignment of least cost, as in a comparison of two files.

use super::item::Expectation;

/// The cost of putting a line in an expectation's place, if both begin with the same word.
const REPLACE_ALIKE: u32 = 2;
/// The same if they don't.
const REPLACE: u32 = 4;
const REMOVE: u32 = 5;
const INSERT: u32 = 3;
/// The largest alignment, in pairs of an expectation and a line.
const MOST_PAIRS: usize = 1 << 25;

/// How an expectation and a line of output, or one of them, are dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The line meets the expectation.
    Meet,
    /// The line is one of those that a repeated expectation stands for.
    Absorb,
    /// A repeated expectation takes no more lines.
    Pass,
    /// The line takes the expectation's place.
    Replace,
    /// The expectation goes.
    Remove,
    /// The line is expected from now on.
    Insert,
}

impl Step {
    /// Whether it is done with the expectation.
    pub(super) const fn ends_expectation(self) -> bool {
        !matches!(self, Self::Insert | Self::Absorb)
    }

    /// Whether it is done with the line.
    pub(super) const fn ends_line(self) -> bool {
        !matches!(self, Self::Remove | Self::Pass)
    }

    const fn cost(self, alike: bool) -> u32 {
        match self {
            Self::Meet | Self::Absorb | Self::Pass => 0,
            Self::Replace if alike => REPLACE_ALIKE,
            Self::Replace => REPLACE,
            Self::Remove => REMOVE,
            Self::Insert => INSERT,
        }
    }
}

/// The cheapest way to turn expectations into such that take the lines.
pub(super) fn align(expectations: &[&Expectation], lines: &[String]) -> Vec<Step> {
    let (rows, columns) = (expectations.len() + 1, lines.len() + 1);
    if rows.saturating_mul(columns) > MOST_PAIRS {
        // Too much to align: everything is new, but what may be repeated stays.
        let old = expectations.iter().map(|e| if e.repeated { Step::Pass } else { Step::Remove });
        return old.chain(lines.iter().map(|_| Step::Insert)).collect();
    }
    // For each pair, the first step of the cheapest way on from there, and its cost: when nothing has been done with the
    // expectation yet, and when it has absorbed lines, between which no other can be inserted.
    let mut best = vec![[(0, Step::Insert); 2]; rows * columns];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let (expectation, line) = (expectations.get(row), lines.get(column));
            let alike = expectation.zip(line).is_some_and(|(expectation, line)| alike(expectation, line));
            let steps = possible(expectation.copied(), line);
            for absorbing in [false, true] {
                let ways =
                    steps.into_iter().flatten().filter(|&step| !(absorbing && step == Step::Insert)).map(
                        |step| {
                            let row = row + usize::from(step.ends_expectation());
                            let column = column + usize::from(step.ends_line());
                            let then = best[row * columns + column][usize::from(step == Step::Absorb)];
                            (then.0 + step.cost(alike), step)
                        },
                    );
                if let Some(way) = ways.min_by_key(|&(cost, _)| cost) {
                    best[row * columns + column][usize::from(absorbing)] = way;
                }
            }
        }
    }
    let (mut row, mut column, mut absorbing) = (0, 0, false);
    let mut steps = Vec::new();
    while row + 1 < rows || column + 1 < columns {
        let step = best[row * columns + column][usize::from(absorbing)].1;
        steps.push(step);
        row += usize::from(step.ends_expectation());
        column += usize::from(step.ends_line());
        absorbing = step == Step::Absorb;
    }
    steps
}

/// What can be done, what is to be preferred first.
fn possible(expectation: Option<&Expectation>, line: Option<&String>) -> [Option<Step>; 3] {
    let first = match (expectation, line) {
        (Some(expectation), Some(line)) => match (expectation.repeated, expectation.pattern.matches(line)) {
            (true, true) => Some(Step::Absorb),
            (true, false) => None,
            (false, true) => Some(Step::Meet),
            (false, false) => Some(Step::Replace),
        },
        _ => None,
    };
    let skip = expectation.map(|e| if e.repeated { Step::Pass } else { Step::Remove });
    [skip, first, line.map(|_| Step::Insert)]
}

fn alike(expectation: &Expectation, line: &str) -> bool {
    let text = expectation.pattern.to_string();
    text.split_whitespace().next() == line.split_whitespace().next()
}
