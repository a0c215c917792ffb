//! Weights by name: what the evaluations that have many say of theirs.

use std::sync::Arc;

use super::Evaluate;
use draughts::notation::syntax::Quoted;

use std::fmt;

/// The weights of an evaluation that can be changed.
#[derive(Debug)]
pub(super) struct WeightList {
    pub(super) names: &'static [&'static str],
    /// How many values each name has.
    pub(super) columns: usize,
    /// The values: those of the first name, of the second, and so on.
    pub(super) published: fn() -> Vec<i32>,
    /// The evaluation with such values.
    pub(super) make: fn(&[i32]) -> Arc<dyn Evaluate>,
}

/// The largest weight, and its negative the smallest: sums of them fit.
pub(super) const LIMIT: i32 = 1_000_000;

/// Why a text is no sheet of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SheetError {
    /// It does not begin as one.
    Foreign,
    /// It is for an evaluation that has no such weights.
    Evaluation {
        /// Its name.
        name: String,
        /// Those that have some.
        known: String,
    },
    /// A line names no weight of the evaluation.
    Name(usize, String, &'static [&'static str]),
    /// A line names a weight that a line before it named.
    Again(usize, String),
    /// A line has too few values, too many, or one that is none.
    Values(usize, String, usize),
}

impl fmt::Display for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => write!(f, "no weights: expected \"kelso weights\" and an evaluation's name"),
            Self::Evaluation { name, known } => {
                write!(f, "weights of unknown evaluation {}: expected one of {known}", Quoted(name))
            }
            Self::Name(line, name, names) => {
                let names = names.join(", ");
                write!(f, "unknown weight {} in line {line}: expected one of {names}", Quoted(name))
            }
            Self::Again(line, name) => {
                write!(f, "weight {} again in line {line}: expected it once", Quoted(name))
            }
            Self::Values(line, text, 1) => {
                write!(
                    f,
                    "bad value {} in line {line}: expected a whole number from -{LIMIT} to {LIMIT}",
                    Quoted(text)
                )
            }
            Self::Values(line, text, count) => write!(
                f,
                "bad values {} in line {line}: expected {count} whole numbers from -{LIMIT} to {LIMIT}",
                Quoted(text)
            ),
        }
    }
}

impl std::error::Error for SheetError {}

/// The evaluation that a sheet's first line names, and its other lines with their numbers.
pub(super) fn lines(text: &str) -> Result<(&str, impl Iterator<Item = (usize, &str)>), SheetError> {
    let mut lines = (1..).zip(text.lines());
    let first = lines.next().map_or("", |(_, line)| line);
    let mut words = first.split_whitespace();
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("kelso"), Some("weights"), Some(name), None) => Ok((name, lines)),
        _ => Err(SheetError::Foreign),
    }
}

impl WeightList {
    pub(super) const fn count(&self) -> usize {
        self.names.len() * self.columns
    }

    /// Takes the values of lines.
    pub(super) fn fill<'a>(
        &self,
        lines: impl Iterator<Item = (usize, &'a str)>,
        values: &mut [i32],
    ) -> Result<(), SheetError> {
        let mut seen = vec![false; self.names.len()];
        for (line, text) in lines {
            let text = text.split('#').next().unwrap_or_default().trim();
            let Some((name, rest)) =
                text.split_once(char::is_whitespace).or((!text.is_empty()).then_some((text, "")))
            else {
                continue;
            };
            let index = self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
            let index = index.ok_or_else(|| SheetError::Name(line, name.into(), self.names))?;
            if std::mem::replace(&mut seen[index], true) {
                return Err(SheetError::Again(line, name.into()));
            }
            let row: Option<Vec<i32>> = rest
                .split_whitespace()
                .map(|word| word.parse().ok().filter(|value| (-LIMIT..=LIMIT).contains(value)))
                .collect();
            let row = row.filter(|row| row.len() == self.columns);
            let row = row.ok_or_else(|| SheetError::Values(line, rest.trim().into(), self.columns))?;
            values.iter_mut().skip(index * self.columns).zip(row).for_each(|(value, new)| *value = new);
        }
        Ok(())
    }

    /// The values of a sheet that is compiled in. What it does not name counts nothing; nothing does if it is no sheet.
    pub(super) fn compiled_in(&self, text: &str) -> Vec<i32> {
        let mut values = vec![0; self.count()];
        let read = lines(text).and_then(|(_, lines)| self.fill(lines, &mut values));
        if read.is_ok() { values } else { vec![0; self.count()] }
    }
}
