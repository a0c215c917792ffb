//! The weights of handcrafted evaluations as text:
//!
//! ```text
//! kelso weights presser
//! # Comments start with a hash.
//! man 10000
//! king 15000
//! ```
//!
//! The first line names the evaluation. Every other line has the name of a weight and its value or values,
//! from -1000000 to 1000000. Weights that are not named keep their published values.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::Evaluate;
use crate::registry::{Evaluation, Registry};
use draughts::syntax::Quoted;

/// The weights of a handcrafted evaluation.
#[derive(Clone, Debug)]
pub struct TermWeights {
    evaluation: Evaluation,
    table: &'static WeightTable,
    values: Vec<i32>,
}

impl Registry {
    /// Returns the names of the evaluations that have weights.
    #[must_use]
    pub fn weighted_names(self) -> Vec<&'static str> {
        let weighted = self.evaluations.iter().filter(|evaluation| evaluation.weights.is_some());
        weighted.map(|evaluation| evaluation.name).collect()
    }

    /// Returns the published weights of an evaluation, if it has weights. The name is case-insensitive.
    #[must_use]
    pub fn default_weights(self, evaluation: &str) -> Option<TermWeights> {
        TermWeights::default_of(self.evaluation(evaluation)?)
    }

    /// Parses weights.
    ///
    /// # Errors
    ///
    /// If the text is not a valid list of weights for an evaluation in the registry.
    pub fn parse_weights(self, text: &str) -> Result<TermWeights, TermWeightsError> {
        let (name, lines) = lines(text)?;
        let unknown_name =
            || TermWeightsError::Evaluation { name: name.to_owned(), known: self.weighted_names() };
        let mut weights = self.default_weights(name).ok_or_else(unknown_name)?;
        weights.table.read(lines, &mut weights.values)?;
        Ok(weights)
    }
}

impl TermWeights {
    /// Returns the published weights of an evaluation, if it has weights.
    #[must_use]
    pub fn default_of(evaluation: Evaluation) -> Option<Self> {
        let table = evaluation.weights?;
        Some(Self { evaluation, table, values: (table.defaults)() })
    }

    /// Returns the evaluation that the weights belong to.
    #[must_use]
    pub const fn evaluation(&self) -> Evaluation {
        self.evaluation
    }

    /// Returns all values: first the values for the first name, then for the second, and so on.
    #[must_use]
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// Returns a checksum of the text.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(self.to_string().as_bytes())
    }

    /// Returns the weights with new values, clamped to the valid range. Missing values are unchanged.
    #[must_use]
    pub fn with(&self, values: &[i32]) -> Self {
        let mut changed = self.clone();
        for (value, new) in changed.values.iter_mut().zip(values) {
            *value = (*new).clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
        changed
    }

    /// Returns the names with their values.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &[i32])> {
        (self.table.names)().iter().copied().zip(self.values.chunks(self.table.columns))
    }

    /// Returns the evaluation with these weights.
    #[must_use]
    pub fn evaluator(&self) -> Arc<dyn Evaluate> {
        (self.table.build)(&self.values)
    }
}

impl PartialEq for TermWeights {
    fn eq(&self, other: &Self) -> bool {
        self.evaluation() == other.evaluation() && self.values == other.values
    }
}

impl Eq for TermWeights {}

/// Formats the weights as text that can be parsed again.
impl fmt::Display for TermWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kelso weights {}", self.evaluation.name)?;
        for (name, values) in self.rows() {
            write!(f, "{name}")?;
            for value in values {
                write!(f, " {value}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The tunable weights of an evaluation: names, published values, and a constructor for other values.
#[derive(Debug)]
pub struct WeightTable {
    pub names: fn() -> &'static [&'static str],
    /// Number of values for each name.
    pub columns: usize,
    /// Returns the published values: first the values for the first name, then for the second, and so on.
    pub defaults: fn() -> Vec<i32>,
    /// Creates the evaluation from values of its weights.
    pub build: fn(&[i32]) -> Arc<dyn Evaluate>,
}

/// Maximum weight, small enough that sums do not overflow; the minimum is its negative.
const MAX_WEIGHT: i32 = 1_000_000;

/// The reason why text is not a valid weights file.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// Returns the name in the first line, and the other lines with their line numbers.
fn lines(text: &str) -> Result<(&str, impl Iterator<Item = (usize, &str)>), TermWeightsError> {
    let mut lines = (1..).zip(text.lines());
    let first = lines.next().map_or("", |(_, line)| line);
    match first.split_whitespace().collect::<Vec<_>>()[..] {
        ["kelso", "weights", name] => Ok((name, lines)),
        _ => Err(TermWeightsError::Foreign),
    }
}

impl WeightTable {
    /// Parses lines of names and values into `values`.
    fn read<'a>(
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
        let read = lines(text).and_then(|(_, lines)| self.read(lines, &mut values));
        read.expect("compiled-in weights are valid");
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TermWeights, TermWeightsError> {
        Registry::default().parse_weights(text)
    }

    #[test]
    fn lines_change_the_named_weights() {
        let changed = parse("kelso weights Classic\r\n\n  # a comment\nTURN\t5 -6 # less\n").unwrap();
        let published = TermWeights::default_of(changed.evaluation()).unwrap();
        let rows: Vec<_> = changed.rows().zip(published.rows()).filter(|(new, old)| new != old).collect();
        assert_eq!(rows.iter().map(|(new, _)| *new).collect::<Vec<_>>(), [("turn", [5, -6].as_slice())]);
    }

    #[test]
    fn errors_name_the_line_and_the_word() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        for text in ["", "kelso weights", "kelso weights classic 2\n", "\nkelso weights classic\n"] {
            assert!(error(text).contains("in the first line"), "{text:?}");
        }
        for (text, parts) in [
            ("kelso weights material\n", ["\"material\"", "expected one of classic"]),
            ("kelso weights classic\nmen 1 1", ["\"men\" in line 2", "man, king, "]),
            ("kelso weights classic\nman 3 3\n\nman 4 4", ["duplicate weight", "\"man\" in line 4"]),
        ] {
            assert!(parts.iter().all(|part| error(text).contains(part)), "{}", error(text));
        }
        for values in ["", "1", "1 2 3", "1.5 1", "1000001 0", "99999999999 0"] {
            let error = error(&format!("kelso weights classic\nman {values}"));
            assert!(error.contains(&format!("\"{values}\" in line 2: expected 2 ")), "{error}");
        }
    }
}
