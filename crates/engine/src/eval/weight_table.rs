//! The named weights of an evaluation.

use std::sync::Arc;

use super::Evaluate;
use draughts::notation::syntax::Quoted;

/// The names of an evaluation's weights, their published values, and the evaluation with other values.
#[derive(Debug)]
pub struct WeightTable {
    /// Returns the names.
    pub names: fn() -> &'static [&'static str],
    /// The number of values of each name.
    pub columns: usize,
    /// Returns the published values: those of the first name, of the second, and so on.
    pub published: fn() -> Vec<i32>,
    /// Returns the evaluation with given values.
    pub build: fn(&[i32]) -> Arc<dyn Evaluate>,
}

/// The largest weight; its negative is the smallest. Sums of weights do not overflow.
pub(super) const LIMIT: i32 = 1_000_000;

/// An error in the text of weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct TermWeightsError(pub(super) String);

/// Returns the name in the first line of a text of weights, and the other lines with their numbers.
pub(super) fn lines(text: &str) -> Result<(&str, impl Iterator<Item = (usize, &str)>), TermWeightsError> {
    let mut lines = (1..).zip(text.lines());
    let first = lines.next().map_or("", |(_, line)| line);
    match first.split_whitespace().collect::<Vec<_>>()[..] {
        ["kelso", "weights", name] => Ok((name, lines)),
        _ => Err(TermWeightsError(
            "not a weights file: expected \"kelso weights\" and an evaluation's name in the first line"
                .to_owned(),
        )),
    }
}

impl WeightTable {
    /// Parses lines of names and values into `values`.
    pub(super) fn read<'a>(
        &self,
        lines: impl Iterator<Item = (usize, &'a str)>,
        values: &mut [i32],
    ) -> Result<(), TermWeightsError> {
        let names = (self.names)();
        let mut seen = vec![false; names.len()];
        for (line, text) in lines {
            let text = text.split('#').next().unwrap_or_default().trim();
            let Some((name, rest)) =
                text.split_once(char::is_whitespace).or((!text.is_empty()).then_some((text, "")))
            else {
                continue;
            };
            let wrong = |kind: &str, word: &str, expected: &str| {
                TermWeightsError(format!("{kind} {} in line {line}{expected}", Quoted(word)))
            };
            let unknown =
                || wrong("unknown weight", name, &format!(": expected one of {}", names.join(", ")));
            let index =
                names.iter().position(|known| known.eq_ignore_ascii_case(name)).ok_or_else(unknown)?;
            if std::mem::replace(&mut seen[index], true) {
                return Err(wrong("duplicate weight", name, ""));
            }
            let row: Option<Vec<i32>> = rest
                .split_whitespace()
                .map(|word| word.parse().ok().filter(|value| (-LIMIT..=LIMIT).contains(value)))
                .collect();
            let row = row.filter(|row| row.len() == self.columns).ok_or_else(|| {
                let count = self.columns;
                let expected = format!(": expected {count} whole numbers from -{LIMIT} to {LIMIT}");
                wrong("invalid values", rest.trim(), &expected)
            })?;
            values.iter_mut().skip(index * self.columns).zip(row).for_each(|(value, new)| *value = new);
        }
        Ok(())
    }

    /// Returns the values of a text that is compiled in. Weights that it does not name are 0; all are if it is invalid.
    pub(super) fn compiled_in(&self, text: &str) -> Vec<i32> {
        let zeros = vec![0; (self.names)().len() * self.columns];
        let mut values = zeros.clone();
        let read = lines(text).and_then(|(_, lines)| self.read(lines, &mut values));
        if read.is_ok() { values } else { zeros }
    }
}
