//! The table of an evaluation's weights, and how their text is parsed.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::Evaluation;
use kelso_text::syntax::Quoted;

/// The tunable weights of an evaluation: names, default values, and a constructor for other values.
#[derive(Debug)]
pub struct WeightTable {
    pub names: fn() -> &'static [&'static str],
    /// Number of values for each name.
    pub columns: usize,
    /// Returns the default values: first the values for the first name, then for the second, and so on.
    pub defaults: fn() -> Vec<i32>,
    /// Creates the evaluation from values of its weights.
    pub build: fn(&[i32]) -> Arc<dyn Evaluation>,
}

/// Maximum weight, small enough that sums do not overflow; the minimum is its negative.
pub(crate) const MAX_WEIGHT: i32 = 1_000_000;

/// The reason why text is not a valid weights file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TermWeightsError {
    /// The first line does not name an evaluation.
    Foreign,
    /// The evaluation has no weights.
    Evaluation {
        /// The name in the first line.
        name: String,
        /// The names of evaluations with weights.
        known: Vec<&'static str>,
    },
    /// A line names a weight that the evaluation does not have.
    Name {
        name: String,
        /// The line, counted from 1.
        line: usize,
        /// The names of all weights.
        known: &'static [&'static str],
    },
    /// A line names a weight again.
    Duplicate {
        name: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// The values of a weight are not the right number of numbers.
    Values {
        text: String,
        /// The line, counted from 1.
        line: usize,
        /// Number of values of a weight.
        columns: usize,
    },
}

impl Error for TermWeightsError {}

impl fmt::Display for TermWeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str(
                "not a weights file: expected \"kelso weights\" and an evaluation's name in the first line",
            ),
            Self::Evaluation { name, known } => {
                let known = known.join(", ");
                write!(f, "cannot set weights of evaluation {}: expected one of {known}", Quoted(name))
            }
            Self::Name { name, line, known } => {
                let known = known.join(", ");
                write!(f, "unknown weight {} in line {line}: expected one of {known}", Quoted(name))
            }
            Self::Duplicate { name, line } => write!(f, "duplicate weight {} in line {line}", Quoted(name)),
            Self::Values { text, line, columns } => {
                let expected = format!("{columns} whole numbers from -{MAX_WEIGHT} to {MAX_WEIGHT}");
                write!(f, "invalid values {} in line {line}: expected {expected}", Quoted(text))
            }
        }
    }
}

impl WeightTable {
    /// Returns the name in the first line, and the other lines with their line numbers.
    pub(crate) fn lines(text: &str) -> Result<(&str, impl Iterator<Item = (usize, &str)>), TermWeightsError> {
        let mut lines = (1..).zip(text.lines());
        let first = lines.next().map_or("", |(_, line)| line);
        match first.split_whitespace().collect::<Vec<_>>()[..] {
            ["kelso", "weights", name] => Ok((name, lines)),
            _ => Err(TermWeightsError::Foreign),
        }
    }

    /// Parses lines of names and values into `values`.
    pub(crate) fn read<'a>(
        &self,
        lines: impl Iterator<Item = (usize, &'a str)>,
        values: &mut [i32],
    ) -> Result<(), TermWeightsError> {
        let names = (self.names)();
        let mut seen = vec![false; names.len()];
        for (line, text) in lines {
            let words = text.split_once('#').map_or(text, |(words, _)| words).split_whitespace();
            let words: Vec<&str> = words.collect();
            let [name, row @ ..] = words.as_slice() else { continue };
            let owned = || (*name).to_owned();
            let unknown_name = || TermWeightsError::Name { name: owned(), line, known: names };
            let index =
                names.iter().position(|known| known.eq_ignore_ascii_case(name)).ok_or_else(unknown_name)?;
            if std::mem::replace(&mut seen[index], true) {
                return Err(TermWeightsError::Duplicate { name: owned(), line });
            }
            let number =
                |word: &&str| word.parse().ok().filter(|value| (-MAX_WEIGHT..=MAX_WEIGHT).contains(value));
            let numbers: Option<Vec<i32>> = row.iter().map(number).collect();
            let columns = self.columns;
            let numbers = numbers.filter(|row| row.len() == columns);
            let numbers =
                numbers.ok_or_else(|| TermWeightsError::Values { text: row.join(" "), line, columns })?;
            values.iter_mut().skip(index * self.columns).zip(numbers).for_each(|(value, new)| *value = new);
        }
        Ok(())
    }

    /// Parses compiled-in weights. Weights that the text does not name are 0.
    #[expect(clippy::expect_used, reason = "the text is compiled in")]
    pub(super) fn compiled_in(&self, text: &str) -> Vec<i32> {
        let mut values = vec![0; (self.names)().len() * self.columns];
        let read = Self::lines(text).and_then(|(_, lines)| self.read(lines, &mut values));
        read.expect("compiled-in weights are valid");
        values
    }
}
