//! The weights of handcrafted evaluations, and their form as text:
//!
//! ```text
//! kelso weights presser
//! # Comments start with a hash.
//! man 10000
//! king 15000
//! ```
//!
//! The first line names the evaluation. Every other line has the name of a weight and its value or values,
//! from -1000000 to 1000000. Weights that are not named keep their default values.

use std::fmt;
use std::sync::Arc;

use super::{NamedEvaluation, Registry};
use crate::eval::{Evaluation, MAX_WEIGHT, TermWeightsError, WeightTable};

/// The weights of a handcrafted evaluation.
#[derive(Clone, Debug)]
pub struct TermWeights {
    evaluation: NamedEvaluation,
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

    /// Returns the default weights of an evaluation, if it has weights. The name is case-insensitive.
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
        let (name, lines) = WeightTable::lines(text)?;
        let unknown_name =
            || TermWeightsError::Evaluation { name: name.to_owned(), known: self.weighted_names() };
        let mut weights = self.default_weights(name).ok_or_else(unknown_name)?;
        weights.table.read(lines, &mut weights.values)?;
        Ok(weights)
    }
}

impl TermWeights {
    /// Returns the default weights of an evaluation, if it has weights.
    #[must_use]
    pub fn default_of(evaluation: NamedEvaluation) -> Option<Self> {
        let table = evaluation.weights?;
        Some(Self { evaluation, table, values: (table.defaults)() })
    }

    /// Returns the evaluation that the weights belong to.
    #[must_use]
    pub const fn evaluation(&self) -> NamedEvaluation {
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
    pub fn build(&self) -> Arc<dyn Evaluation> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TermWeights, TermWeightsError> {
        Registry::default().parse_weights(text)
    }

    #[test]
    fn lines_change_the_named_weights() {
        let changed = parse("kelso weights Classic\r\n\n  # a comment\nTURN\t5 -6 # less\n").unwrap();
        let default = TermWeights::default_of(changed.evaluation()).unwrap();
        let rows: Vec<_> = changed.rows().zip(default.rows()).filter(|(new, old)| new != old).collect();
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
