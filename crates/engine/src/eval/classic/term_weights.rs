//! The weights of the handcrafted evaluation, and their form as text:
//!
//! ```text
//! kelso weights classic
//! # Comments start with a hash.
//! man 1000 1000
//! king 1500 1400
//! ```
//!
//! The first line names the evaluation. Every other line has the name of a term and its early and its late
//! weight, from -1000000 to 1000000. Weights that are not named keep their default values.

use std::error::Error;
use std::fmt;

use super::Classic;
use super::terms::NAMES;
use kelso_syntax::Quoted;

/// The early and the late weight of each term, in the order of the terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermWeights {
    values: Vec<i32>,
}

/// The name of the evaluation in the first line.
const EVALUATION: &str = "classic";
/// The number of weights of a term.
const COLUMNS: usize = 2;
/// Maximum weight, small enough that sums do not overflow; the minimum is its negative.
const MAX_WEIGHT: i32 = 1_000_000;

/// The reason why text is not a valid weights file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TermWeightsError {
    /// The first line does not name an evaluation.
    Foreign,
    /// The weights are for another evaluation. Contains its name.
    Evaluation(String),
    /// A line names an unknown term.
    Name {
        name: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// A line names a term again.
    Duplicate {
        name: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// The values of a term are not two numbers.
    Values {
        text: String,
        /// The line, counted from 1.
        line: usize,
    },
}

impl Error for TermWeightsError {}

impl fmt::Display for TermWeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => {
                write!(f, "not a weights file: expected \"kelso weights {EVALUATION}\" in the first line")
            }
            Self::Evaluation(name) => {
                write!(f, "cannot set weights of evaluation {}: expected {EVALUATION}", Quoted(name))
            }
            Self::Name { name, line } => {
                let names = NAMES.join(", ");
                write!(f, "unknown weight {} in line {line}: expected one of {names}", Quoted(name))
            }
            Self::Duplicate { name, line } => write!(f, "duplicate weight {} in line {line}", Quoted(name)),
            Self::Values { text, line } => {
                let expected = format_args!("{COLUMNS} whole numbers from -{MAX_WEIGHT} to {MAX_WEIGHT}");
                write!(f, "invalid values {} in line {line}: expected {expected}", Quoted(text))
            }
        }
    }
}

/// The fitted weights.
impl Default for TermWeights {
    #[expect(clippy::expect_used, reason = "the text is compiled in")]
    fn default() -> Self {
        let mut weights = Self { values: vec![0; COLUMNS * NAMES.len()] };
        weights.read(include_str!("weights.txt")).expect("compiled-in weights are valid");
        weights
    }
}

impl TermWeights {
    /// Parses weights.
    ///
    /// # Errors
    ///
    /// If the text is not a valid list of weights.
    pub fn parse(text: &str) -> Result<Self, TermWeightsError> {
        let mut weights = Self::default();
        weights.read(text)?;
        Ok(weights)
    }

    fn read(&mut self, text: &str) -> Result<(), TermWeightsError> {
        let mut lines = text.lines();
        match lines.next().unwrap_or_default().split_whitespace().collect::<Vec<_>>()[..] {
            ["kelso", "weights", name] if name.eq_ignore_ascii_case(EVALUATION) => {}
            ["kelso", "weights", name] => return Err(TermWeightsError::Evaluation(name.to_owned())),
            _ => return Err(TermWeightsError::Foreign),
        }
        let mut seen = vec![false; NAMES.len()];
        for (line, text) in (2..).zip(lines) {
            let words = text.split_once('#').map_or(text, |(words, _)| words).split_whitespace();
            let words: Vec<&str> = words.collect();
            let [name, row @ ..] = words.as_slice() else { continue };
            let Some(term) = NAMES.iter().position(|term| term.eq_ignore_ascii_case(name)) else {
                return Err(TermWeightsError::Name { name: (*name).to_owned(), line });
            };
            if std::mem::replace(&mut seen[term], true) {
                return Err(TermWeightsError::Duplicate { name: (*name).to_owned(), line });
            }
            let invalid = TermWeightsError::Values { text: row.join(" "), line };
            let [early, late] = row else { return Err(invalid) };
            let [Some(early), Some(late)] = [early, late].map(|text| weight(text)) else {
                return Err(invalid);
            };
            self.values[COLUMNS * term..][..COLUMNS].copy_from_slice(&[early, late]);
        }
        Ok(())
    }

    /// Returns all values: first the values of the first term, then of the second, and so on.
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

    /// Returns the names of the terms with their values.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &[i32])> {
        NAMES.iter().copied().zip(self.values.chunks(COLUMNS))
    }

    /// Returns the evaluation with these weights.
    #[must_use]
    pub fn build(&self) -> Classic {
        Classic::new(&self.values)
    }
}

fn weight(text: &str) -> Option<i32> {
    text.parse().ok().filter(|value| (-MAX_WEIGHT..=MAX_WEIGHT).contains(value))
}

/// Formats the weights as text that can be parsed again.
impl fmt::Display for TermWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kelso weights {EVALUATION}")?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::LIMIT;
    use crate::eval::testing::positions;

    #[test]
    fn lines_change_the_named_weights() {
        let text = "kelso weights Classic\r\n\n  # a comment\nTURN\t5 -6 # less\n";
        let changed = TermWeights::parse(text).unwrap();
        let default = TermWeights::default();
        let rows: Vec<_> = changed.rows().zip(default.rows()).filter(|(new, old)| new != old).collect();
        assert_eq!(rows.iter().map(|(new, _)| *new).collect::<Vec<_>>(), [("turn", [5, -6].as_slice())]);
    }

    #[test]
    fn weights_round_trip_through_text() {
        let default = TermWeights::default();
        let others: Vec<i32> =
            (0i32..).map(|n| n * 7919 % 2001 - 1000).take(default.values().len()).collect();
        for weights in [default.clone(), default.with(&others), default.with(&[i32::MAX, i32::MIN])] {
            assert_eq!(TermWeights::parse(&weights.to_string()), Ok(weights));
        }
        assert_eq!(default.with(&[i32::MIN]).values()[0], -MAX_WEIGHT);
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        for limit in [i32::MIN, i32::MAX] {
            let extreme = TermWeights::default().with(&[limit; 1000]).build();
            positions(|position| assert!(extreme.evaluate(position).abs() <= LIMIT));
        }
    }

    #[test]
    fn errors_name_the_line_and_the_word() {
        let error = |text: &str| TermWeights::parse(text).unwrap_err().to_string();
        for text in ["", "kelso weights", "kelso weights classic 2\n", "\nkelso weights classic\n"] {
            assert!(error(text).contains("in the first line"), "{text:?}");
        }
        for (text, parts) in [
            ("kelso weights presser\n", ["\"presser\"", "expected classic"]),
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
