//! Alignment of expectations and lines of output with least cost, as in a comparison of two files.

use super::item::Expectation;

/// The cost of replacing an expectation by a line with the same first word.
const REPLACE_ALIKE: u32 = 2;
/// The cost of replacing an expectation by another line.
const REPLACE: u32 = 4;
const REMOVE: u32 = 5;
const INSERT: u32 = 3;
/// The maximum number of pairs of an expectation and a line.
const MAX_PAIRS: usize = 1 << 25;

/// A step of an alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The line matches the expectation.
    Match,
    /// The line is one of those that a repeated expectation matches.
    Absorb,
    /// A repeated expectation matches no more lines.
    End,
    /// The line replaces the expectation.
    Replace,
    /// The expectation is removed.
    Remove,
    /// The line is added as an expectation.
    Insert,
}

impl Step {
    /// Returns true if it moves on to the next expectation.
    pub(super) const fn ends_expectation(self) -> bool {
        !matches!(self, Self::Insert | Self::Absorb)
    }

    /// Returns true if it moves on to the next line.
    pub(super) const fn ends_line(self) -> bool {
        !matches!(self, Self::Remove | Self::End)
    }

    const fn cost(self, alike: bool) -> u32 {
        match self {
            Self::Match | Self::Absorb | Self::End => 0,
            Self::Replace if alike => REPLACE_ALIKE,
            Self::Replace => REPLACE,
            Self::Remove => REMOVE,
            Self::Insert => INSERT,
        }
    }
}

/// Returns the cheapest steps that change expectations into some that match the lines.
pub(super) fn align(expectations: &[&Expectation], lines: &[String]) -> Vec<Step> {
    let (rows, columns) = (expectations.len() + 1, lines.len() + 1);
    if rows.saturating_mul(columns) > MAX_PAIRS {
        // Too much to align: everything is replaced, except for repeated expectations.
        let old = expectations.iter().map(|e| if e.repeated { Step::End } else { Step::Remove });
        return old.chain(lines.iter().map(|_| Step::Insert)).collect();
    }
    // For each pair, the cost and the first step of the cheapest way from there to the end: before the expectation has
    // absorbed lines, and after, when no line can be inserted.
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

/// Returns the possible steps, in the order of preference.
fn possible(expectation: Option<&Expectation>, line: Option<&String>) -> [Option<Step>; 3] {
    let first = match (expectation, line) {
        (Some(expectation), Some(line)) => match (expectation.repeated, expectation.pattern.matches(line)) {
            (true, true) => Some(Step::Absorb),
            (true, false) => None,
            (false, true) => Some(Step::Match),
            (false, false) => Some(Step::Replace),
        },
        _ => None,
    };
    let skip = expectation.map(|e| if e.repeated { Step::End } else { Step::Remove });
    [skip, first, line.map(|_| Step::Insert)]
}

fn alike(expectation: &Expectation, line: &str) -> bool {
    let text = expectation.pattern.to_string();
    text.split_whitespace().next() == line.split_whitespace().next()
}
